# SPDX-License-Identifier: Apache-2.0
"""The product by number-theoretic transforms; what shows that it can fail."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from formal_builds import SECONDS, SPECTRAL, only_the_first_is_proven, refuted_without, small

from modmul.prove.job import SOLVERS
from modmul.prove.product import arguments, fmlm3_product, fmlm3_segments, fmlm3_words
from modmul.prove.product.fmlm3 import SAME, Spectral
from modmul.prove.product.fmlm3_ages import Run
from modmul.prove.product.fmlm3_atoms import Atoms
from modmul.prove.product.fmlm3_words import Multiplied, Shown, holding
from modmul.prove.solve import Obligation
from modmul.prove.terms import Compared, Fact, Joined, Word, all_of, equal, implies, negation
from modmul.registry import Room, room
from modmul.tools.store import Store
from modmul.verify.mutant import mutant

CORE = "mm_fmlm3"
BUTTERFLY, CONTROL, FINAL, GATHER, HALF, PRODUCT = (
    f"{CORE}_{name}" for name in ("butterfly", "control", "final", "gather", "half", "product")
)
RCA, RESULT, SEGMENTS, SHIFT, STAGES = (
    f"{CORE}_{name}" for name in ("rca", "result", "segments", "shift", "stages")
)
ADDER, GATE = f"{CORE}_multiply_adder", "mm_context_gate"
COMES, LEAVES = "goes on while beats come", "stays while the result leaves"
BACK = "products of residues are a product of digits"

PORTS = (
    (f"the residues {COMES}", PRODUCT, "if (load_i) beats_q", "if (whole_i) beats_q"),
    (f"the operands {COMES}", GATHER, "high_o <= {high_q,", "high_o <= {~high_q,"),
    (
        f"the result {LEAVES}",
        CORE,
        "if (out_take) out_q <= out_q >> U;",
        "if (out_take) out_q <= out_q >> 1;",
    ),
    (f"the place {COMES}", GATHER, "in_segment_q <= in_segment_q + 1'b1;", "in_segment_q <= '1;"),
    (f"the place {COMES}", CORE, "part_q <= (vector_q == 2'd0 || last_part)", "part_q <= (vector_q == 2'd0)"),
    (
        f"the place {COMES}",
        GATE,
        "if (in_load_o) in_part_q <= ~in_last_i;",
        "if (in_load_o) in_part_q <= in_last_i;",
    ),
    (f"the control {COMES}", GATE, "& ctx_legal_i & ~ctx_load_o", "& ctx_legal_i"),
    (f"the modulus {COMES}", SEGMENTS, "= (low_full & low_modulus) |", "= low_full |"),
    (f"the modulus {COMES}", SEGMENTS, "= modulus_i & first_digit_i;", "= modulus_i;"),
    (f"what is on its way {COMES}", GATHER, "low_full_o  <= pair_i &&", "low_full_o  <="),
    (f"the control {LEAVES}", CORE, "fetch_q <= fetch_q + 1'b1;", "fetch_q <= fetch_q + 2'd2;"),
    ("the control holds in reset", CONTROL, "if (!rst_ni) state_q <= IDLE;", "if (!rst_ni) state_q <= LX;"),
)
"""Part of the proof, module, change: of what comes and goes at the ports."""

WORDS = (
    (
        "butterflies",
        BUTTERFLY,
        "^ {Bits{sign}}) | {Bits{zero}}};\n  assign n1",
        "^ {Bits{sign}})};\n  assign n1",
    ),
    ("butterflies", BUTTERFLY, "{v0_q[Bits] & ~v0_q[Bits+1]}", "{v0_q[Bits]}"),
    ("butterflies", SHIFT, "~from[Bits-1-:Shift]", "from[Bits-1-:Shift]"),
    ("butterflies", SHIFT, "{negate_i}}) | {Bits{zero_i}}", "{negate_i}})"),
    (BACK, STAGES, "Exp'({part, 1'b0})", "Exp'({1'b0, part})"),
    (BACK, STAGES, "Exp'(0) - Exp'(first)", "Exp'(first)"),
    (BACK, STAGES, "assign half = Exp'(j_power);", "assign half = Exp'(j_power >> 1);"),
    ("digits are accumulated", FINAL, "(high > TopBits'(count_i))", "(high >= TopBits'(count_i))"),
    ("digits are accumulated", FINAL, "= {{Digit{r_q[Bits+1]}},", "= {{Digit{1'b0}},"),
    ("digits are accumulated", FINAL, "{rest, 1'b1} + {a_q[Bits] | over_q,", "{rest, 1'b1} + {over_q,"),
    ("digits are accumulated", FINAL, "a_q[Bits-1:Half]} | {Bits{a_q[Bits]}}", "a_q[Bits-1:Half]}"),
    ("segments are added", RCA, "low_carry_i - CarryBits'(sign)", "low_carry_i"),
    ("segments are added", RCA, "middle_i ? upper_q : rest", "middle_i ? rest : upper_q"),
    ("segments are added", RCA, "carry_q  <= inject_i & subtract_i;", "carry_q  <= inject_i;"),
    ("segments are added", RCA, "subtract_i ? ~high_carry_i", "subtract_i ? high_carry_i"),
    ("digits go into a transform", SEGMENTS, "digit0_o <= sum[Digit-1:0];", "digit0_o <= sum[Digit:1];"),
    ("digits go into a transform", f"{CORE}_transform", "again_i & carry_i)", "again_i)"),
    ("residues of products", ADDER, "p[0] | p[2*Bits],", "p[0],"),
    ("residues of products", ADDER, "{{(Bits + 1){v_q[Bits]}}, plain_i}", "{{(Bits + 1){1'b0}}, plain_i}"),
    ("products", "mm_block_mul", "assign wide    = a * b;", "assign wide    = a * b + 1;"),
    ("residues go into a transform", ADDER, "~(w_q[Bits] & ~w_q[Bits+1])", "~w_q[Bits]"),
    (
        "residues go into a transform",
        PRODUCT,
        "assign place = index_q5 ^ (LogP'(index_q5[LogP-1-:Fold]) << (LogC - Fold));",
        "assign place = index_q5;",
    ),
    (SAME, PRODUCT, "add_i ? addend_word : '1;", "'1;"),
    (SAME, CONTROL, "square ? TxNega : TyNega;", "TyNega;"),
    (SAME, CONTROL, "right_context_o <= 2'b11;", "right_context_o <= 2'b10;"),
    ("k", RESULT, "parity == s_low[1];", "parity != s_low[1];"),
    ("k", RESULT, "s_zero ? 3'd0 : 3'd4;", "3'd4;"),
    ("k", RESULT, "= low_q - top_i;", "= low_q + top_i;"),
    ("t and t - N", f"{CORE}_subtracter", "= first_i | ~borrow_o;", "= ~borrow_o;"),
    ("t and t - N", RESULT, "t_top_q | ~less_borrow;", "~less_borrow;"),
    ("t and t - N", HALF, "{next_i, segment_i[Bits-1:1]}", "{1'b0, segment_i[Bits-1:1]}"),
    ("t and t - N", RESULT, "k_q + {top_i[1], top_i};", "k_q;"),
)
"""The same of what an operation makes of its words."""

FEW = 2


class OfSquares(Spectral):
    """What is said of squares, which have all but the transforms of a second operand."""

    @cached_property
    def runs(self) -> tuple[Run, ...]:  # type: ignore[override]
        return (self.run(1),)


def squares(found: Room, width: int = 8) -> OfSquares:
    whole = small(found, width)
    return OfSquares(whole.build, whole.system)


@cache
def proof() -> OfSquares:
    """The argument for a short build."""
    return squares(room(SPECTRAL))


def one(found: Iterator[Obligation], name: str) -> Obligation:
    return next(each for each in found if each.name == name)


@cache
def words() -> tuple[Obligation, ...]:
    return tuple(proof().of_words())


@cache
def numbers() -> tuple[Obligation, ...]:
    return tuple(proof().of_numbers())


@pytest.mark.parametrize(
    ("width", "settings"),
    [
        (250, {}),
        (24, {"Transform": 8}),
        (256, {"Algorithm": 3}),
        (1024, {}),
        (256, {"Transform": 128, "Butterflies": 1}),
        (256, {"Spectral": 1}),
    ],
)
def test_builds_that_the_argument_does_not_cover(width: int, settings: dict[str, int]) -> None:
    """Operands short of P digits; long carries; Algorithm 3; butterflies; square roots of 2; residues."""
    with pytest.raises(ValueError, match="the proof is written for"):
        arguments(room(SPECTRAL).build(width, settings))


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k > FEW else []) for k, each in enumerate(PORTS)],
)
def test_wrong_ports_are_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    changed = squares(mutant(room(SPECTRAL), tmp_path / "room", module, old, new))
    known, load, leave = proof(), COMES in name, LEAVES in name
    asked = []
    for each in (known, changed):
        found = each.of_leaving() if leave else each.of_loading() if load else each.of_reset()
        asked.append(one(found, name))
    only_the_first_is_proven(asked, store)


@pytest.mark.parametrize(
    ("name", "module", "old", "new"),
    [pytest.param(*each, marks=[pytest.mark.long] if k else []) for k, each in enumerate(WORDS)],
)
def test_a_wrong_transform_is_refuted(
    name: str, module: str, old: str, new: str, store: Store, tmp_path: Path
) -> None:
    changed = squares(mutant(room(SPECTRAL), tmp_path / "room", module, old, new))
    found = changed.of_numbers() if name == BACK else changed.of_words()
    right = numbers() if name == BACK else words()
    only_the_first_is_proven([one(iter(right), name), one(iter(found), name)], store)


def test_a_wrong_age_is_refuted() -> None:
    """What is held at an age is not what is held at another one; nor is a constant another constant."""
    run = proof().runs[0]
    for age in (0, 40, run.last - 2):
        text = run.follow(age)
        assert SOLVERS["bitwuzla"](text, SECONDS) == "unsat"
        held = run.trace.held[age + 1]
        place = run.netlist.leaf("core.u_control.state_q")
        kept = held[place]
        held[place] = ((kept[0][0], 0, kept[0][2] ^ 1),)
        assert SOLVERS["bitwuzla"](run.follow(age), SECONDS) == "sat"
        held[place] = kept


def test_each_question_about_words_is_not_about_nothing() -> None:
    """What is known of each question holds of some words."""
    for obligation in words():
        for text in obligation.texts:
            known, _, _ = text.rpartition("(assert (not")
            assert SOLVERS[obligation.solver](known, SECONDS) == "sat", obligation.name


def test_each_question_about_numbers_is_not_about_nothing() -> None:
    for obligation in numbers():
        for text in obligation.texts:
            known, _, goal = text.rpartition("(assert (not")
            wanted = "unsat" if goal.startswith(" false") else "sat"
            assert SOLVERS["z3"](known, SECONDS) == wanted, obligation.name


def test_what_is_used_of_words_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fact under an argument about numbers is shown of words, or true of any; or it is a case of all.

    That a word stands for a residue is shown where it was made.
    """
    used: dict[str, Fact] = {}

    def told(facts: Iterable[Fact], goal: str, *more: str, **ints: Iterable[str]) -> str:
        every = list(facts)
        used.update((fact.over_bits(), fact) for fact in every)
        return holding(every, goal, *more, **ints)

    for module in (fmlm3_words, fmlm3_product, fmlm3_segments):
        monkeypatch.setattr(module, "holding", told)
    shown: set[str] = set()
    whole: Any = vars(Shown)["text"]

    def keeps(self: Shown) -> str:
        shown.update(part.over_bits() for part in parts_of(self.fact))
        return str(whole.func(self))

    monkeypatch.setattr(Shown, "text", property(keeps))
    list(proof().of_words())
    assert len(used) > 400
    (run,) = proof().runs
    for text in used.keys() - shown:
        fact = used[text]
        if isinstance(fact, Compared) and len(fact.left) == 1 and not fact.right:
            continue
        atoms = set(re.findall(r"w\d+|\|of \w+\|", text))
        sizes = {run.atoms.names[atom]: run.atoms.sizes[atom] for atom in run.atoms.sizes}
        lines = "".join(f"(declare-const {name} (_ BitVec {sizes[name]}))" for name in atoms)
        legal = isinstance(fact, Joined) and fact.how is implies and len(list(fact.words())) == 2
        asked = f"(set-logic QF_BV){lines}(assert {negation(text)})"
        assert legal or SOLVERS["bitwuzla"](asked, SECONDS) == "unsat", text


