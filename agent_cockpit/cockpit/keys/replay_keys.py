"""The keys with which a person moves about in a recorded sitting; part of the table of keys."""

from __future__ import annotations

from agent_cockpit.cockpit.keys.key import Key, Situation


def moves(now: Situation) -> bool:
    """Whether these keys are anybody's: a search, a menu and a field keep theirs."""
    return now.replays and now.reading in ("", "blocks")


REPLAY_KEYS: tuple[Key, ...] = (
    Key(
        id="replay_play",
        keys=("space",),
        label="space",
        words="play on from here; from the end, play all of it",
        brief="play",
        where="replay",
        action="app.play",
        works=moves,
        shown=lambda now: moves(now) and not now.plays,
    ),
    Key(
        id="replay_pause",
        keys=(),
        of="replay_play",
        label="space",
        words="while it plays: pause",
        brief="pause",
        where="replay",
        works=moves,
        shown=lambda now: moves(now) and now.plays,
    ),
    *(
        Key(
            id=f"replay_step_{key}",
            keys=(key,),
            label=label,
            words="one block or question back, or on",
            brief="step",
            where="replay",
            action=f"app.step({step})",
            works=moves,
            shown=lambda now: moves(now) and not now.asking,
        )
        for key, label, step in (("left", "←", -1), ("right", "→", 1))
    ),
    *(
        Key(
            id=f"replay_event_{name}",
            keys=(key,),
            label=label,
            words="one event back, or on",
            where="replay",
            action=f"app.step_event({step})",
            works=moves,
        )
        for name, key, label, step in (
            ("before", "comma", ",", -1),
            ("next", "full_stop", ".", 1),
        )
    ),
    *(
        Key(
            id=f"replay_{name}",
            keys=keys,
            label=label,
            words="play slower, or faster: from half as fast to 32 times; long pauses take 2 s",
            where="replay",
            action=f"app.pace({step})",
            works=moves,
        )
        for name, keys, label, step in (
            ("slower", ("minus",), "-", -1),
            ("faster", ("plus", "equals_sign"), "+", 1),
        )
    ),
    *(
        Key(
            id=f"replay_{what}_{way}",
            keys=(key,),
            label=key,
            words=f"the {word} before, or the next one",
            where="replay",
            action=f"app.step_{what}({step})",
            works=moves,
        )
        for what, word, letter in (
            ("goal", "goal", "g"),
            ("question", "question or plan that waited", "a"),
        )
        for way, key, step in (("before", letter.upper(), -1), ("next", letter, 1))
    ),
    *(
        Key(
            id=f"replay_{key}",
            keys=(key,),
            label=key,
            words="to the beginning of the recording, or to its end",
            where="replay",
            action=f"app.step_edge({step})",
            works=moves,
        )
        for key, step in (("home", -1), ("end", 1))
    ),
    Key(
        id="replay_jump",
        keys=("t",),
        label="t",
        words="go to a time, a span on, a share or an event: 09:41, +5m, 40%, 312",
        brief="go to",
        where="replay",
        action="app.jump",
        works=moves,
        shown=moves,
    ),
)
