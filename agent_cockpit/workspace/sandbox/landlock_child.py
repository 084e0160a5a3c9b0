"""Holds this process with Landlock and seccomp, then becomes the command it was given.

Started as a file, by `python -I -S`, so it may import nothing but the standard library:

    landlock_child.py '{"write": [PATH, …], "hide": [PATH, …], "network": BOOL}' -- WORD…

Law: what cannot be held does not start; it ends with 126 and says why.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import stat
import struct
import sys
from collections.abc import Iterator

OLDEST = 3
"""Before this version of Landlock (Linux 6.2) a held command could still empty any file."""

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_NO_NEW_PRIVILEGES, _SET_SECCOMP, _SECCOMP_FILTER = 38, 22, 2

_IN_BOUNDS, _OUT_OF_BOUNDS = 23, 24
_FILE_CAPABILITIES = (0, 1, 3, 4, 6, 7)
"""Changing owners, passing over permissions, and becoming another user."""

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | 1 << 14
"""The rights that make sense for something that is no folder; bit 14 is truncating."""
_ALL = (1 << 15) - 1
_SCOPED_SINCE, _SCOPED = 6, 3
"""Signals to processes outside, and abstract sockets."""

_ALWAYS_WRITTEN = (
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts", "/dev/shm"),
)

_MACHINES = {
    "x86_64": (0xC000003E, 41),
    "aarch64": (0xC00000B7, 198),
    "riscv64": (0xC00000F3, 198),
    "loongarch64": (0xC0000102, 198),
}
"""Of each kind of machine: its number for seccomp, and that of `socket`."""
_IO_URING_SETUP = 425
_X32_CALLS = 0x40000000
"""Second numbers of the same calls, on one kind of machine; elsewhere there are none so high."""
_LOCAL_FAMILIES = (1, 16)
"""Unix sockets, and netlink, which only talks to the kernel."""
_LOAD, _IS, _IS_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_AT_CALL, _AT_MACHINE, _AT_FAMILY = 0, 4, 16
"""Where a filter finds the number of a call, the kind of machine, the first argument."""


def version() -> int:
    """The version of Landlock that this kernel offers; 0: none, or switched off."""
    if not sys.platform.startswith("linux"):
        return 0
    number, size, asked = ctypes.c_long(_CREATE), ctypes.c_size_t(0), ctypes.c_uint32(1)
    return max(0, int(_libc().syscall(number, None, size, asked)))


def can_hold() -> bool:
    """Whether this machine and its kernel have all that is needed here."""
    return version() >= OLDEST and platform.machine() in _MACHINES


def main(words: list[str]) -> int:
    """Hold this process and become the command; returns only when that fails."""
    try:
        wanted = json.loads(words[0])
        keep_only_file_rights()
        hold_files(wanted["write"], wanted["hide"])
        if not wanted["network"]:
            cut_off_network()
    except (OSError, ValueError, TypeError, LookupError) as error:
        return _failed(f"the sandbox could not be set up, so nothing ran: {error}", 126)
    command = words[2:]
    try:
        os.execvp(command[0], command)
    except FileNotFoundError:
        return _failed(f"{command[0]}: command not found", 127)
    except OSError as error:
        return _failed(f"{command[0]}: {error.strerror}", 126)


def keep_only_file_rights() -> None:
    """Programs started from here on have, as root, root's way with files and no more of it.

    With the rest it could read what other processes keep in memory, keys for instance.
    """
    capability = 0
    while _libc().prctl(_IN_BOUNDS, ctypes.c_ulong(capability)) >= 0:
        if capability not in _FILE_CAPABILITIES:
            # Who may not take it away has none to take: there is nothing to check.
            _libc().prctl(_OUT_OF_BOUNDS, ctypes.c_ulong(capability))
        capability += 1


def hold_files(write: list[str], hide: list[str]) -> None:
    """From here on only `write` can be changed, and files in `hide` not even be read.

    Names of files can be seen everywhere: reading a folder cannot be taken away below one
    where it is given. For the same reason nothing is hidden inside `write`. Who may change all
    of them is not kept from other processes either.
    """
    found = version()
    if found < OLDEST:
        raise OSError(errno.ENOSYS, f"Landlock is too old here (version {found})")
    attributes = struct.pack("=QQQ", _ALL, 0, 0 if "/" in write else _SCOPED)
    size = len(attributes) if found >= _SCOPED_SINCE else 8
    rules = _called(_CREATE, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))
    try:
        _allow(rules, "/", _READ_DIR)
        for place in all_but(hide, "/"):
            _allow(rules, place, _READ_FILE | _EXECUTE)
        for place in (*write, *_ALWAYS_WRITTEN):
            _allow(rules, place, _ALL)
        _give_up_privileges()
        _called(_RESTRICT, ctypes.c_int(rules), ctypes.c_uint32(0))
    finally:
        os.close(rules)


def cut_off_network() -> None:
    """From here on only unix sockets can be made; nor rings, which could make others."""
    machine, socket_call = _MACHINES[platform.machine()]
    unix, netlink = _LOCAL_FAMILIES
    allow, refuse = (_RETURN, 0, 0, 0x7FFF0000), (_RETURN, 0, 0, 0x00050000 | errno.ENETUNREACH)
    # Each step: what, how many steps to skip when the test holds and when not, a number.
    steps = (
        (_LOAD, 0, 0, _AT_MACHINE),
        (_IS, 1, 0, machine),
        refuse,  # a program for another kind of machine, whose calls have other numbers
        (_LOAD, 0, 0, _AT_CALL),
        (_IS_AT_LEAST, 0, 1, _X32_CALLS),
        refuse,
        (_IS, 0, 1, _IO_URING_SETUP),
        refuse,
        (_IS, 1, 0, socket_call),
        allow,
        (_LOAD, 0, 0, _AT_FAMILY),
        (_IS, 1, 0, unix),
        (_IS, 0, 1, netlink),
        allow,
        refuse,
    )
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    program = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HP", len(steps), ctypes.addressof(program))
    _give_up_privileges()
    libc = _libc()
    if libc.prctl(_SET_SECCOMP, ctypes.c_ulong(_SECCOMP_FILTER), header, None, None):
        raise OSError(ctypes.get_errno(), "seccomp filters are not allowed here")


def all_but(hide: list[str], place: str) -> Iterator[str]:
    """Places that together hold all of `place` but what is in `hide`, links left out."""
    inner = [path for path in hide if path.startswith(place.rstrip("/") + "/")]
    if place in hide:
        return
    if not inner:
        yield place
        return
    try:
        with os.scandir(place) as entries:
            children = [entry.path for entry in entries if not entry.is_symlink()]
    except OSError:
        return  # what cannot be listed cannot be told apart: none of it is given
    for child in children:
        yield from all_but(inner, child)


def _allow(rules: int, place: str, rights: int) -> None:
    try:
        opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # it is not there, so there is nothing to allow
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            rights &= _ON_FILES
        rule = struct.pack("=Qi", rights, opened)
        _called(_ADD, ctypes.c_int(rules), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    finally:
        os.close(opened)


def _give_up_privileges() -> None:
    """No program started from here on gains any; without this no filter may be set."""
    one, zero = ctypes.c_ulong(1), ctypes.c_ulong(0)
    if _libc().prctl(_NO_NEW_PRIVILEGES, one, zero, zero, zero):
        raise OSError(ctypes.get_errno(), "privileges cannot be given up")


def _called(number: int, *arguments: object) -> int:
    found = int(_libc().syscall(ctypes.c_long(number), *arguments))
    if found < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {os.strerror(code)}")
    return found


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _failed(words: str, code: int) -> int:
    print(words, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
