# SPDX-License-Identifier: Apache-2.0
"""What the contract tests cannot know of rsa_crt: keys, options, blinding, faults."""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import modmul.registry
import modmul.room
from modmul.core import Config, Core, RsaKey, socket
from modmul.registry import SystemRoom, on
from modmul.systems.keys import examples
from modmul.systems.rsa_crt.system import RsaCrt
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

PARALLEL, SERIAL = "imml_booth8", "montgomery_csa2"
ONE_MODULUS = tuple(name for name, room in modmul.registry.rooms().items() if room.wing == "fixed_modulus")


@pytest.fixture
def rng() -> random.Random:
    return random.Random(1)


def build(core: str, width: int, **settings: Any) -> tuple[SystemRoom, RsaCrt]:
    """The default build of a width, with some of its fields changed."""
    found = on("rsa_crt", core)
    config = found.core.builds.at(width)[0]
    assert isinstance(config, RsaCrt)
    return found, replace(config, **settings)


def keys(config: RsaCrt, count: int, rng: random.Random) -> Iterator[RsaKey]:
    """Keys of random primes."""
    while count:
        p, q = (_random_prime(config.half, rng) for _ in range(2))
        try:
            key = RsaKey(p, q, rng.choice((3, 5, 17, 257)))
            yield key
            count -= 1
        except ValueError:
            continue


def _random_prime(bits: int, rng: random.Random) -> int:
    while True:
        number = rng.getrandbits(bits) | 1 << (bits - 1) | 1
        if all(pow(base, number - 1, number) == 1 for base in (2, 3, 5, 7)):
            return number


def check_key(simulation: Simulation, key: RsaKey, count: int, rng: random.Random) -> int:
    """Random operands: right, and in the time that the metadata say."""
    simulation.load(key)
    xs, ys = ([rng.randrange(key) for _ in range(count)] for _ in range(2))
    return checks.check_batch(simulation, key, xs, ys)


# --- keys -----------------------------------------------------------------------------------------


def test_keys() -> None:
    key = RsaKey(61, 53, 17)
    assert (key, key.p, key.q, key.d, key.inverse) == (3233, 61, 53, 413, 38)
    assert RsaKey(61, 53, 17, d=2753).d == 2753


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ((61, 61, 17), "must be different"),
        ((60, 53, 17), "must be odd"),
        ((61, 67, 17), "same length, these have 6 and 7 bits"),
        ((57, 51, 17), "common factor"),
        ((61, 53, 3), "e has a common factor"),
        ((61, 53, 17, 414), "d does not belong to e"),
    ],
)
def test_no_keys(numbers: tuple[int, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        RsaKey(*numbers)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (0x8071, "a whole RSA key"),
        (RsaKey(61, 53, 17), "primes of exactly 8 bits, these have 6; take --width 12"),
        (RsaKey(251, 131, 257), "must not be longer than the 8 bits of a prime, it has 9"),
    ],
)
def test_keys_that_a_build_cannot_serve(key: int, reason: str) -> None:
    found, config = build(PARALLEL, 16)
    with pytest.raises(ValueError, match=reason):
        found.core.function.check(config, key)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"width": 15}, "width must be even"),
        ({"width": 18}, "must be 9 bits wide"),
        ({"blind": 9}, "blind must be 0 to 8 bits"),
        ({"blind_message": 2}, "blind_message must be 0 or 1"),
        ({"check": 2}, "check must be 0 or 1"),
        ({"engines": 3}, "engines must be 1 or 2"),
        ({"public": 9}, "longer than the 8 of a prime"),
        ({"window": 7}, "window must be 1 to 6"),
    ],
)
def test_no_builds(settings: dict[str, Any], reason: str) -> None:
    _, config = build(PARALLEL, 16)
    with pytest.raises(ValueError, match=reason):
        replace(config, **settings)


def test_words_divide_the_primes() -> None:
    assert build(SERIAL, 80)[1].word == 20
    with pytest.raises(ValueError, match="no words of this core divide the 10 bits"):
        build("scalable_radix2", 20)


# --- right, and in time ---------------------------------------------------------------------------

