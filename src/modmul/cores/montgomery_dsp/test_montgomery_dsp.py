# SPDX-License-Identifier: Apache-2.0
"""montgomery_dsp: the ranges of the README, by every modulus and operand of up to five bits."""

from collections.abc import Iterator

import pytest

from modmul.cores.montgomery_dsp.core import MontgomeryDsp, domain, sums


class Small(MontgomeryDsp):
    """Digits that are too short for the hardware, and any number of pending ones."""

    pending = 0
    less = 0

    def __post_init__(self) -> None:
        """Nothing is refused."""

    @property
    def delay(self) -> int:
        return self.pending

    @property
    def halves(self) -> int:
        return super().halves - self.less


def builds(less: int = 0) -> Iterator[Small]:
    for digit in (2, 3):
        for width in (2, 3, 4, 5):
            for pending in (0, 1, 2, 4, 6, 7):
                build = Small(width, word=digit, digit=digit)
                object.__setattr__(build, "pending", pending)
                object.__setattr__(build, "less", less)
                yield build


def results(config: Small) -> Iterator[tuple[int, int, int, int, list[int], int]]:
    """M, x, y, the sum V, the sums S, and Z, for all there are."""
    full = 1 << config.quotient
    for m in range(1, 1 << config.width, 2):
        for x in range(m + 1):
            for y in range(m + 1):
                *steps, v = sums(config, m, x, y)
                yield m, x, y, v, steps, (v + -v * pow(m, -1, full) % full * m) // full


@pytest.mark.parametrize("digit", [2, 3])
def test_sums_and_results_lie_in_their_ranges(digit: int) -> None:
    """Also for short moduli; Z is congruent to x * y / R."""
    for config in builds():
        if config.digit != digit:
            continue
        radix = domain(config).radix
        base = 1 << config.digit
        for m, x, y, v, steps, z in results(config):
            assert max(steps) < 2 * base * m
            assert v < (config.delay + 2) * base * m <= (1 << config.halves) * base * m
            assert z < 2 * m
            assert (z * radix - x * y) % m == 0


def test_the_columns_hold_the_sums() -> None:
    """The widest sum of step 5, for any build: a digit more than the operand and five bits."""
    for width in range(2, 600):
        for folded in (0, 1):
            for digit, fanout in ((8, 0), (17, 2), (18, 0), (18, 2)):
                config = MontgomeryDsp(width, word=2 * digit, digit=digit, folded=folded, fanout=fanout)
                assert config.halves <= 4 and config.delay <= 9
                assert config.sum_digits * digit >= width + digit + config.halves + 1
                assert config.groups * (config.lanes if folded else config.sum_digits) >= config.sum_digits
