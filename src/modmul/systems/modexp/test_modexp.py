# SPDX-License-Identifier: Apache-2.0
"""modexp: exponents of every kind and length, full size on every core, and what the system costs in time."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from modmul.core import Config, Polynomial
from modmul.moduli import NAMED
from modmul.registry import Room, on, room, rooms
from modmul.systems.modexp.system import Modexp, bare, latency_of
from modmul.use.power import build, operate
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation


@pytest.fixture
def rng() -> random.Random:
    return random.Random(11)


P512 = 2**512 - 569
"""A prime."""


@pytest.mark.parametrize(
    "core",
    [
        pytest.param(slug, marks=[pytest.mark.long] if each.core.builds.longest_in_test < 512 else [])
        for slug, each in rooms().items()
    ],
)
def test_full_size(core: str, rng: random.Random) -> None:
    """512 bits, an exponent as long as the modulus: x^(p-1) = 1, and a composite modulus, or the one."""
    made = build("modexp", core, 512)
    found, config = made.room, made.config
    assert isinstance(config, Modexp)
    simulation = Simulation(found.of(config))
    x = rng.randrange(2, P512)
    cases = [(P512, P512 - 1), (rng.getrandbits(512) | 1 | 1 << 511, rng.getrandbits(512))]
    only = room(core).core.function.only_modulus(config.inner)
    for modulus, power in [(only, rng.getrandbits(512))] if only else cases:
        simulation.load(modulus)
        batch = simulation.run([x % modulus], [power])
        assert found.core.function.accepts(simulation.at, modulus, pow(x, power, modulus), batch.results[0])
        assert batch.latencies.tolist() == [found.core.interface.latency(simulation.at)]
        if modulus == P512:
            assert batch.results[0] % modulus == 1


@pytest.mark.parametrize("core", ["imml_booth4", "montgomery_csa1", "fips"])
def test_exponents(core: str, rng: random.Random) -> None:
    """0, 1, all ones, one bit, for lengths below, at and above the operands'; x = 0, 1, M-1, M."""
    made = build("modexp", core, 40, {"ExponentBits": 70})
    found, config = made.room, made.config
    for length in (1, 2, 17, 39, 40, 41, 64, 65, 70):
        running = config.running(length=length)
        simulation = Simulation(found.of(running))
        for modulus in checks.interesting_moduli(found.of(config), rng, 3):
            simulation.load(modulus)
            at = simulation.at
            assert at.beats * at.word >= max(length, modulus.bit_length() - 1)
            bases = checks.corner_operands(found.of(running), modulus)
            powers = [0, 1, 2**length - 1, 1 << (length - 1), rng.getrandbits(length)]
            pairs = [(x, e) for x in (bases[0], bases[1], bases[-2], bases[-1]) for e in powers]
            checks.check_batch(simulation, modulus, [x for x, _ in pairs], [e for _, e in pairs])


def test_polynomials(rng: random.Random) -> None:
    """A field's element to the order of its group is 1."""
    b163 = Polynomial(2**163 + 0b11001001)
    made = build("modexp", "fips", 163, {"ExponentBits": 164})
    found, config = made.room, made.config
    x = rng.getrandbits(163) | 1
    assert operate(found.of(config), b163, x, 2**163 - 1).value == 1
    assert operate(found.of(config), b163, x, 2**163).value == x


@pytest.mark.parametrize("core", ["imml_booth4", "montgomery_csa2", "scalable_booth4_left"])
@pytest.mark.parametrize("window", [1, 2])
def test_variable_time(core: str, window: int, rng: random.Random) -> None:
    """Right for every exponent, and as fast as it has digits of 0; the metadata hold without any."""
    made = build("modexp", core, 24, {"VariableTime": 1, "Window": window})
    found, config = made.room, made.config
    modulus = 0xFFFFFB
    simulation = Simulation(found.of(config))
    simulation.load(modulus)
    at = simulation.at
    assert isinstance(at, Modexp)
    powers = [0xFFFFFF, 0x555555, 0x555554, 0x800000, 1, 0, *(rng.getrandbits(24) for _ in range(50))]
    xs = [rng.randrange(modulus) for _ in powers]
    batch = simulation.run(xs, powers)
    assert batch.results == [pow(x, e, modulus) for x, e in zip(xs, powers, strict=True)]
    assert batch.latencies.tolist() == [latency_of(at, power) for power in powers]
    assert latency_of(at, powers[0]) == found.core.interface.latency(at) > latency_of(at, 0)
    with pytest.raises(VerificationError, match="latency"):
        checks.check_batch(simulation, modulus, [3], [0x800000])


@pytest.mark.parametrize("core", list(rooms()))
@pytest.mark.parametrize("width", [1024, 2048])
def test_overhead(core: str, width: int) -> None:
    """At most 5 % more than the bare multiplications one after the other, each loaded and unloaded."""
    made = build("modexp", core, width)
    found, config = made.room, made.config
    assert isinstance(config, Modexp)
    assert found.core.interface.latency(config) <= 1.05 * bare(config)


def test_what_is_refused() -> None:
    for settings, reason in (
        ({"Window": 7}, "window must be 1 to 6"),
        ({"Window": -1}, "window must be 1 to 6"),
        ({"ExponentBits": -3}, "exponent_bits must be at least 1"),
        ({"VariableTime": 2}, "variable_time must be 0 or 1"),
        ({"Foo": 1}, "no parameter 'Foo'"),
    ):
        with pytest.raises(ValueError, match=reason):
            build("modexp", "imml_booth4", 16, settings)
    with pytest.raises(ValueError, match="no system named 'modexq'"):
        on("modexq", "fips")
    made = build("modexp", "imml_booth4", 16)
    found, config = made.room, made.config
    with pytest.raises(ValueError, match="exponents of 17 bits are longer"):
        config.running(length=17)
    with pytest.raises(ValueError, match="exponents of this build have up to 16 bits"):
        operate(found.of(config), 65521, 3, 1 << 16)
    with pytest.raises(ValueError, match="operands of modexp:imml_booth4 lie in"):
        operate(found.of(config), 65521, 70000, 3)


