# SPDX-License-Identifier: Apache-2.0
"""Unbounded proofs: the port contract, constant time, the product; and for each what shows that it can
fail."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

import proofs
import pytest
from typer.testing import CliRunner, Result

from modmul.cli.app import app
from modmul.core import WordConfig
from modmul.prove.job import SOLVERS
from modmul.prove.plan import UNPROVEN, goals, known, stale
from modmul.prove.product import PRODUCTS, SHARED, arguments, kinds_of
from modmul.prove.product.argument import Argument
from modmul.prove.product.fips import Scanning
from modmul.prove.product.fips_binary import Carryless, Exclusive
from modmul.prove.product.fips_literal import AsPrinted
from modmul.prove.product.fips_literal_binary import CarrylessAsPrinted
from modmul.prove.product.fips_multiplier import Multiplying
from modmul.prove.product.interleaved_cores import CORES
from modmul.prove.product.interleaved_csa import Tabulated
from modmul.prove.product.interleaved_steps import SUM
from modmul.prove.product.montgomery_csa2 import TwoAdders
from modmul.prove.product.montgomery_dsp import Rows
from modmul.prove.product.rrm import Reinjected
from modmul.prove.product.scalable_booth4_left import LeftShifting
from modmul.prove.product.scalable_booth4_right import RightShifting
from modmul.prove.product.scalable_booth4_serial import InTurn
from modmul.prove.product.scalable_radix2 import BitByBitLeft
from modmul.prove.product.scalable_radix2_parallel import BitsAtOnce
from modmul.prove.product.scalable_radix2_right import BitByBit
from modmul.prove.product.small_any import Barrett
from modmul.prove.prover import PROPERTIES, prove
from modmul.prove.reach import OPEN, Verdict, reach, verdict_of, write
from modmul.prove.shapes import ports_of
from modmul.prove.solve import Obligation, discharge
from modmul.prove.terms import (
    Compared,
    Congruent,
    Fact,
    Joined,
    Product,
    Relation,
    Word,
    all_of,
    any_of,
    equal,
    implies,
    negation,
)
from modmul.prove.watch import CONTRACT, TOP, Rule, pair_bench, watch_bench
from modmul.registry import Room, own_cores, room, rooms
from modmul.tools.imports import sources
from modmul.tools.run import log_file, run_tool
from modmul.tools.store import Store, file_digest
from modmul.verify.mutant import mutant

WIDTH = 4
SECONDS = 60.0


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty one: nothing is taken as known."""
    return Store(tmp_path / "results.sqlite")


# --- the port contract and constant time ------------------------------------------------------------


@pytest.mark.parametrize(
    "slug",
    [
        pytest.param(slug, marks=[] if slug in ("imml_booth4", "montgomery_csa2") else [pytest.mark.long])
        for slug in rooms()
    ],
)
@pytest.mark.parametrize("kind", ["contract", "time"])
def test_the_ports_keep_to_the_contract_for_ever(slug: str, kind: str, store: Store) -> None:
    """But for what is listed as not proven, which then is not proven, and not refuted."""
    [goal] = [g for g in goals([slug]) if g.kind == kind and g.build.config.width <= WIDTH]
    wanted = len(CONTRACT) if kind == "contract" else 2
    found = list(prove(goal.build, kind, store, SECONDS))
    assert len(found) == wanted
    for proof in found:
        listed = (proof.core, proof.width, proof.kind, proof.rule) in UNPROVEN
        assert proof.verdict is (Verdict.UNKNOWN if listed else Verdict.PROVEN), str(proof)


TAKEN = Rule("taken", "the last beat of a result is never taken", "!out_last")


