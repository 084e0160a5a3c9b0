"""`python -m agent_cockpit` is the command itself."""

from __future__ import annotations

import sys

from agent_cockpit.cli import main

if __name__ == "__main__":
    sys.exit(main())
