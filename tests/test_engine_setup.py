# SPDX-License-Identifier: Apache-2.0
"""Rows of the engine that run on a context, and R mod M and R^2 mod M made by them."""

import random
from pathlib import Path

import pytest
from engine_program import ProgramConfig, contract, programmed

from modmul.core import ProgramError
from modmul.registry import on, rooms
from modmul.room import Build, SystemRoom
from modmul.systems.assembly import assemble
from modmul.systems.constants import check_radix
from modmul.systems.contexts import numbers
from modmul.systems.engine import EngineConfig, setup_cycles
from modmul.systems.modelling import modelled
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

PRIME = 0xFFFFFFFFA9


@pytest.fixture
def rng() -> random.Random:
    return random.Random(29)


def config_of(build: Build) -> EngineConfig:
    assert isinstance(build.config, EngineConfig)
    return build.config


# --- the assembler ------------------------------------------------------------------------------------

TEXT = """\
.number one m c
.operand x y
.modulus m
.setup first
      add a, x, d
      sub a, a, y
      add a, a, c
      out a
first:
      add d, c, c
      sub c, d, one
      jump test
again:
      add d, d, c
test:
      loop again
      ready
"""
"""x - y + 2 c + (n + 1) (2 c - R), where n are the rounds of a context."""

LONG = TEXT.replace("      out a\n", "      add a, a, c\n      sub a, a, c\n" * 33 + "      out a\n")
"""The same with so many rows that they are read early; those of the context are in a table of their own."""


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        (".setup first", ".setup last", "line 4: there is no label last"),
        (".setup first", ".setup first second", "line 4: .setup takes one label"),
        (".setup first", ".setup first\n.setup first", "line 5: .setup is there twice"),
        (".setup first\n", "", "line 4: d is read before it is written"),
        ("      out a", "      ready", "line 8: only rows behind .setup end with ready"),
        ("      ready", "      out d", "line 17: rows behind .setup end with ready, not out"),
        ("      ready", "      ready x", "line 17: ready takes 0 names, not 1"),
        ("      jump test", "      bits 3", "line 12: behind .setup there are no operands"),
        ("add d, d, c", "add e, e, c", "line 14: e is read before it is written"),
        ("add d, d, c", "add d, d, x", "line 14: x is read before it is written"),
        ("add a, x, d", "add d, x, d", "line 5: d is read before it is written"),
        ("      ready", "      jump again", "line 14: this goes round for ever"),
    ],
)
def test_what_the_assembler_refuses(right: str, wrong: str, reason: str) -> None:
    assert TEXT.count(right) == 1
    with pytest.raises(ProgramError, match=reason):
        assemble(TEXT.replace(right, wrong))


def test_what_only_some_ways_write_is_not_there() -> None:
    text = TEXT.replace("add d, d, c", "sub e, d, c")
    assert assemble(text)
    with pytest.raises(ProgramError, match="line 5: e is read before it is written"):
        assemble(text.replace("add a, x, d", "add a, x, e"))
    text = TEXT.replace("sub c, d, one", "sub p~, d, one")  # a pair, which changes places in each round
    with pytest.raises(ProgramError, match="line 5: p~ is read before it is written"):
        assemble(text.replace("add a, x, d", "add a, x, p~"))


# --- the rows, and the hardware -----------------------------------------------------------------------


def given(found: SystemRoom, width: int, c: int) -> Build:
    config = found.build(width, {"Word": 8}).config
    assert isinstance(config, ProgramConfig)
    return found.of(config.running(given=(("c", c),)))


def waits(simulation: Simulation, words: list[int], pause: int = 2) -> int:
    """Cycles that the last word of a context waits, offered some cycles after the one before."""
    simulation.load_words(words[:-1])
    simulation.edge(pause)
    simulation.poke("ctx_data_i", words[-1])
    simulation.poke("ctx_valid_i", 1)
    cycles = 0
    while not simulation.peek("ctx_ready_o"):
        simulation.edge()
        cycles += 1
        assert cycles < 100_000
    simulation.edge()
    simulation.poke("ctx_valid_i", 0)
    return cycles


def context(build: Build, modulus: int) -> list[int]:
    return [*build.core.interface.context(build.config.at(modulus), modulus)]


def runs(found: SystemRoom, rng: random.Random) -> None:
    """Right, with the last word of the context among what is added; in the time that is known before."""
    for c in (0, 5, 0x7BCDE):
        build = given(found, 20, c)
        simulation = Simulation(build, seed=rng.getrandbits(31))
        modulus = 0xFFFFD
        config = config_of(build).at(modulus)
        one = found.inner.core.function.domain(config.at_core).enter(modulus, 1)
        assert waits(simulation, context(build, modulus)) == setup_cycles(config) > 39 * config.beats
        simulation.edge(5)
        simulation.load(modulus)
        for _ in range(3):
            x, y = rng.randrange(modulus), rng.randrange(modulus)
            right = (x - y + 2 * c + (config.setup_rounds + 1) * (2 * c - one)) % modulus
            assert modelled(config, modulus, x, y)[0] == right
            assert simulation.multiply(x, y) == right
        illegal = [*found.core.illegal_contexts(build.config)[-1]]
        assert waits(simulation, illegal) <= 4
        simulation.edge(2)
        assert simulation.peek("ctx_error_o")
        for cycles in (1, 4, 40):  # in the middle
            simulation.load_words(context(build, modulus)[:-1])
            simulation.poke("ctx_valid_i", 1)
            simulation.edge(cycles)
            assert not simulation.peek("ctx_ready_o")
            simulation.reset()
            assert waits(simulation, context(build, modulus), 4) == setup_cycles(config)
            simulation.load(modulus)
            assert simulation.multiply(x, y) == right


