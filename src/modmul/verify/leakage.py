# SPDX-License-Identifier: Apache-2.0
"""What traces of two sets tell of which set they are: Welch's t-test, and signal to noise of a secret's bits.

Traces are whole numbers, so all sums are exact, and those of several batches are added up in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from modmul.tools.extras import needing

with needing("simulation"):
    import numpy as np
    import numpy.typing as npt

__all__ = ["THRESHOLD", "Sums", "leaks", "welch"]

THRESHOLD = 4.5
"""Of \\|t\\|, beyond which a sample is said to tell the sets apart (ISO/IEC 17825, TVLA)."""

MOST = 1e6
"""What stands for a \\|t\\| without bounds: both sets are constant, and differ."""

Numbers = npt.NDArray[np.float64]


def welch(
    means: tuple[Numbers, Numbers], variances: tuple[Numbers, Numbers], counts: tuple[int, int]
) -> Numbers:
    """Welch's t of two sets; the variances are those of the samples, not of the population."""
    if min(counts) < 2:
        return np.zeros_like(means[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = sum(variance / (count - 1) for variance, count in zip(variances, counts, strict=True))
        t = (means[0] - means[1]) / np.sqrt(squares)
    t[means[0] == means[1]] = 0  # of 0 / 0
    return np.clip(t, -MOST, MOST)


def leaks(halves: Numbers) -> npt.NDArray[np.bool_]:
    """(n,) where both of two independent tests, (2, n), are beyond the threshold on the same side."""
    beyond = np.abs(halves).min(axis=0) > THRESHOLD
    return np.asarray(beyond & (np.sign(halves[0]) == np.sign(halves[1])), dtype=np.bool_)


@dataclass
class Sums:
    """Sums of the powers of samples, of two independent halves of two sets each.

    Attributes:
        rows: samples of a trace.
        bits: of the secret.
        order: of the t-test, 1 or 2.
        powers: (2 order, 4, rows) sums of the powers of samples less ``origin``, of the sets 2 half + fixed.
        counts: (4,) traces of each.
        ones: (2, bits, rows) sums of the first two powers, of those random traces whose bit is 1.
        one: (bits,) how many these are.
        origin: (rows,) what samples are counted from, to keep sums small: the first trace.
    """

    rows: int
    bits: int = 0
    order: int = 1
    powers: Numbers = field(init=False)
    counts: npt.NDArray[np.int64] = field(init=False)
    ones: Numbers = field(init=False)
    one: npt.NDArray[np.int64] = field(init=False)
    origin: Numbers | None = None

    def __post_init__(self) -> None:
        self.powers = np.zeros((2 * self.order, 4, self.rows))
        self.counts = np.zeros(4, dtype=np.int64)
        self.ones = np.zeros((2, self.bits, self.rows))
        self.one = np.zeros(self.bits, dtype=np.int64)

    @property
    def total(self) -> int:
        """Traces."""
        return int(self.counts.sum())

    def add(
        self,
        traces: npt.NDArray[np.uint16],
        fixed: npt.NDArray[np.bool_],
        half: int,
        secrets: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Count a batch.

        Args:
            traces: (n, rows).
            fixed: (n,) those of the fixed set.
            half: 0 or 1, of the whole batch.
            secrets: (n, bits) bits of the secret.
        """
        if self.origin is None:
            self.origin = traces[0].astype(np.float64)
        samples = traces - self.origin
        sets = np.stack([~fixed, fixed]).astype(np.float64)
        at = slice(2 * half, 2 * half + 2)
        power = samples
        for k in range(2 * self.order):
            self.powers[k, at] += sets @ power
            if k + 1 < 2 * self.order:
                power = power * samples
        self.counts[at] += sets.sum(axis=1).astype(np.int64)
        if self.bits and secrets is not None:
            set_ = (secrets & ~fixed[:, None]).T.astype(np.float64)
            self.ones += np.stack([set_ @ samples, set_ @ samples**2])
            self.one += set_.sum(axis=1).astype(np.int64)

    def _t(self, powers: Numbers, counts: npt.NDArray[np.int64], order: int) -> Numbers:
        """Of one pair of sets: (2 order, 2, rows) sums and (2,) counts."""
        n = np.maximum(counts, 1)[:, None]
        raw = [sums / n for sums in powers]
        mean, variance = raw[0], raw[1] - raw[0] ** 2
        if order == 2:  # the means of squared distances from the mean, and the variances of these
            fourth = raw[3] - 4 * mean * raw[2] + 6 * mean**2 * raw[1] - 3 * mean**4
            mean, variance = variance, fourth - variance**2
        variance = np.maximum(variance, 0)
        return welch((mean[1], mean[0]), (variance[1], variance[0]), (int(counts[1]), int(counts[0])))

    def halves(self, order: int = 1) -> Numbers:
        """(2, rows) t of each half."""
        found = [self._t(self.powers[:, at : at + 2], self.counts[at : at + 2], order) for at in (0, 2)]
        return np.stack(found)

    def t(self, order: int = 1) -> Numbers:
        """(rows,) t of both halves together."""
        powers = self.powers[:, :2] + self.powers[:, 2:]
        return self._t(powers, self.counts[:2] + self.counts[2:], order)

    @property
    def silent(self) -> bool:
        """Whether no sample ever differs from another one of its trace or of its time."""
        if self.origin is None:
            return True
        return bool((self.powers[1] == 0).all() and (self.origin == self.origin[0]).all())

    def snr(self) -> Iterator[Numbers]:
        """(rows,) for each bit of the secret: the variance of the two means through the mean variance.

        Of the random set; a bit that never changes there has 0.
        """
        total = int(self.counts[0] + self.counts[2])
        first, second = (self.powers[k, 0] + self.powers[k, 2] for k in (0, 1))
        for bit in range(self.bits):
            one = int(self.one[bit])
            zero = total - one
            if not one or not zero:
                yield np.zeros(self.rows)
                continue
            ones, zeros = self.ones[0, bit] / one, (first - self.ones[0, bit]) / zero
            within = (second - one * ones**2 - zero * zeros**2) / total
            between = one * zero / total**2 * (ones - zeros) ** 2
            yield np.where(within > 1e-9, between / np.maximum(within, 1e-9), np.where(between > 0, MOST, 0))
