# SPDX-License-Identifier: Apache-2.0
"""The product of product scanning in both fields; and what shows that it can fail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from formal_builds import (
    FIPS,
    LITERAL,
    SECONDS,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.fips import Scanning
from modmul.prove.product.fips_binary import Carryless, Exclusive
from modmul.prove.product.fips_literal import AsPrinted
from modmul.prove.product.fips_literal_binary import CarrylessAsPrinted
from modmul.prove.product.fips_multiplier import Multiplying
from modmul.prove.reach import Verdict
from modmul.prove.solve import discharge
from modmul.prove.terms import (
    Fact,
)
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant


@pytest.mark.parametrize("slug", [FIPS, LITERAL])
@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (64, {}),
        (512, {}),
        (160, {}),
        (250, {}),
        (256, {"Multipliers": 2}),
        (256, {"SquareOptimized": 0}),
    ],
)
def test_scans_that_the_argument_does_not_cover(slug: str, width: int, settings: dict[str, int]) -> None:
    """With two words, with 16, with 5, with half words, with other lists."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(slug).build(width, settings))


@pytest.mark.parametrize(
    ("slug", "parts"),
    [
        (FIPS, ("operands goes on", "bounds goes on", "result goes on", "the adder behind")),
        (LITERAL, ("gate goes on", "v goes on", "m and z goes on", "there are products in")),
    ],
)
@pytest.mark.parametrize(("fields", "rules"), [(1, [""]), (2, [""]), (3, ["GF(p)", "GF(2^m)"])])
def test_a_scan_is_right_in_the_fields_that_it_has(
    slug: str, parts: Sequence[str], fields: int, rules: list[str], store: Store
) -> None:
    proofs = arguments(room(slug).build(32, {"Word": 8, "FieldSet": fields}))
    assert [proof.rule for proof in proofs] == rules
    asked = [obligation for proof in proofs for part in parts for obligation in named(proof, part)]
    assert len(asked) == len(parts) * len(rules)
    assert all(outcome.verdict is Verdict.PROVEN for _, outcome in discharge(asked, store, SECONDS))