def parts_of(fact: Fact) -> Iterator[Fact]:
    """A fact, and those of which it is made."""
    yield fact
    if isinstance(fact, Joined) and fact.how is all_of:
        for part in fact.parts:
            yield from parts_of(part)


def test_a_wrong_argument_about_transforms_is_refuted() -> None:
    """Of each kind: without what it rests on it does not hold."""
    found = proof()
    run = found.runs[0]
    m, base, p = found.m, found.base, found.p
    _, of_digits, *room_for = found.roomy()
    cyclic, negacyclic = room_for[0], room_for[-1]
    sums, positive, below, least = found.carried()
    modulo_r, modulo_q, plain = found.modulo_r()
    _, inverse, other, squares_, multiples, less, bounded, modulo, *_, ended = found.theorem()
    r = (1 << (found.u * p)) - 1
    linear = found.linear(run, found.kinds(run)[0])
    step = re.findall(r"\(assert \(= s2\.0 [^\n]*\n", linear)[0]
    _, decided = found.decided(run)
    _, halved = found.halved(run)
    texts = (
        (linear, step, ""),
        (of_digits, f"(<= 0 a {base})", "true"),
        (cyclic, f"(<= 0 c {m - 1})", "true"),
        (negacyclic, f"(<= 0 c {m - 1})", "true"),
        (negacyclic, f"(<= 0 p7.0 {2 * base**2})", "(<= 0 p7.0)"),
        (sums, "(= (+ d1 ", "(= (+ 1 d1 "),
        (positive, "(<= 0 v1)", "true"),
        (below, "(<= 0 v3 ", "(<= 0 v0 "),
        (least, f"(<= (- {1 << found.k}) v)", "true"),
        (modulo_r, "(<= 0 hi)", "true"),
        (modulo_r, f"(<= lo {base ** (p // 2) // 2})", "true"),
        (modulo_q, "(= V ", "(>= V "),
        (plain, f"(<= 0 V {base**p - 1})", "(<= 0 V)"),
        (inverse, f"(- (* {r} h0) 1)", f"(- (* {r} h0) 2)"),
        (other, f"(assert (= N {r}))", ""),
        (squares_, "(<= 0 X N)", "(<= 0 X)"),
        (multiples, f"(<= 0 m {r})", "(<= 0 m)"),
        (less, f"(<= 1 N {r - 1})", f"(<= 1 N {r})"),
        (bounded, f"(< nn (* {r} N))", "true"),
        (modulo, f"(* {r + 2} h)", f"(* {r + 1} h)"),
        (ended, "(< t (* 2 N))", "true"),
        (decided, "(< t ", "(< 0 "),
        (halved, "(< T (* 2 ", "(< 0 (* 2 "),
    )
    for text, before, after in texts:
        refuted_without(text, "z3", before, after)


