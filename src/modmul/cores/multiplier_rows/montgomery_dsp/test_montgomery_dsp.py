# SPDX-License-Identifier: Apache-2.0
"""montgomery_dsp: the ranges of the README, by every modulus and operand of up to five bits; short rows."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from modmul.cores.multiplier_rows.montgomery_dsp.core import (
    CORE,
    MontgomeryDsp,
    domain,
    interval,
    operand_max,
    result_max,
    sums,
)
from modmul.registry import room
from modmul.verify.checks import check_back_pressure, check_random
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation


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


def builds(digit: int, lazy: int, less: int = 0) -> Iterator[Small]:
    for width in (2, 3, 4, 5) if not lazy else (2, 3, 4):
        for pending in (0, 1, 2, 4, 6, 7):
            build = Small(width, word=digit, digit=digit, lazy=lazy)
            object.__setattr__(build, "pending", pending)
            object.__setattr__(build, "less", less)
            yield build


def results(config: Small) -> Iterator[tuple[int, int, int, int, list[int], int]]:
    """M, x, y, the sum V, the sums S, and Z, for all there are."""
    full = 1 << config.quotient
    for m in range(1, 1 << config.width, 2):
        top = operand_max(config, m)
        for x in range(top + 1):
            for y in range(top + 1):
                *steps, v = sums(config, m, x, y)
                yield m, x, y, v, steps, (v + -v * pow(m, -1, full) % full * m) // full


def check_ranges(config: Small) -> None:
    radix = domain(config).radix
    base = 1 << config.digit
    for m, x, y, v, steps, z in results(config):
        assert max(steps) < (2 + config.lazy) * base * m
        assert v < (config.delay + 2 + config.lazy) * base * m <= (1 << config.halves) * base * m
        assert z < 2 * m
        assert not config.lazy or z <= result_max(config, m)
        assert (z * radix - x * y) % m == 0


@pytest.mark.parametrize("lazy", [0, 1])
@pytest.mark.parametrize("digit", [2, 3])
def test_sums_and_results_lie_in_their_ranges(digit: int, lazy: int) -> None:
    """Also for short moduli; Z is congruent to x * y / R."""
    for config in builds(digit, lazy):
        check_ranges(config)


@pytest.mark.parametrize("lazy", [0, 1])
def test_a_bit_of_q_less_is_too_few(lazy: int) -> None:
    """So the ranges are not wider than they have to be for every number of pending digits."""
    with pytest.raises(AssertionError):
        for config in builds(2, lazy, less=1):
            check_ranges(config)


def test_the_columns_hold_the_sums() -> None:
    """The widest sum of step 6, for any build: a digit more than the operand and five bits."""
    for width in range(2, 600):
        for columns in (0, 2, 4, 10):
            for digit, fanout in ((8, 0), (17, 2), (18, 0), (18, 2), (19, 2), (32, 0)):
                for lazy in (0, 1):
                    config = MontgomeryDsp(
                        width, word=2 * digit, digit=digit, columns=columns, fanout=fanout, lazy=lazy
                    )
                    assert config.halves <= 4 and config.delay <= 8
                    assert config.sum_digits * digit >= width + digit + config.halves + 1
                    assert config.groups * config.row >= config.sum_digits
                    assert config.row == config.sum_digits or config.row == columns


@pytest.mark.parametrize(
    "config",
    [
        *(
            MontgomeryDsp(40, word=8, digit=8, columns=columns, fanout=columns // 3, lazy=columns % 2)
            for columns in (1, 2, 3, 5, 6)
        ),
        *(
            MontgomeryDsp(100, word=20, digit=20, columns=columns, lazy=columns % 2, product=4)
            for columns in (0, 1, 3)
        ),
    ],
    ids=str,
)
def test_rows_of_all_lengths(config: MontgomeryDsp) -> None:
    """Of one block, of few, of nearly all, with the digits of y in one group or in many.

    Digits of 20 bits take four blocks, whose products have another cycle.
    """
    simulation = Simulation(room(CORE.slug).of(config))
    for modulus in ((1 << config.width) - 1, (1 << config.width - 1) + 1, 3):
        for _ in check_random(simulation, modulus, 100, random.Random(config.columns)):
            pass


TOP, QUEUE = "mm_montgomery_dsp", "mm_result_queue"
COLUMN, CONTROL, QUOTIENT, CONVERTER, ROW, SCHEDULE, SUM = (
    f"mm_montgomery_dsp_{part}"
    for part in ("column", "control", "quotient", "converter", "row", "schedule", "sum")
)


def short(columns: int = 0, lazy: int = 0) -> MontgomeryDsp:
    """Words of a digit."""
    return MontgomeryDsp(33, word=8, digit=8, columns=columns, lazy=lazy)


CLOSE = MontgomeryDsp(65, word=24, digit=8)  # an operation begins with the step behind the last one
MUTANTS = {
    "q without the carries of S": (short(), ROW, "[1][Halves-1:0] + Halves'(carries[0])", "[1][Halves-1:0]"),
    "q without the next digit of S": (short(lazy=1), QUOTIENT, "upper_q <= upper_i", "upper_q <= '0"),
    "x of the operation before": (short(2), ROW, "none_x ? '0 : high_x", "high_x"),
    "y of the operation before": (short(3), ROW, "there ? y_digit : '0", "y_digit"),
    "y of a row, of the operation before": (CLOSE, TOP, ".between_i(between)", ".between_i(~run)"),
    "x of a row, of the operation before": (CLOSE, CONTROL, "half_x_q ^ ending_q", "half_x_q ^ done_q"),
    "S of the operation before": (CLOSE, COLUMN, "fresh_q ? '0 : {twos_late, late}", "{twos_late, late}"),
    "a carry of the operation before": (CLOSE, COLUMN, "fresh_i ? 1'b0 : x_late", "x_late"),
    "a group of the operation before": (short(2), ROW, "last_sum | fresh_q", "last_sum"),
    "the digit behind the pending ones in S": (CLOSE, SCHEDULE, "Delay - 1) * Groups)", "Delay) * Groups)"),
    "parts of S that do not count, in a folded row": (
        short(2),
        COLUMN,
        "s_sum_q & {Digit{part_q}}",
        "s_sum_q",
    ),
    "carries of such parts": (short(2), COLUMN, "s_carry_q <= ~blank_i & s_carry", "s_carry_q <= s_carry"),
    "tails of S that do not count, in a folded row": (
        short(2),
        COLUMN,
        "tail_q & {(Digit+3){tail_there_q}}",
        "tail_q",
    ),
    "words of V of the group before": (short(2), SUM, "part_q == PartBits'(Parts - 1);", "1'b0;"),
    "a word before its turn": (short(), QUEUE, "write_i & none & ~valid_q", "write_i & ~valid_q"),
    "q without the cycle that products have more": (
        MontgomeryDsp(40, word=8, digit=8, product=4),
        QUOTIENT,
        "Last + Mul + 2;",
        "Last + 5;",
    ),
    "products too early for the digits below": (
        MontgomeryDsp(40, word=8, digit=8, columns=2, product=4),
        ROW,
        ".Cycles(XFan + Mul)",
        ".Cycles(XFan + 3)",
    ),
    "no block is lent": (short(1), TOP, ".lend_i(Lend & q_at)", ".lend_i(1'b0)"),
    "a block is lent that is needed": (short(4), TOP, "Fold && Period > Behind + Words + Mul", "Fold"),
    "the sign of a word too few": (short(), CONVERTER, "less[Word+Top+2];", "less[Word+1];"),
}


def test_operations_a_step_apart() -> None:
    assert interval(CLOSE) == CLOSE.steps


@pytest.mark.parametrize(
    "config",
    [
        MontgomeryDsp(16, word=8, digit=8, fanout=1, lazy=1),
        MontgomeryDsp(9, word=8, digit=8),
        MontgomeryDsp(2, word=17, digit=17),
    ],
    ids=str,
)
def test_operations_that_wait_for_a_slot(config: MontgomeryDsp) -> None:
    """Four slots for results decide when an operation begins: as often as the core says."""
    assert interval(config) > max(config.groups * config.steps, config.words + 4)
    simulation = Simulation(room(CORE.slug).of(config))
    for _ in check_random(simulation, (1 << config.width) - 1, 60, random.Random(1)):
        pass


@pytest.mark.parametrize("rule", MUTANTS)
def test_a_broken_rule_is_found(rule: str, tmp_path: Path) -> None:
    config, module, right, wrong = MUTANTS[rule]
    simulation = Simulation(mutant(room(CORE.slug), tmp_path, module, right, wrong).of(config))
    with pytest.raises((VerificationError, ProtocolError)):
        check_back_pressure(simulation, (1 << config.width) - 9, 200, random.Random(1))


def test_lazy_results_leave_the_interval() -> None:
    for columns in (1, 2, 4, 8, 0):
        exact, lazy = (
            MontgomeryDsp(256, word=18 if columns == 1 else 36, columns=columns, lazy=lazy) for lazy in (0, 1)
        )
        assert interval(lazy) == interval(exact)
