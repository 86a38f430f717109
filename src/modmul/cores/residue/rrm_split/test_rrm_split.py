# SPDX-License-Identifier: Apache-2.0
"""rrm_split: the ranges of the README, by every modulus and operand of a few bits."""

import random
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from pyslang.driver import Driver

from modmul.cores.residue.rrm_split.core import RrmSplit, residues, sums
from modmul.design import literal
from modmul.export import export
from modmul.registry import room
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

BUILDS = [(3, 1, 2), (3, 2, 2), (4, 1, 2), (4, 2, 1), (5, 1, 1), (5, 2, 2)]


def results(
    config: RrmSplit, modulus: int, operands: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int, list[int], int]]:
    """x, y, the sum after each step and V."""
    k, d = config.digit_bits, config.delay
    for x, y in operands:
        states = list(sums(config, modulus, x, y))
        totals = [state.value(k) for state in states]
        p = sum(state.s[0] << (k * i) for i, state in enumerate(states[-1 - d : -1]))
        yield x, y, totals, totals[-1] + divided(config, modulus, p)


def divided(config: RrmSplit, modulus: int, p: int) -> int:
    """P, what the pending digits p are worth, as the converter finds it."""
    bits = config.digit_bits * config.delay
    top = 1 << bits
    offset = sum(2 << i for i in range(0, bits - 1, 2)) + (top >> 1 if bits % 2 else 0)
    q = (-p * pow(modulus, -1, top) + offset) % top - offset
    value, rest = divmod(p + q * modulus, top)
    assert rest == 0
    return value