# --- what the exponent must not show in, and mutants that only one of these checks finds --------------

ADDRESSES = (
    *("state_q", "feed_q", "s_write", "select_start"),
    *("u_frame.feed_beat_o", "u_frame.a_write", "u_frame.a_beat", "u_frame.e_beat"),
    *("u_table.read_addr", "u_table.write_addr", "u_table.write_i"),
)
"""What decides which words of A, S, E and T are read and written, and when."""


def addresses(found: Room, config: Config, rng: random.Random) -> list[list[dict[str, int]]]:
    """:data:`ADDRESSES` in every cycle of operations with different bases and exponents."""
    signals = {name: name for name in ADDRESSES}
    traced = replace(found, core=found.core.changed(trace=lambda _config: signals))
    simulation = Simulation(traced.of(config))
    simulation.load(0xFFFFFFFFA9)
    powers = (0, 2**40 - 1, 2**39, rng.getrandbits(40))
    simulation.multiply(3, 5)  # the first operation finds some registers as the context has left them
    return [simulation.follow(rng.getrandbits(39), e)[1:] for e in powers]


@pytest.mark.parametrize("core", ["imml_booth4", "montgomery_csa2", "scalable_radix4"])
def test_addresses(core: str, rng: random.Random) -> None:
    """The same in every cycle for every exponent."""
    made = build("modexp", core, 40, {"Window": 3})
    found, config = made.room, made.config
    runs = addresses(found, config, rng)
    assert all(run == runs[0] for run in runs)
    assert len({state["u_table.read_addr"] for state in runs[0]}) > 8


def test_a_table_that_is_read_from_the_entry_on(tmp_path: Path, rng: random.Random) -> None:
    """As right and as fast as the table that is read from 0 on: only the addresses tell."""
    made = build("modexp", "montgomery_csa2", 40, {"Window": 3})
    found, config = made.room, made.config
    other = mutant(
        found,
        tmp_path,
        "mm_sys_modexp_table",
        "entry_q <= all_i ? '0 : index_i;",
        "entry_q <= index_i;",
    )
    source = other.path / "mm_sys_modexp_table.sv"
    text = source.read_text()
    for right, wrong in (
        ("assign first = ~all_q | (entry_q == '0);", "assign first = ~all_q | (entry_q == index_q);"),
        ("assign hit   = entry_q == index_q;", "assign hit   = entry_q == index_q;"),
        (
            "assign whole = ~all_q | (entry_q == LastScanned);",
            "assign whole = ~all_q | (entry_q == (index_q - 1'b1 & LastScanned));",
        ),
        (
            "if (all_q) entry_q <= whole ? '0 : entry_q + 1'b1;",
            "if (all_q) entry_q <= entry_q + 1'b1 & LastScanned;",
        ),
    ):
        assert text.count(right) == 1
        text = text.replace(right, wrong)
    source.write_text(text)
    simulation = Simulation(other.of(config))
    assert sum(checks.check_random(simulation, 0xFFFFFFFFA9, 30, rng)) >= 30
    runs = addresses(other, config, rng)
    assert any(run != runs[0] for run in runs)


@pytest.mark.parametrize(
    ("file", "right", "wrong", "found_by"),
    [
        # Step 5: the last digit has fewer bits, and as many squares.
        (
            "mm_sys_modexp",
            "if (square_q + 1'b1 == size_q) begin",
            "if (square_q + 1'b1 == SizeBits'(Window)) begin",
            "no progress",
        ),
        # Step 6: digits of 0 are multiplied with as others.
        ("mm_sys_modexp", "if ((VariableTime == 1) && zero_q) begin", "if (zero_q) begin", "latency"),
        # Steps 4 and 6: every entry is read.
        ("mm_sys_modexp", "select_digit & (VariableTime == 0);", "1'b0;", "latency"),
        # Steps 2, 3 and 6: a product does not wait for the whole of S.
        ("mm_sys_modexp", "& (~from_s | s_ready_q)", "& (~from_s | 1'b1)", "right"),
    ],
)
def test_mutants(
    file: str, right: str, wrong: str, found_by: str, tmp_path: Path, rng: random.Random
) -> None:
    made = build("modexp", "montgomery_csa2", 40, {"Window": 3})
    found, config = made.room, made.config
    wrong_one = mutant(found, tmp_path, file, right, wrong)
    simulation = Simulation(wrong_one.of(config))
    with pytest.raises((VerificationError, ProtocolError), match=found_by):
        for _ in checks.check_random(simulation, 0xFFFFFFFFA9, 40, rng):
            pass


@pytest.mark.parametrize("system", ["modexp", "ladder"])
def test_the_modulus_picks_the_build_of_a_core_for_one(system: str) -> None:
    """In place of the core's usual one."""
    for name in ("p256", "secp256k1"):
        modulus = NAMED[name].value
        found = build(system, "sparse_prime", 256, {"ExponentBits": 3}, modulus)
        assert found.config.options()["Modulus"] == modulus
        found.check(modulus)
    with pytest.raises(ValueError, match="at most a third"):
        build(system, "sparse_prime", 256, None, (1 << 255) + 95)
