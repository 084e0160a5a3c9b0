"""A driver whose terminal takes nothing, and one that is told to go on without having stopped."""

from __future__ import annotations

import io
from typing import Any

from textual._ansi_sequences import SYNC_START
from textual.app import App
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread

from agent_cockpit.cockpit.look.patient import PatientDriver, patient_driver


class Stalled(Driver):
    """Has a terminal that takes nothing; keeps what it was told to do."""

    def __init__(self) -> None:
        self._app = App[None]()
        self.told: list[str] = []
        self._writer_thread: Any = None

    def write(self, data: str) -> None:
        self._writer_thread.write(data)

    def start_application_mode(self) -> None:
        self.told.append("start")
        self._writer_thread = WriterThread(io.StringIO())

    def stop_application_mode(self) -> None:
        self.told.append("stop")

    def disable_input(self) -> None: ...


def stalled() -> Any:
    driver = patient_driver(Stalled)()  # type: ignore[call-arg]
    assert isinstance(driver, PatientDriver)
    return driver


def test_writing_waits_for_no_terminal() -> None:
    driver = stalled()
    assert driver.waiting == 0
    driver.start_application_mode()
    for number in range(100):
        driver.write(f"title {number}")
    assert driver.waiting == 100


def test_going_on_takes_the_terminal_once_and_never_after_it_was_left() -> None:
    driver = stalled()
    driver.resume_application_mode()
    assert driver.told == []
    driver.start_application_mode()
    driver.suspend_application_mode()
    driver.resume_application_mode()
    assert driver.told == ["start", "stop", "start"]
    driver.resume_application_mode()
    assert driver.told[3:] == ["stop", "start"]
    driver.stop_application_mode()
    driver.resume_application_mode()
    assert driver.told[5:] == ["stop"]


def test_pictures_that_wait_are_dropped_where_the_terminal_is_left() -> None:
    driver = stalled()
    driver.start_application_mode()
    for text in ("title", f"{SYNC_START}a picture", "mode", f"{SYNC_START}another"):
        driver.write(text)
    driver.stop_application_mode()
    assert list(driver._writer_thread._queue.queue) == ["title", "mode"]