@pytest.mark.parametrize(("digit_bits", "delay", "chains"), BUILDS)
def test_sums_and_results_lie_in_their_ranges(digit_bits: int, delay: int, chains: int) -> None:
    """The sum, with its sign, and V, also for short moduli in a wider build; a carry is a bit."""
    for width, longest in ((2, 2), (3, 3), (4, 4), (8, 3)):
        config = RrmSplit(width, digit_bits=digit_bits, delay=delay, chains=chains)
        base = 1 << digit_bits
        radix = 1 << (digit_bits * (config.steps - 1))
        for modulus in range(1, 1 << longest, 2):
            inverse = pow(radix, -1, modulus)
            operands = ((x, y) for x in range(modulus + 1) for y in range(modulus + 1))
            for x, y, totals, value in results(config, modulus, operands):
                assert all(abs(total) * (base - 1) < (base * base + base) * modulus for total in totals)
                assert -modulus <= value < 2 * modulus
                assert (value - x * y * inverse) % modulus == 0
            for state in sums(config, modulus, modulus // 2, modulus):
                assert max(state.s) < base and max(state.c) < 2 and max(state.carried) < 2
                assert state.top in (0, -1, -2)


@pytest.mark.parametrize(("digit_bits", "delay"), [*dict.fromkeys(build[:2] for build in BUILDS)])
def test_residues_by_two_passes(digit_bits: int, delay: int) -> None:
    """V lies in its range in both, and the second gives T[s]."""
    base = 1 << digit_bits
    top = base**delay
    for modulus in range(1, 1 << 10, 2):
        config = RrmSplit(10, digit_bits=digit_bits, delay=delay)
        found = []
        for s in range(base):
            first = divided(config, modulus, s * top // base)
            assert -modulus <= first < 2 * modulus
            y = first % modulus
            sum_y = y if y % 2 else y - modulus
            second = sum_y // top + divided(config, modulus, sum_y % top)
            assert -modulus <= second < 2 * modulus
            found.append(second % modulus)
        assert found == residues(config, modulus)


PAUSES = [RrmSplit(16), RrmSplit(72, word=8, digit_bits=3, delay=2), RrmSplit(37, digit_bits=5, chains=1)]


@pytest.mark.parametrize("config", PAUSES, ids=str)
def test_the_pause_is_exact(config: RrmSplit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A beat each cycle, the pause, and the last beat: the context takes that, and not a cycle less."""
    found = room("rrm_split")
    simulation, modulus = Simulation(found.of(config)), (1 << config.width) - 1
    beats = len(found.core.interface.context(config, modulus))
    for cycles in (beats, beats - 1):
        simulation.reset()
        monkeypatch.setattr(simulation, "_limit", lambda cycles=cycles: cycles - 20 * beats)
        if cycles == beats:
            simulation.load(modulus)
        else:
            with pytest.raises(ProtocolError):
                simulation.load(modulus)


def test_one_digit_less_is_too_few() -> None:
    """With one digit 0 behind those of x, V falls below -M."""

    class Short(RrmSplit):
        @property
        def extra(self) -> int:
            return 1

    config = Short(4, digit_bits=4)
    operands = ((x, y) for x in range(16) for y in range(16))
    assert min(value for *_, value in results(config, 15, operands)) < -15


OTHERS = [
    RrmSplit(9, word=8, digit_bits=3, delay=2),
    RrmSplit(37, digit_bits=3, chains=1),
    RrmSplit(37, digit_bits=5),
    RrmSplit(24, word=8, chains=1, delay=2),
    RrmSplit(40, word=32, digit_bits=4, delay=2),
]


@pytest.mark.parametrize("config", OTHERS, ids=str)
def test_other_builds(config: RrmSplit) -> None:
    """Digits that do not fill words, and residues that come two steps later: as in the contract's tests."""
    found, rng = room("rrm_split"), random.Random(config.width)
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    assert checks.check_model(found.of(config), moduli, rng) >= 6
    simulation = Simulation(found.of(config), seed=config.width)
    assert all(sum(checks.check_random(simulation, modulus, 100, rng)) >= 4 for modulus in moduli)
    assert checks.check_back_pressure(simulation, moduli[0], 20, rng) == 100


FIXED = [
    RrmSplit(2, modulus=3),
    RrmSplit(4, word=8, digit_bits=3, delay=2, modulus=11),
    RrmSplit(5, digit_bits=5, chains=1, modulus=23),
]


def elaborated(config: RrmSplit) -> int:
    """The residues in the hardware with a modulus that is fixed, one after the other."""
    found = room("rrm_split")
    driver = Driver()
    driver.addStandardArgs()
    settings = [f"-G{name}={literal(value)}" for name, value in config.parameters().items()]
    assert driver.parseCommandLine(
        shlex.join(["slang", "--top", found.core.top, *settings, *map(str, found.sources)])
    )
    assert driver.processOptions()
    assert driver.parseAllSources()
    [top] = driver.createCompilation().getRoot().topInstances
    return int(top.body.find("u_dropped").body.find("Residues").value.value)


@pytest.mark.parametrize(
    "config",
    [
        *(
            RrmSplit(width, digit_bits=k, delay=d, modulus=modulus)
            for k, d in ((3, 1), (4, 2), (5, 1))
            for width in (2, 4)
            for modulus in range((1 << width - 1) + 1, 1 << width, 2)
        ),
        RrmSplit(256, modulus=2**256 - 2**32 - 977),
        RrmSplit(1024, digit_bits=5, modulus=random.Random(1).getrandbits(1022) << 1 | 1 << 1023 | 1),
    ],
    ids=lambda config: f"{config.width}-{config.digit_bits}-{config.modulus % 1000}",
)
def test_residues_of_a_fixed_modulus(config: RrmSplit) -> None:
    """Those in the hardware are those of the model."""
    parts = enumerate(residues(config, config.modulus))
    assert elaborated(config) == sum(residue << (config.width * s) for s, residue in parts)


@pytest.mark.parametrize("config", FIXED, ids=str)
def test_a_fixed_modulus_with_all_operands(config: RrmSplit) -> None:
    pairs = (config.modulus + 1) ** 2
    assert checks.check_exhaustive([room("rrm_split").of(config)]) == pairs + 1  # the last one alone, too


def test_a_fixed_modulus_in_words() -> None:
    """A build of several words keeps the contract."""
    found, config, rng = room("rrm_split"), RrmSplit(37, word=8, modulus=2**37 - 25), random.Random(1)
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    assert moduli == [config.modulus]
    assert checks.check_model(found.of(config), moduli, rng)
    simulation = Simulation(found.of(config), seed=1)
    assert sum(checks.check_random(simulation, config.modulus, 100, rng)) >= 4
    assert checks.check_context(simulation, moduli, rng) and checks.check_operands(simulation, moduli, rng)


def test_an_export_has_the_modulus_with_its_bits(tmp_path: Path) -> None:
    """But for FuseSoC, whose numbers are those of an int."""
    config = RrmSplit(64, modulus=2**64 - 2**32 + 1)
    written = export(room("rrm_split").of(config), None, tmp_path / "out", count=1)
    texts = {path.name: path.read_text(encoding="utf-8") for path in written}
    having = {name for name, text in texts.items() if "65'hffffffff00000001" in text}
    assert having >= {"area.ys", "mm_rrm_split_top.sv", "tb_mm_rrm_split.sv"}
    assert not [name for name in texts if name.endswith(".core") and "Modulus" in texts[name]]


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        ("mm_rrm_split_dropped", "i < DigitBits * (Delay + 1)", "i < DigitBits * Delay"),
        ("mm_rrm_split_context", "(beat_i == '0 | so_far_q) & ctx_q == m_word_o", "ctx_q == m_word_o"),
    ],
    ids=["a residue", "a modulus that differs in an early word"],
)
def test_a_broken_rule_of_a_fixed_modulus_is_found(
    module: str, right: str, wrong: str, tmp_path: Path
) -> None:
    found = mutant(room("rrm_split"), tmp_path / "rrm_split", module, right, wrong)
    config, rng = RrmSplit(16, word=8, modulus=65521), random.Random(1)
    simulation = Simulation(found.of(config), seed=1)
    with pytest.raises(VerificationError):
        sum(checks.check_random(simulation, config.modulus, 100, rng))
        checks.check_context(simulation, [config.modulus], rng)


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        ("mm_rrm_split_digits", "one_q         <= some_o & ~sign_o;", "one_q         <= some_o;"),
        ("mm_rrm_split_loop", "twice_q <= ~clear_s_i & below_q & sign_e_i;", "twice_q <= 1'b0;"),
        ("mm_rrm_bank_control", "clear_t_o <= |begins_q[2:1] | pre;", "clear_t_o <= begins_q[2] | pre;"),
        ("mm_rrm_split_dropped", "ctx_load_i | (pre_i & in_load_i);", "(pre_i & in_load_i);"),
        ("mm_rrm_split_dropped", "residue_i & {Word{~ctx_load_i}};", "residue_i;"),
        ("mm_rrm_split_result", "(row_i & {DigitBits{~second_i}})", "row_i"),
        ("mm_rrm_split_cell", "e_c_q2 <= e_c_q;", "e_c_q2 <= '0;"),
        ("mm_rrm_split_joint", "h_q <= h_next;", "h_q <= '0;"),
        (
            "mm_rrm_split_filler",
            "assign high[0]     = high[Parts] & ~group[0][0];",
            "assign high[0]     = high[Parts];",
        ),
    ],
    ids=[
        "the lowest bit of a sign",
        "the digit at the top",
        "residues of before",
        "no residue of 0",
        "a residue of 0 that is not",
        "a residue for the second pass",
        "carries of E",
        "majorities",
        "2y of before",
    ],
)
def test_a_broken_rule_is_found(module: str, right: str, wrong: str, tmp_path: Path) -> None:
    found = mutant(room("rrm_split"), tmp_path / "rrm_split", module, right, wrong)
    config = RrmSplit(16, word=8, digit_bits=4, chains=1 if module == "mm_rrm_split_joint" else 2)
    simulation, rng = Simulation(found.of(config), seed=1), random.Random(1)
    with pytest.raises(VerificationError):
        for modulus in checks.interesting_moduli(found.of(config), rng, 4):
            sum(checks.check_random(simulation, modulus, 100, rng))


def test_the_converter_sets_the_pace_of_short_words() -> None:
    """The loop is no faster, so operations come at one interval, as long as the queue is not full, too."""
    build = room("rrm_split").build(240, {"Word": 8, "DigitBits": 5})
    simulation, rng = Simulation(build, seed=1), random.Random(1)
    modulus = rng.getrandbits(240) | 1 << 239 | 1
    simulation.reset()
    simulation.load(modulus)
    xs, ys = ([rng.randrange(modulus) for _ in range(24)] for _ in range(2))
    assert checks.check_batch(simulation, modulus, xs, ys) == 24
