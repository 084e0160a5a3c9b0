"""What a key costs while a file is named: `python -m tests.bench.completion [--files N]`.

Every query is typed letter by letter. A key's cost is the time until the first list for it;
what is looked at after that comes in steps, of which the longest is told too: no key waits
longer than that. Beside it the same keys among 200 files. CPU time, medians and worst.
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent_cockpit.rules.path_index import MOST, PathIndex

QUERIES = ("main_queue7", "render", "cockpit/wid", "cockwidg", "srvcz", "zzqq", "tests/api.py")
# fmt: off
_WORDS = (
    "core", "util", "test", "api", "model", "view", "handler", "service", "client",
    "server", "config", "main", "index", "data", "parse", "render", "engine", "tool",
    "cockpit", "widget", "screen", "rules", "event", "journal", "batch", "queue", "cache",
    "store", "user", "auth", "session", "proxy", "stream", "buffer", "node", "leaf", "tree",
    "graph", "path", "file", "name",
)
# fmt: on
_ENDINGS = ("py", "ts", "js", "md", "json", "c", "h", "rs")


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.completion", description=__doc__)
    parser.add_argument("--files", type=int, default=200_000)
    files = parser.parse_args(words).files
    print(f"{'files':>9} {'build s':>8} {'key ms p50':>11} {'worst':>6} {'step ms worst':>14}")
    for count in (200, files):
        before = time.process_time()
        index = PathIndex(tree(count))
        built_s = time.process_time() - before
        gc.collect()
        keys, steps = zip(*(cost for query in QUERIES for cost in costs(index, query)), strict=True)
        print(
            f"{count:>9,} {built_s:>8.2f} {statistics.median(keys):>11.1f} {max(keys):>6.1f} "
            f"{max(steps):>14.1f}"
        )


def tree(files: int) -> list[str]:
    """File names as a large repository has them, the same ones each time."""
    chance = random.Random(7)
    folders = ["/".join(chance.choices(_WORDS, k=chance.randint(1, 6))) for _ in range(files // 10)]
    return [
        f"{chance.choice(folders)}/{chance.choice(_WORDS)}_{chance.choice(_WORDS)}{number}."
        f"{chance.choice(_ENDINGS)}"
        for number in range(files)
    ]


def costs(index: PathIndex, query: str) -> Iterator[tuple[float, float]]:
    """(time to the first list, longest later step) in ms for each letter of a query."""
    whole: list[str] | None = None
    for length in range(1, len(query) + 1):
        marks, lists = [time.process_time()], []
        for found in index.search(query[:length], among=whole):
            lists.append(found)
            marks.append(time.process_time())
        marks.append(time.process_time())
        whole = lists[-1] if len(lists[-1]) < MOST else None
        first, *later = (1000 * (after - before) for before, after in pairwise(marks))
        yield first, max(later)


if __name__ == "__main__":
    main()
