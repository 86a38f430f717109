# SPDX-License-Identifier: Apache-2.0
"""The product of the pipeline of Karatsuba's products; and what shows that it can fail."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from formal_builds import (
    PIPED,
    SECONDS,
    named,
    only_the_first_is_proven,
    refuted_without,
    small,
)

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments
from modmul.prove.product.pipelined import Pipeline
from modmul.prove.product.pipelined_kinds import Times
from modmul.prove.product.pipelined_numbers import Numbers
from modmul.prove.product.pipelined_words import congruent, in_range, product_range
from modmul.prove.reach import Verdict
from modmul.prove.solve import discharge
from modmul.prove.terms import Word, const, number
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

CORE, CONTROL, RESULTS, GATE = PIPED, "mm_pipelined_control", "mm_pipelined_results", "mm_context_gate"
PIPE = "mm_pipelined"
STRIP, LEAF, ADD, MUL, FOLD, HALF, CORNER, REST, LAST = (
    f"{PIPE}_{part}"
    for part in ("strip", "leaf", "add", "mul", "fold", "half", "corner", "remainder", "final")
)

WRONG = (
    (8, "the count goes on", CONTROL, "slots_next == SlotBits'(Slots)", "slots_next == SlotBits'(Slots + 1)"),
    (8, "the count goes on", RESULTS, "if (free) valid_q", "if (some) valid_q"),
    (8, "the context goes on", CONTROL, "({ctx_data_i, ctx_q} >> Width)", "({ctx_q, ctx_data_i})"),
    (24, "the context goes on", CONTROL, "ctx_last ? '0 : beat_q + 1'b1", "beat_q + 1'b1"),
    (8, "the gate goes on", GATE, "whole_q & ctx_legal_i & ~ctx_load_o", "whole_q & ~ctx_load_o"),
    (8, "there are none in reset", RESULTS, "there_q <= '0;", "there_q <= Depth'(1);"),
    (8, "there are none in reset", RESULTS, "read_q  <= '0;", "read_q  <= AddrBits'(1);"),
    (8, "the highest bit of M is set", PIPE, "legal      = m[N-1]", "legal      = m[0]"),
    (8, "a block multiplies", STRIP, "= a_q * b_q;", "= a_q * b_q + (ABits+Piece+2)'(a_q[0]);"),
    (24, "goes on holding from age 4", STRIP, "product_q + carry", "product_q - carry"),
    (24, "goes on holding from age 1", STRIP, "ASigned != 0 & a_late[ABits-1], a_late", "1'b0, a_late"),
    (24, "goes on holding from age 1", STRIP, "BSigned != 0 & Last != 0 & b_late", "BSigned != 0 & b_late"),
    (24, "goes on holding from age 4", STRIP, "above = {ASigned != 0 & gen", "above = {1'b0 & gen"),
    (24, "goes on holding from age 5", STRIP, ".Cycles(Blocks - 1 - j)", ".Cycles(Blocks - j)"),
    (24, "goes on holding from age 5", LEAF, "sum_q <= own + below", "sum_q <= own - below"),
    (24, "goes on holding from age 5", LEAF, "sum >>> CutA", "sum >> CutA"),
    (24, "goes on holding from age 5", LEAF, "(i > 1 ? i - 1 : 0)", "i"),
    (24, "goes on holding from age 7", ADD, "{Piece{subtract}}, carry}", "{Piece{subtract}}, subtract}"),
    (8, "goes on holding from age 15", ADD, "b ^ {Piece{subtract}}", "b"),
    (12, "goes on holding from age 1", MUL, "~(da[Half] ^ db[Half])", "da[Half] ^ db[Half]"),
    (12, "goes on holding from age 1", MUL, ".subtract_i(da[Half])", ".subtract_i(db[Half])"),
    (24, "the operands are in their", MUL, ".a_i(a1_long), .b_i(a0_long)", ".a_i(a0_long), .b_i(a1_long)"),
    (24, "goes on holding from age 6", MUL, "= {high_product, low_product}", "= {low_product, high_product}"),
    (24, "goes on holding from age 8", MUL, ".a_i(outer), .b_i(d_late)", ".a_i(d_late), .b_i(outer)"),
    (24, "goes on holding from age 13", MUL, ".Cycles(Final)", ".Cycles(Final + 1)"),
    (8, "goes on holding from age 3", FOLD, "k_low  = k_i[C-1:0]", "k_low  = k_i[C:1]"),
    (8, "goes on holding from age 3", FOLD, "high   = t_i[2*N-1:F]", "high   = t_i[2*N-2:F-1]"),
    (8, "goes on holding from age 7", FOLD, "{1'b0, join_sum, lower_late}", "{1'b1, join_sum, lower_late}"),
    (8, "goes on holding from age 8", PIPE, "ctx[2*N+UBits-1:2*N]", "ctx[2*N+UBits-2:2*N-1]"),
    (8, "goes on holding from age 8", PIPE, "sum[N+C:N-Behind]", "sum[N+C-1:N-Behind-1]"),
    (8, "goes on holding from age 8", PIPE, "assign sum_low = sum[N:0]", "assign sum_low = ~sum[N:0]"),
    (24, "goes on holding from age 23", PIPE, "dropped <= 23 << 15", "dropped <= 46 << 15"),
    (8, "goes on holding from age 18", RESULTS, ".write_addr_i(write_q)", ".write_addr_i(read_q)"),
    (8, "goes on holding from age 19", RESULTS, "if (read) z_q <= word", "z_q <= word"),
    (
        12,
        "goes on holding from age 37",
        HALF,
        "own        = product[Whole-1",
        "own        = ~product[Whole-1",
    ),
    (12, "goes on holding from age 38", HALF, "Adder'(below_late)", "Adder'(below_late) << 1"),
    (24, "goes on holding from age 35", HALF, "sum[CutA-1:0] = lower_late", "sum[CutA-1:0] = ~lower_late"),
    (24, "goes on holding from age 31", CORNER, "(a << i)", "(a << i + 1)"),
    (8, "goes on holding from age 15", REST, "{above_sum, below_late}", "{~above_sum, below_late}"),
    (8, "goes on holding from age 15", REST, "(1'b1), .a_i(t_late)", "(1'b0), .a_i(t_late)"),
    (8, "goes on holding from age 15", REST, ".Cycles(Both + SumSteps)", ".Cycles(Both)"),
    (8, "goes on holding from age 17", LAST, "difference[Width+1] ? r_late", "difference[Width] ? r_late"),
    (8, "goes on holding from age 16", LAST, "r_short    = r_i[Width-1:0]", "r_short    = r_i[Width:1]"),
)
"""Width, obligation, module, what stands there, what does then."""


def proven(width: int) -> Pipeline:
    proof = small(room(CORE), width)
    assert isinstance(proof, Pipeline)
    return proof


def test_pipelines_that_the_argument_does_not_cover() -> None:
    """With a fixed modulus, with more operations in flight than the bench counts."""
    for width, settings in ((16, {"Modulus": 65521}), (60, {"TileB": 8, "Leaf": 8, "Carry": 8})):
        with pytest.raises(ValueError, match="the proof is written for"):
            arguments(room(CORE).build(width, settings))


@pytest.mark.parametrize(
    ("width", "name", "module", "old", "new"),
    [pytest.param(*each, marks=[] if each[0] == 8 else [pytest.mark.long]) for each in WRONG],
)
def test_a_wrong_pipeline_is_refuted(
    width: int, name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    found = room(CORE)
    rooms_ = (found, mutant(found, tmp_path / "room", module, old, new))
    asked = [next(named(small(each, width), name)) for each in rooms_]
    only_the_first_is_proven(asked, store)


@pytest.mark.parametrize("width", [8, 12, 24])
def test_what_is_used_of_a_pipeline_is_shown(width: int) -> None:
    """Each fact under an argument about numbers defines a word, says of what it is made up, or is what a part
    was shown to do; each word is defined once, by those before it."""
    proof = proven(width)
    flow = proof.flow
    texts = "".join(text for each in (*proof.of_netlist(), *flow.of_words()) for text in each.texts)
    defined = {word.term: fact.over_bits() for word, (_, fact) in flow.defined.items()}
    defined |= {word.term: f"(= {word.term} {term})" for word, (_, term) in flow.forms.items()}
    assert all(each in texts for each in defined.values())
    assert all(part.over_bits() in texts for part in flow.parts.values())
    known, left = {word.term for word in flow.given}, dict(defined)
    functions = {each.function for found in flow.times.values() for each in found}
    assert not known & left.keys()
    while left:
        made = {
            word
            for word, text in left.items()
            if set(re.findall(r"\|[^|]*\|", text)) - functions <= known | {word}
        }
        assert made
        known |= made
        left = {word: text for word, text in left.items() if word not in made}


@pytest.mark.parametrize("width", [8, 12, 24])
def test_a_part_of_a_pipeline_is_asked_with_all_that_is_in_it(width: int) -> None:
    """Each part that stands in another one has been asked as well, with the same lengths."""
    flow = proven(width).flow
    for kind, *asked in list(flow.kinds):
        fresh, (a, b) = flow.fresh(*({"strip": asked, "upper": asked}.get(kind, [asked[0]] * 2)[:2]))
        if kind == "leaf":
            fresh.leaf("", 0, a, b)
        if kind == "split_product":
            fresh.split_product("", 0, a, b)
        if kind == "upper":
            bits, guard, margin, corner = asked[2:]
            fresh.upper("", 0, a, b, bits, guard=guard, margin=margin, corner=corner)
        assert fresh.kinds.keys() <= flow.kinds.keys()
        assert set(fresh.cuts_of) == set(flow.cuts_of)


def test_both_renderings_of_a_product_say_the_same() -> None:
    """Of short words with and without signs, and of the lowest bits of a product."""
    rng = random.Random(5)
    for negative, kept in (((False, False), 0), ((False, True), 0), ((True, True), 0), ((False, False), 3)):
        bits = kept or 4 + 3 + 2
        left, right, whole = Word("a", "|a|", 4), Word("b", "|b|", 3), Word("p", "|p|", bits)
        times = Times("", whole, left, right, negative, kept)
        for _ in range(12):
            a, b = (rng.randrange(*each) for each in ((least, most + 1) for least, most in times.ranges))
            p = (a * b + rng.choice((0, 0, 1))) % (1 << bits)
            values = ((left, a % 16), (right, b % 8), (whole, p))
            constants = "".join(
                f"(define-fun {w.term} () (_ BitVec {w.bits}) {const(v, w.bits)})" for w, v in values
            )
            integers = f"(define-fun |p| () Int {p})(define-fun {times.name} () Int {number(a * b)})"
            said = [
                SOLVERS["bitwuzla"](f"(set-logic QF_BV){constants}(assert {times.over_bits()})", SECONDS),
                SOLVERS["z3"](f"{integers}(assert {times.over_integers()})", SECONDS),
            ]
            assert said[0] == said[1] == ("sat" if (p - a * b) % (1 << bits) == 0 else "unsat")


def test_contexts_belong_to_their_moduli() -> None:
    """What is assumed of K and U is so of what the core's description gives."""
    core: Any = room(CORE).core
    for width in (5, 8, 12, 256):
        config: Any = room(CORE).build(width).config
        for modulus in core.function.examples(config):
            m, k, *beats = core.interface.context(config, modulus)
            u = sum(beat << width * i for i, beat in enumerate(beats))
            scale, most = 1 << width + config.half + 4, (1 << config.half + 5) - 1
            assert m == modulus and k == (1 << config.fold_at) % m and u == min(scale // m, most)


@pytest.mark.parametrize("width", [8, 12, 24])
def test_an_argument_about_numbers_of_a_pipeline_is_not_about_nothing(width: int) -> None:
    """What is known of each question holds of some numbers, so that no proof is one of the impossible."""
    for obligation in proven(width).flow.of_numbers():
        for text in obligation.texts:
            known, _, _ = text.rpartition("\n(assert ")
            assert SOLVERS["z3"](known, SECONDS) == "sat", obligation.name


def test_a_wrong_argument_about_a_part_of_a_pipeline_is_refuted() -> None:
    """Of each kind of part: without what it rests on it does not hold."""
    sizes, whole = proven(12).flow, proven(24).flow

    def asked(flow: Numbers, kind: str, *bits: int) -> list[str]:
        (found,) = [each for each in flow.kinds if each[: len(bits) + 1] == (kind, *bits)]
        ask: Any = getattr(flow, f"{kind}_right")
        return list(ask({}, *found[1:]))

    def part(flow: Numbers, kind: str, *bits: int) -> Any:
        fresh, (a, b) = flow.fresh(*bits)
        return getattr(fresh, kind)({"strip": "row", "leaf": "leaf"}.get(kind, "mul"), 0, a, b)

    texts: list[tuple[str, str, str]] = []
    row, digits, identity = asked(whole, "strip", 8, 13, 21)
    strip_flow, (a, b) = whole.fresh(8, 13)
    strip = strip_flow.strip("row", 0, a, b, negative=(False, True))
    (_, block), _ = strip.blocks
    first, _ = strip.sums
    texts += [
        (row, in_range(block.name, product_range(*block.ranges)), "true"),
        (row, block.over_integers(), "true"),
        (row, strip_flow.defined[first][1].over_integers(), "true"),
        (digits, next(iter(strip_flow.parts)), "true"),
        (identity, "(* a d7)", "(* a d0)"),
        (whole.within((0, 9), (0, 5)), "(<= 0 b 5)", "(<= 0 b 6)"),
    ]
    rows, digits, _ = asked(whole, "leaf", 13)
    leaf_flow, (a, b) = whole.fresh(13, 13)
    leaf = leaf_flow.leaf("leaf", 0, a, b)
    texts += [
        (rows, congruent(leaf.strips[0][1].out, "v0"), "true"),
        (rows, in_range("v0", product_range((0, 255), (-4096, 4095))), "true"),
        (rows, leaf_flow.defined[leaf.sums[0]][1].over_integers(), "true"),
        (digits, whole.known_of(leaf_flow, a)[0].over_integers(), "true"),
    ]
    product, longer, _ = asked(whole, "split_product", 12)
    texts += [(product, "(<= 0 v 16769025)", "true"), (longer, "(= (* 1 |a+1|) (* 1 |a|))", "true")]
    texts += [(product, "(mod (- |mul.gen_leaf.u_leaf.p| v) 67108864)", "0")]
    joined, differs, *_ = asked(whole, "split_product", 24)
    split = part(whole, "split_product", 24, 24)
    outer, cross, last = split.sums
    texts += [
        (joined, outer.fact.over_integers(), "true"),
        (joined, cross.fact.over_integers(), "true"),
        (joined, last.fact.over_integers(), "true"),
        (joined, f"(= {split.below[0].out.whole} lo)", "true"),
        (joined, congruent(split.below[2].out, "(- (+ lo hi) (+ c d))"), "true"),
        (joined, "(<= 0 c 16769025)", "true"),
        (differs, split.differences[0].fact.over_integers(), "true"),
    ]
    joined, _, _, size, _, same, *_ = asked(sizes, "split_product", 17)
    split = part(sizes, "split_product", 17, 17)
    texts += [
        (joined, f"(= {split.below[2].out.whole} m)", "true"),
        (joined, f"(=> (= {split.equal.whole} 0) (= (- (+ lo hi) (+ c d)) (- m)))", "true"),
        (size, split.differences[2].fact.over_integers(), "true"),
        (
            size,
            f"(< (- 512) (- {split.differences[0].sum.whole} ",
            f"(<= (- 512) (- {split.differences[0].sum.whole} ",
        ),
        (
            same,
            "(assert (= (+ (* 1 |mul.gen_split.gen_magnitude.equal|)",
            "(assert (<= (+ (* 1 |mul.gen_split.gen_magnitude.equal|)",
        ),
    ]
    upper, _, digits, *_ = asked(whole, "upper", 17, 17)
    texts += [(upper, "(+ (* 4 |part", "(+ (* 3 |part")]
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)


