# SPDX-License-Identifier: Apache-2.0
"""In which order ``fips`` adds what, with one multiplier: two lists, of which the hardware has none.

Whatever the ports do, the scan makes the products of x and y in one order, and the controller takes its
decisions in one order; when they come is up to the ports. So a place in a list says what the registers hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

__all__ = ["STATES", "Decision", "Operation", "Plan"]

STATES = ("S0", "S1", "S2", "S3", "S4", "S5", "S6")


@dataclass(frozen=True)
class Operation:
    """One of the scan: a product x_j·y_k, or none.

    Attributes:
        column: j + k.
        first, last: of its column.
        double: it counts twice.
        product: there is one.
        rest: operations of the column that are left behind it.
    """

    column: int
    j: int
    k: int
    first: bool
    last: bool
    double: bool
    product: bool
    rest: int


@dataclass(frozen=True)
class Decision:
    """One of the controller.

    Attributes:
        kind: ``xy``, a word of x·y; ``m``, m_j·n^_k; ``inverse``, v0·n0'; ``n0``, the upper word of
            m_(s-1)·n_0; ``n``, m_(s-1)·n_k; ``empty``, nothing.
        state: the controller's.
        i: its column.
        j, k: words of m, and of N^ or N.
        wanted, rest, low: the registers of these names.
        v_last: behind it, v0 is m_(i+1), or in the first one m_0.
        z: behind it a word of the result is in v.
        opens: it opens a column of v; the register ``first_q``.
    """

    kind: str
    state: str
    i: int
    j: int = 0
    k: int = 0
    wanted: bool = False
    rest: int = 0
    low: int = 0
    v_last: bool = False
    z: bool = False
    opens: bool = False

    @property
    def column(self) -> int:
        """The column of x·y that it takes."""
        return self.i + (self.state == "S2")

    @property
    def multiplies(self) -> bool:
        """It takes the multiplier."""
        return self.kind not in ("xy", "empty")

    @property
    def adds(self) -> bool:
        """Its product goes to v."""
        return self.multiplies and self.kind != "inverse"

    @property
    def closes(self) -> bool:
        """It takes a column of x·y."""
        return self.kind == "xy" or self.z


@dataclass(frozen=True)
class Plan:
    """Both lists for operands of so many words.

    Attributes:
        binary: in GF(2^m), where a square is that of its words, and the columns between are empty.
        scans: the operations of a multiplication and of a square.
        decisions: those of the controller.
    """

    words: int
    binary: bool = False
    scans: tuple[tuple[Operation, ...], tuple[Operation, ...]] = field(init=False)
    decisions: tuple[Decision, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "scans", (self._scan(square=False), self._scan(square=True)))
        object.__setattr__(self, "decisions", tuple(self._decisions()))

    def _scan(self, *, square: bool) -> tuple[Operation, ...]:
        s, found = self.words, []
        for c in range(2 * s - 1):
            if square and self.binary:
                found.append(Operation(c, c // 2, c // 2, True, True, False, c % 2 == 0, 0))
                continue
            low, high = max(0, c - s + 1), min(c, s - 1)
            some = range(low, (c // 2 if square else high) + 1)
            found += [
                Operation(c, j, c - j, j == low, j == some[-1], square and 2 * j < c, True, some[-1] - j)
                for j in some
            ]
        found.append(Operation(2 * s - 1, 0, s - 1, True, True, False, False, 0))
        return tuple(found)

    def _decisions(self) -> list[Decision]:
        s = self.words
        found = [Decision("xy", "S1", 0, wanted=True, v_last=True)]
        for i in range(s - 1):
            found.append(Decision("xy", "S2", i, wanted=True))
            found.append(Decision("m", "S2", i, i, v_last=True))
            wanted = i + 1 != s - 1
            found += [Decision("m", "S3", i + 1, j, i + 1 - j, wanted, i - j) for j in range(i + 1)]
        found.append(Decision("inverse", "S2", s - 1, s - 1))
        found.append(Decision("n0", "S4", s - 1, s - 1, 0))
        found.append(Decision("n", "S5", s - 1, s - 1, 1, z=True))
        for low in range(2, s):
            for j in range(low - 1, s - 1):
                found.append(Decision("m", "S6", s - 1, j, s + low - 2 - j, rest=s - 1 - j, low=low))
            found.append(Decision("n", "S6", s - 1, s - 1, low, low=low, z=True))
        found.append(Decision("empty", "S6", s - 1, low=s, z=True))
        opens, done = True, []
        for each in found:
            done.append(replace(each, opens=opens))
            opens = each.v_last or each.z
        return done

    def place(self, wanted: Callable[[Decision], bool]) -> int:
        """The first decision of which something is true."""
        return next(n for n, each in enumerate(self.decisions) if wanted(each))

    @property
    def inverse(self) -> int:
        return self.place(lambda each: each.kind == "inverse")

    @property
    def n0(self) -> int:
        return self.inverse + 1

    @property
    def n1(self) -> int:
        return self.inverse + 2

    @property
    def ending(self) -> int:
        """The last decision."""
        return len(self.decisions) - 1

    def completing(self, column: int) -> int:
        """The decision behind which a column of the first loop is complete."""
        return [n for n, each in enumerate(self.decisions) if each.v_last][column]

    def z_end(self, k: int) -> int:
        """The decision behind which word k of the result is in v."""
        return [n for n, each in enumerate(self.decisions) if each.z][k]

    def counted(self, which: Callable[[Decision], bool]) -> list[int]:
        """How many decisions of a kind there are before each place, the end included."""
        found = [0]
        for each in self.decisions:
            found.append(found[-1] + which(each))
        return found

    @staticmethod
    def ends(scan: Sequence[Operation]) -> list[int]:
        """The places of the scan behind the last operations of columns."""
        return [n + 1 for n, each in enumerate(scan) if each.last]

    @staticmethod
    def columns(scan: Sequence[Operation]) -> list[int]:
        """How many columns have ended before each place of the scan, the end included."""
        found = [0]
        for each in scan:
            found.append(found[-1] + each.last)
        return found

    def awaited(self) -> list[int]:
        """Before each place, how many decisions have been added to v, at least seven cycles ago."""
        found = [0]
        for each in self.decisions:
            waits = each.kind == "inverse" or (each.kind == "m" and each.state == "S2")
            found.append(self.completing(each.i) + 1 if waits else found[-1])
        return found
