"""Where the command begins: an interrupt while it is still being loaded is no traceback."""

from __future__ import annotations

import gc
import sys


def main() -> int:
    """Run the command and return its exit code."""
    # what is imported stays: looking through it again and again only costs time
    gc.disable()
    try:
        from agent.cli import main as command

        gc.freeze()
        gc.enable()
        return command()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
