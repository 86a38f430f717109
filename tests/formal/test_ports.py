# SPDX-License-Identifier: Apache-2.0
"""Unbounded proofs of the port contract and of constant time; and for each what shows that it can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from formal_builds import FRAME, MUTANTS, SECONDS, WIDTH

from modmul.prove.plan import UNPROVEN, goals
from modmul.prove.prover import prove
from modmul.prove.reach import OPEN, Verdict, reach, verdict_of, write
from modmul.prove.shapes import ports_of
from modmul.prove.solve import Obligation, discharge
from modmul.prove.watch import CONTRACT, TOP, Rule, pair_bench, watch_bench
from modmul.registry import own_cores, room, rooms
from modmul.tools.store import Store
from modmul.verify.mutant import mutant


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
