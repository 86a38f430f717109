# SPDX-License-Identifier: Apache-2.0
"""The scalable multipliers of Pinckney et al.: what the contract tests cannot know of them."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from pyslang import Bag, SVInt
from pyslang.ast import Compilation, CompilationOptions, ParameterSymbol, Symbol
from pyslang.syntax import SyntaxTree

from modmul.core import Published
from modmul.cores.scalable.systolic import ARRAY, ELEMENT, SPACING, BoothConfig, SystolicConfig, header
from modmul.measure import Job, Measurement, chip, measure
from modmul.registry import Room, room, rooms
from modmul.study.papers import Line, papers
from modmul.verify import checks
from modmul.verify.simulation import Simulation

LENGTHS = (32, 97, 160, 256, 512, 1024, 2048, 4096)
FAMILY = [found for found in rooms().values() if found.wing == "scalable"]
BOOTH = [found for found in FAMILY if issubclass(found.core.builds.config, BoothConfig)]
TABLE_III = [(found, row) for found in FAMILY for row in found.core.origin.published if row.table == "III"]

each_core = pytest.mark.parametrize("room", FAMILY, ids=lambda room: room.core.slug)


@pytest.fixture
def rng() -> random.Random:
    return random.Random(12)


def build(room: Room, **fields: int) -> SystolicConfig:
    return cast(SystolicConfig, room.core.builds.config(**fields))


def odd_modulus(rng: random.Random, bits: int) -> int:
    return rng.getrandbits(bits) | 1 << (bits - 1) | 1


def printed(slug: str, table: str) -> list[Line]:
    """Our figures beside those of one table."""
    found = room(slug)
    figures = tuple(row for row in found.core.origin.published if row.table == table)
    return papers((replace(found, core=found.core.changed(published=figures)),))


# --- the constants, which stand in Python and in SystemVerilog ---------------------------------------

SCOPES = (
    *("gen_core", "gen_core.u_shell", "gen_core.u_shell.u_fifo", "gen_core.u_shell.u_result"),
    *("gen_core.u_array", "gen_core.u_array.u_control"),
)
"""Where a constant of the family stands; the same name means the same in all of them."""


def constants(found: Room, config: SystolicConfig) -> dict[str, int]:
    """What Python says of a build, by the names that parameters and localparams have."""
    return {
        "Radix2": config.radix2,
        "Factors": 1 + config.parallel,
        "Booth": int(config.booth),
        "SignedM": config.signed_m if isinstance(config, BoothConfig) else 0,
        "Triples": int(config.triples),
        "Multiples": config.most_multiples,
        "Reduce": config.reduce,
        "OperandExtra": config.extra_bits,
        "MaxBeats": config.beats,
        "LenBits": config.width.bit_length(),
        "Head": len(header(config, config.width)),
        "WordGuard": config.word_guard,
        "DigitGuard": config.digit_guard,
        "Overflow": int(config.left),
        "Stride": 1 if config.left else 2,
        "Lag": config.lag,
        "MaxWords": config.words + config.left,
        "MaxPeriod": config.period,
        "FifoDepth": config.period - config.lag,
        "Spacing": SPACING,
        "IdxBits": (2 * config.period + SPACING - 1).bit_length(),
        **found.core.origin.blocks(config)[ARRAY][1],
    }


def elaborated(top: str, parameters: Mapping[str, int], sources: Sequence[Path]) -> dict[str, int]:
    """Parameters and localparams of the scopes above, each as ``scope.name``."""
    options = CompilationOptions()
    options.topModules = {top}
    options.paramOverrides = [f"{name}={value}" for name, value in parameters.items()]
    compilation = Compilation(Bag([options]))
    for source in sources:
        compilation.addSyntaxTree(SyntaxTree.fromFile(str(source)))
    values = {}

    def visit(symbol: Symbol) -> None:
        if isinstance(symbol, ParameterSymbol):
            scope, _, name = symbol.hierarchicalPath.removeprefix(f"{top}.").rpartition(".")
            value = symbol.value.value
            if scope in SCOPES and isinstance(value, SVInt):
                values[f"{scope}.{name}"] = int(value)

    compilation.getRoot().visit(visit)
    return values


def differences(found: Room, config: SystolicConfig, sources: Sequence[Path]) -> list[str]:
    """Constants that differ from Python's, or that no module has."""
    right = constants(found, config)
    values = elaborated(found.core.top, config.parameters(), sources)
    missing = right.keys() - {name.rpartition(".")[2] for name in values}
    return [
        *sorted(missing),
        *(
            f"{path} = {value}, Python says {right[name]}"
            for path, value in values.items()
            if (name := path.rpartition(".")[2]) in right and value != right[name]
        ),
    ]


