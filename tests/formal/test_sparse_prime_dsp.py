# SPDX-License-Identifier: Apache-2.0
"""The product modulo a sparse prime, of a row that only multiplies; what shows that it can fail."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import pytest
from formal_builds import (
    SECONDS,
    SPARSE_ROW,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.sparse_prime_dsp import RowAlone
from modmul.prove.product.sparse_prime_dsp_where import FIRST, SECOND
from modmul.prove.reach import Verdict
from modmul.prove.solve import discharge
from modmul.prove.terms import Fact
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

CORE = "mm_sparse_prime_dsp"
COLUMN, CONTROL, CONTEXT, FOLD = (f"{CORE}_{name}" for name in ("column", "control", "context", "fold"))
HIGH, LOW, REDUCE, ROW, SUM = (f"{CORE}_{name}" for name in ("high", "low", "reduce", "row", "sum"))
QUEUE, RIPPLE = "mm_result_queue", "mm_rrm_ripple"

WRONG = (
    (8, "in every cycle: the columns", COLUMN, "x_keep_q  <= x_carry_late;", "x_keep_q  <= x_carry_q;"),
    (8, "slots", CONTROL, "PeriodBits'(Period - 2)", "PeriodBits'(Period - 3)"),
    (8, "at ages 26", REDUCE, "reaches_q <= more[0];", "reaches_q <= more[1];"),
    (24, "in every cycle: the words of U", FOLD, "NegativeA != NegativeB", "NegativeA && NegativeB"),
    (8, "in every cycle: the columns", COLUMN, "clear_s_i ? '0 : above_i;", "above_i;"),
    (
        8,
        "in every cycle: the columns",
        ROW,
        "(y_next_q);\n      top_q <= high[Row-1];",
        "(y_next_q);\n      top_q <= ~high[Row-1];",
    ),
    (
        8,
        "in every cycle: the blocks",
        "mm_block_mul",
        "PBits'(a_q) * PBits'(b_q)",
        "PBits'(a_q | 1) * PBits'(b_q)",
    ),
    (8, "in every cycle: the words of Q", SUM, "else      {carry_q, q_o} <= '0;", ""),
    (8, "in every cycle: the words of L", REDUCE, "else           l_q <= '0;", "else           l_q <= l_q;"),
    (
        8,
        "in every cycle: the words of V",
        RIPPLE,
        "if (first_i) carry_q <= 1'b0;",
        "if (first_i) carry_q <= 1'b1;",
    ),
    (24, "in every cycle: the words of V", RIPPLE, "- {1'b0, b_i, carry_q}", "- {1'b0, b_i, ~carry_q}"),
    (24, "in every cycle: the words of U", FOLD, "q[i/Word+1]} <<", "q[i/Word]} <<"),
    (8, "in every cycle: the parts of U", REDUCE, "r_on ? u_before : '0;", "r_on ? u_before : u;"),
    (8, "in every cycle: V + D'", REDUCE, ".first_i(first_q), .a_i(v)", ".first_i(~first_q), .a_i(v)"),
    (8, "in every cycle: the words of z", REDUCE, "? more_late : v_late;", "? v_late : more_late;"),
    (16, "in every cycle: the words of z", REDUCE, "{z & {Word{z_more}}, z_q}", "{z | {Word{~z_more}}, z_q}"),
    (8, "ages", "mm_window", "on_o == On && !line[Line]", "on_o == On"),
    (8, "slots", LOW, "if (lane_q == LaneBits'(Lanes - 1)) beat_q", "if (lane_q == '0) beat_q"),
    (8, "slots", REDUCE, "v_start_i ? '0 : index_q", "v_start_i ? IndexBits'(1) : index_q"),
    (8, "gate", CONTROL, "free_q  <= ops_q == '0 & ~full_q;", "free_q  <= 1'b1;"),
    (8, "gate", CONTROL, "half_q <= half_q ^ start;", "half_q <= half_q;"),
    (8, "context", CONTEXT, "(same_q | first_q)", "(same_q | first_q | there_i)"),
    (8, "context", "mm_context_gate", "whole_q & ctx_legal_i & ~ctx", "whole_q & ~ctx"),
    (8, "words", CONTROL, "& ops_q != OpBits'(Slots);", ";"),
    (8, "queue", QUEUE, "one_q  <= none_q;", "one_q  <= 1'b0;"),
    (8, "place", CONTROL, "(full_q & ~start);", "(full_q & ~start & ~in_valid_i);"),
    (16, "operands", ROW, "beat_i == '0 ? Word'(0) : x_before_q", "x_before_q"),
    (8, "operands", ROW, ".read_addr_i({half_run_i, word_i})", ".read_addr_i({~half_run_i, word_i})"),
    (8, "operands", ROW, "if (start_i) y_q <=", "if (run_i) y_q <="),
    (8, "low digits", LOW, "write_addr_i({half_q, beat_q})", "write_addr_i({~half_q, beat_q})"),
    (8, "high words", HIGH, "if (pick_i[Highest?Beats-1-j:j])", "if (|pick_i)"),
    (8, "result", QUEUE, "if (take) next_q", "if (move) next_q"),
    (8, "at ages 11", HIGH, "{&pairs[l], ^pairs[l]}", "{&pairs[l], |pairs[l]}"),
    (8, "at ages 21", REDUCE, "d_q     <= d_word;", "d_q     <= ~d_word;"),
    (16, "at ages 11", HIGH, "if (take_i[i/Row])", "if (pick_i[0])"),
)
"""Of short builds, part of the proof, module, change."""


@cache
def proof(width: int) -> RowAlone:
    """The argument for a short build."""
    found = small(room(SPARSE_ROW), width)
    assert isinstance(found, RowAlone)
    return found


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (256, {"Columns": 2}),
        (256, {"Product": 5}),
        (256, {"Modulus": 2**256 - 2**224 + 2**192 + 2**96 - 1}),
        (16, {"Word": 16}),
        (32, {"Word": 16}),
        (4096, {"Word": 32}),
    ],
)
def test_rows_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """Folded; with registers before the blocks; wide; one word; too many operations; too many cycles."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(SPARSE_ROW).build(width, settings))


