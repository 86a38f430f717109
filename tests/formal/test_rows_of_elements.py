# SPDX-License-Identifier: Apache-2.0
"""The product of rows of processing elements; and what shows that it can fail."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from formal_builds import (
    AT_ONCE,
    BITWISE,
    IN_TURN,
    LEFT,
    RIGHT,
    SECONDS,
    UPWARD,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.scalable_booth4_left import LeftShifting
from modmul.prove.product.scalable_booth4_right import RightShifting
from modmul.prove.product.scalable_booth4_serial import InTurn
from modmul.prove.product.scalable_radix2 import BitByBitLeft
from modmul.prove.product.scalable_radix2_parallel import BitsAtOnce
from modmul.prove.product.scalable_radix2_right import BitByBit
from modmul.prove.terms import (
    Fact,
)
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

PE, ARRAY = "mm_scalable_booth4_left_pe", "mm_scalable_booth4_left_array"


SEQUENCE, SHELL, RESULT = "mm_scalable_control", "mm_scalable_shell", "mm_scalable_result"
WRONG_ROWS = (
    ("element 0 adds", PE, "{k1[Word-1:1], cx_q & ~first}", "{k1[Word-1:1], cx_q}"),
    ("digits goes on holding", SEQUENCE, "gap_q != GapBits'(GapAt)", "gap_q != GapBits'(GapAt + 1)"),
    ("element 1 adds", PE, "& m_below_q[1] & (q_mag_q != 2'd0)", "& m_below_q[1]"),
    ("element 1 adds", PE, "first_q ? {Word{any_q}}", "first_q ? {Word{any_q & all_q}}"),
    ("element 2 takes its digits", PE, "(qs[1] & qc[1]) | (qs[1] & carry)", "(qs[1] & qc[1])"),
    ("element 0 keeps its digits", PE, "if (code) begin", "if (first) begin"),
    ("flags goes on holding", PE, "y_i[Word-1-:2] & {2{~first_next_i}};", "y_i[Word-1-:2];"),
    ("loop goes on holding", SEQUENCE, "left_q - PesDigits", "left_q - PesDigits + 1'b1"),
    ("tail goes on holding", SEQUENCE, "word_q == LagWords", "word_q == LagWords - 1'b1"),
    (
        "count goes on holding",
        SEQUENCE,
        "free_q & (~run_q | (at_end_q & last_q))",
        "free_q & (~run_q | at_end_q)",
    ),
    ("count goes on holding", SHELL, "full_q & ~open_q[1]", "full_q"),
    ("context goes on holding", SHELL, "open_q == 2'd0", "~open_q[1]"),
    ("operands goes on holding", SHELL, "run_buf_q  <= load_buf_q", "run_buf_q  <= ~load_buf_q"),
    ("digits goes on holding", SHELL, "x_next ? x_wait_q", "x_next ? x_wait_q >> 1"),
    ("which words of Y and M^ come", SHELL, "{Word{m_ext_q}}", "{Word{~m_ext_q}}"),
    (
        "the words of Y and M^ come in",
        ARRAY,
        "{m_i[Word-3:0], m_below_q}",
        "{m_i[Word-3:0], m_below_q ^ y_below_q}",
    ),
    ("Z goes round", "mm_scalable_fifo", "{(2 * Word){~clear_i}}", "{(2 * Word){1'b1}}"),
    ("Z goes round", ARRAY, "q_negs[Pes] & ~new_o", "q_negs[Pes]"),
    ("the aligner shifts", "mm_scalable_align", "{Pos{any}} : zs_i", "{Pos{any & ~all}} : zs_i"),
    ("the aligner shifts", "mm_scalable_sign", "|{zs_i, zc_i}", "|zs_i"),
    ("the result unit adds the last", RESULT, "first_i ? inject : k_q", "k_q"),
    ("the result unit adds the last", RESULT, "q_neg ^ m_neg_i", "(q_neg | m_neg_i)"),
    ("the result unit adds sum", RESULT, "? plus_q : b_carry_q", "? plus_q : ~b_carry_q"),
    ("the result unit compares", RESULT, "borrow1_q && !b_first_q", "borrow1_q && b_first_q"),
    ("the result in buffer 0 stays", RESULT, "b_last_q && !in_buf_q) times0_q", "b_last_q) times0_q"),
    ("a result leaves its buffer", RESULT, "if (out_q && move) begin", "if (out_q) begin"),
    ("buffer 0 goes on holding", RESULT, "borrow_q && !out_first_q", "borrow_q && out_first_q"),
    ("the buffer takes the words", RESULT, "b_q & (b_idx_q < beats_i)", "b_q & (b_idx_q <= beats_i)"),
    ("buffer 0 goes on holding", RESULT, "taken_q <= taken", "taken_q <= ~taken"),
    ("buffer 1 goes on holding", RESULT, "full_q[out_buf_q] & ~sum_q", "full_q[out_buf_q]"),
)
"""The same of a row of elements: obligation, change; the first ones not only in a long run."""
DOWN, DOWN_ARRAY = "mm_scalable_booth4_right_pe", "mm_scalable_booth4_right_array"
WRONG_DOWN = (
    ("element 0 adds", DOWN, "first_q ? x_neg_q : cx_q", "cx_q"),
    ("element 1 keeps a word", "mm_scalable_sign", "|{zs_i, zc_i}", "|zs_i"),
    ("element 0 takes its digits", DOWN, "(zs_i[1] & zc_i[1]) | (zs_i[1] & carry)", "(zs_i[1] & zc_i[1])"),
    ("flags goes on holding", DOWN, "m_q[Word-1] & ~first_i", "m_q[Word-1]"),
    ("element 1 adds", DOWN, "first_i ? {2{any}}", "first_i ? {any, any & all}"),
    ("element 1 adds", DOWN, "first_q ? h_q : cq_q", "first_q ? ~h_q : cq_q"),
    ("element 0 adds", DOWN, "{m_q[Word-2:0], m_below_q}", "{m_q[Word-2:0], m_below_q ^ y_below_q}"),
    ("element 0 adds", DOWN, "m_o     <= m_q", "m_o     <= y_q"),
    ("element 0 keeps a word", DOWN, "zc_q      <= zc_i[Word-1:2]", "zc_q      <= zs_i[Word-1:2]"),
    ("element 0 keeps its digits", DOWN, "if (first_i) begin", "if (first_q) begin"),
    ("flags goes on holding", DOWN_ARRAY, "first_q <= first;", "first_q <= first & new_o;"),
    (
        "what leaves an element comes into",
        DOWN_ARRAY,
        ".zs_i(zss[i*Word+:Word])",
        ".zs_i(~zss[i*Word+:Word])",
    ),
    ("Z goes round", DOWN_ARRAY, "q_negs[Pes] & ~new_q", "q_negs[Pes]"),
    ("Z goes round", "mm_scalable_fifo", "{(2 * Word){~clear_i}}", "{(2 * Word){1'b1}}"),
    ("which words of Y and M^ come", SHELL, "{Word{m_ext_q}}", "{Word{~m_ext_q}}"),
    (
        "the digits of x in pass 1",
        SHELL,
        "{digits_q[Radix2-1:0], x_below_q}",
        "{digits_q[Radix2-1:0], ~x_below_q}",
    ),
    ("digits goes on holding", SEQUENCE, "run_q & word_q[0] &", "run_q & ~word_q[0] &"),
    ("loop goes on holding", SEQUENCE, "left_q - PesDigits", "left_q - PesDigits + 1'b1"),
    ("tail goes on holding", SEQUENCE, "word_q == LagWords", "word_q == LagWords - 1'b1"),
    ("each place behind the loop", SEQUENCE, "last_q & (word_q == LagWords)", "(word_q == LagWords)"),
    ("the result unit adds the last", RESULT, "q_neg ^ m_neg_i", "(q_neg | m_neg_i)"),
    ("the buffer takes the words", RESULT, "= {1'b0, ~minus1[Word]};", "= {1'b0, minus1[Word]};"),
)
"""The same of a row that shifts right."""
BIT, BIT_ARRAY = "mm_scalable_radix2_right_pe", "mm_scalable_radix2_right_array"
WRONG_BITS = (
    ("element 0 adds", BIT, "cx_q & ~first_q", "cx_q"),
    ("a word goes on from element 1", BIT, "{s2[0], zs_q}", "{s2[1], zs_q}"),
    ("element 0 takes its bit", BIT, "x_q <= x_i", "x_q <= ~x_i"),
    ("flags goes on holding", SHELL, "in_range ? m_word", "in_range ? ~m_word"),
    ("element 1 adds", BIT, "y_i & {Word{x_q}}", "y_i & {Word{~x_q}}"),
    ("element 1 adds", BIT, "first_q ? s1[0] : q_q", "first_q ? ~s1[0] : q_q"),
    ("element 0 adds", BIT, "zc_q         <= c2[Word-1:1]", "zc_q         <= s2[Word-1:1]"),
    ("element 0 keeps its bit and Q", BIT, "if (first_q) q_q <= q", "if (first_next_i) q_q <= q"),
    ("element 0 keeps its bit and Q", BIT, "if (first_next_i) x_q", "if (first_q) x_q"),
    ("a word goes on from element 0", BIT, "m_o          <= m_q", "m_o          <= m_q ^ y_q"),
    ("flags goes on holding", BIT, "first_next_o <= first_q", "first_next_o <= first_q & ~x_q"),
    (
        "what leaves an element comes into",
        BIT_ARRAY,
        ".zs_i(zss[i*Word+:Word])",
        ".zs_i(~zss[i*Word+:Word])",
    ),
    ("Z goes round", "mm_scalable_fifo", "{(2 * Word){~clear_i}}", "{Word{~clear_i, 1'b1}}"),
    ("which words of Y and M come", SHELL, "y_word & {Word{in_range}}", "y_word"),
    ("the bits of x in pass 1", "mm_scalable_radix2_right", ".x_i(digit[1])", ".x_i(~digit[1])"),
    ("context goes on holding", SHELL, "odd_q   <= ctx_data_i[0]", "odd_q   <= ctx_data_i[1]"),
    ("digits goes on holding", SEQUENCE, "run_q & word_q[0] &", "run_q & ~word_q[0] &"),
    ("loop goes on holding", SEQUENCE, "left_q - PesDigits", "left_q - PesDigits + 1'b1"),
    ("tail goes on holding", SEQUENCE, "word_q == LagWords", "word_q == LagWords - 1'b1"),
    ("each place behind the loop", SEQUENCE, "last_q & (word_q == LagWords)", "(word_q == LagWords)"),
    ("the result unit takes Z", RESULT, "first_i ? inject : k_q", "k_q"),
    ("the result unit adds sum", RESULT, "? plus_q : b_carry_q", "? plus_q : ~b_carry_q"),
    ("the result unit compares", RESULT, "borrow1_q && !b_first_q", "borrow1_q && b_first_q"),
    ("the buffer stays", RESULT, "if (b_q && b_last_q) in_buf_q", "if (b_q) in_buf_q"),
    ("the buffer takes the words", RESULT, "= {1'b0, ~minus1[Word]};", "= {1'b0, minus1[Word]};"),
)
"""The same of a row that shifts right, bit by bit."""
TURN, TURN_ARRAY = "mm_scalable_booth4_serial_pe", "mm_scalable_booth4_serial_array"
WRONG_TURNS = (
    ("element 0 adds", TURN, "q_neg & ~first_q}", "q_neg}"),
    ("a word goes on from element 1", TURN, "first_q ? {2{any}}", "first_q ? {any, any & all}"),
    ("element 0 takes its digit", TURN, "x_mag_q <= x_mag;", "x_mag_q <= x_mag | {1'b0, x_neg};"),
    ("Z and H go round", TURN_ARRAY, "hs[Pes] & ~new_q", "hs[Pes]"),
    ("element 1 adds", TURN, "first_q ? x_neg_q : cx_q", "cx_q"),
    ("element 1 adds", TURN, "cq_q & ~first_q}", "cq_q}"),
    ("element 0 adds", TURN, "h_i | s2[1]", "s2[1]"),
    ("element 0 adds", TURN, "t[0] & ~(t[1] ^ m_i[1])", "t[0] & (t[1] ^ m_i[1])"),
    ("element 1 adds", TURN, "(s1[0] & h_i) | (c1[0] & h_i)", "(s1[0] & h_i)"),
    ("element 0 adds", TURN, "{t[1] & ~t[0], t[0]}", "{t[1], t[0]}"),
    ("element 0 adds", TURN, "{m_i[Word-2:0], m_below}", "{m_i[Word-2:0], m_below ^ y_below}"),
    ("element 0 adds", TURN, "y_q[Word-1] & ~first_q", "y_q[Word-1]"),
    ("element 0 adds", TURN, "zc_q         <= c2[Word-1:2]", "zc_q         <= s2[Word-1:2]"),
    ("element 1 adds", "mm_scalable_sign", "|{zs_i, zc_i}", "|zs_i"),
    ("element 0 keeps its digits", TURN, "if (first_next_i) begin", "if (first_q) begin"),
    ("element 1 keeps its digits", TURN, "if (first_q) h_o", "h_o"),
    ("element 0 keeps its digits", TURN, "q_neg_q <= q_neg;", "q_neg_q <= q_neg & ~first_q;"),
    ("a word goes on from element 0", TURN, ": c2[1:0]", ": {c2[0], c2[1]}"),
    ("a word goes on from element 0", TURN, "m_o          <= m_q", "m_o          <= m_q ^ y_q"),
    ("flags goes on holding", TURN, "first_next_o <= first_q", "first_next_o <= first_q & ~x_neg_q"),
    ("flags goes on holding", SHELL, "in_range ? m_word", "in_range ? ~m_word"),
    ("what leaves an element comes into", TURN_ARRAY, ".h_i(hs[i])", ".h_i(hs[i] | hs[0])"),
    ("Z and H go round", TURN_ARRAY, "new_q <= new_o", "new_q <= ~new_o"),
    ("which words of Y and M come", SHELL, "y_word & {Word{in_range}}", "y_word"),
    (
        "the digits of x in pass 1",
        SHELL,
        "{digits_q[Radix2-1:0], x_below_q}",
        "{digits_q[Radix2-1:0], ~x_below_q}",
    ),
    ("context goes on holding", SHELL, "Separate != 0 ? 3 : 1", "Separate != 0 ? 3 : 0"),
    ("digits goes on holding", SEQUENCE, "run_q & word_q[0] &", "run_q & ~word_q[0] &"),
    ("tail goes on holding", SEQUENCE, "word_q == LagWords", "word_q == LagWords - 1'b1"),
    ("the result unit takes Z", RESULT, "first_i ? inject : k_q", "k_q"),
    ("the result unit takes Z", RESULT, "use_tilde  = idx < beats_i", "use_tilde  = idx_q < beats_i"),
    ("the buffer takes the words", RESULT, "= {1'b0, ~minus1[Word]};", "= {1'b0, minus1[Word]};"),
)
"""The same of a row that shifts right, one product after the other."""
UP, UP_ARRAY = "mm_scalable_radix2_pe", "mm_scalable_radix2_array"
WRONG_UP = (
    ("element 0 adds", UP, "cx_q & ~first_q", "cx_q"),
    ("flags goes on holding", UP, "m_i[Word-1] & ~first_next_i", "m_i[Word-1]"),
    ("what is left of a word in element 3", UP, "cq_q & ~first_q", "cq_q"),
    ("element 1 adds", UP, "first_q ? s1[Pos] : q_q", "first_q ? s1[0] : q_q"),
    ("element 0 takes its bit", UP, "x_q <= x_i", "x_q <= ~x_i"),
    ("element 1 adds", UP, "y_i & {Word{x_q}}", "y_i & {Word{~x_q}}"),
    ("element 1 adds", UP, "m_i & {Word{q}}", "m_i & {Word{q & x_q}}"),
    ("element 0 adds", UP, "{m_i[Word-2:0], m_below_q}", "{m_i[Word-2:0], m_below_q ^ y_below_q}"),
    ("element 3 adds", UP, "cq_q & ~first_q", "cq_q"),
    ("element 2 adds", UP, "zs_o      <= s2", "zs_o      <= s1"),
    ("element 0 keeps its bit and Q", UP, "if (first_q) q_q <= q", "if (first_next_i) q_q <= q"),
    ("element 0 keeps its bit and Q", UP, "if (first_next_i) x_q", "if (first_q) x_q"),
    ("what is left of a word in element 0", UP, "y_i[Word-1] & ~first_next_i", "y_i[Word-2] & ~first_next_i"),
    ("flags goes on holding", UP, "first_q <= first_next_i", "first_q <= first_next_i & ~x_q"),
    ("element 0 adds", UP_ARRAY, ".Pos(i % Word)", ".Pos((i + 1) % Word)"),
    ("what leaves an element comes into", UP_ARRAY, ".zs_i(zss[i*Word+:Word])", ".zs_i(~zss[i*Word+:Word])"),
    ("Z goes round", "mm_scalable_fifo", "{(2 * Word){~clear_i}}", "{Word{~clear_i, 1'b1}}"),
    ("flags goes on holding", SHELL, "in_range ? m_word", "in_range ? ~m_word"),
    ("which words of Y and M come", SHELL, "y_word & {Word{in_range}}", "y_word"),
    ("the bits of x in pass 1", "mm_scalable_radix2", ".x_i(digit[1])", ".x_i(~digit[1])"),
    ("context goes on holding", SHELL, "odd_q   <= ctx_data_i[0]", "odd_q   <= ctx_data_i[1]"),
    ("digits goes on holding", SEQUENCE, "(GapAt)) & (word_q <=", "(GapAt)) & (word_q <"),
    ("loop goes on holding", SEQUENCE, "(start_o || word_end || gap_q", "(start_o || gap_q"),
    ("tail goes on holding", SEQUENCE, "word_q == LagWords", "word_q == LagWords - 1'b1"),
    ("the result unit takes Z", RESULT, "first_i ? inject : k_q", "k_q"),
    ("the buffer takes the words", RESULT, "= {1'b0, ~minus1[Word]};", "= {1'b0, minus1[Word]};"),
)
"""The same of a row that shifts left, bit by bit."""
ONCE, ONCE_ARRAY = "mm_scalable_radix2_parallel_pe", "mm_scalable_radix2_parallel_array"
WRONG_ONCE = (
    ("element 3 adds", ONCE, "zs_i & ~(Word'(first_q) << Low)", "zs_i"),
    ("element 3 takes its bit and Q", ONCE, "h_q <= qs & qc", "h_q <= qs | qc"),
    ("flags goes on holding", ONCE, "m_i[Word-1] & ~first_next", "m_i[Word-1]"),
    (
        "the words of Y and M^ come in shifted",
        ONCE_ARRAY,
        "{m_i[Word-2:0], m_below_q}",
        "{m_i[Word-2:0], m_below_q ^ y_below_q}",
    ),
    ("element 0 adds", ONCE, "cx_q & ~first", "cx_q"),
    ("element 2 adds", ONCE, "cq_q & ~first", "cq_q"),
    ("element 0 takes its bit and Q", ONCE, "q_q <= qs ^ qc", "q_q <= qs | qc"),
    ("element 1 takes its bit and Q", ONCE, "x_q <= x_i", "x_q <= ~x_i"),
    ("element 1 adds", ONCE, "first & h_q", "first & ~h_q"),
    ("element 3 adds", ONCE, "first & h_q", "first_q & h_q"),
    ("element 1 adds", ONCE, "y_i & {Word{x_q}}", "y_i & {Word{~x_q}}"),
    ("element 2 adds", ONCE, "m_i & {Word{q_q}}", "m_i & {Word{q_q & x_q}}"),
    ("element 0 adds", ONCE, "{y_i[Word-2:0], y_below_q}", "{y_i[Word-2:0], y_below_q ^ m_below_q}"),
    ("element 0 keeps its bit and Q", ONCE, "if (first_next) begin", "if (first) begin"),
    ("what is left of a word in element 0", ONCE, "y_i[Word-1] & ~first_next", "y_i[Word-2] & ~first_next"),
    ("flags goes on holding", ONCE, "start_q <= first_q", "start_q <= first_q & ~x_q"),
    ("what leaves an element comes into", ONCE, "zs_o      <= zs_next_o", "zs_o      <= ~zs_next_o"),
    ("flags goes on holding", ONCE_ARRAY, "y_i[Word-1] & ~firsts[0]", "y_i[Word-1]"),
    ("Z goes round", "mm_scalable_fifo", "{(2 * Word){~clear_i}}", "{Word{~clear_i, 1'b1}}"),
    ("which words of Y and M^ come", SHELL, "{Word{m_ext_q}}", "{Word{~m_ext_q}}"),
    ("the bits of x in pass 1", "mm_scalable_radix2_parallel", ".x_i(digit[1])", ".x_i(~digit[1])"),
    (
        "context goes on holding",
        SHELL,
        "NumberBits'(Factors)), .write_addr_i(ctx_addr)",
        "NumberBits'(1)), .write_addr_i(ctx_addr)",
    ),
    ("digits goes on holding", SEQUENCE, "gap_q != GapBits'(GapAt)", "gap_q != GapBits'(GapAt + 1)"),
    ("loop goes on holding", SEQUENCE, "left_q - PesDigits", "left_q - PesDigits + 1'b1"),
    ("tail goes on holding", SEQUENCE, "word_q == LagWords", "word_q == LagWords - 1'b1"),
    ("the result unit takes Z", RESULT, "first_i ? inject : k_q", "k_q"),
)
"""The same with Q of the bit before."""


@pytest.mark.parametrize(
    ("width", "settings"),
    [(256, {"Pes": 16}), (256, {"Reduce": 0}), (256, {"SignedM": 0}), (20, {}), (16, {"Word": 8, "Pes": 5})],
)
def test_a_row_of_elements_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """Without an aligner, with other ranges, with half words, with elements that begin behind the result."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(LEFT).build(width, settings))


