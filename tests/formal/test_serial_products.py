# SPDX-License-Identifier: Apache-2.0
"""The product of carry-save and interleaved cores, and in GF(2^m); and what shows that it can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from formal_builds import (
    BINARY,
    BOOTH,
    FRAME,
    GATE,
    HALVES,
    ONE,
    SECONDS,
    SERIAL_WIDTH,
    SETTINGS,
    TABLES,
    TWO,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.interleaved_cores import CORES
from modmul.prove.product.interleaved_csa import Tabulated
from modmul.prove.product.interleaved_steps import SUM
from modmul.prove.product.montgomery_csa2 import TwoAdders
from modmul.prove.reach import Verdict
from modmul.prove.solve import Obligation, discharge
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

CSA, UNDER = "interleaved_csa", "mm_interleaved_csa"


CONTROL = "mm_gf2m_control"
WRONG = (
    (TWO, "the columns of a step with x_i = 1, q_i = 1", "mm_csa", "| (a_i & c_i)", ""),
    (TWO, "the columns of a step with x_i = 0, q_i = 1", "mm_montgomery_csa2", "{s1[0]}", "{s1[1]}"),
    (TWO, "goes on holding from RUN", "mm_word_unit", "x_q << 1 : x_q >> 1", "x_q << 1 : x_q >> 2"),
    (
        TWO,
        "goes on holding from LOAD",
        "mm_word_register",
        "beat_i == BeatBits'(k)",
        "beat_i != BeatBits'(k)",
    ),
    (TWO, "goes on holding from CONVERT", "mm_montgomery_csa2", "(~second_q | neg)", "(~second_q | ~neg)"),
    (TWO, "goes on holding from UNLOAD", "mm_word_unit", "convert_i || out_take_i", "convert_i"),
    (TWO, "CONVERT comes behind", "mm_word_frame", "StepBits'(Steps - 1)", "StepBits'(Steps - 2)"),
    (TWO, "step 0 comes behind", "mm_montgomery_csa2", "s_q <= '0;", "s_q <= s_q;"),
    (TWO, "S and C stay", "mm_montgomery_csa2", "end else if (run) begin", "end else begin"),
    (
        ONE,
        "the columns of a step with x_i = 1, q_i = 1",
        "mm_montgomery_csa1",
        "{ym_top & (&index_q)",
        "{1'b0",
    ),
    (ONE, "goes on holding from RUN", "mm_montgomery_csa1", "s[1] ^ c[1] ^ (", "s[1] ^ ("),
    (ONE, "goes on holding from PRE", "mm_montgomery_csa1", "use_i(pre_q | ", "use_i("),
    (ONE, "goes on holding from START", "mm_montgomery_csa1", "{x_bit & y0_q, x_bit};", "{x_bit, x_bit};"),
    (CSA, "the columns of a step that adds entry 3", "mm_csa", "| (a_i & c_i)", ""),
    (CSA, "the columns of a step that adds entry 6", UNDER, "| (s[Width] & c[Width])", ""),
    (CSA, "goes on holding from LOAD", UNDER, "= {ctx_t, 1'b0};", "= {ctx_t, 1'b1};"),
    (CSA, "goes on holding from LOAD", "mm_word_table", "beat_i == BeatBits'(k)", "beat_i != BeatBits'(k)"),
    (CSA, "goes on holding from LOAD", UNDER, "<= ctx_data_i[TopBit];", "<= ctx_data_i[0];"),
    (CSA, "goes on holding from pass P0", UNDER, "{1'b0, pair};", "{1'b0, pair} + 3'd1;"),
    (CSA, "goes on holding from pass P1", UNDER, "~second | ~neg;", "~second | neg;"),
    (CSA, "goes on holding from pass P2", UNDER, "res_pass_q + 3'd2;", "res_pass_q + 3'd3;"),
    (CSA, "goes on holding from START", UNDER, "{2'd0, x_bit}", "{2'd0, ~x_bit}"),
    (CSA, "goes on holding from RUN", "mm_word_unit", "x_q << 1 : x_q >> 1", "x_q << 2 : x_q >> 1"),
    (CSA, "goes on holding from pass F0", UNDER, "(t == 2'd2) ? 3'd0", "(t == 2'd2) ? 3'd1"),
    (CSA, "goes on holding from pass F1", UNDER, "m4     = m_wide[Ext-1:0]", "m4     = m_wide[Ext:1]"),
    (CSA, "goes on holding from pass F2", UNDER, "sub   = ~neg;", "sub   = neg;"),
    (CSA, "goes on holding from pass F3", "mm_word_adder", "first_q ? sub_i & use_i", "first_q ? 1'b0"),
    (CSA, "goes on holding from pass F4", UNDER, "use_m = neg;", "use_m = ~neg;"),
    (CSA, "goes on holding from UNLOAD", "mm_word_unit", "convert_i || out_take_i", "convert_i"),
    (CSA, "CONVERT comes behind", "mm_word_frame", "StepBits'(Steps - 1)", "StepBits'(Steps - 2)"),
    (CSA, "step 0 comes behind", UNDER, "{2'd0, x_bit}", "{2'd1, x_bit}"),
    (CSA, "S, C and t stay", UNDER, "end else if (run) begin", "end else begin"),
    (BOOTH, "goes on holding", GATE, "whole_q & ctx_legal_i & ~ctx_load_o", "whole_q & ~ctx_load_o"),
    (BOOTH, "the adders of core.u_eu1.gen_a1[1]", "mm_mod_double", "diff[Width] ?", "~diff[Width] ?"),
    (
        BOOTH,
        "the adders of core.gen_paper.u_as, which adds",
        "mm_mod_addsub",
        "{1'b0}}, ~sub_i",
        "{1'b0}}, 1'b0",
    ),
    (BOOTH, "the adders of core.gen_paper.u_as, which sub", "mm_mod_addsub", "? t[Width+1]", "? u[Width+1]"),
    (BOOTH, "step i + 1 comes behind", FRAME, "step_q <= step_q + 1'b1", "step_q <= step_q + 2'd2"),
    (BOOTH, "a result comes behind", FRAME, "StepBits'(Steps - 1)", "StepBits'(Steps - 2)"),
    (BOOTH, "what goes out", "mm_imml_booth4", "z_o = z_q", "z_o = z_next"),
    (BOOTH, "in cycle 0 before the loop", "mm_imml_booth4", "first ? eu1[0]", "first ? eu1[1]"),
    (BOOTH, "in a step with the digit 2", "mm_imml_booth4", "mag[1] ? r2_q", "mag[0] ? r2_q"),
    (
        BOOTH,
        "in a step with the digit -1",
        "mm_booth_recoder",
        "neg_o = window_i[Radix2]",
        "neg_o = window_i[0]",
    ),
    (
        BOOTH,
        "these are all digits",
        "mm_booth_recoder",
        "{1'b0, bits[Radix2-1:1]}",
        "{bits[0], bits[Radix2-1:1]}",
    ),
    ("imml_radix4", "in cycle 1 before the loop", "mm_imml_radix4", "second ? 2'd2", "second ? 2'd1"),
    ("imml_radix8", "in a step with the digit 5", "mm_imml_radix8", "sr_q} >> 3", "sr_q} >> 2"),
    ("interleaved_booth4", "behind a load", "mm_interleaved_booth4", "{y_i, 1'b0}", "{y_i, 1'b1}"),
    ("interleaved_booth8", "in a step with the digit 3", "mm_interleaved_booth8", "sr_q << 3", "sr_q << 2"),
    (
        "interleaved_radix2",
        "the adders of core.step",
        "mm_interleaved_radix2",
        "(t1[Width+1] ? t : t1)",
        "(t1[Width+1] ? t1 : t)",
    ),
    (
        "interleaved_radix2_parallel",
        "in a step with the digit 1",
        "mm_interleaved_radix2_parallel",
        ".sub_i(1'b0)",
        ".sub_i(y_q[1])",
    ),
    (BINARY, "a digit is some steps", "mm_gf2m_reduce", "sum = lower;", "sum = lower >> 1;"),
    (BINARY, "goes on holding between", "mm_gf2m_operands", "beat_i == WordBits'(j)", "beat_i != '0"),
    (BINARY, "goes on holding from step 1", "mm_gf2m_fixed", "if (first)    s_q", "if (first & last) s_q"),
    (BINARY, "goes on holding from step 4", "mm_gf2m_operands", "digits[digit_i];", "digits[0];"),
    (BINARY, "goes on holding from step 5", "mm_gf2m_digit", "so_far ^ multiple", "so_far | multiple"),
    (BINARY, "goes on holding from step 8", CONTROL, "(step_last_q & occupied_q)", "(step_last_q & last_q)"),
    (TABLES, "what comes to s", "mm_gf2m_serial", "N'(s_q >> D) ^ residue", "N'(s_q >> D) | residue"),
    (TABLES, "what comes to s", "mm_gf2m_serial", "4'(s_q[4*k+:Bits])", "4'(s_q[4*k+:Bits]) | 4'd1"),
    (TABLES, "words of the tables stay", "mm_gf2m_serial", "beat == WordBits'(j)", "beat >= WordBits'(j)"),
    (
        TABLES,
        "words of the tables stay",
        CONTROL,
        "& entry_q == 4'd15 & table_q",
        "& entry_q == 4'd14 & table_q",
    ),
    (TABLES, "goes on holding from step 1", "mm_gf2m_serial", "if (first)    s_q", "if (first & last) s_q"),
    (HALVES, "what is made of t", "mm_gf2m_reduce", "sum = lower;", "sum = lower >> 1;"),
    (HALVES, "the operands are in their", "mm_gf2m_pipelined_product", "b1 ^ b0;", "b1 | b0;"),
    (HALVES, "goes on holding from cycle 1", "mm_gf2m_pipelined_product", "so_far ^ mult", "so_far | mult"),
    (HALVES, "goes on holding from cycle 2", "mm_gf2m_pipelined_product", "both ^ high ^ low", "both ^ high"),
    (HALVES, "goes on holding from cycle 5", "mm_pipelined_results", "_addr_i(write_q)", "_addr_i(read_q)"),
    (HALVES, "goes on holding from cycle 6", "mm_pipelined_results", "if (read) z_q <= word", "z_q <= word"),
    (HALVES, "results keep their order", "mm_pipelined_results", "if (free) valid_q", "if (some) valid_q"),
    (
        TABLES,
        "goes on holding from step 4",
        "mm_gf2m_operands",
        "if (rest_i) x_q <= '0;",
        "if (1'b0) x_q <= '0;",
    ),
)
"""For kinds of obligations about the netlist, hardware that does not meet them: core, obligation, change."""
WRONG_SHARED = (
    (
        "imml_booth4",
        "in a step with the digit -1, + before",
        "mm_imml_booth4",
        "neg_q <= neg;",
        "neg_q <= 1'b0;",
    ),
    (
        "imml_booth4",
        "in the first step, with the digit 2",
        "mm_imml_booth4",
        "mag[1] ? eu1[0]",
        "mag[1] ? eu1[1]",
    ),
    ("imml_booth8", "goes on holding", "mm_imml_booth8", "neg & ~first & ~second", "neg & ~second"),
    ("imml_booth8", "in cycle 1 before the loop", "mm_imml_booth8", "v & {Width{~second}}", "v"),
)
"""The same with SharedTaps = 1."""


@pytest.mark.parametrize(
    ("slug", "name", "module", "old", "new", "shared"),
    [*((*each, 0) for each in WRONG), *((*each, 1) for each in WRONG_SHARED)],
)
def test_a_wrong_netlist_is_refuted(
    slug: str, name: str, module: str, old: str, new: str, shared: int, store: Store, tmp_path: Path
) -> None:
    found = room(slug)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [o for each in rooms_ for o in named(small(each, shared=shared), name)]
    only_the_first_is_proven(asked, store)


def test_a_wrong_argument_about_numbers_is_refuted(store: Store) -> None:
    """Of each kind of obligation without the netlist: with one thing taken away it is refuted."""
    right = TwoAdders.of(room(TWO).build(SERIAL_WIDTH, SETTINGS))
    texts = {
        right.begun(): ("(* 1 0)", "(* 1 1)"),
        right.induction(3, 1, 1): ("(* 2 T_n)", "T_n"),
        right.induction(5, 0, 1): ("(= x.5 0)", "(= x.5 1)"),
        right.reduced(): ("(<= y M)", "(<= 0 y)"),
        right.result(): ("(< z M)", "(<= 0 z)"),
        right.composed(): ("(=> zero_n right.0_n)", "true"),
    }
    for text, (old, new) in texts.items():
        assert old in text
        asked = [Obligation("number", "", "z3", (each,)) for each in (text, text.replace(old, new, 1))]
        verdicts = [outcome.verdict for _, outcome in discharge(asked, store, SECONDS)]
        assert verdicts == [Verdict.PROVEN, Verdict.REFUTED], (old, new)


def test_an_argument_about_numbers_of_a_table_is_not_about_nothing() -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    proof = small(room(CSA), 8)
    assert isinstance(proof, Tabulated)
    for obligation in proof.of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_a_table_is_refuted() -> None:
    """Of each kind, also of what a pass is: without what it rests on it does not hold."""
    right = small(room(CSA))
    assert isinstance(right, Tabulated)
    above = f"{right.word - 4}) ((_ extract {right.sign} {right.width}) F1"
    adds = {name: next(named(right, f"what pass {name} adds")).texts[0] for name in right.passes()}
    texts = {
        right.summed(3): (right.row(3)[0].over_integers(), "true"),
        right.added_up(): (right.columns()[1].over_integers(), "true"),
        right.entry_made(0): ("(<= 0 y M)", "(<= 0 y)"),
        right.entry_made(1): ("(< T4 M)", "true"),
        right.entry_right(2): (right.of_context(2), "true"),
        right.entry_right(7): (right.of_context(6), "true"),
        right.begun(): ("(* 0 y)", "(* 1 y)"),
        right.read(3): ("(* 2 (+", "(* 3 (+"),
        right.induction(1): ("(* (* 2 t) R)", "(* t R)"),
        right.passed(0): (f"(<= {1 << SERIAL_WIDTH - 1} M)", "(<= 1 M)"),
        **{right.passed(k): (right.ranged(k - 1), "true") for k in range(1, 5)},
        right.reduced(): ("(< v0 (* 5 M))", "true"),
        right.result(2): (right.of_context(2), "true"),
        right.composed(): ("(=> zero_n right.0_n)", "true"),
    }
    for text, (old, new) in texts.items():
        refuted_without(text, "z3", old, new)
    bits = (
        (right.any_pass(), "(bvand P0_a P0_m)", "P0_a"),
        (adds["P0"], "(bvnot M1)", "M1"),
        (adds["P1"], "#b0 #b1)", "#b1 #b0)"),
        (adds["F0"], f"(_ BitVec {right.longest}) C)", f"(_ BitVec {right.longest}) S)"),
        (adds["F2"], f"sign_extend {above}", f"zero_extend {above}"),
    )
    for text, old, new in bits:
        refuted_without(text, "bitwuzla", old, new)


@pytest.mark.parametrize(("width", "word"), [(10, 8), (8, 2), (256, 4)])
def test_words_that_the_argument_about_a_table_does_not_cover(width: int, word: int) -> None:
    """They do not fill the operands, or have no room for a sign, or a context has too many."""
    with pytest.raises(ValueError, match=r"the (proof is written for|bench counts at most)"):
        arguments(room(CSA).build(width, {"Word": word}))


@pytest.mark.parametrize("slug", ["imml_booth4", "interleaved_booth4", "interleaved_radix2"])
def test_a_wrong_argument_about_an_interleaved_core_is_refuted(slug: str, store: Store) -> None:
    """Of each kind: without what it rests on, or with another sum, it does not hold."""
    right = CORES[slug].of(room(slug).build(6))
    most, scale = {"imml_booth4": (2, "P"), "interleaved_booth4": (2, "L"), "interleaved_radix2": (1, "L")}[
        slug
    ]
    move = next(each for each in right.moves() if each.digit == most)
    use = move.stage.uses[0]
    asked_of_inputs = right.does(use)[0][0].over_integers()
    *registers, left = right.kept(move)
    texts = {
        right.begun(): ("() Int 0)", "() Int 1)"),
        right.block_right(use): (asked_of_inputs, "true"),
        right.block_kept(use): (f"(assert {asked_of_inputs})", ""),
        registers[list(move.behind).index(SUM)]: (
            f"(* {right.radix if scale == 'L' else most} {scale})",
            scale,
        ),
        left: (f"(* {right.radix} P)", "P"),
        right.result()[0]: ("(< |core.z_q| |m|)", "true"),
        right.composed(): ("(=> load right.0_n)", "true"),
    }
    for text, (old, new) in texts.items():
        assert old in text
        asked = [Obligation("number", "", "z3", (each,)) for each in (text, text.replace(old, new, 1))]
        verdicts = [outcome.verdict for _, outcome in discharge(asked, store, SECONDS)]
        assert verdicts == [Verdict.PROVEN, Verdict.REFUTED], (old, new)