@each_core
def test_constants_are_those_of_python(room: Room) -> None:
    core = room.core
    configs = [
        c for width in (2, 7, 33, 256, 1024) for c in (*core.builds.at(width), *core.builds.variants(width))
    ]
    for config in configs:
        assert not differences(room, cast(SystolicConfig, config), room.sources), config


@pytest.mark.parametrize(
    ("module", "old", "new", "says"),
    [
        ("array", ".Spacing(8)", ".Spacing(9)", "u_control.Spacing = 9, Python says 8"),
        ("array", ".DigitGuard(4", ".DigitGuard(5", "u_control.DigitGuard = 5, Python says 4"),
        ("array", "WordGuard = 5", "WordGuard = 6", "u_array.WordGuard = 6, Python says 5"),
        ("array", "Lag       = Pes +", "Lag       = Pes + 1 +", "u_array.Lag = 18, Python says 17"),
        ("shell", "? 0  ", "? 1  ", "u_shell.OperandExtra = 1, Python says 0"),
        ("", "FifoDepth(MaxPeriod - Lag)", "FifoDepth(MaxPeriod)", "u_shell.FifoDepth = 18, Python says 1"),
    ],
)
def test_another_constant_is_seen(module: str, old: str, new: str, says: str, tmp_path: Path) -> None:
    found = room("scalable_booth4_left")
    sources = []
    for source in found.sources:
        text = source.read_text()
        if source.stem in ("_".join(filter(None, (found.core.top, module))), f"mm_scalable_{module}"):
            assert text.count(old) == 1
            text = text.replace(old, new)
        sources.append(tmp_path / source.name)
        sources[-1].write_text(text)
    wrong = differences(found, build(found, width=256, word=16, pes=15), sources)
    assert any(says in line for line in wrong)


# --- lengths, cycles, chains and area -----------------------------------------------------------------


@each_core
def test_one_build_serves_every_length(room: Room, rng: random.Random) -> None:
    """From 32 to 4096 bits on one build, in any order, each with the timing of its length."""
    simulation = Simulation(room.of(build(room, width=4096, word=32, pes=16)), seed=rng.getrandbits(31))
    for length in rng.sample(LENGTHS, len(LENGTHS)):
        assert sum(checks.check_random(simulation, odd_modulus(rng, length), 20, rng)) >= 20
        assert cast(SystolicConfig, simulation.at).n == length


@pytest.mark.parametrize(
    ("room", "row"),
    TABLE_III,
    ids=[f"{r.core.slug}-p{row.options['Pes']}-n{row.width}" for r, row in TABLE_III],
)
def test_cycles_of_table_iii(room: Room, row: Published, rng: random.Random) -> None:
    """Case I and case II: counted on the hardware between multiplications, loading and unloading beside."""
    config = build(room, width=1024, word=row.options["Word"], pes=row.options["Pes"])
    simulation = Simulation(room.of(config), seed=rng.getrandbits(31))
    assert row.width is not None
    modulus = odd_modulus(rng, row.width)
    simulation.load(modulus)
    operands = [rng.randrange(modulus) for _ in range(12)]
    batch = simulation.run(operands, operands[::-1])
    assert set(batch.intervals[room.core.interface.in_flight(config) :].tolist()) == {row.cycles}
    assert room.core.algorithm.cycles(simulation.at) == row.cycles