@pytest.mark.parametrize(
    ("width", "name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 2 else []) for k, each in enumerate(WRONG)],
)
def test_a_wrong_row_for_a_sparse_prime_is_refuted(
    width: int, name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    name = name if name.startswith(("in every", "at ages")) else f"{name} goes on"
    changed = mutant(room(SPARSE_ROW), tmp_path / "room", module, old, new)
    asked = [next(named(each, name)) for each in (proof(width), small(changed, width))]
    only_the_first_is_proven(asked, store)


@pytest.mark.long
def test_every_result_modulo_the_prime_of_curve25519_is_the_product(store: Store) -> None:
    """A modulus that does not fill its words, with a power of 2 that is subtracted."""
    (found,) = arguments(room(SPARSE_ROW).build(255))
    for obligation, outcome in discharge(list(found.all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name


class Told(RowAlone):
    """Keeps the facts about the netlist that an argument about numbers uses."""

    facts: ClassVar[set[tuple[int, str]]] = set()

    def holding(self, facts: Iterable[Fact], goal: str, *more: str, **words: Any) -> str:
        every = list(facts)
        found = {word for fact in every for word in fact.words()}
        assert len({word.name for word in found}) == len({(word.name, word.bits) for word in found})
        for fact in every:
            ages = [int(age) for word in fact.words() for age in re.findall(r"@(\d+)", word.name)]
            self.facts.add((min(ages, default=0), fact.over_bits()))
        return super().holding(every, goal, *more, **words)


@pytest.mark.parametrize("width", [8, pytest.param(24, marks=pytest.mark.long)])
def test_what_is_used_of_a_row_for_a_sparse_prime_is_shown(width: int) -> None:
    """Each fact under an argument about numbers is shown of the netlist, at its age or anywhere."""
    plain = proof(width)
    told = Told(plain.build, plain.system)
    Told.facts.clear()
    assert len(list(told.of_numbers())) > 20
    anywhere = {f.over_bits() for kind in told.everywhere(told.pair(0)).values() for f in kind()}
    anywhere |= {fact.over_bits() for fact in told.operands_made()}
    at_age = {(age, fact.over_bits()) for age in range(1, told.last + 1) for fact in told.at_age(age)}
    used = {each for each in told.facts if each[1] not in anywhere}
    assert used and not {(age, text) for age, text in used if not {(age, text), (age - 1, text)} & at_age}


@pytest.mark.parametrize("width", [8, pytest.param(24, marks=pytest.mark.long)])
def test_an_argument_about_numbers_of_a_row_for_a_sparse_prime_is_not_about_nothing(width: int) -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    for obligation in proof(width).of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_a_row_for_a_sparse_prime_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right, far = proof(8), proof(24)
    n, d, base = right.word * right.beats, right.scaled >> right.lift, 1 << right.digit
    last = right.steps - 1
    product, h, u, v = right.bounded()
    operands, _, zero, sums, end = right.right()

    def at(name: str, age: int, value: int) -> str:
        return f"(assert (= (* 1 |core.{name}@{age}|) {value}))"

    node = far.node_made(FIRST, far.tree()[2][0])
    line, old = f"{FIRST.removeprefix('core.')}", far.first_q
    texts = (
        (right.products_made(2), f"|{right.x_digit(2).name}|)))", "0)))"),
        (right.step(2), at("u_row.keep_s_q", right.first_s + 1, 1), ""),
        (right.step(0), at("u_row.u_keep_x.on_o", right.first_s - 2, 0), ""),
        (right.h_words(), f"(* {base} |core.u_high.h_o[15:8]@", f"(* {2 * base} |core.u_high.h_o[15:8]@"),
        (right.q_made(), at("gen_high.u_sum.u_h_on.on_o", right.first_h - 1, 0), ""),
        (right.l_made(), at("u_reduce.u_l_on.on_o", right.first_q, 1), ""),
        (right.idle(SECOND), at("u_reduce.u_t_on.on_o", right.first_r - 2, 0), ""),
        (right.u_cut(), at("u_reduce.u_r_on.on_o", right.first_r, 1), ""),
        (far.shifted(FIRST, 4), f"(= |core.{line}q[15:0]@{old - 2}| 0)", "true"),
        (node, at(f"{line}on[1:1]", old, 0), ""),
        (far.tree_made(FIRST), f"(* (- 1) {far.node_carry(FIRST, far.tree()[2][0]).whole})", "0"),
        (right.more_made(), at("u_reduce.first_q", right.first_v - 1, 1), ""),
        (right.chosen(1), f"(* 1 |core.u_reduce.reaches_q@{right.first_z}|))", "0)"),
        (right.z_made(), at("u_reduce.u_z_more.on_o", right.last, 0), ""),
        (product, f"(<= 0 x {(1 << right.width) - 1})", "(<= 0 x)"),
        (h, f"(<= 0 L {(1 << n) - 1})", "true"),
        (u, f"(<= 0 r {(1 << n) - 1})", "(<= 0 r)"),
        (v, f"(<= 0 t {d})", "(<= 0 t)"),
        (operands, "(* 4 |x|)", "(* 3 |x|)"),
        (zero, "(= e 0)", "true"),
        (sums, f"(= (+ (* {base} H) l.{last}) S.{last})", "true"),
        (end, "(<= 0 least 3)", "(<= 0 least)"),
        (end, "(= Z (ite (= reaches 1) low v))", "(= Z v)"),
        (end, f"(<= 0 V {2 * ((1 << n) - right.scaled) - 1})", "(<= 0 V)"),
        (right.composed(), "(=> (and at.9_n at.8 past.8) past.9_n)", "true"),
    )
    for text, before, after in texts:
        refuted_without(text, "z3", before, after)