@pytest.mark.long
@pytest.mark.parametrize("slug", own_cores())
def test_what_is_proven_is_not_about_runs_in_which_nothing_happens(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operation of each core ends while it is watched."""
    monkeypatch.setattr("modmul.prove.watch.CONTRACT", (TAKEN,))
    build = room(slug).build(WIDTH)
    text = watch_bench(build)
    [(_, outcome)] = reach(build.design, text, TOP, [TAKEN.name], 300)
    assert outcome.verdict is Verdict.REFUTED
    assert outcome.frames >= min(min(shape.latency.values()) for shape in ports_of(build).shapes)


FRAME, GATE = "mm_frame", "mm_context_gate"
MUTANTS = {
    "held": (FRAME, "else if (out_ready_i)               done_q", "else done_q"),
    "answered": (FRAME, "if (busy_q && (step_q == LastStep)) done_q", "if (step_q == LastStep) done_q"),
    "in-flight": (FRAME, "~busy_q & (~done_q | out_ready_i)", "~busy_q"),
    "closed": (GATE, "whole_q & ctx_legal_i & ~ctx_load_o", "whole_q & ~ctx_load_o"),
    "open": (FRAME, "~busy_q & (~done_q | out_ready_i)", "~busy_q & out_ready_i"),
    "context-first": (GATE, "(in_part_q | ~ctx_valid_i)", "1'b1"),
    "context-alone": (FRAME, "ctx_free  = ~busy_q & ~done_q", "ctx_free  = ~busy_q"),
    "context-taken": (FRAME, "ctx_free  = ~busy_q & ~done_q", "ctx_free  = ~busy_q & ~done_q & ~ctx_error_o"),
    "error": (GATE, "if (whole_q) error_q", "if (whole_q & ~ctx_load_o) error_q"),
    "latency": (FRAME, "StepBits'(Steps - 1)", "StepBits'(Steps - 2)"),
    "reset": (GATE, "error_q   <= 1'b0", "error_q   <= 1'b1"),
}
"""For each rule of the contract, a core that breaks it: the source, what stands there, what does then."""


@pytest.mark.parametrize("rule", [rule.name for rule in CONTRACT])
def test_each_rule_can_be_refuted(rule: str, tmp_path: Path) -> None:
    build = mutant(room("imml_booth4"), tmp_path, *MUTANTS[rule]).build(WIDTH)
    names = [each.name for each in CONTRACT]
    [(_, outcome)] = reach(build.design, watch_bench(build), TOP, names, SECONDS, [rule])
    assert outcome.verdict is Verdict.REFUTED


LETTING_GO = {
    "valid": MUTANTS["held"],
    "data": ("mm_imml_booth4", "assign z_o = z_q", "assign z_o = out_ready_i ? z_q : ~z_q"),
}


@pytest.mark.parametrize("what", ["", *LETTING_GO])
def test_a_result_is_held_whatever_the_registers_of_data_hold(what: str, tmp_path: Path) -> None:
    """The registers of z_o stay as they are, and runs go on behind the reset with which they begin."""
    found = room("imml_booth4")
    build = (mutant(found, tmp_path, *LETTING_GO[what]) if what else found).build(WIDTH)
    names = [each.name for each in CONTRACT]
    [(_, outcome)] = reach(build.design, watch_bench(build), TOP, names, SECONDS, ["held"], narrow=True)
    assert outcome.verdict is (Verdict.REFUTED if what else Verdict.PROVEN)


def test_registers_of_data_that_are_left_open_do_not_decide(tmp_path: Path) -> None:
    """Far fewer are left for the solver, and ``latency`` of a core that is late is not hidden by it."""
    names = [each.name for each in CONTRACT]
    found = room("imml_booth4")
    counts = []
    for more in ((), OPEN):
        (folder := tmp_path / str(len(more))).mkdir()
        build = found.build(WIDTH)
        write(build.design, watch_bench(build), TOP, folder, more)
        counts.append(int((folder / "proof.aig").read_bytes().split(b" ", 4)[3]))
    assert counts[1] < counts[0]
    build = mutant(found, tmp_path, *MUTANTS["latency"]).build(WIDTH)
    [(_, outcome)] = reach(build.design, watch_bench(build), TOP, names, SECONDS, ["latency"], narrow=True)
    assert outcome.verdict is Verdict.REFUTED


def test_a_register_keeps_through_a_reset_what_it_held_before(tmp_path: Path) -> None:
    """Runs begin with a reset, and others come at any time: what these do not reach is not set."""
    resets = "      busy_q <= 1'b0;\n"
    kept = mutant(room("imml_booth4"), tmp_path, FRAME, f"{resets}      done_q <= 1'b0;\n", resets)
    build, names = kept.build(WIDTH), [each.name for each in CONTRACT]
    [(_, outcome)] = reach(build.design, watch_bench(build), TOP, names, SECONDS, ["answered"], narrow=True)
    assert outcome.verdict is Verdict.REFUTED


TELLING = {
    "operands": ("mm_interleaved_radix2", ".out_ready_i,", ".out_ready_i(out_ready_i | z_q[0]),"),
    "moduli": (FRAME, "step_q == LastStep)) busy_q", "step_q == LastStep - StepBits'(m_q[1]))) busy_q"),
}


@pytest.mark.parametrize("name", TELLING)
def test_what_tells_of_operands_or_moduli_is_found(name: str, tmp_path: Path) -> None:
    """The second by moduli alone."""
    build = mutant(room("interleaved_radix2"), tmp_path, *TELLING[name]).build(WIDTH)
    for moduli in (False, True) if name == "moduli" else (False,):
        text = pair_bench(build, moduli=moduli)
        [(_, outcome)] = reach(build.design, text, TOP, ["time"], SECONDS)
        assert outcome.verdict is (Verdict.PROVEN if name == "moduli" and not moduli else Verdict.REFUTED)


SAID = {
    "Verification of invariant was successful.\nProperty proved.  Time =     0.08 sec": Verdict.PROVEN,
    'Output 0 of miter "a" was asserted in frame 7.  Time =     0.01 sec': Verdict.REFUTED,
    "Reached timeout (60 seconds) in frame 36.\nProperty UNDECIDED.  Time =    60.08 sec": Verdict.UNKNOWN,
    "The miter is proved unreachable after 75 iterations.  Time =     5.99 sec": Verdict.PROVEN,
    "The number of intermediate BDD nodes exceeded the limit (50000).": Verdict.UNKNOWN,
    "UNSATISFIABLE  Time =     0.01 sec": Verdict.PROVEN,
    "SATISFIABLE  Time =     0.01 sec": Verdict.REFUTED,
    "Reading AIG from file has failed.\nError: Empty network.": Verdict.UNKNOWN,
    "": Verdict.UNKNOWN,
}
"""What ABC prints, and what it means: only a proof is one."""


@pytest.mark.parametrize("text", SAID)
def test_only_a_proof_counts(text: str) -> None:
    assert verdict_of(text, 1.0).verdict is SAID[text]


def test_a_solver_that_gives_up_has_proven_nothing(store: Store) -> None:
    """There are no such cubes, but that is not easy to see."""
    names = "".join(f"(declare-const {name} Int)(assert (< 2 {name}))" for name in "xyz")
    hard = Obligation("", "", "z3", (f"{names}(assert (= (+ (* x x x) (* y y y)) (* z z z)))",))
    [(_, outcome)] = discharge([hard], store, 1)
    assert outcome.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("slug", rooms())
def test_what_the_ports_carry_is_what_the_context_says(slug: str) -> None:
    """Every kind of context by its header, with the place and the rule of the modulus."""
    build = room(slug).build(8)
    carried = ports_of(build)
    core, config = build.core, build.config
    modulus = core.function.some_modulus(config)
    beats = list(core.interface.context(config.at(modulus), modulus))
    [shape] = [s for s in carried.shapes if list(s.header) == beats[: len(s.header)]]
    assert shape.context == len(beats) and shape.operand == config.at(modulus).beats
    refused = [list(context) for context in core.illegal_contexts(config)]
    same = [c for c in refused if c[: len(shape.header)] == list(shape.header) and len(c) == len(beats)]
    assert same
    for context in same:
        words = context[carried.modulus : carried.modulus + shape.operand]
        number = sum(word << (i * config.word) for i, word in enumerate(words))
        one = words == list(carried.beats)
        legal = {"odd": number & 1, "nonzero": number, "full": number >> 7, "one": one}
        assert not legal[carried.rule]


# --- the product ------------------------------------------------------------------------------------

SERIAL_WIDTH = 16
SETTINGS = {"Word": 8}
BINARY, TABLES, HALVES = "gf2m_fixed", "gf2m_serial", "gf2m_pipelined"
LEFT, RIGHT, BITWISE = "scalable_booth4_left", "scalable_booth4_right", "scalable_radix2_right"
IN_TURN = "scalable_booth4_serial"
UPWARD, AT_ONCE = "scalable_radix2", "scalable_radix2_parallel"
DSP, FIPS, DROPPED = "montgomery_dsp", "fips", "rrm"
LITERAL = "fips_literal"
SHORT = "small_any"
ROWS = {"Word": 4, "Pes": 5}
SHORT_ROWS = {"Word": 4, "Pes": 3}
BLOCKS = {
    8: (52, {"Word": 24, "Digit": 8}),
    16: (52, {"Word": 16, "Digit": 8}),
    24: (66, {"Word": 16, "Digit": 8}),
}
"""Width and words of rows of blocks, which have to be longer, in place of other cores' widths."""
SCANNED = {8: (32, {"Word": 8}), 16: (64, {"Word": 16}), 24: (64, {"Word": 8})}
"""The same of ``fips`` and ``fips_literal``, whose proofs are written for four words or more."""
TABULATED = {8: (16, {"Word": 4, "Digit": 4}), 16: (16, {"Word": 8, "Digit": 4}), 24: (32, {"Word": 8})}
"""The same of ``gf2m_serial``, whose proof is written for 2, 4, 8, ... words and digits of 4 or 8 bits."""
ADDRESSED = {8: (48, {"Word": 16}), 16: (64, {"Word": 16}), 24: (96, {"Word": 32})}
"""The same of ``rrm``, whose proof is written for three words or more."""
SHIFTED = {8: (12, {"Word": 4, "Pes": 2}), 16: (16, {"Word": 4, "Pes": 3}), 24: (24, {"Word": 8, "Pes": 2})}
"""The same of a row that shifts right, in which no word may wait between two passes."""
EACH_BIT = {8: (12, {"Word": 4, "Pes": 4}), 16: (16, {"Word": 4, "Pes": 4}), 24: (56, {"Word": 8, "Pes": 8})}
"""The same of a row that shifts left with an element for each bit of a word."""
TWICE = {**EACH_BIT, 8: EACH_BIT[16], 24: (64, {"Word": 8, "Pes": 8})}
"""The same of one whose last element takes its bit later."""
HALVED = {8: (8, {"Leaf": 2}), 16: (16, {"Leaf": 4}), 24: (24, {"Leaf": 8})}
"""The same of ``gf2m_pipelined``, with other short products."""
TILED = {
    8: (8, {"TileA": 12, "TileB": 8}),
    16: (16, {"TileA": 8, "TileB": 8}),
    24: (30, {"TileA": 8, "TileB": 8}),
    31: (31, {}),
    32: (32, {}),
    33: (33, {}),
}
"""The same of ``small_any``: step 2 in a chain of blocks; in one block, with three rows and with five; as the
default build of short moduli, and of one that is too long for halves."""


def small(found: Room, width: int = SERIAL_WIDTH, shared: int = 0, place: int = 0) -> Argument:
    """An argument for a build of short operands, of more than one word and digit where it has those."""
    words = SETTINGS if isinstance(found.build(width).config, WordConfig) else {}
    words = {**words, "Digit": 2} if found.core.slug == BINARY else words
    others = (
        *((DSP, BLOCKS), (TABLES, TABULATED), (HALVES, HALVED), (DROPPED, ADDRESSED)),
        *((slug, SCANNED) for slug in (FIPS, LITERAL)),
        *((slug, SHIFTED) for slug in (RIGHT, BITWISE, IN_TURN)),
        *((UPWARD, EACH_BIT), (AT_ONCE, TWICE), (SHORT, TILED)),
    )
    for slug, longer in others:
        if found.core.slug == slug:
            width, words = longer[width]
    if found.core.slug == LEFT:
        words = ROWS if width > 8 else SHORT_ROWS
    build = found.build(width, {"SharedTaps": 1} if shared else words)
    return kinds_of(build)[place].of(build)


@pytest.mark.long
@pytest.mark.parametrize("width", [8, 16, 24])
@pytest.mark.parametrize(
    ("slug", "place"), [(slug, k) for slug in PRODUCTS for k in range(len(PRODUCTS[slug]))]
)
def test_every_result_is_the_product(slug: str, place: int, width: int, store: Store) -> None:
    if slug == BINARY and width == 8:
        pytest.skip("its proof is written for several words")
    proof = small(room(slug), width, place=place)
    for obligation, outcome in discharge(list(proof.all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name


CASES = 8
"""Of an obligation, about as many in ``make test``."""


@pytest.mark.parametrize(
    "most", [pytest.param(CASES, id="some"), pytest.param(sys.maxsize, id="all", marks=pytest.mark.long)]
)
@pytest.mark.parametrize(
    ("slug", "width", "shared"),
    [
        *((slug, 3, 0) for slug in CORES),
        *((slug, 3, 1) for slug in SHARED),
        *((slug, 8, 0) for slug in (LEFT, RIGHT, BITWISE, IN_TURN, UPWARD, AT_ONCE)),
    ],
)
def test_results_of_short_operands_are_products(slug: str, width: int, shared: int, most: int) -> None:
    """Of three bits, which some digits do not divide; asked here, since a process each would take longer."""
    for obligation in small(room(slug), width, shared).all():
        wanted = "unsat" if obligation.holds else "sat"
        some = obligation.texts[:: len(obligation.texts) // most or 1]
        said = {SOLVERS[obligation.solver](text, SECONDS) for text in some}
        assert said == {wanted}, obligation.name


def named(proof: Argument, text: str) -> Iterator[Obligation]:
    return (obligation for obligation in proof.all() if obligation.name.startswith(text))


ONE, TWO, BOOTH = "montgomery_csa1", "montgomery_csa2", "imml_booth4"
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
    first, second = (outcome.verdict for _, outcome in discharge(asked, store, SECONDS))
    assert (first, second) == (Verdict.PROVEN, Verdict.REFUTED)


COLUMN, QUOTIENT = "mm_montgomery_dsp_column", "mm_montgomery_dsp_quotient"
CONVERTER, SCHEDULE = "mm_montgomery_dsp_converter", "mm_montgomery_dsp_schedule"
BLOCK_CONTROL, QUEUE = "mm_montgomery_dsp_control", "mm_result_queue"
WRONG_BLOCKS = (
    (
        "in every cycle: the columns of S",
        COLUMN,
        "high_x_i), .carry_i(x_next_q)",
        "high_x_i), .carry_i(x_next_q | s_round)",
    ),
    ("in every cycle: Q", QUOTIENT, "line[Line-1]", "line[Line-2]"),
    ("slots goes on holding", BLOCK_CONTROL, "PeriodBits'(Period - 3)", "PeriodBits'(Period - 4)"),
    ("operands goes on holding", "mm_montgomery_dsp_row", "place_q[Place] && !full_i", "place_q[Place]"),
    ("in every cycle: the columns of S", COLUMN, "fresh_q ? '0 :", "fresh_q | fresh_i ? '0 :"),
    (
        "in every cycle: the columns of V",
        COLUMN,
        "tail_q <= v_later_i ?",
        "tail_q <= v_later_i & v_clear_i ?",
    ),
    (
        "in every cycle: the blocks of s",
        "mm_montgomery_dsp_row",
        ".x_i, .y_i(y[c]), .s_i,",
        ".x_i, .y_i(y[c]), .s_i(x_i),",
    ),
    (
        "in every cycle: the products of Q",
        "mm_block_mul",
        "PBits'(a_q) * PBits'(b_q)",
        "PBits'(a_q) * PBits'(b_q | 1'b1)",
    ),
    (
        "in every cycle: the products of Q",
        CONVERTER,
        "if (product_idle) product_high_q",
        "if (idle) product_high_q",
    ),
    ("in every cycle: the words of V", CONVERTER, "if (idle) high_q <= '0;", "if (m_next) high_q <= '0;"),
    (
        "in every cycle: the serial adders",
        "mm_montgomery_dsp_serial",
        ".carry_i(carry_q)",
        ".carry_i(carry_q & a_i[0])",
    ),
    ("in every cycle: Z and Z - M", CONVERTER, "borrow_q <= less[Word+1]", "borrow_q <= less[Word]"),
    ("in every cycle: the words of z wait", CONVERTER, "last ? ~sign_q", "last ? sign_q"),
    ("in every cycle: Q", QUOTIENT, "if (line[Mul+1]) total_q", "if (line[Mul+2]) total_q"),
    ("steps goes on holding", SCHEDULE, "if (k_sync && !drain)", "if (k_sync && (!drain | ending_i))"),
    ("words goes on holding", BLOCK_CONTROL, "ops_q != OpBits'(Slots);", "1'b1;"),
    (
        "operands goes on holding",
        "mm_montgomery_dsp_digits",
        "({half_x_i, x_index_i})",
        "({half_x_i ^ run_i, x_index_i})",
    ),
    ("gate goes on holding", BLOCK_CONTROL, "& ~full_q & ~start;", "& ~full_q;"),
    (
        "words of a context goes on",
        "mm_montgomery_dsp_context",
        "k_write_q <= '0;",
        "k_write_q <= KAddr'(1);",
    ),
    (
        "context goes on holding",
        "mm_montgomery_dsp_context",
        "k_word_o    <= word_o;",
        "k_word_o    <= data_q;",
    ),
    ("queue goes on holding", QUEUE, "one_q  <= none_q;", "one_q  <= 1'b0;"),
    ("result goes on holding", QUEUE, "if (take) next_q", "if (move) next_q"),
    (
        "modulus goes on holding",
        CONVERTER,
        "m_word_q & {Word{m_there_q}}",
        "m_word_q & {Word{m_there_q | m_next}}",
    ),
    ("ages goes on holding", "mm_window", "on_o == On && !line[Line]", "on_o == On"),
    ("at ages 6", "mm_montgomery_dsp_row", "k_q <= k_digit;", "k_q <= ~k_digit;"),
)
"""The same of rows of multiplier blocks."""


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (256, {"Columns": 2}),
        (256, {"Lazy": 1}),
        (256, {"Word": 18}),
        (252, {}),
        (52, {}),
        (256, {"Fanout": 1}),
    ],
)
def test_rows_of_blocks_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """Folded, with other ranges, with words of one digit, with other last words, with few words."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(DSP).build(width, settings))


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 3 else []) for k, each in enumerate(WRONG_BLOCKS)],
)
def test_a_wrong_row_of_blocks_is_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(DSP)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each), name)) for each in rooms_]
    first, second = (outcome.verdict for _, outcome in discharge(asked, store, SECONDS))
    assert (first, second) == (Verdict.PROVEN, Verdict.REFUTED)


PIPE, PRODUCT, MAC, STANDS = "mm_small_any", "mm_small_product", "mm_small_mac", "mm_small_control"
WRONG_PIPES = (
    (16, "a block multiplies", MAC, "a_q * b_q", "a_q * b_q + PBits'(a_q[0] & b_q[0])"),
    (16, "the gate goes on", STANDS, "go & ~load &", "go &"),
    (16, "goes on holding from age 2", MAC, "behind + SBits'(c)", "behind - SBits'(c)"),
    (8, "goes on holding from age 5", "mm_small_any_quotient", "sum >> Cut)", "sum >> Cut + 1)"),
    (16, "the context goes on", STANDS, "<= last ? '0 : beat_q + 1'b1", "<= beat_q + 1'b1"),
    (16, "the context goes on", PIPE, "ctx_q} >> N);", "ctx_q} >> N - 1);"),
    (16, "the gate goes on", "mm_context_gate", "ctx_legal_i & ~ctx_load_o", "ctx_legal_i"),
    (16, "the count goes on", STANDS, "if (go) there_q <=", "there_q <="),
    (16, "there are none in reset", STANDS, "there_q <= '0;", "there_q <= Depth'(1);"),
    (16, "the highest bit of M", PIPE, "= m[N-1];", "= m[0];"),
    (16, "the operands are in their", PRODUCT, "assign a_late = a;", "assign a_late = ~a;"),
    (16, "goes on holding from age 1", MAC, "if (en_i) begin", "begin"),
    (16, "goes on holding from age 3", PRODUCT, "= sum[Kept-1:0];", "= ~sum[Kept-1:0];"),
    (16, "goes on holding from age 2", PRODUCT, "sum >> Part)", "sum >> Part + 1)"),
    (16, "goes on holding from age 4", PRODUCT, ".c_i(first)", ".c_i(~first)"),
    (24, "goes on holding from age 6", PRODUCT, "(1'b0), .sum_o(sum[2", "(1'b1), .sum_o(sum[2"),
    (16, "goes on holding from age 5", PIPE, "{2'b10, ctx_q", "{2'b11, ctx_q"),
    (16, "goes on holding from age 5", PIPE, "product[2*N-1:From];", "product[2*N-1:From] + 1'b1;"),
    (16, "goes on holding from age 5", PIPE, ".d_i(product[N:0])", ".d_i(product[N+1:1])"),
    (8, "goes on holding from age 7", "mm_small_any_rest", "= first;", "= ~first;"),
    (16, "goes on holding from age 9", PIPE, "{N{r[N]}}", "{N{r[N-1]}}"),
    (32, "goes on holding from age 2", PRODUCT, ".c_i(s0[2*Cut-1:Cut])", ".c_i(s0[2*Cut-2:Cut-1])"),
    (32, "goes on holding from age 6", "mm_small_any_quotient", "(Shift - 1 - Low)", "(Shift - Low)"),
    (32, "goes on holding from age 8", "mm_small_any_quotient", "= s2[Sum-1:Low];", "= s2[Sum-1:Low] + 1;"),
    (32, "goes on holding from age 9", "mm_small_any_rest", "(m_i[Above-1:0] << 1)", "m_i[Above-1:0]"),
    (32, "goes on holding from age 9", "mm_small_any_rest", "[Above-1:2*i] + mul", "[Above-1:2*i] - mul"),
)
"""The same of a pipeline for small moduli, each with the width of :data:`TILED`."""


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (32, {"Corner": 0}),
        (3, {}),
        (12, {"Carry": 36}),
        (12, {"Queue": 1}),
    ],
)
def test_pipelines_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """With a block behind the chain of step 3, too short, with other registers, with a memory of results."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(SHORT).build(width, settings))


@pytest.mark.parametrize(
    ("width", "name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 3 else []) for k, each in enumerate(WRONG_PIPES)],
)
def test_a_wrong_pipeline_is_refuted(
    width: int, name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(SHORT)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each, width), name)) for each in rooms_]
    first, second = (outcome.verdict for _, outcome in discharge(asked, store, SECONDS))
    assert (first, second) == (Verdict.PROVEN, Verdict.REFUTED)


