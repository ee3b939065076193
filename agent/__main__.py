"""Where the command begins: an interrupt while it is still being loaded is no traceback."""

from __future__ import annotations

import gc
import sys

NEW_OBJECTS = 50_000
"""Containers made before the garbage collector looks at the young ones. Python's 700 lets it run
dozens of times over what a question loads and keeps: 6 ms of 120."""


def main() -> int:
    """Run the command and return its exit code."""
    gc.set_threshold(NEW_OBJECTS)
    try:
        from agent.loading import loading

        with loading("agent.cli"):
            from agent.cli import main as command

        return command()
    except KeyboardInterrupt:
        return 130
    finally:
        gc.freeze()  # what is left goes with the process: no last search for cycles in all of it


if __name__ == "__main__":
    sys.exit(main())
