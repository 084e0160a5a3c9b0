"""Bytes to text and back without changing what was not edited.

Law: `encode(decode(data).text) == data` for every file that `decode` takes for text.
"""

from __future__ import annotations

import codecs
from bisect import bisect_left
from dataclasses import dataclass, replace

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with the other's
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How a file's text is written: `mark` is its byte order mark, empty for none."""

    name: str = "utf-8"
    mark: bytes = b""

    def encode(self, text: str) -> bytes:
        """The bytes of `text`; `UnicodeEncodeError` where this encoding has none."""
        return self.mark + text.encode(self.name)


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's text with the line ends that it has, and how to write it again."""

    text: str
    encoding: Encoding

    @property
    def line_end(self) -> str:
        """What most lines end with; `\\n` where there is no line end at all."""
        crlf = self.text.count("\r\n")
        return "\r\n" if crlf > self.text.count("\n") - crlf else "\n"

    def with_text(self, text: str) -> FileText:
        """The same file with another text."""
        return replace(self, text=text)


def decode(data: bytes) -> FileText | None:
    """The text of a file, None when it is binary.

    A byte order mark decides; without one it is UTF-8, or else Latin-1, which has a
    character for every byte and so changes none.
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            encoding = Encoding(name, mark)
            break
    else:
        encoding = Encoding()
        if b"\0" in data:
            return None
    try:
        text = data[len(encoding.mark) :].decode(encoding.name)
    except UnicodeDecodeError:
        if encoding.mark:
            return None
        encoding = Encoding("latin-1")
        text = data.decode("latin-1")
    if encoding.encode(text) != data or ("\0" in text):
        return None
    return FileText(text, encoding)


class LineEnds:
    """A text as people count it, every line end `\\n`, and the way back to the original."""

    def __init__(self, original: str) -> None:
        self.original = original
        self.text = original.replace("\r\n", "\n")
        self._crlf_at = _positions(original)
        lf = self.text.count("\n") - len(self._crlf_at)
        self._uniform = "" if lf and self._crlf_at else "\r\n" if self._crlf_at else "\n"

    def original_offset(self, offset: int) -> int:
        """Where the character at `offset` of `text` begins in the original."""
        return offset + bisect_left(self._crlf_at, offset)

    def line_end_near(self, offset: int) -> str:
        """The line end that the line at `offset` has; of the last line, the one before."""
        if self._uniform:
            return self._uniform
        at = self.text.find("\n", offset)
        if at < 0:
            at = self.text.rfind("\n", 0, offset)
        index = bisect_left(self._crlf_at, at)
        is_crlf = index < len(self._crlf_at) and self._crlf_at[index] == at
        return "\r\n" if is_crlf else "\n"


def _positions(original: str) -> list[int]:
    """Offsets, in the text with `\\n` only, of the line ends that were `\\r\\n`."""
    found: list[int] = []
    at = original.find("\r\n")
    while at >= 0:
        found.append(at - len(found))
        at = original.find("\r\n", at + 2)
    return found
