"""The command line: words to choices, choices to a front end, every end to an exit code."""

from agent_cockpit.cli.command import main

__all__ = ["main"]
