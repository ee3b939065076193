"""Where the command begins: an interrupt while it is still being loaded is no traceback."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command and return its exit code."""
    try:
        from agent.loading import loading

        with loading("agent.cli"):
            from agent.cli import main as command

        return command()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