def test_both_readings_of_a_product_modulo_a_power_of_two_are_one() -> None:
    words_ = [Word(name.upper(), name, 3) for name in "pab"]
    fact = Multiplied(*words_)
    lines = ["".join(f"(declare-const {word.term} (_ BitVec 3))" for word in words_)]
    for word in words_:
        bits = (f"(ite (= ((_ extract {i} {i}) {word.term}) #b1) {1 << i} 0)" for i in range(3))
        lines.append(f"(define-fun {word.whole} () Int (+ {' '.join(bits)}))")
    for wrong, said in (("", "unsat"), ("1", "sat")):
        over = fact.over_integers().replace(" 8)", f" 1{wrong}6)" if wrong else " 8)")
        text = "\n".join((*lines, f"(assert {negation(equal(fact.over_bits(), over))})"))
        assert SOLVERS["z3"](text, SECONDS) == said
    with pytest.raises(ValueError, match="as long as each factor"):
        Multiplied(words_[0], words_[1], Word("C", "c", 2))


def test_what_is_proposed_of_registers_is_what_the_solver_finds() -> None:
    """Operations on words whose values are known in part."""
    atoms = Atoms()
    a = atoms.given("a", 4)
    kept = chain(
        [(atoms.apply("bvand", (a, ((4, 0, 0b0110),))), "(bvand |a| #b0110)")],
        [(atoms.apply("bvor", (a, ((4, 0, 0b0110),))), "(bvor |a| #b0110)")],
        [(atoms.apply("bvxor", (a, ((4, 0, 0b0110),))), "(bvxor |a| #b0110)")],
        [(atoms.apply("bvshl", (a, ((4, 0, 1),))), "(bvshl |a| #b0001)")],
        [(atoms.apply("bvlshr", (a, ((4, 0, 3),))), "(bvlshr |a| #b0011)")],
        [(atoms.apply("bvadd", (a, ((4, 0, 3),))), "(bvadd |a| #b0011)")],
    )
    for value, term in kept:
        text = f"{atoms.text((value, a), set())}(assert (not (= {atoms.term(value)} {term})))"
        assert SOLVERS["bitwuzla"](f"(set-logic QF_BV)\n{text}", SECONDS) == "unsat"