OPTIONS: tuple[dict[str, int], ...] = (
    {},
    {"engines": 1},
    {"blind": 0},
    {"blind_message": 0},
    {"check": 0},
    {"engines": 1, "blind": 0, "blind_message": 0, "check": 0},
)


def tiny(core: str, settings: dict[str, int], rng: random.Random) -> int:
    """Every c of every key of the examples at four bits a prime."""
    found, config = build(core, 8, **settings)
    simulation = Simulation(found.of(config))
    total = 0
    for key in examples(config):
        simulation.load(key)
        xs = list(range(key + 1))
        ys = [rng.randrange(1 << config.width) for _ in xs]
        total += checks.check_batch(simulation, key, xs, ys)
    return total


@pytest.mark.parametrize(
    ("core", "settings"),
    [(PARALLEL, OPTIONS[0]), (SERIAL, OPTIONS[1]), (SERIAL, OPTIONS[5])],
)
def test_every_operand(core: str, settings: dict[str, int], rng: random.Random) -> None:
    assert tiny(core, settings, rng) == 2 * 144


@pytest.mark.long
@pytest.mark.parametrize("settings", OPTIONS)
@pytest.mark.parametrize("core", [PARALLEL, "imml_booth4", SERIAL, "montgomery_csa1", "scalable_radix2"])
def test_every_operand_with_all_options(core: str, settings: dict[str, int], rng: random.Random) -> None:
    assert tiny(core, settings, rng) == 2 * 144


@pytest.mark.parametrize(
    ("core", "width", "settings"),
    [
        (SERIAL, 128, {"blind": 20}),
        ("imml_booth4", 128, {"engines": 1, "blind": 64}),
        pytest.param("fips", 128, {"blind": 40, "window": 3}, marks=pytest.mark.long),
        pytest.param("scalable_booth4_left", 256, {"blind": 30}, marks=pytest.mark.long),
        pytest.param("scalable_booth4_right", 512, {}, marks=pytest.mark.long),
        pytest.param("montgomery_csa1", 512, {"engines": 1}, marks=pytest.mark.long),
        pytest.param("fmlm3", 256, {}, marks=pytest.mark.long),
    ],
)
def test_random_keys(core: str, width: int, settings: dict[str, int], rng: random.Random) -> None:
    """Keys of all lengths of e in turn: right, and all of one length in the same time."""
    found, config = build(core, width, **settings)
    simulation = Simulation(found.of(config))
    assert sum(check_key(simulation, key, 4, rng) for key in keys(config, 4, rng)) == 16
    [limit] = keys(config, 1, rng)
    simulation.load(limit)
    ones = (1 << width) - 1
    assert simulation.run([limit - 1, limit - 1], [0, ones]).results == [limit - 1, limit - 1]


def shortest(core: str) -> tuple[SystemRoom, RsaCrt]:
    """The build for the shortest of some keys whose primes are whole words of the core."""
    for width in (16, 32):
        with suppress(ValueError):
            return build(core, width)
    return build(core, 36)


@pytest.mark.long
@pytest.mark.parametrize("core", [core for core in modmul.registry.rooms() if core not in ONE_MODULUS])
def test_every_core(core: str, rng: random.Random) -> None:
    found, config = shortest(core)
    for one in (config, replace(config, engines=1)):
        simulation = Simulation(found.of(one))
        for key in islice(examples(config), 3):
            assert sum(checks.check_random(simulation, key, 40, rng)) >= 40


@pytest.mark.parametrize("core", ONE_MODULUS)
def test_a_core_for_one_modulus_is_refused(core: str) -> None:
    with pytest.raises(ValueError, match=f"two primes, and this build of {core} serves one modulus"):
        build(core, 64)


def test_results_above_the_modulus(rng: random.Random) -> None:
    """A core that leaves out its last subtraction, where the system adds it."""
    found, config = build("scalable_radix2", 16)
    config = config.with_parameters({"Reduce": 0})
    simulation = Simulation(found.of(config))
    for key in islice(examples(config), 2):
        assert sum(checks.check_random(simulation, key, 40, rng)) >= 40