def test_a_wrong_argument_about_words_of_a_pipeline_is_refuted() -> None:
    """An addition without a carry between its pieces, LUTs that make anything, a flag that is not counted."""
    proof = proven(24)
    flow = proof.flow
    (counted,) = named(proof, "how many flags are set")
    sum_ = flow.adds(25, asks=False)
    carry = "((_ extract 14 14) |add.0|)"
    luts, *_ = [text for kind, *asked in flow.kinds if kind == "strip" for text in flow.in_luts(*asked)]
    refuted_without(sum_, "bitwuzla", carry, "#b0")
    refuted_without(luts, "bitwuzla", "(assert (= |row.gen", "(assert (distinct |row.gen")
    refuted_without(counted.texts[-2], "bitwuzla", f"(bvule v {const(1, 8)})", "true")


def test_a_wrong_argument_about_steps_of_a_pipeline_is_refuted() -> None:
    """Without what it rests on it does not hold."""
    flow = proven(8).flow
    (context,), (bounded, large) = flow.belonging(), flow.folded_bounded()
    folding, (halves, _, cut, congruence) = flow.folding(), flow.folded_right()
    cut_t, *_, quotient = flow.reduced()
    rest, *_ = flow.remains()
    result, ended = flow.result(), flow.ended()
    high = flow.multiple_high
    assert high is not None
    scale, one = 1 << 8 + 4 + 4, 1 << flow.point
    texts = (
        (context, "(< rest M)", "true"),
        (context, "(<= 0 rest)", "true"),
        (context, "(<= 128 M)", "true"),
        (context, "(ite (< 511 q) 511 q)", "q"),
        (bounded, "(< K M)", "(<= K (+ M 1))"),
        (large, "(<= 128 M)", "true"),
        (large, "(<= 0 low 4095)", "true"),
        (folding, "(= hk (+ p (* 16 s)))", "true"),
        (folding, f"(= {flow.folds[0].out.whole} p)", "true"),
        (folding, f"(= {flow.folds[1].out.whole} s)", "true"),
        (folding, flow.join.fact.over_integers(), "true"),
        (folding, flow.folded.fact.over_integers(), "true"),
        (congruence, flow.belongs[0], "true"),
        (quotient, "(<= 128 M)", "true"),
        (quotient, "(<= 0 tau 15)", "true"),
        (quotient, f"(<= (* {one} qm) tum)", "true"),
        (quotient, "(* 7 M)", "(* 8 M)"),
        (quotient, f"(<= tum (* {scale} t))", "true"),
        (quotient, f"(<= (* {scale} t) (+ tum tm))", "true"),
        (quotient, "(<= 0 tm (* 511 M))", "true"),
        (rest, "(< rest 512)", "true"),
        (rest, congruent(high.out, "s"), "true"),
        (rest, flow.rest.fact.over_integers(), "true"),
        (rest, f"(= {flow.multiple_low.out.whole} p)", "true"),
        (result, f"(< {flow.rest.sum.whole} (* 2 M))", f"(<= {flow.rest.sum.whole} (* 2 M))"),
        (result, flow.difference.fact.over_integers(), "true"),
        (result, flow.defined[flow.z][1].over_integers(), "true"),
        (ended, "(= xy (+ T (* k M)))", "true"),
        (ended, "(= r (- T (* q M)))", "true"),
    )
    for text, old, new in texts:
        refuted_without(text, "z3", old, new)
    assert cut_t and halves and cut