@pytest.mark.parametrize(
    ("slug", "width", "settings"),
    [
        *((slug, 256, {"Pes": 7}) for slug in (RIGHT, BITWISE, IN_TURN)),
        *((slug, 256, {"Pes": 16}) for slug in (RIGHT, BITWISE, IN_TURN)),
        *((slug, 256, {"Reduce": 0}) for slug in (RIGHT, BITWISE, IN_TURN)),
        *((slug, 20, {"Word": 8}) for slug in (RIGHT, BITWISE, IN_TURN)),
        (RIGHT, 256, {"SignedM": 0}),
        *((UPWARD, 256, each) for each in ({"Pes": 15}, {"Pes": 32}, {"Reduce": 0}, {"Word": 8, "Pes": 8})),
        (UPWARD, 20, {"Word": 8, "Pes": 8}),
        *((AT_ONCE, 256, each) for each in ({"Pes": 15}, {"Pes": 32}, {"Reduce": 0})),
        (AT_ONCE, 240, {}),
    ],
)
def test_another_row_of_elements_that_is_not_covered(slug: str, width: int, settings: dict[str, int]) -> None:
    """In which words wait, or elements begin behind the result; with other ranges, with half words.

    One that shifts left bit by bit, with another number of elements than bits of a word.
    """
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(slug).build(width, settings))


