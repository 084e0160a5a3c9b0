"""How the command ends, for whoever called it; death by a signal is 128 and its number."""

from __future__ import annotations

OK = 0
FAILED = 1
USAGE = 2
BLOCKED = 3
INCOMPLETE = 4
MODEL_ERROR = 5
INTERNAL = 70
"""A bug of ours; where it was written down is told."""
BROKEN_PIPE = 141
"""As a program that died of it, by convention 128 and the number of SIGPIPE."""