# --- the contract ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("core", "engines", "width"),
    [
        (PARALLEL, 2, 12),
        (SERIAL, 1, 12),
        *(
            pytest.param(core, engines, 16, marks=pytest.mark.long)
            for core in ("scalable_booth4_left", "fips")
            for engines in (1, 2)
        ),
    ],
)
def test_contract(core: str, engines: int, width: int, rng: random.Random) -> None:
    """Idle cycles and back-pressure, resets, contexts, illegal ones too, and what registers hold at first."""
    found, config = build(core, width, engines=engines)
    simulation = Simulation(found.of(config))
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    assert len(moduli) == 4
    assert len(found.core.illegal_contexts(config)) >= 2
    assert checks.check_back_pressure(simulation, moduli[0], 8, rng) == 40
    assert checks.check_reset(simulation, moduli, rng) >= 10
    assert checks.check_context(simulation, moduli, rng) >= 3
    assert checks.check_operands(simulation, moduli, rng) >= 6
    assert checks.check_paths(simulation, moduli, rng) >= 1
    assert checks.check_power_up(found.of(config), moduli, range(10)) >= 30


# --- blinding -------------------------------------------------------------------------------------

GIVEN = ("give_q", "valid_q", "power_q", "half_q2", "engine_in_ready", "row_q", "a_word", "b_word")