@pytest.mark.parametrize(
    ("slug", "name", "module", "old", "new"),
    [
        pytest.param(slug, *each, marks=[pytest.mark.long] if k > 3 else [])
        for slug, wrong in (
            *((LEFT, WRONG_ROWS), (RIGHT, WRONG_DOWN), (BITWISE, WRONG_BITS)),
            (IN_TURN, WRONG_TURNS),
            (UPWARD, WRONG_UP),
            (AT_ONCE, WRONG_ONCE),
        )
        for k, each in enumerate(wrong)
    ],
)
def test_a_wrong_row_of_elements_is_refuted(
    slug: str, name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(slug)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [o for each in rooms_ for o in named(small(each, 8), name)]
    only_the_first_is_proven(asked, store)


def test_a_wrong_argument_about_a_row_of_elements_is_refuted() -> None:
    """Of each kind, those of an element that drops a word, too: without what it rests on it does not hold."""
    right = small(room(LEFT), 8)
    assert isinstance(right, LeftShifting)
    [in_range] = right.in_range
    product, ranges = right.induction(3, 1, 0)
    texts = {
        right.begun(): ("(<= 0 x)", "true"),
        product: ("(* 4 quarter)", "quarter"),
        ranges: ("(* 4 xr)", "xr"),
        right.element(0): ("(= (+ qs qc s) (+ Q (* 4 h)))", "true"),
        right.element(1): (in_range, "true"),
        right.signed(): (in_range, "true"),
        right.ranged(): ("(<= 0 y m)", "(<= 0 y)"),
        right.summed_up(0): (next(right.sum_facts(0, 2)).over_integers(), "true"),
        right.summed_up(1): (list(right.sum_facts(1, right.period - 2))[-1].over_integers(), "true"),
        next(right.multiplied(1, "q", "m", 0, 1)): ("(< V 128)", "true"),
        right.passed_on(1, "m"): ("(<= (- 128) V)", "true"),
        right.coded(0): (next(right.taken_facts(0)).over_integers(), "true"),
        right.entered("m"): (list(right.fetched(right.beats - 1))[-1].over_integers(), "true"),
        right.shifted(right.words): (
            list(right.aligned(0, right.now, right.now))[2].over_integers(),
            "true",
        ),
        right.gathered_up(1, 0): (next(right.gathered(1)).over_integers(), "true"),
        right.compared_all(): (next(right.compared(0)).over_integers(), "true"),
        right.monotonous(): ("(<= 0 b)", "true"),
        right.result(0, 1): ("(< B m)", "(< B 0)"),
        right.composed(): ("(=> (and stay.0 good.0) good.0_n)", "true"),
    }
    for text, (old, new) in texts.items():
        assert old in text
        said = [SOLVERS["z3"](each, SECONDS) for each in (text, text.replace(old, new, 1))]
        assert said == ["unsat", "sat"], (old, new)


@pytest.mark.parametrize("slug", [RIGHT, BITWISE, IN_TURN, UPWARD, AT_ONCE])
def test_what_is_used_of_another_row_of_elements_is_shown(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fact under an argument about numbers is shown of the netlist, or says which case is looked at."""
    used: dict[str, set[str]] = {}
    holding = LeftShifting._holding

    def told(self: LeftShifting, facts: Iterable[Fact], goal: str, *more: str, **words: Any) -> str:
        every = list(facts)
        used.update((fact.over_bits(), {word.name for word in fact.words()}) for fact in every)
        return holding(self, every, goal, *more, **words)

    monkeypatch.setattr(LeftShifting, "_holding", told)
    proof = small(room(slug))
    assert isinstance(proof, RightShifting)
    assert len(list(proof.of_numbers())) > 20
    start = len(proof.system.header)
    shown = "\n".join(text[start:] for each in proof.of_netlist() for text in each.texts)
    assumed = [names for fact, names in used.items() if fact not in shown]
    cases = {f"{digit}_{part}_q.digit" for digit in "xq" for part in ("neg", "mag")}
    cases |= {
        RIGHT: {"q_neg.last", "m_neg_q.last"},
        BITWISE: {"x_q.digit", "q.digit"},
        UPWARD: {"x_q.digit", "q.digit"},
        AT_ONCE: {"x_q.digit", "q_q.digit"},
        IN_TURN: {"q_neg.digit", "q_mag.digit"},
    }[slug]
    assert len(assumed) < len(used) and not set().union(*assumed) - cases


@pytest.mark.parametrize("slug", [RIGHT, BITWISE, IN_TURN, UPWARD, AT_ONCE])
def test_an_argument_about_numbers_of_another_row_of_elements_is_not_about_nothing(slug: str) -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible.

    Of some cases none is known: Z is 0 before digit 0, and so is Q.
    """
    proof = small(room(slug), 8)
    assert isinstance(proof, RightShifting)
    for obligation in proof.of_numbers():
        for text in obligation.texts[:2]:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_a_row_that_shifts_right_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right = small(room(RIGHT), 8)
    assert isinstance(right, RightShifting)
    last, n = right.period - 1, 1 << right.sum_bits
    [in_range] = right.in_range
    texts = (
        (right.summed_up(0), next(right.sum_facts(0, 2)).over_integers(), "true"),
        (right.summed_up(1), next(right.came_facts(1, 1)).over_integers(), "true"),
        (right.summed_up(1), list(right.came_facts(1, last))[-1].over_integers(), "true"),
        (next(right.multiplied(1, "q", "m", 1, 2)), f"(* {n} mu)", "mu"),
        (right.passed_on(0, "y"), list(right.came_facts(0, 1))[2].over_integers(), "true"),
        (right.coded(0), next(right.taken_facts(0)).over_integers(), "true"),
        (right.element(), "(= (+ qs qc s) (+ Q (* 4 h)))", "true"),
        (right.element(), in_range, "true"),
        (right.entered("y"), next(right.fetched(right.beats)).over_integers(), "true"),
        (right.entered("m"), list(right.fetched(right.beats - 1))[-1].over_integers(), "true"),
        (right.handed_over(), f"(* {n} kappa)", "kappa"),
        (right.ranged(), "(<= 0 y m)", "(<= 0 y)"),
        (next(right.induction(3, 1, 0)), "(* 4 quarter)", "quarter"),
        (right.gathered_up(1, 0), next(right.gathered(1)).over_integers(), "true"),
        (right.compared_all(), next(right.compared(0)).over_integers(), "true"),
        (right.result(0, 1), "(< B m)", "(< B 0)"),
        (right.composed(), "(=> at.1_n at.0)", "true"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)


def test_a_wrong_argument_about_a_row_of_single_bits_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    row = small(room(BITWISE), 8)
    assert isinstance(row, BitByBit)
    last, [in_range, _] = row.period - 1, row.in_range
    equation, order = row.bit(1, 0)
    multiples = [fact for fact in row.word_facts(0, 1) if "y_i.1" in {word.name for word in fact.words()}]
    texts = (
        (row.summed_up(0), next(row.word_facts(0, 2)).over_integers(), "true"),
        (row.summed_up(1), next(row.gone_facts(1, last)).over_integers(), "true"),
        (row.summed_up(1), list(row.gone_facts(1, 1))[-1].over_integers(), "true"),
        (row.multiple(0, "x", "y", 1), multiples[0].over_integers(), "true"),
        (row.passed_on(0, "m"), list(row.gone_facts(0, 1))[-1].over_integers(), "true"),
        (row.element(0, 1, 1), in_range, "true"),
        (row.element(0, 1, 1), "(= (+ VS VC) W)", "true"),
        (row.entered("y"), next(row.fetched(row.beats)).over_integers(), "true"),
        (row.entered("m"), list(row.fetched(0))[-1].over_integers(), "true"),
        (row.handed_over(), in_range, "true"),
        (row.begun(), "(<= 0 y)", "true"),
        (equation, "(* 2 V)", "V"),
        (order, in_range, "true"),
        (row.taken_up(), next(row.gathered(1)).over_integers(), "true"),
        (row.taken_up(), list(row.gathered(0))[-1].over_integers(), "true"),
        (row.compared_all(), next(row.compared(0)).over_integers(), "true"),
        (row.product(), "(< B m)", "(< B 0)"),
        (row.monotonous(), "(<= 0 b)", "true"),
        (row.composed(), "(=> at.1_n at.0)", "true"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)


def test_a_wrong_argument_about_a_row_of_one_product_after_the_other_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    row = small(room(IN_TURN), 8)
    assert isinstance(row, InTurn)
    last, n, [in_range, legal] = row.period - 1, 1 << row.sum_bits, row.in_range
    equation, order = row.next_digit(3, -1)
    [multiple] = row.multiplied(0, "q", "m", 1, 1)
    [negated] = [
        each for each in row.factor_facts(0, 0, "q", "m") if f" {1 << row.word})" in each.over_integers()
    ]
    texts = (
        (row.summed_up(0), next(row.word_facts(0, 2)).over_integers(), "true"),
        (row.summed_up(0), list(row.word_facts(0, 1))[1].over_integers(), "true"),
        (row.summed_up(1), next(row.gone_facts(1, last)).over_integers(), "true"),
        (multiple, negated.over_integers(), "true"),
        (row.passed_on(0, "m"), list(row.gone_facts(0, 1))[-1].over_integers(), "true"),
        (row.coded(0), next(row.taken_facts(0)).over_integers(), "true"),
        (row.coded(0), list(row.quotient_facts(0))[-1].over_integers(), "true"),
        (row.element(0, 1, 2), in_range, "true"),
        (row.element(0, 1, 2), legal, "true"),
        (row.element(0, 1, 2), "(= (+ ls lc h) (* 4 h_n))", "true"),
        (row.entered("y"), next(row.fetched(row.beats)).over_integers(), "true"),
        (row.handed_over(), f"(* {n} kappa)", "kappa"),
        (row.begun(), "(<= 0 y)", "true"),
        (equation, "(* 4 F)", "F"),
        (order, row.between("E"), "true"),
        (row.taken_up(), next(row.gathered(1)).over_integers(), "true"),
        (row.taken_up(), list(row.gathered(0))[-1].over_integers(), "true"),
        (row.compared_all(), next(row.compared(0)).over_integers(), "true"),
        (row.product(), "(< B m)", "(< B 0)"),
        (row.product(), "(+ W h m)", "(+ W m)"),
        (row.composed(), "(=> at.1_n at.0)", "true"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)


def test_a_wrong_argument_about_a_row_of_single_bits_that_shifts_left_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    row = small(room(UPWARD), 8)
    assert isinstance(row, BitByBitLeft)
    end, last, [in_range, _] = row.pes - 1, row.period - 1, row.in_range
    texts = (
        (row.summed_up(0), next(row.word_facts(0, 2)).over_integers(), "true"),
        (row.summed_up(1), next(row.cleared(1)).over_integers(), "true"),
        (row.summed_up(end), next(row.cleared(end)).over_integers(), "true"),
        (row.summed_up(end), next(row.gone_facts(end, last)).over_integers(), "true"),
        (row.passed_on(0, "y"), next(row.goes_on(0, 1, "y")).over_integers(), "true"),
        (row.passed_on(1, "m"), list(row.gone_facts(1, 1))[-1].over_integers(), "true"),
        (row.passed_on(2, "m"), f"(< V {1 << row.width})", "true"),
        (row.element(0, 1, 1), in_range, "true"),
        (row.element(end, 1, 1), in_range, "true"),
        (row.element(1, 0, 1), "(= (+ VS VC) (* 2 W))", "true"),
        (row.handed_over(), in_range, "true"),
        (row.taken_up(), next(row.gathered(1)).over_integers(), "true"),
        (row.product(), "(< B m)", "(< B 0)"),
        (row.composed(), "(=> at.1_n at.0)", "true"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)


def test_a_wrong_argument_about_a_row_of_single_bits_that_takes_q_first_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    row = small(room(AT_ONCE), 8)
    assert isinstance(row, BitsAtOnce)
    end, last, [in_range, _] = row.pes - 1, row.period - 1, row.in_range
    first, second = row.half()
    texts = (
        (row.summed_up(0), next(row.word_facts(0, 2)).over_integers(), "true"),
        (row.summed_up(1), next(row.word_facts(1, 0)).over_integers(), "true"),
        (row.summed_up(end), list(row.taken_facts(end))[2].over_integers(), "true"),
        (row.multiple(0, "x", "y", 1), "(* 2 V)", "V"),
        (row.multiple(end, "q", "m", 1), list(row.word_facts(end, last))[-1].over_integers(), "true"),
        (row.passed_on(0, "y"), next(row.goes_on(0, 1, "y")).over_integers(), "true"),
        (row.passed_on(1, "m"), list(row.gone_facts(1, 1))[-1].over_integers(), "true"),
        (row.passed_on(2, "m"), f"(< V {1 << row.width})", "true"),
        (row.entered("y"), next(row.enters(1)).over_integers(), "true"),
        (row.entered("m"), list(row.fetched(0))[-1].over_integers(), "true"),
        (row.element(0, 1, 1), in_range, "true"),
        (row.element(1, 0, 1), "(= (+ qs qc) (+ 1 (* 2 h)))", "true"),
        (row.element(end, 1, 1), "(= (* 2 H) (+ m 1))", "true"),
        (row.handed_over(), in_range, "true"),
        (row.product(), "(< B m)", "(< B 0)"),
        (first, "(- (* 2 H) 1)", "(* 2 H)"),
        (second, "(= l (* 2 k))", "true"),
        (row.composed(), "(=> at.1_n at.0)", "true"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)