CELL, ONE_BANK, ENGINE = "mm_rrm_cell", "mm_rrm_one", "mm_rrm_control"
WRONG_RESIDUES = (
    ("addresses", ONE_BANK, "digit_a_q + digit_s_q;", "digit_a_q | digit_s_q;"),
    ("READ", "mm_rrm_converter", "first_q[3] ? round_q[i]", "first_q[4] ? round_q[i]"),
    ("words of M", ONE_BANK, "rest_q - (m_low_q &", "rest_q + (m_low_q &"),
    ("control", ENGINE, "& ~(run_last_q2 & Delay > 0)", ""),
    ("residues", ENGINE, "~zero_q & ~(row_0_q & col_q == '1)", "~zero_q & ~(row_0_q & col_q == 2'd2)"),
    ("chains of the cells", CELL, "blank_q      <= blank_i;", "blank_q      <= blank_i & ~start_i;"),
    ("chains of the cells", ONE_BANK, "write_addr + (Addr'(1) << K)", "write_addr + (Addr'(1) << 1)"),
    ("table", CELL, ".read_addr_i(addr_q)", ".read_addr_i(addr_q | write_addr_q)"),
    ("entries are sums", CELL, "assign carry_o      = c_q[Digits-1];", "assign carry_o      = c_q[0];"),
    ("entries are sums", "mm_rrm_adder", "c_i[j] | fill_q}", "c_i[j]}"),
    ("words of operands", ENGINE, "(before_q & ~in_load & ~loaded_q)", "(before_q & ~loaded_q)"),
    ("digits of x", ONE_BANK, "x_shift_q <= x_shift_q >> K;", "x_shift_q <= x_shift_q >> 1;"),
    ("digits of x", ENGINE, "run_last | zero;", "zero;"),
    ("sums", CELL, ">> DigitBits) + DigitBits'(c_next[0])", ">> DigitBits)"),
    ("sums", "mm_rrm_adder", "c_i[j] & ~fill_q}", "1'b0}"),
    ("sums that are taken", ONE_BANK, "dropped * u[Pending-1:0]", "dropped"),
    ("sums that are taken", CELL, "taken_c_q <= c_q;", "taken_c_q <= c_next;"),
    ("READ", "mm_rrm_converter", "if (s_top[b]) s_q[b] <= 1'b1;", "if (s_top[b]) s_q[b] <= 1'b0;"),
    ("READ", "mm_rrm_converter", "(m_low << Low + 1)", "(m_low << Low)"),
    ("READ", "mm_rrm_converter", "m_low  = (m_lowest ^", "m_low  = (~m_lowest ^"),
    ("READ", "mm_rrm_ripple", "carry_q <= total[Word+1];", "carry_q <= total[Word];"),
    ("SHOW", "mm_rrm_corrector", "v_i, carry_i, first_i & ~below_i}", "v_i, carry_i, 1'b0}"),
    ("SHOW", "mm_rrm_converter", "above_q <= ~v_q[Word-1];", "above_q <= ~v_q[0];"),
    ("residues", ONE_BANK, "q_q <= q_q + u;", "q_q <= u;"),
    ("residues", ENGINE, "bare_q <= ~reads;", "bare_q <= ~reads & ~pre_q;"),
)
"""The same of residues that come back: part of the invariant, change."""


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (256, {"DigitBits": 1}),
        (256, {"Delay": 0}),
        (256, {"Banks": 2}),
        (256, {"Lazy": 1}),
        (512, {}),
        (250, {}),
        (32, {}),
        (64, {"Word": 8}),
    ],
)
def test_residues_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """Digits of a bit, other delays, two banks, other ranges, 32 words, half words, two words, short ones."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(DROPPED).build(width, settings))


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > 2 else []) for k, each in enumerate(WRONG_RESIDUES)],
)
def test_wrong_residues_are_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(DROPPED)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each, 8), name)) for each in rooms_]
    first, second = (outcome.verdict for _, outcome in discharge(asked, store, SECONDS))
    assert (first, second) == (Verdict.PROVEN, Verdict.REFUTED)


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
    first, second = (outcome.verdict for _, outcome in discharge(asked, store, SECONDS))
    assert (first, second) == (Verdict.PROVEN, Verdict.REFUTED)


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


def refuted_without(text: str, solver: str, old: str, new: str) -> None:
    """Something is true, and no longer with a part of it replaced."""
    assert old in text
    said = [SOLVERS[solver](each, SECONDS) for each in (text, text.replace(old, new, 1))]
    assert said == ["unsat", "sat"], (old, new)


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


class Told(Rows):
    """Keeps the facts about the netlist that an argument about numbers uses."""

    facts: ClassVar[set[tuple[int, str]]] = set()

    def holding(self, facts: Iterable[Fact], goal: str, *more: str, **words: Any) -> str:
        every = list(facts)
        for fact in every:
            ages = [int(found) for word in fact.words() for found in re.findall(r"@(\d+)", word.name)]
            self.facts.add((min(ages, default=0), fact.over_bits()))
        return super().holding(every, goal, *more, **words)


def test_what_is_used_of_rows_of_blocks_is_shown() -> None:
    """Each fact under an argument about numbers is shown of the netlist, at its age or anywhere."""
    plain = small(room(DSP))
    proof = Told(plain.build, plain.system)
    assert len(list(proof.of_numbers())) > 20
    anywhere = {f.over_bits() for kind in proof.everywhere(proof.pair(0)).values() for f in kind()}
    anywhere |= {fact.over_bits() for fact in proof.m_made()}
    at_age = {(age, fact.over_bits()) for age in range(1, proof.last + 1) for fact in proof.at_age(age)}
    used = {each for each in proof.facts if each[1] not in anywhere}
    assert used and not {(age, text) for age, text in used if not {(age, text), (age - 1, text)} & at_age}


def test_an_argument_about_numbers_of_rows_of_blocks_is_not_about_nothing() -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    proof = small(room(DSP))
    for obligation in proof.all():
        for text in obligation.texts[-1:] if obligation.solver == "z3" else ():
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_rows_of_blocks_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right = small(room(DSP))
    assert isinstance(right, Rows)
    base, scale = right.base, right.scale
    texts = {
        right.summed(): (f"(* {base} r.6)", "r.6"),
        right.reached(): ("(< h (* 2 M))", "true"),
        right.ended(): ("(= (= sign 1) (< Z M))", "true"),
        list(right.bounded())[2]: ("(<= 0 d)", "true"),
        list(right.bounded())[4]: (f"(<= 0 qM (* {scale - 1} M))", "(<= 0 qM)"),
        right.composed(): ("(=> (and at.9_n at.8 past.8) past.9_n)", "true"),
    }
    for text, (old, new) in texts.items():
        assert old in text
        said = [SOLVERS["z3"](each, SECONDS) for each in (text, text.replace(old, new, 1))]
        assert said == ["unsat", "sat"], (old, new)


@pytest.mark.parametrize("width", [16, 32])
def test_what_is_used_of_a_pipeline_is_shown(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fact under an argument about numbers defines a word, or is shown; each word is defined once."""
    used: set[str] = set()

    def told(facts: Iterable[Fact], *others: str, **more: Any) -> str:
        used.update(fact.over_bits() for fact in facts)
        return ""

    monkeypatch.setattr("modmul.prove.product.small_any_words.refuting", told)
    proof = small(room(SHORT), width)
    assert isinstance(proof, Barrett)
    assert len(list(proof.of_numbers())) == 8
    flow = proof.flow
    defined = {word.term: fact.over_bits() for word, (_, fact) in flow.defined.items()}
    defined |= {word.term: block.product.over_bits() for word, block in flow.blocks.items()}
    texts = "".join(text for each in proof.of_netlist() for text in each.texts)
    shown = set(defined.values()) | {part.over_bits() for part in flow.parts.values()}
    assert used <= shown and all(each in texts for each in used)
    known, left = {word.term for word in flow.given}, dict(defined)
    assert not known & left.keys()
    while left:
        ready = {word for word, made in left.items() if set(re.findall(r"\|[^|]*\|", made)) <= known | {word}}
        assert ready
        known |= ready
        left = {word: made for word, made in left.items() if word not in ready}


