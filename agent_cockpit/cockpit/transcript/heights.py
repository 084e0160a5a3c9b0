"""Heights of many blocks, with sums: where a block begins, and which block holds a line.

A Fenwick tree: appending, changing and finding cost the logarithm of their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Heights:
    """Owns one height a block, in lines."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._sums = [0, *self._heights]
        self.total = sum(self._heights)
        if not self.total:
            return
        for node in range(1, len(self._sums)):
            above = node + (node & -node)
            if above < len(self._sums):
                self._sums[above] += self._sums[node]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, key: int) -> int:
        return self._heights[key]

    def __iter__(self) -> Iterator[int]:
        return iter(self._heights)

    def append(self, height: int) -> None:
        """One more block at the end."""
        self._heights.append(height)
        node = len(self._heights)
        covered = height
        step = 1
        while step < (node & -node):
            covered += self._sums[node - step]
            step <<= 1
        self._sums.append(covered)
        self.total += height

    def cut(self, count: int) -> None:
        """Only the first `count` blocks are left."""
        self.total = self.offset(count)
        del self._heights[count:], self._sums[count + 1 :]

    def set(self, key: int, height: int) -> bool:
        """Give a block another height; whether it changed."""
        difference = height - self._heights[key]
        if not difference:
            return False
        self._heights[key] = height
        self.total += difference
        node = key + 1
        while node < len(self._sums):
            self._sums[node] += difference
            node += node & -node
        return True

    def offset(self, key: int) -> int:
        """The line on which block `key` begins; for the number of blocks, the total."""
        line, node = 0, key
        while node:
            line += self._sums[node]
            node -= node & -node
        return line

    def find(self, line: int) -> tuple[int, int]:
        """The block that holds `line`, and the line within it; the last block beyond the end."""
        if not self._heights:
            return 0, 0
        line = max(0, line)
        node, step = 0, 1 << len(self._heights).bit_length()
        left = line
        while step:
            after = node + step
            if after < len(self._sums) and self._sums[after] <= left:
                node = after
                left -= self._sums[after]
            step >>= 1
        if node >= len(self._heights):
            last = len(self._heights) - 1
            return last, max(0, self._heights[last] - 1)
        return node, left
