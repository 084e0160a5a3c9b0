"""How hypothesis finds its examples: the same ones in every run, so that a run that passed passes
again; a search for new ones is its own errand.

    pytest --hypothesis-profile=explore      other examples each time, kept and made small
    pytest --hypothesis-profile=shrink       the usual ones; a failing one is made small

A run that was started in the background ignores ctrl+c, one under nohup a terminal that closes,
and so would every program that a test starts: there both mean again what they mean in a terminal.

The collector of garbage leaves alone what was there before the first test, all the tests among it:
it took a seventh of the time to look through that again and again.
"""

from __future__ import annotations

import gc
import signal

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "same",
    derandomize=True,
    database=None,
    deadline=None,  # a busy machine is no fault
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
    phases=[Phase.explicit, Phase.generate],  # to make an example small may take minutes
)
settings.register_profile("shrink", settings.get_profile("same"), phases=tuple(Phase))
settings.register_profile(
    "explore",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=500,
)
settings.load_profile("same")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    # The run itself lives on; what is heard here and ignored is not ignored in a new program.
    signal.signal(signal.SIGHUP, lambda number, frame: None)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