@pytest.mark.long
@pytest.mark.parametrize("width", [31, 32, 33])
def test_every_result_of_a_pipeline_as_it_is_used_is_the_product(width: int, store: Store) -> None:
    for obligation, outcome in discharge(list(small(room(SHORT), width).all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name


@pytest.mark.parametrize("width", [8, 24, 32])
def test_an_argument_about_numbers_of_a_pipeline_is_not_about_nothing(width: int) -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    proof = small(room(SHORT), width)
    assert isinstance(proof, Barrett)
    for obligation in proof.of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_a_pipeline_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    flows = []
    for width in (8, 24, 32):
        proof = small(room(SHORT), width)
        assert isinstance(proof, Barrett)
        flows.append(proof.flow)
    right, longer, halved = flows
    inverse, signed = right.inverse_right()
    reduced, lost = list(right.reduced()), list(halved.reduced())[4]
    first, second = (each.blocks[0][1].product for each in (right.rows[0], right.quotients))
    texts = (
        (next(right.bounded()), "(<= 0 b ", "(<= (- 1) b "),
        (right.row(right.rows[0]), f"(<= 0 {first.name} {first.most})", "true"),
        (right.row_right(right.rows[0]), "(* x y1)", "(* x y0)"),
        (longer.summed(), f"(<= 0 xy {((1 << 30) - 1) ** 2})", "true"),
        (inverse, "(< rest M)", "true"),
        (inverse, "(<= 128 M)", "(<= 64 M)"),
        (signed, f"(<= q {1 << 10})", "true"),
        (right.quotient(), f"(<= 0 {second.name} {second.most})", "true"),
        (right.quotient_right(), "(* t v1)", "(* t v0)"),
        (reduced[1], "(+ (* q M) rest", "(+ (* q M)"),
        (reduced[3], "(< rest M)", "true"),
        (reduced[4], f"(< tau {1 << right.t_place})", f"(< tau {4 << right.t_place})"),
        (reduced[4], "(<= 128 M)", "(<= 1 M)"),
        (right.result(), "(< made M)", "(<= made M)"),
        (right.result(), "(<= (- M) made)", "true"),
        (right.ended(), "(= made (+ xy (* W M)))", "true"),
        (halved.quotient_right(), "(* t0 v0)", "(* t0 v1)"),
        (halved.quotient(), halved.quotient_value()[3][0], "(<= 0 d)"),
        (lost, f"(<= (* (- {1 << 36}) M) lost", f"(<= (* (- {1 << 37}) M) lost"),
        (list(halved.corner())[2], " 2))\n(assert (not", " 1))\n(assert (not"),
        (halved.rest(), "c4) 2", "c4) 1"),
        (halved.rest_right(), "(* 16777216 d0)", "(* 16777216 d1)"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)


def test_an_argument_about_numbers_of_residues_is_not_about_nothing() -> None:
    """What is known of each question holds of some numbers or words: no proof is one of the impossible."""
    proof = small(room(DROPPED), 8)
    assert isinstance(proof, Reinjected)
    for obligation in proof.of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS[obligation.solver](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_residues_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    right = small(room(DROPPED), 8)
    assert isinstance(right, Reinjected)
    ranges, residues = list(right.in_range()), list(right.residue_right())
    texts = {
        right.step_summed(): ("(+ s1 e0 c0)", "(+ s1 e0)"),
        list(right.loop_goes_on())[2]: ("(= (* 16 Tn) (+ p Me))", "(= (* 4 Tn) (+ p Me))"),
        right.distributed(): ("(* x1 y)", "(* x0 y)"),
        ranges[0]: ("(< T M)", "(< T (* 4 M))"),
        ranges[1]: ("(= xy 0)", "(<= xy M)"),
        right.v_summed(): ("(= c0 round)", "(= c0 0)"),
        next(right.results_right()): ("(< v (* 2 M))", "(<= v (* 2 M))"),
        right.product_right(): ("(= (* 16 T) (+ p Me))", "true"),
        residues[1]: ("(= p0 (mod V0 4))", "true"),
        right.composed(): ("(=> (and at.9_n sum.8 (and T.1 T.2 T.3)) sum.9_n)", "true"),
    }
    for text, (old, new) in texts.items():
        assert old in text, old
        said = [SOLVERS["z3"](each, SECONDS) for each in (text, text.replace(old, new, 1))]
        assert said == ["unsat", "sat"], (old, new)


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
    first, second = (outcome.verdict for _, outcome in discharge(asked, store, SECONDS))
    assert (first, second) == (Verdict.PROVEN, Verdict.REFUTED)


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


def test_a_wrong_argument_about_a_row_of_elements_is_refuted() -> None:
    """Of each kind, those of an element that drops a word, too: without what it rests on it does not hold."""
    right = LeftShifting.of(room(LEFT).build(8, SHORT_ROWS))
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


def test_both_readings_of_a_relation_are_one(store: Store) -> None:
    """For all values of the bits; and a relation that is read wrongly is found."""
    a, b = Word("a", "a", 3), Word("b", "b", 2)
    relation = Relation({(a, 0): 1, (a, 2): 2}, {(a, 1): 1, (b, 0): 1, (b, 1): 3}, 1)
    lines = ["(declare-const a (_ BitVec 3))(declare-const b (_ BitVec 2))"]
    for word in (a, b):
        for place in range(word.bits):
            bit = f"(ite (= ((_ extract {place} {place}) {word.term}) #b1) 1 0)"
            lines.append(f"(define-fun {word.bit(place)} () Int {bit})")
    same = equal(relation.over_bits(), relation.over_integers())
    wrong = equal(relation.over_bits(), relation.over_integers().replace("(* 3 ", "(* 2 "))
    texts = ["\n".join((*lines, f"(assert {negation(each)})")) for each in (same, wrong)]
    asked = [Obligation("", "", "z3", (text,)) for text in texts]
    assert [outcome.verdict for _, outcome in discharge(asked, store, SECONDS)] == [
        Verdict.PROVEN,
        Verdict.REFUTED,
    ]
    for weights in ({(a, 0): -1}, {(a, 0): 300}):
        with pytest.raises(ValueError, match="small and not negative"):
            Relation(weights, {})
    with pytest.raises(ValueError, match="has no bit 3"):
        Relation({(a, 3): 1}, {})


def test_both_readings_of_facts_about_words_are_one(store: Store) -> None:
    """For all values of the words; with another weight, sign or length one reading is another fact."""
    a, b = Word("A", "a", 3), Word("B", "b", 2)
    cut, product = a.cut(2, 1, "high"), Word("P", "p", 5)
    lines = ["(declare-const a (_ BitVec 3))(declare-const b (_ BitVec 2))(declare-const p (_ BitVec 5))"]
    for word in (a, b, cut, product):
        bits = (f"(ite (= ((_ extract {i} {i}) {word.term}) #b1) {1 << i} 0)" for i in range(word.bits))
        lines.append(f"(define-fun {word.whole} () Int (+ {' '.join(bits)}))")
    sums, less = Compared({a: 2, b: 1}, "=", {cut: 5}, 4), Compared({a: 1}, "<", {b: 3}, 1)
    most, modulo = Compared({cut: 3}, "<=", {b: 1}), Congruent({a: 3, b: 1}, {cut: 1}, 2)
    facts = (
        (sums, Compared({a: 2, b: 1}, "=", {cut: 5}, 3)),
        (less, Compared({a: 1}, "<=", {b: 3}, 1)),
        (most, Compared({cut: 3}, "<=", {b: 2})),
        (modulo, Congruent({a: 3, b: 1}, {cut: 1}, 3)),
        (Joined(implies, (less, modulo)), Joined(implies, (modulo, less))),
        (Joined(any_of, (sums, most)), Joined(all_of, (sums, most))),
        (Product(product, a, b), Product(product, a, cut)),
    )
    for fact, other in facts:
        pairs = [equal(fact.over_bits(), each.over_integers()) for each in (fact, other)]
        asked = [
            Obligation("", "", "z3", ("\n".join((*lines, f"(assert {negation(pair)})")),)) for pair in pairs
        ]
        verdicts = [outcome.verdict for _, outcome in discharge(asked, store, SECONDS)]
        assert verdicts == [Verdict.PROVEN, Verdict.REFUTED], fact
    for wrong in (lambda: Compared({a: -1}, "=", {}), lambda: Congruent({a: 8}, {b: 1}, 3)):
        with pytest.raises(ValueError, match="not negative"):
            wrong()
    with pytest.raises(ValueError, match="as long as both"):
        Product(product, a, a)


def test_an_answered_question_is_not_asked_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    right = small(room(TWO))
    asked = list(named(right, "these are all states"))
    [(_, first)] = discharge(asked, store, SECONDS)
    monkeypatch.setattr("modmul.prove.solve.run_tool", None)
    [(_, again)] = discharge(asked, store, SECONDS)
    assert first == again and first.verdict is Verdict.PROVEN


def overwritten(command: Sequence[str], *, folder: Path, log: Path, timeout: float) -> float:
    """Runs a tool while another process begins with the same question, and so with a log of the same name."""
    took = run_tool(command, folder=folder, log=log, timeout=timeout)
    log_file(log.stem).write_bytes(b"")
    return took


def test_answers_do_not_mix_with_those_of_others_who_ask_the_same(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("modmul.prove.solve.run_tool", overwritten)
    monkeypatch.setattr("modmul.prove.reach.run_tool", overwritten)
    for solver in SOLVERS:
        asked = Obligation("", "", solver, ("(set-logic QF_BV)(assert false)",))
        [(_, outcome)] = discharge([asked], store, SECONDS)
        assert outcome.verdict is Verdict.PROVEN
    build = room("imml_booth4").build(WIDTH)
    names = [rule.name for rule in CONTRACT]
    [(_, outcome)] = reach(build.design, watch_bench(build), TOP, names, SECONDS, ["reset"])
    assert outcome.verdict is Verdict.PROVEN


# --- the record ---------------------------------------------------------------------------------------


def test_the_record_is_of_this_hardware() -> None:
    """Every goal has been tried on these sources, and everything is proven but for what is listed."""
    there = known()
    behind = [f"{goal.build.slug}: {goal.kind}" for goal in stale(goals(), there)]
    assert not behind, "run 'make formal'"
    left = {(p.core, p.width, p.kind, p.rule) for p in there if not p.proven}
    assert left == set(UNPROVEN)
    assert not [proof for proof in there if proof.verdict is Verdict.REFUTED]
    assert {proof.kind for proof in there} == set(PROPERTIES)


def test_the_page_shows_the_record() -> None:
    text = proofs.PAGE.read_text(encoding="utf-8")
    assert proofs.renewed(text, known()) == text, "run 'make formal'"


def test_the_record_goes_stale_with_the_hardware(tmp_path: Path) -> None:
    wrong = mutant(room("imml_booth4"), tmp_path, *MUTANTS["held"])
    [goal] = [g for g in goals(["imml_booth4"]) if g.kind == "contract" and g.build.config.width == WIDTH]
    changed = type(goal)(wrong.of(goal.build.config), goal.kind)
    assert not stale([goal], known()) and stale([changed], known()) == [changed]


def test_the_record_goes_stale_with_the_flow(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [goal for goal in goals(["imml_booth4"]) if goal.kind in ("contract", "time")]
    assert len(some) == 2 and not stale(some, known())
    monkeypatch.setattr("modmul.prove.prover.FLOW", ("proc",))
    assert stale(some, known()) == some


PROVE = Path(str(files("modmul"))) / "prove"


@pytest.mark.parametrize("slug", PRODUCTS)
def test_what_an_argument_runs_is_what_its_record_goes_stale_with(slug: str) -> None:
    """Whatever is called of ``modmul.prove`` while its questions are put; others only if it extends them."""
    names: set[str] = set()
    build = small(room(slug)).build

    def note(frame: FrameType, _event: str, _value: Any) -> None:
        names.add(frame.f_code.co_filename)

    before = sys.gettrace()
    sys.settrace(note)
    try:
        for proof in arguments(build):
            for _ in proof.all():
                pass
    finally:
        sys.settrace(before)
    ran = {file for name in names if (file := Path(name)).is_relative_to(PROVE)} - {PROVE / "product" / INIT}
    used = {file for kind in PRODUCTS[slug] for file in sources(kind.__module__, "modmul.prove")}
    every = {kind for kinds in PRODUCTS.values() for kind in kinds}
    homes = {
        each: {_home(base) for kind in kinds for base in kind.__mro__ if base in every}
        for each, kinds in PRODUCTS.items()
    }
    assert homes[slug] <= ran <= used
    assert set().union(*homes.values()) & used == homes[slug]


INIT = "__init__.py"


def _home(kind: type) -> Path:
    return Path(str(sys.modules[kind.__module__].__file__))


def test_the_record_goes_stale_with_the_argument_of_its_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not with those of others."""
    some = [goal for goal in goals(PRODUCTS) if goal.kind == "product"]
    digests = [goal.digest for goal in some]
    changed = PROVE / "product" / "fips_plan.py"

    def edited(*files: Path) -> str:
        return file_digest(*files) + " edited" * (changed in files)

    monkeypatch.setattr("modmul.prove.prover.file_digest", edited)
    stale_ = {goal.build.slug for goal, old in zip(some, digests, strict=True) if goal.digest != old}
    assert stale_ == {FIPS, LITERAL}
    changed = PROVE / "terms.py"
    stale_ = {goal.build.slug for goal, old in zip(some, digests, strict=True) if goal.digest != old}
    assert stale_ == set(PRODUCTS)


# --- the command ----------------------------------------------------------------------------------------


def asked(*words: str) -> Result:
    return CliRunner().invoke(app, ["prove", *words])


def test_the_command_proves_and_says_how() -> None:
    done = asked("imml_booth4", "-p", "contract", "-p", "operands", "--width", "4", "--json")
    assert done.exit_code == 0
    rows = json.loads(done.stdout)["results"]
    assert [row["rule"] for row in rows] == [rule.name for rule in CONTRACT] + [""]
    assert all(row["proven"] and row["method"] in ("PDR", "SAT", "structure") for row in rows)
    assert "in-flight" in asked("imml_booth4", "-p", "contract", "--width", "4").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("imml_booth4", "-p", "beauty"),
            "no property 'beauty'; there is operands, rows, contract, time, whole, product",
        ),
        (("--width", "4"), "name the cores to prove at a width"),
        (("fmlm3", "-p", "product"), "there is no proof of product of fmlm3"),
        (("fmlm3", "-p", "product", "--width", "8"), "there is no proof that fmlm3 is right"),
        (("montgomery_csa2", "-p", "product", "--width", "10", "--set", "Word=8"), "operands of whole words"),
    ],
)
def test_what_cannot_be_proven_is_refused(words: tuple[str, ...], said: str) -> None:
    done = asked(*words)
    assert done.exit_code != 0 and said in str(done.exception)


def test_the_command_fails_without_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where something is proven that is listed as not to be."""
    listed = {("imml_booth4", 4, "contract", "held"): "no reason"}
    monkeypatch.setattr("modmul.prove.plan.UNPROVEN", listed)
    done = asked("imml_booth4", "-p", "contract", "--width", "4")
    assert done.exit_code == 1 and "take it off the list" in done.output
    monkeypatch.setattr("modmul.prove.plan.UNPROVEN", {})
    assert asked("imml_booth4", "-p", "contract", "--width", "4").exit_code == 0
    monkeypatch.setattr("modmul.prove.prover.CONTRACT", (*CONTRACT[:-1], BROKEN))
    monkeypatch.setattr("modmul.prove.watch.CONTRACT", (*CONTRACT[:-1], BROKEN))
    done = asked("imml_booth4", "-p", "contract", "--width", "4")
    assert done.exit_code == 1 and "broken: refuted" in done.output


BROKEN = Rule("broken", "a result never comes", "!out_valid_o")
