"""Where the cockpit stands, as the keys are chosen by it: read off its parts, kept nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.prompt.shell import SHELL_SIGN

if TYPE_CHECKING:
    from agent_cockpit.cockpit.driving import Driving
    from agent_cockpit.cockpit.opening import Opening
    from agent_cockpit.cockpit.player import Playback
    from agent_cockpit.cockpit.prompt.composer import Composer
    from agent_cockpit.cockpit.prompt.shell import Shell
    from agent_cockpit.cockpit.quitting import Quitting
    from agent_cockpit.transcript.status import Status


class Parts(Protocol):
    """What of the app the situation is read off."""

    driving: Driving
    composer: Composer
    opening: Opening
    quitting: Quitting
    shell: Shell
    playback: Playback | None
    read_only: bool

    @property
    def reading_place(self) -> str: ...


def situation_of(app: Parts, status: Status | None) -> Situation:
    """What is so now, but for what only the furnished screen knows (`Surroundings.situated`)."""
    driving, composer, bridge, playback = (
        app.driving,
        app.composer,
        app.opening.bridge,
        app.playback,
    )
    plays = playback is not None and playback.is_playing
    begun = bool(status and status.is_running)
    return Situation(
        running=(driving.is_busy or begun) and (plays or playback is None),
        begins=driving.is_busy and not begun,
        has_text=bool(composer.text),
        has_queue=bool(driving.waiting()),
        read_only=app.read_only,
        offers_demo=app.opening.offers_demo,
        offers_to_go_on=bool(driving.unfinished),
        is_blocked=driving.is_blocked,
        quit_armed=app.quitting.is_armed,
        reading=app.reading_place,
        inserts=composer.vim is not None and composer.vim.mode == "insert",
        choosing=composer.is_choosing,
        is_command=composer.text.startswith(SHELL_SIGN),
        has_output=app.shell.can_attach,
        shell_runs=app.shell.is_running,
        replays=playback is not None,
        plays=plays,
        past_read=bridge.past_read if bridge else None,
    )