SCAN_CONTROL, DUAL = "mm_fips_control", "mm_dual_mul"
WRONG_SCANS = (
    ("v goes on holding", "mm_fips", "carry & v0_nonzero_q", "carry & ~v0_nonzero_q"),
    ("rows for four bits", DUAL, "{odd[k*Row +: Row], 2'b00}", "{1'b0, odd[k*Row +: Row], 1'b0}"),
    (
        "words of the result goes on",
        "mm_fips_reduce",
        "fetch_q ? above2 : above2_q",
        "fetch_q ? above : above2_q",
    ),
    ("gate goes on holding", SCAN_CONTROL, "(modulus_q & ~last_count)", "modulus_q"),
    ("context goes on holding", "mm_fips", "({modulus_load, word})", "({hat_load, word})"),
    ("operations goes on holding", SCAN_CONTROL, "CntBits'(freed_q)", "CntBits'(freed_q | freed)"),
    (
        "lists goes on holding",
        SCAN_CONTROL,
        "z_allowed = ahead & ~out_busy_q",
        "z_allowed = ahead | ~out_busy_q",
    ),
    ("scan goes on holding", "mm_fips_scan", "flush_q  <= next_flush", "flush_q  <= upper_q"),
    (
        "controller goes on holding",
        SCAN_CONTROL,
        "rest_q    <= last_word - CntBits'(1)",
        "rest_q    <= last_word",
    ),
    ("lead goes on holding", "mm_fips_scan", "issued_q <= last_o &", "issued_q <= ready &"),
    (
        "tags goes on holding",
        SCAN_CONTROL,
        "(do_m | do_inverse) & v_last_q[Product-1]",
        "(do_m | do_inverse)",
    ),
    ("addresses goes on holding", SCAN_CONTROL, "mn_n[0] ? low_q[IdxBits-1:0] : k_q", "k_q"),
    ("place goes on holding", "mm_fips", ".y_i(square ? x_i : y_i)", ".y_i(y_i)"),
    ("operands goes on holding", "mm_fips_lane", "left_new_i ? new_i", "left_new_i ? v0_i"),
    (
        "bounds goes on holding",
        "mm_fips",
        "(double[0] ? first << 1 : first)",
        "(double[0] ? first : first << 1)",
    ),
    (
        "products of x and y goes on",
        "mm_fips_accumulator",
        "shift_q ? value_o >> Word : value_o",
        "shift_q ? value_o >> 1 : value_o",
    ),
    ("words of x·y goes on", "mm_fips", "RingBits'(xy_add | z_valid)", "RingBits'(xy_add)"),
    ("m goes on holding", "mm_fips", "m_valid ? last_word : m_index_q", "m_index_q"),
    ("result goes on holding", "mm_fips_reduce", "{n_q[Word-2:0], msb_q}", "{n_q[Word-2:0], 1'b0}"),
    ("there are products in GF(p) alone", SCAN_CONTROL, "1'b0 : ~binary", "1'b0 : binary"),
    ("multiples of a word", DUAL, ".b_i({1'b0, b, 1'b0})", ".b_i({2'b00, b})"),
    ("rows for two bits", DUAL, "row = {1'b0, once, 1'b0}", "row = {2'b00, once}"),
    ("the tree of carry-save adders", DUAL, "[k*Pair +: Pair]) << (4 * k)", "[k*Pair +: Pair]) << (2 * k)"),
    ("the adder behind the tree", DUAL, "carry_q <= carry", "carry_q <= sum"),
)
"""The same of ``fips`` in GF(p)."""
WITHOUT_CARRIES = (
    ("result goes on holding", "mm_fips_reduce", "xy_i ^ last_m_q : xy_i", "xy_i | last_m_q : xy_i"),
    (
        "scan goes on holding",
        "mm_fips_scan",
        "? column_next[IdxBits:1] : low",
        "? low_next[IdxBits-1:0] : low",
    ),
    ("rows for two bits", DUAL, "if (!prime_i) carry_even_q <= '0;\n      else          carry", "carry"),
    ("m goes on holding", "mm_fips_reduce", "if (m_valid_i) last_m_q", "if (z_valid_i) last_m_q"),
    ("multiples of a word", DUAL, ".plain_a_i({2'b00, plain_b_q})", ".plain_a_i({2'b00, carry_b_q})"),
    ("the adder behind the tree", DUAL, "plain_q <= carry", "plain_q <= sum"),
    ("gate goes on holding", SCAN_CONTROL, "(modulus_q & ~last_count)", "modulus_q"),
    ("operands goes on holding", DUAL, "plain_b_q <= b_i", "plain_b_q <= a_i"),
    ("bounds goes on holding", "mm_fips_accumulator", "_q <= plain_addend;", "_q <= value_o;"),
    ("v goes on holding", "mm_fips", "<= prime & (v0 != '0)", "<= (v0 != '0)"),
    ("there are products in GF(2^m) alone", SCAN_CONTROL, "1'b0 : ~binary", "1'b0 : binary"),
)
"""The same in GF(2^m)."""
PRINTED, SINGLE, ENTRY = "mm_fips_literal_unit", "mm_fips_literal_single", "mm_fips_literal_input"
PRINTED_LANE, PRINTED_MUL = "mm_fips_literal_lane", "mm_fips_literal_mul"
WRONG_AS_PRINTED = (
    ("v goes on holding", PRINTED, "first_carry = double_q[0] ?", "first_carry = !double_q[0] ?"),
    ("borrows goes on holding", PRINTED, "(sum[Word] | ~compared[Word])", "(~compared[Word])"),
    ("the rows and the tree of adders", PRINTED_MUL, "<< k;", "<< (k + 1);"),
    ("factors goes on holding", PRINTED_LANE, "use_new_m_i ? new_m_i", "use_new_m_i ? v0_i"),
    ("gate goes on holding", ENTRY, "(modulus_q & last_count)", "modulus_q"),
    ("context goes on holding", ENTRY, "ctx_load & inverse_q;", "ctx_load & modulus_q;"),
    ("operations goes on holding", ENTRY, "(word_made_i & ~init_i) |", "word_made_i |"),
    (
        "controller goes on holding",
        SINGLE,
        "j_next = j_q + 1'b1;\n          k_next = '0;",
        "j_next = j_q;\n          k_next = '0;",
    ),
    ("controller goes on holding", SINGLE, "& ~p0 & p1;", "& ~p0 & ~p2;"),
    ("controller goes on holding", SINGLE, "added_q  <= state_q == S7", "added_q  <= state_q == S6"),
    ("tags goes on holding", SINGLE, "(state_q == S6 && mn_q && last_j)", "(state_q == S6 && last_j)"),
    ("tags goes on holding", PRINTED, "valid_i[0] & ~make_m_i", "valid_i[0]"),
    ("tags goes on holding", PRINTED, "column_end_i & second_loop_i", "second_loop_i"),
    ("operands goes on holding", "mm_fips_literal", "square ? x_i : y_i", "y_i"),
    ("operands goes on holding", ENTRY, "in_part ? square_q : square_i", "square_i"),
    ("factors goes on holding", PRINTED_LANE, "if (!valid_i | !prime_i)", "if (!prime_i)"),
    ("factors goes on holding", PRINTED_LANE, "if (!valid_i | prime_i)", "if (!valid_i)"),
    ("v goes on holding", PRINTED, "if (init_i) v_q <= '0;\n    else        v_q", "v_q"),
    ("v goes on holding", PRINTED, "!added_q ? v_q", "!added_q ? sum"),
    ("m and z goes on holding", PRINTED, "new_m_i ? m : z;", "z_q ? z : m;"),
    ("borrows goes on holding", PRINTED, "if (init_i | finish_i)  borrow_q", "if (init_i)  borrow_q"),
    ("words of the result goes on", PRINTED, "last_i ? word_next_i :", "last_i ? word_i :"),
    ("words of the result goes on", PRINTED, "{Word{above_q}}", "{Word{above_q & ~borrow_q}}"),
    ("there are products in GF(p) alone", ENTRY, "1'b0 : ~binary", "1'b0 : binary"),
    ("the rows and the tree of adders", PRINTED_MUL, "assign p_o = sum + carry", "assign p_o = sum | carry"),
)
"""The same of ``fips_literal`` in GF(p)."""
AS_PRINTED_WITHOUT_CARRIES = (
    ("factors goes on holding", PRINTED_LANE, "word_addr_i == left_addr_i) ? m_i", "1'b0) ? m_i"),
    ("v goes on holding", PRINTED, "pair_plain = Acc'(plain)", "pair_plain = Acc'(carry)"),
    ("the rows and the tree of adders", "mm_dual_csa", "& {Width{prime_i}}", ""),
    ("controller goes on holding", SINGLE, "p1 & prime_i", "p1 & ~prime_i"),
    ("m and z goes on holding", PRINTED, "| plain[Word-1:0]", "| plain[2*Word-1:Word]"),
    ("borrows goes on holding", PRINTED, "prime_i & (sum", "(sum"),
    ("gate goes on holding", ENTRY, "ctx_load & ~inverse_q & ~modulus_q", "ctx_load & ~modulus_q"),
    ("there are products in GF(2^m) alone", ENTRY, "1'b0 : ~binary", "1'b0 : binary"),
)
"""The same in GF(2^m)."""