def given(simulation: Simulation, x: int, y: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Row of the program and half to the two numbers that the engine of the half gets."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    places: dict[tuple[int, int], int] = {}
    row, before = 0, False
    for state in simulation.follow(x, y):
        if state["give_q"] and state["valid_q"] and state["engine_in_ready"]:
            if not before:
                row = state["row_q"]
            key = row, state["half_q2"]
            place = places.get(key, 0)
            places[key] = place + simulation.config.word
            a, b = found.get(key, (0, 0))
            found[key] = a | state["a_word"] << place, b | state["b_word"] << place
            before = True
        else:
            before = False
    return found


def traced(found: SystemRoom, *signals: str) -> SystemRoom:
    """A room that traces signals of the top module."""
    return replace(found, core=found.core.changed(trace=lambda _config: {name: name for name in signals}))


def check_blinding(found: SystemRoom, config: RsaCrt, rng: random.Random) -> None:
    """What the engines raise to what: both are blinded, with other numbers in each operation."""
    simulation = Simulation(traced(found, *GIVEN).of(config))
    [key] = keys(config, 1, rng)
    simulation.load(key)
    factors: dict[int, int] = {}
    for _ in range(3):
        c, y = rng.randrange(key), rng.getrandbits(32)
        powers = [value for (_, _), value in sorted(given(simulation, c, y).items())]
        assert powers
        for half, prime in enumerate(key.halves):
            r = y >> half * config.half & (1 << config.blind) - 1
            exponent = key.d % (prime - 1) + r * (prime - 1)
            assert exponent in [b for _, b in powers]
            [base] = [a for a, b in powers if b == exponent]
            factor = base * pow(c, -1, prime) % prime
            assert factor == factors.get(half, factor)
            assert factor not in (0, 1)
            factors[half] = factor * factor % prime


def test_blinding(rng: random.Random) -> None:
    check_blinding(*build(PARALLEL, 32, blind=11), rng)


# --- faults ---------------------------------------------------------------------------------------


def with_faults(monkeypatch: pytest.MonkeyPatch, low_word: int | None) -> None:
    """Cores with a fault: a bit flips of the operation whose number is that of the engine's resets so far.

    Args:
        low_word: of the modulus of the cores that have it; ``None`` for all.
    """

    def text(core: Core, config: Config) -> str:
        right = socket(core, config)
        ports = right[right.index("`default_nettype") : right.index(");\n")]
        wrong = "1'b1" if low_word is None else f"modulus_q == {config.word}'d{low_word}"
        return f"""\
{right.replace("mm_sys_core", "mm_sys_right_core")}
{ports});

  logic [15:0] number_q, reset_q = 16'd0;
  logic [7:0]  beat_q;
  logic        first_q;
  logic [{config.word - 1}:0] modulus_q, z;

  always_ff @(negedge rst_ni) reset_q <= reset_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q <= '0;
      beat_q   <= '0;
      first_q  <= 1'b1;
    end else begin
      if (ctx_valid_i && ctx_ready_o) first_q <= 1'b0;
      if (out_valid_o && out_ready_i) begin
        beat_q <= beat_q == 8'd{config.beats - 1} ? '0 : beat_q + 1'b1;
        if (beat_q == 8'd{config.beats - 1}) number_q <= number_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) if (first_q && ctx_valid_i && ctx_ready_o) modulus_q <= ctx_data_i;

  mm_sys_right_core u_right (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o,
    .x_i, .y_i, .square_i, .chain_i, .keep_i, .out_valid_o, .out_ready_i, .z_o(z)
  );

  assign z_o = (number_q == reset_q) && (beat_q == '0) && ({wrong})
             ? z ^ ({config.word}'d1 << (reset_q % 16'd{config.word})) : z;

endmodule

`default_nettype wire
"""

    monkeypatch.setattr(modmul.room, "socket", text)


def outcomes(simulation: Simulation, key: RsaKey, count: int, rng: random.Random) -> dict[str, int]:
    """Operations, each behind a new context: how many were right, wrong, or ended in an error alone."""
    found = {"right": 0, "wrong": 0, "error": 0}
    for _ in range(count):
        simulation.load(key)
        simulation.edge(2)
        assert not simulation.peek("ctx_error_o")
        x, y = rng.randrange(key), rng.randrange(key)
        try:
            right = simulation.multiply(x, y) == pow(x, key.d, key)
            found["right" if right else "wrong"] += 1
        except ProtocolError:
            assert simulation.peek("ctx_error_o")
            assert not simulation.peek("out_valid_o")
            found["error"] += 1
    return found


KEY = RsaKey(251, 137, 7)


def check_faults(found: SystemRoom, config: RsaCrt, rng: random.Random) -> None:
    """A bit flips in each operation of the core in turn; then the next operations are right again."""
    count = outcomes(Simulation(found.of(config)), KEY, 150 if config.engines == 1 else 75, rng)
    assert count["wrong"] == 0
    assert count["error"] >= 30
    assert count["right"] >= 10


@pytest.mark.parametrize(
    ("core", "engines", "half"),
    [(SERIAL, 1, None), (PARALLEL, 2, 0), pytest.param(PARALLEL, 2, 1, marks=pytest.mark.long)],
)
def test_no_fault_gets_out(
    core: str, engines: int, half: int | None, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    with_faults(monkeypatch, None if half is None else KEY.halves[half])
    check_faults(*build(core, 16, engines=engines), rng)


def test_faults_get_out_unchecked(monkeypatch: pytest.MonkeyPatch, rng: random.Random) -> None:
    """The same without the check, so that the test above says something."""
    found, config = build(PARALLEL, 16, check=0)
    with_faults(monkeypatch, KEY.p)
    count = outcomes(Simulation(found.of(config)), KEY, 60, rng)
    assert count["error"] == 0
    assert count["wrong"] >= 20
    assert count["right"] >= 10


def test_an_engine_that_refuses_later(rng: random.Random) -> None:
    """A header that only an operation meets: it ends in an error, and works again behind a new context."""
    found, config = build(PARALLEL, 16)
    simulation = Simulation(found.of(config))
    legal = found.core.interface.context(config.at(KEY), KEY)
    header = (3 + 2 * config.blind_message) * config.inner.beats
    half = (len(legal) - 2 * config.inner.beats) // 2
    for at in (header, half + header):
        simulation.load(KEY)
        simulation.load_words([*legal[:at], 0, *legal[at + 1 :]])
        simulation.edge(2)
        assert not simulation.peek("ctx_error_o")
        with pytest.raises(ProtocolError, match="no result"):
            simulation.multiply(5, 6)
        assert simulation.peek("ctx_error_o")
        assert not simulation.peek("in_ready_o")
        assert check_key(simulation, KEY, 5, rng) == 5


TOP, PROGRAM, ALU = "mm_sys_rsa_crt", "mm_sys_rsa_crt_program", "mm_sys_rsa_crt_alu"

END = """      default: ;
    endcase
  end

  assign stop_o = row_i == 6'd51;
"""


def left(found: SystemRoom, config: RsaCrt, number: str, folder: Path, rng: random.Random) -> set[int]:
    """What is in a number of the memory behind faults: a copy of the system gives it as its result."""
    row = f"      6'd51:   {{op, a, b, d}} = {{PUT, {number}, P, S}};\n"
    shown = mutant(found, folder, PROGRAM, END, row + END.replace("51", "52"))
    simulation = Simulation(shown.of(config))
    results = set()
    for _ in range(20):
        simulation.load(KEY)
        c = rng.randrange(KEY)
        z = simulation.multiply(c, 0)
        if z != pow(c, KEY.d, KEY):
            assert simulation.peek("ctx_error_o")
            results.add(z)
    return results


@pytest.mark.parametrize(
    "number", ["S", *(pytest.param(n, marks=pytest.mark.long) for n in ("X", "XQ", "Y", "C", "E"))]
)
def test_a_fault_leaves_nothing(
    number: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    with_faults(monkeypatch, KEY.p)
    assert left(*build(PARALLEL, 16), number, tmp_path, rng) == {0}


@pytest.mark.long
def test_what_a_fault_leaves_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    """Without the row that overwrites the result."""
    with_faults(monkeypatch, KEY.p)
    found, config = build(PARALLEL, 16)
    old = "Wipe:    begin {op, a, b, d} = {ZERO, P, P, S};"
    forgetful = mutant(found, tmp_path / "1", PROGRAM, old, old.replace("ZERO", "IDLE"))
    assert len(left(forgetful, config, "S", tmp_path / "2", rng)) > 5


# --- the tests above can fail ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (PROGRAM, "assign even_o   = (op == STEP) & (d == E);", "assign even_o   = 1'b0;"),
        pytest.param(ALU, "once  = ~fix_i | below_q;", "once  = ~fix_i;", marks=pytest.mark.long),
        pytest.param(
            PROGRAM,
            "6'd22:   begin {op, a, b, d} = {DIF",
            "6'd22:   begin {op, a, b, d} = {SUM",
            marks=pytest.mark.long,
        ),
        pytest.param(TOP, "grow_q <= grow_q + 1'b1;", "grow_q <= grow_q;", marks=pytest.mark.long),
    ],
)
def test_wrong_results_are_found(name: str, old: str, new: str, tmp_path: Path, rng: random.Random) -> None:
    found, config = build(PARALLEL, 16, check=0)
    simulation = Simulation(mutant(found, tmp_path, name, old, new).of(config))
    with pytest.raises(VerificationError, match="hardware says"):
        check_key(simulation, KEY, 20, rng)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (PROGRAM, "Mask = BlindMessage == 1;", "Mask = 1'b0;"),
        pytest.param(
            TOP,
            "multiplier = random_q ? drawn : a_word;",
            "multiplier = random_q ? '0 : a_word;",
            marks=pytest.mark.long,
        ),
        pytest.param(TOP, "half_q2 ? r_q : r_p", "r_p", marks=pytest.mark.long),
    ],
)
def test_missing_blinds_are_found(name: str, old: str, new: str, tmp_path: Path, rng: random.Random) -> None:
    found, config = build(PARALLEL, 32, blind=11)
    with pytest.raises(AssertionError):
        check_blinding(mutant(found, tmp_path, name, old, new), config, rng)


@pytest.mark.parametrize(
    ("name", "old", "new", "half"),
    [
        (TOP, "if (test && differs_q) row_q <= Wipe;", "", 0),
        pytest.param(
            TOP, "if (valid_q && same_q &&", "if (valid_q && same_q && half_q2 &&", 0, marks=pytest.mark.long
        ),
        pytest.param(
            TOP, "if (valid_q && same_q &&", "if (valid_q && same_q && ~half_q2 &&", 1, marks=pytest.mark.long
        ),
    ],
)
def test_missing_checks_are_found(
    name: str,
    old: str,
    new: str,
    half: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rng: random.Random,
) -> None:
    with_faults(monkeypatch, KEY.halves[half])
    found, config = build(PARALLEL, 16)
    with pytest.raises(AssertionError):
        check_faults(mutant(found, tmp_path, name, old, new), config, rng)
