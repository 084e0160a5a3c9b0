"""What widgets and screens are to the keyboard, as the gate before them asks."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar


class KeepsKeys:
    """What a widget is that takes letters while it has the keyboard: none is an answer.

    `place` is where the table of keys has its keys.
    """

    place: ClassVar[str]


class Points:
    """What a widget is that points at something of its own: Enter is then not the question's."""

    @property
    @abstractmethod
    def is_pointing(self) -> bool:
        """Whether it does so now."""


class Decides:
    """What a screen is that opens by itself and takes a decision when typing rests."""

    @abstractmethod
    def ask_again(self) -> None:
        """Nothing counts until it was painted (again)."""

    @abstractmethod
    def counts(self, at: float) -> bool:
        """Whether a key pressed at this time is for this screen."""

    @abstractmethod
    def typed(self, at: float) -> None:
        """A key went to the composer; the quiet begins anew."""