def test_what_is_said_of_control_rests_on_an_operation() -> None:
    """That M is legal and the context stays while an operation is under way, and that no result leaves before
    its age."""
    proof = proven(8)
    now = proof.system.state("s")
    for name in ("the highest bit of M is set", "the operands and the context stay"):
        [(text,)] = [each.texts for each in named(proof, name)]
        refuted_without(text, "bitwuzla", f"(assert {now.is_('followed', 1)})", "")
    [(text,)] = [each.texts for each in named(proof, "no result leaves before it is there")]
    refuted_without(text, "bitwuzla", f"(assert (bvule {now('at')} {const(proof.depth, 8)}))", "")


@pytest.mark.long
@pytest.mark.parametrize("width", [8, 12, 24])
def test_every_result_of_a_short_pipeline_is_the_product(width: int, store: Store) -> None:
    for obligation, outcome in discharge(list(proven(width).all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (2, {}),
        (3, {}),
        (4, {}),
        (13, {"TileA": 8, "TileB": 8, "Leaf": 8, "Carry": 8}),
        (39, {"TileA": 12, "TileB": 9, "Leaf": 13, "Carry": 20}),
        (128, {"TileA": 18, "TileB": 18, "Leaf": 40}),
        (254, {"TileA": 27, "Carry": 288}),
    ],
)
def test_every_result_of_another_pipeline_is_the_product(
    width: int, settings: dict[str, int], store: Store
) -> None:
    (proof,) = arguments(room(CORE).build(width, settings))
    for obligation, outcome in discharge(list(proof.all()), store, SECONDS):
        assert outcome.verdict is Verdict.PROVEN, obligation.name