@pytest.mark.parametrize(
    ("room", "unsigned"),
    [*((found, {}) for found in FAMILY), *((found, {"signed_m": 0}) for found in BOOTH)],
    ids=lambda value: value.core.slug if isinstance(value, Room) else "unsigned" if value else "",
)
def test_chain_without_final_subtraction(room: Room, unsigned: dict[str, int], rng: random.Random) -> None:
    """Results go back in as they are, and stay in the operands' range; a product with 1 ends the chain."""
    simulation = Simulation(room.of(build(room, width=128, word=8, pes=6, reduce=0, **unsigned)))
    for length in (128, 128, 127, 65):
        modulus = odd_modulus(rng, length)
        simulation.load(modulus)
        at = cast(SystolicConfig, simulation.at)
        domain = room.core.function.domain(at)
        limit = at.bound(modulus)
        value = base = domain.enter(modulus, rng.randrange(modulus))
        exact = base
        for _ in range(40):
            value = simulation.run([value], [value if rng.random() < 0.7 else limit - 1]).results[0]
            exact = value % modulus
            assert 0 <= value < limit
        squared = simulation.run([value], [value]).results[0]
        assert squared % modulus == domain.product(modulus, exact, exact)
        assert simulation.run([squared], [1]).results[0] % modulus == domain.product(modulus, squared, 1)


def test_order_of_flip_flops() -> None:
    """Table II, w = 16: right > radix 4 > left > parallel radix 2 >= improved radix 2, as printed."""
    ours = {}
    for found in filter(lambda found: found.core.origin.published, FAMILY):
        [line] = [row for row in printed(found.core.slug, "II") if row.published.options["Word"] == 16]
        ours[found.core.slug] = line.figure("ffs").ours or 0
    order = ("booth4_right", "radix4", "booth4_left", "radix2_parallel", "radix2")
    assert sorted(ours, key=lambda slug: -ours[slug]) == [f"scalable_{name}" for name in order]


@pytest.mark.parametrize("slug", [found.core.slug for found in BOOTH])
def test_element_takes_no_more_than_printed(slug: str) -> None:
    """Table II: LUTs and flip-flops of an element, for every word length."""
    lines = printed(slug, "II")
    assert [line.published.options["Word"] for line in lines] == [4, 8, 16]
    for line in lines:
        for name in ("luts", "ffs"):
            ratio = line.figure(name).ratio
            assert ratio is not None and ratio <= 1, line


@pytest.mark.long
@pytest.mark.parametrize("slug", [found.core.slug for found in BOOTH])
def test_kernel_takes_no_more_than_printed(slug: str) -> None:
    """Table III: kernel and controller for 16, 32 and 64 elements."""
    lines = printed(slug, "III")
    assert len(lines) == 6
    for line in lines:
        for name in ("luts", "ffs"):
            ratio = line.figure(name).ratio
            assert ratio is not None and ratio <= 1, line


@pytest.mark.long
@pytest.mark.parametrize("slug", [found.core.slug for found in FAMILY if not found.core.origin.published])
def test_area_where_the_paper_prints_none(slug: str) -> None:
    """The marked table of the README."""
    found = room(slug)
    readme = (found.path / "README.md").read_text(encoding="utf-8")
    block = readme.split("<!-- begin areas:")[1].split("<!-- end areas -->")[0]
    rows = re.findall(r"^\| (element|kernel).*?, (?:w|p) = (\d+) \| (\d+) \| (\d+) \|", block, re.MULTILINE)
    assert [name for name, *_ in rows] == [ELEMENT, ARRAY]
    for name, number, luts, ffs in rows:
        config = build(found, width=1024, word=16, pes=int(number))
        [(_, result)] = measure([Job(found.block(config, name), chip("virtex2"))])
        assert isinstance(result, Measurement)
        assert (result.area.luts, result.area.ffs) == (int(luts), int(ffs))
