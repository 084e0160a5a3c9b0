"""What a child process gets to know of the person's environment.

Law: a variable reaches a child only if its name is listed here, so no key of a model
server ever does.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

PASSED_ON = frozenset(
    {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "TZ"),
        *("TMPDIR", "TMP", "TEMP", "VIRTUAL_ENV", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    }
)


ADDED = {"PYTHONUNBUFFERED": "1"}
"""A Python child would keep its output back until it ends, and lose it when it is stopped."""


def child_environment(source: Mapping[str, str] | None = None) -> dict[str, str]:
    """The listed variables and `LC_*` of `source` (None: this process's own), and `ADDED`."""
    source = os.environ if source is None else source
    return ADDED | {
        name: value for name, value in source.items() if name in PASSED_ON or name.startswith("LC_")
    }