@pytest.mark.parametrize(
    ("slug", "place", "name", "module", "old", "new"),
    [
        pytest.param(slug, place, *each, marks=[pytest.mark.long] if k > 2 else [])
        for slug, fields in (
            (FIPS, (WRONG_SCANS, WITHOUT_CARRIES)),
            (LITERAL, (WRONG_AS_PRINTED, AS_PRINTED_WITHOUT_CARRIES)),
        )
        for place, some in enumerate(fields)
        for k, each in enumerate(some)
    ],
)
def test_a_wrong_scan_is_refuted(
    slug: str, place: int, name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(slug)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each, place=place), name)) for each in rooms_]
    only_the_first_is_proven(asked, store)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("slug", [FIPS, LITERAL])
def test_an_argument_about_numbers_of_a_scan_is_not_about_nothing(slug: str, place: int) -> None:
    """What is known of each question holds of some numbers or words: no proof is one of the impossible."""
    proof = small(room(slug), place=place)
    assert isinstance(proof, Multiplying)
    for obligation in (*proof.of_product(), *proof.of_definitions(), *proof.of_numbers()):
        for text in (obligation.texts[0], obligation.texts[-1]):
            known, _, _ = text.rpartition("\n(assert ")
            if known:
                assert SOLVERS[obligation.solver](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_a_scan_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right = small(room(FIPS))
    assert isinstance(right, Scanning)
    ranges, ends = list(right.ranges()), list(right.right())
    texts = {
        right.columns_sum(1): ("(* 2 |x0*y1|)", "|x0*y1|"),
        right.removed(): ("(ite (= v0 0) 0 1)", "1"),
        right.reduced(0): (f"(* {right.size} |U.3.high|)", "|U.3.high|"),
        ranges[0]: ("(< H N)", "true"),
        ends[2]: (f"(< low {right.size**right.beats})", "true"),
        ends[3]: ("(< sum (* 3 N))", "true"),
    }
    for text, (old, new) in texts.items():
        refuted_without(text, "z3", old, new)


def test_a_plan_that_leaves_a_product_out_is_refuted() -> None:
    """Of the scan, also of squares, and of the controller: what is asked for does not come from the plan."""
    proof = small(room(FIPS), place=1)
    assert isinstance(proof, Carryless)
    plan = proof.plan
    scans = (
        tuple(replace(each, product=each.product and each.column != 2) for each in scan)
        for scan in plan.scans
    )
    decisions = (
        replace(each, kind="empty") if (each.kind, each.j) == ("m", 1) else each for each in plan.decisions
    )
    for said in ("unsat", "sat"):
        texts = (proof.columns_sum(0), proof.columns_sum(1), proof.reduced())
        assert [SOLVERS["bitwuzla"](text, SECONDS) for text in texts] == [said] * 3
        object.__setattr__(plan, "scans", tuple(scans))
        object.__setattr__(plan, "decisions", tuple(decisions))


def test_a_wrong_argument_about_polynomials_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right = small(room(FIPS), place=1)
    assert isinstance(right, Carryless)
    rows, squares = list(right.multiplied())[1], list(right.operands_multiplied())[1]
    hats, ns = right.context_multiplied()
    texts = (
        (rows, "bitwuzla", "(bvule |sums.3| ", "(bvuge |sums.3| "),
        (right.columns_sum(0), "bitwuzla", "(bvlshr E1 ", "(bvshl E1 "),
        (right.columns_sum(1), "bitwuzla", "|x1*y1|)", "|x0*y0|)"),
        (squares, "z3", "(* 2 (+", "(* 3 (+"),
        (right.removed(), "z3", "(* 2 v0)", "v0"),
        (right.nothing(), "bitwuzla", f"t (_ bv0 {right.word})", f"(_ bv0 {right.word}) t"),
        (right.reduced(), "bitwuzla", "(=> ", "(or "),
        (hats, "z3", "(* W ", "(+ W "),
        (ns, "z3", "(* m3 n0 ", "(* n0 "),
        (right.congruent(), "z3", "(* t M)", "M"),
        (right.degrees(), "z3", "(<= 0 lx d)", "(<= 0 lx)"),
        (right.result(), "bitwuzla", "(bvult Z ", "(bvule Z "),
    )
    for text, solver, old, new in texts:
        refuted_without(text, solver, old, new)


def test_a_list_as_printed_that_leaves_a_product_out_is_refuted() -> None:
    """In either field, of a multiplication and of a square: what is asked for does not come from the list."""
    prime, binary = (small(room(LITERAL), place=place) for place in (0, 1))
    assert isinstance(prime, AsPrinted) and isinstance(binary, CarrylessAsPrinted)
    for said in ("unsat", "sat"):
        texts = [("z3", text) for text in prime.operands_multiplied()]
        texts += [("bitwuzla", binary.columns_sum(square)) for square in (0, 1)]
        assert [SOLVERS[solver](text, SECONDS) for solver, text in texts] == [said] * 4
        for plan in (prime.plan, binary.plan):
            scans = tuple(
                tuple(replace(each, product=each.product and (each.j, each.k) != (1, 1)) for each in scan)
                for scan in plan.scans
            )
            object.__setattr__(plan, "scans", scans)


def test_what_is_used_of_a_scan_as_printed_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fact under an argument about numbers is shown of the netlist or of what is defined, in either
    field."""
    used: set[str] = set()
    holding, named_ = Scanning.holding, Carryless.named

    def told(facts: Iterable[Fact], goal: str, *more: str, **words: Any) -> str:
        every = list(facts)
        used.update(fact.over_bits() for fact in every)
        return holding(every, goal, *more, **words)

    def told_without_carries(facts: Iterable[Exclusive], *assertions: str) -> str:
        every = list(facts)
        used.update(fact.over_bits() for fact in every)
        return named_(every, *assertions)

    monkeypatch.setattr(Scanning, "holding", staticmethod(told))
    monkeypatch.setattr(Carryless, "named", staticmethod(told_without_carries))
    for place in (0, 1):
        proof = small(room(LITERAL), place=place)
        assert isinstance(proof, Multiplying)
        used.clear()
        every = [*proof.of_multiplier(), *proof.of_definitions(), *proof.of_numbers()]
        shown = "\n".join(text for each in every if each.layer == "step" for text in each.texts)
        assert used and not [fact for fact in used if fact not in shown]


def test_a_wrong_argument_about_a_scan_as_printed_is_refuted() -> None:
    """Of each kind, in either field: without what it rests on it does not hold."""
    right, other = (small(room(LITERAL), place=place) for place in (0, 1))
    assert isinstance(right, AsPrinted) and isinstance(other, CarrylessAsPrinted)
    rows, bit, _, bound, product = right.multiplied()
    products, squares = right.operands_multiplied()
    _, in_range, ends = right.right()
    most = right.size**right.beats - 1
    texts = (
        (rows, "z3", "(* 8 |part.3|)", "|part.3|"),
        (bit, "z3", "(<= 0 d 1)", "(<= 0 d 2)"),
        (bound, "z3", "(<= 0 b ", "(<= b "),
        (product, "z3", "(<= 0 p)", "true"),
        (right.columns_sum(0), "z3", f"(* {right.size} |E.3.high|)", "|E.3.high|"),
        (right.columns_sum(1), "z3", "(* 2 |x0*y1|)", "|x0*y1|"),
        (products, "z3", "(* x0 y1)", "(* x1 y1)"),
        (squares, "z3", "(* m3 n3)", "m3"),
        (right.removed_at(0, 2), "z3", f"(* {right.size} |E.15.high|)", "|E.15.high|"),
        (right.removed(), "z3", f"(< T {right.size})", "true"),
        (right.result_sum(0), "z3", "(* 2 |E.37.rest|)", "|E.37.rest|"),
        (next(right.ranges()), "z3", "(<= 0 y N)", "(<= 0 y)"),
        (in_range, "z3", f"(<= 0 MN (* {most} N))", "(<= 0 MN)"),
        (ends, "z3", "(< Z (* 2 N))", "true"),
        (ends, "z3", "(= b1 0)", "(= b1 1)"),
        (next(other.multiplied()), "bitwuzla", f"(_ bv3 {2 * other.word})", f"(_ bv2 {2 * other.word})"),
        (other.columns_sum(0), "bitwuzla", "(bvlshr E3 ", "(bvshl E3 "),
        (other.columns_sum(1), "bitwuzla", "|x1*y1|)", "|x0*y0|)"),
        (other.degrees(), "z3", "(<= 0 lx d)", "(<= 0 lx)"),
        (other.degrees(), "z3", f"(< d {other.beats * other.word})", "true"),
    )
    for text, solver, old, new in texts:
        refuted_without(text, solver, old, new)