@pytest.mark.parametrize("text", [TEXT, LONG], ids=["short", "long"])
def test_rows_that_run_on_a_context(text: str, rng: random.Random) -> None:
    runs(programmed("montgomery_csa2", text), rng)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("state_q == IDLE ? first[3:0] : turn_q", "turn_q"),
        ("state_q == IDLE ? first_hit : turn_q", "turn_q"),
        ("first_hit[part] = first[PcBits-1:4] == (PcBits-4)'(part)", "first_hit[part] = part == 0"),
    ],
)
def test_mutants_of_the_first_row(right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    found = mutant(programmed("montgomery_csa2", LONG), tmp_path, "mm_engine_sequencer", right, wrong)
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        runs(found, rng)


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("port", "write_number_q <= setup | ", "write_number_q <= "),
        ("port", "~ready_q & ~core_error_i", "~ready_q"),
        pytest.param("port", "at_last & ~ready_q;", "1'b0;", marks=pytest.mark.long),
        pytest.param("port", "& ((SetupBits == 0) | ~at_last)", "", marks=pytest.mark.long),
        pytest.param(
            "port", "(ready_q | offered_q[2]) & ~ctx_load", "ready_q | offered_q[2]", marks=pytest.mark.long
        ),
        pytest.param("sequencer", "setup ? TurnBits'(setup_rounds_i) : ", "", marks=pytest.mark.long),
        pytest.param("sequencer", "else if (ready_q) state_q <= IDLE;", "", marks=pytest.mark.long),
    ],
)
def test_mutants(file: str, right: str, wrong: str, tmp_path: Path, rng: random.Random) -> None:
    found = mutant(programmed("montgomery_csa2", TEXT), tmp_path, f"mm_engine_{file}", right, wrong)
    with pytest.raises((AssertionError, VerificationError, ProtocolError)):
        runs(found, rng)


# --- R mod M and R^2 mod M ----------------------------------------------------------------------------


@pytest.mark.parametrize("system", ["modexp", "ladder"])
@pytest.mark.parametrize("core", list(rooms()))
def test_constants_of_every_core(system: str, core: str, rng: random.Random) -> None:
    """By the model: what comes with the context otherwise, for long and short M."""
    found = on(system, core)
    config = found.core.builds.at(19)[0]
    computing = config.with_parameters({"ComputeR2": 1})
    assert isinstance(config, EngineConfig) and isinstance(computing, EngineConfig)
    for modulus in checks.interesting_moduli(found.of(config), rng, 6):
        come, made = config.at(modulus), computing.at(modulus)
        _, registers = modelled(made, modulus, 0, 0)
        for name, right in zip(come.program.numbers, numbers(come, modulus), strict=True):
            value = registers[str(made.program.slots[name])]
            assert come.core.function.accepts(come.at_core, modulus, right, value), name
        assert found.core.function.operand_max(made, modulus) == found.core.function.operand_max(
            come, modulus
        )


@pytest.mark.long
@pytest.mark.parametrize("core", list(rooms()))
def test_constants_by_the_hardware_of_every_core(core: str, rng: random.Random) -> None:
    """Powers are right, of long and short M, and the context takes the time that is known before."""
    found = on("modexp", core)
    config = found.core.builds.at(19)[0].with_parameters({"ComputeR2": 1, "ExponentBits": 19})
    assert isinstance(config, EngineConfig)
    if config.radix == 1:
        pytest.skip("R is 1: nothing is to be computed")
    build = found.of(config)
    simulation = Simulation(build, seed=rng.getrandbits(31))
    for modulus in checks.interesting_moduli(build, rng, 6):
        at = config.at(modulus)
        assert waits(simulation, context(build, modulus)) == setup_cycles(at) > 2 * at.number
        assert sum(checks.check_random(simulation, modulus, 8, rng)) >= 8


@pytest.mark.parametrize(
    ("system", "core", "settings"),
    [
        pytest.param("modexp", "fmlm3", {"EngineWord": 8}, marks=pytest.mark.long),
        ("ladder", "rrm", {"Lazy": 1, "ExponentBits": 24}),
        pytest.param("modexp", "montgomery_csa2", {"Word": 8, "Cores": 2}, marks=pytest.mark.long),
    ],
)
def test_contract(system: str, core: str, settings: dict[str, int], rng: random.Random) -> None:
    build = on(system, core).build(19, {**settings, "ComputeR2": 1})
    contract(build, rng, 8)
    simulation = Simulation(build)
    for modulus in checks.interesting_moduli(build, rng, 3):
        cycles = setup_cycles(config_of(build).at(modulus))
        assert waits(simulation, context(build, modulus)) == cycles
        assert cycles < build.core.interface.context_wait(build.config)


@pytest.mark.parametrize("radix", [5, 6, 96, 2**19 + 1])
def test_what_cannot_be_computed(radix: int) -> None:
    """R^2 by doublings, if R is neither a power of two nor one less."""
    with pytest.raises(ValueError, match=r"compute_r2 needs a radix R of 2\^D or 2\^D - 1, unlike rrm's"):
        check_radix("rrm", radix)
