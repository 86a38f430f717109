# SPDX-License-Identifier: Apache-2.0
"""RSA with the Chinese remainder theorem: keys, options, blinding, faults."""

import random
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from engine_program import differences, seen, written

import modmul.registry
import modmul.room
from modmul.core import Config, Core, RsaKey, socket
from modmul.registry import SystemRoom, on
from modmul.systems.keys import examples
from modmul.systems.rsa_crt import system as rsa_crt
from modmul.systems.rsa_crt.system import RsaCrt
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.faults import strikes
from modmul.verify.mutant import mutant
from modmul.verify.registers import registers
from modmul.verify.simulation import Fault, Simulation

WORDS, WHOLE = "montgomery_csa2", "imml_booth8"
BINARY = tuple(name for name, room in modmul.registry.rooms().items() if room.wing == "binary")
ONE_MODULUS = tuple(
    name
    for name, room in modmul.registry.rooms().items()
    if name not in BINARY and room.core.function.only_modulus(room.core.builds.at(32)[0])
)


@pytest.fixture
def rng() -> random.Random:
    return random.Random(1)


def build(core: str, width: int, primes: int = 0, **settings: Any) -> tuple[SystemRoom, RsaCrt]:
    """The default build of a width, for so many primes if that is said, some of its fields changed."""
    found = on("rsa_crt", core)
    config = found.core.builds.at(width)[0].with_parameters({"Primes": primes} if primes else {})
    assert isinstance(config, RsaCrt)
    if settings:
        config = replace(config, digit=0, **settings)
    return found, config


def keys(config: RsaCrt, count: int, rng: random.Random) -> Iterator[RsaKey]:
    """Keys of random primes, of all lengths that the build serves: the shortest one is always there."""
    n, least = config.half, config.half - config.shorter
    while count:
        lengths = [least]
        while len(lengths) < config.primes:
            lengths.append(rng.choice((n, rng.randint(least, n - 2))) if config.shorter else n)
        rng.shuffle(lengths)
        p, q, *more = (_random_prime(bits, rng) for bits in lengths)
        try:
            key = RsaKey(p, q, rng.choice((3, 5, 17, 257)), more=more)
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
    assert (key, key.p, key.q, key.d, key.primes) == (3233, 61, 53, 413, (61, 53))
    assert RsaKey(61, 53, 17, d=2753).d == 2753
    assert (RsaKey(61, 131, 17).lengths, RsaKey(61, 131, 17).bits) == ((6, 8), 8)
    key = RsaKey(61, 53, 17, more=[59])
    assert (key, key.d, key.bits, key.primes) == (61 * 53 * 59, pow(17, -1, 60 * 13 * 29), 6, (61, 53, 59))
    again = copy(key)
    assert (again, again.primes, again.d) == (key, key.primes, key.d)


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ((61, 53, 17, 0, [61]), "the primes must be different"),
        ((61, 53, 17, 0, [58]), "the primes must be odd primes"),
        ((61, 53, 17, 0, [55, 33]), "the primes have a common factor"),
        ((61, 53, 29, 0, [59]), "e has a common factor with a prime less 1"),
        ((61, 61, 17), "must be different"),
        ((60, 53, 17), "must be odd"),
        ((57, 51, 17), "common factor"),
        ((61, 53, 3), "e has a common factor"),
        ((61, 53, 17, 414), "d does not belong to e"),
    ],
)
def test_no_keys(numbers: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        RsaKey(*numbers)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (0x8071, "a whole RSA key"),
        (RsaKey(61, 53, 17), "primes of exactly 8 bits, these have 6; take --width 12"),
        (RsaKey(61, 131, 17), "of exactly 8 bits, these have 6 and 8; take --width 20 --set Shorter=4"),
        (RsaKey(251, 131, 257), "e of 9 bits is longer than the 8 of a prime"),
        (RsaKey(61, 53, 17, more=[59]), "keys of 2 primes, this one has 3; take Primes=3"),
    ],
)
def test_keys_that_a_build_cannot_serve(key: int, reason: str) -> None:
    found, config = build(WORDS, 16)
    with pytest.raises(ValueError, match=reason):
        found.core.function.check(config, key)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"width": 20}, "must be 10 bits wide"),
        ({"blind": 10}, "blind must be an even number from 0 to 8 bits"),
        ({"blind": 3}, "blind must be an even number from 0 to 8 bits"),
        ({"blind_message": 2}, "blind_message must be 0 or 1"),
        ({"check": 2}, "check must be 0 or 1"),
        ({"public": 9}, "longer than the 8 of a prime"),
        ({"digit": 7}, "window must be 1 to 6"),
        ({"shorter": 7}, "shorter must be 0 to 6 bits"),
        ({"shorter": -1}, "shorter must be 0 to 6 bits"),
        ({"primes": 5}, "primes must be 2, 3 or 4"),
        ({"primes": 4}, "must be 4 bits wide, a quarter of 16"),
    ],
)
def test_no_builds(settings: dict[str, Any], reason: str) -> None:
    _, config = build(WORDS, 16)
    with pytest.raises(ValueError, match=reason):
        replace(config, **settings)


def test_no_widths() -> None:
    with pytest.raises(ValueError, match="width must be even"):
        build(WORDS, 17)
    with pytest.raises(ValueError, match="width must be three times"):
        build(WORDS, 16, primes=3)
    assert build(WORDS, 15)[1] == build(WORDS, 15, primes=3)[1]


@pytest.mark.parametrize("core", ONE_MODULUS)
def test_a_core_for_one_modulus_is_refused(core: str) -> None:
    with pytest.raises(ValueError, match=f"this build of {core} serves one modulus"):
        build(core, 64)


@pytest.mark.parametrize("core", BINARY)
def test_a_core_for_polynomials_is_refused(core: str) -> None:
    with pytest.raises(ValueError, match=rf"{core} computes in GF\(2\^m\) alone"):
        build(core, 64)


# --- right, and in time ---------------------------------------------------------------------------

OPTIONS: tuple[dict[str, int], ...] = (
    {},
    {"blind": 0},
    {"blind_message": 0},
    {"check": 0},
    {"blind": 0, "blind_message": 0, "check": 0},
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
    ("core", "settings"), [(WORDS, OPTIONS[0]), pytest.param(WHOLE, OPTIONS[4], marks=pytest.mark.long)]
)
def test_every_operand(core: str, settings: dict[str, int], rng: random.Random) -> None:
    assert tiny(core, settings, rng) == 2 * 144


@pytest.mark.long
@pytest.mark.parametrize("settings", OPTIONS)
@pytest.mark.parametrize("core", [WHOLE, "imml_booth4", WORDS, "montgomery_csa1", "scalable_radix2"])
def test_every_operand_with_all_options(core: str, settings: dict[str, int], rng: random.Random) -> None:
    assert tiny(core, settings, rng) == 2 * 144


@pytest.mark.parametrize(
    ("core", "width", "settings"),
    [
        ("rrm", 128, {"blind": 20}),
        ("montgomery_dsp", 80, {"blind": 18}),  # 36 of 40 bits in a word: numbers are longer than primes
        (WORDS, 42, {}),  # primes of an odd length, that of the words
        pytest.param("rrm", 74, {"blind": 16}, marks=pytest.mark.long),  # one that words do not divide
        pytest.param(WHOLE, 46, {"engine_word": 5}, marks=pytest.mark.long),
        pytest.param("fips", 128, {"blind": 40}, marks=pytest.mark.long),
        pytest.param("imml_booth4", 192, {"blind": 64}, marks=pytest.mark.long),
        pytest.param("scalable_booth4_left", 256, {"blind": 30}, marks=pytest.mark.long),
        pytest.param("montgomery_csa1", 512, {"cores": 2}, marks=pytest.mark.long),
        pytest.param("fmlm3", 256, {}, marks=pytest.mark.long),
        (WORDS, 63, {"primes": 3}),
        pytest.param(
            "rrm", 111, {"primes": 3}, marks=pytest.mark.long
        ),  # longer than words, of which there are 3
        pytest.param("montgomery_dsp", 148, {"primes": 4}, marks=pytest.mark.long),
        pytest.param(WHOLE, 92, {"primes": 4, "engine_word": 5}, marks=pytest.mark.long),
        pytest.param("fips", 192, {"primes": 3, "blind": 40}, marks=pytest.mark.long),
        pytest.param("montgomery_csa1", 256, {"primes": 4, "cores": 2}, marks=pytest.mark.long),
        pytest.param("fmlm3", 384, {"primes": 3}, marks=pytest.mark.long),
    ],
)
def test_random_keys(core: str, width: int, settings: dict[str, int], rng: random.Random) -> None:
    """Keys of all lengths of e in turn: right, and all of one length in the same time."""
    found, config = build(core, width, **settings)
    simulation = Simulation(found.of(config))
    assert sum(check_key(simulation, key, 3, rng) for key in keys(config, 3, rng)) == 9
    [limit] = keys(config, 1, rng)
    simulation.load(limit)
    ones = (1 << width) - 1
    assert simulation.run([limit - 1, limit - 1], [0, ones]).results == [limit - 1, limit - 1]


@pytest.mark.parametrize(
    ("core", "width", "word"),
    [
        (WORDS, 160, 8),
        pytest.param("rrm", 256, 8, marks=pytest.mark.long),
        pytest.param("rrm_split", 768, 32, marks=pytest.mark.long),
    ],
)
def test_numbers_of_many_words(core: str, width: int, word: int, rng: random.Random) -> None:
    """Ten words or more: the first ones are used while the last ones are on their way."""
    found, config = build(core, width)
    config = config.with_parameters({"Word": word})
    assert config.number >= 10
    simulation = Simulation(found.of(config))
    assert sum(check_key(simulation, key, 2, rng) for key in keys(config, 2, rng)) == 4


def check_larger(core: str, width: int, primes: int, settings: dict[str, int], rng: random.Random) -> int:
    """Results above p: of random operands, and of multiples of a prime, of which p stands for 0."""
    found, config = build(core, width, primes)
    config = config.with_parameters(settings)
    assert config.most > 1
    simulation, total = Simulation(found.of(config)), 0
    for key in keys(config, 2, rng):
        total += check_key(simulation, key, 3, rng)
        p, last = key.primes[0], key.primes[-1]
        xs = [0, 1, p, key - p, key // last * (last - 1), key - 1]
        ys = [rng.randrange(1 << config.width) for _ in xs]
        total += checks.check_batch(simulation, key, xs, ys)
    return total


@pytest.mark.parametrize(
    ("core", "width", "primes", "settings"),
    [
        ("rrm", 128, 2, {"Lazy": 1, "Word": 16}),
        ("montgomery_dsp", 128, 2, {"Lazy": 1}),
        pytest.param("rrm", 156, 2, {"Lazy": 1, "Word": 8}, marks=pytest.mark.long),
        pytest.param("rrm", 129, 3, {"Lazy": 1, "Word": 8}, marks=pytest.mark.long),
        pytest.param("montgomery_dsp", 148, 4, {"Lazy": 1}, marks=pytest.mark.long),
        (WORDS, 68, 2, {"Shorter": 19}),
        pytest.param("montgomery_dsp", 86, 2, {"Lazy": 1, "Shorter": 2}, marks=pytest.mark.long),
        pytest.param(WHOLE, 129, 3, {"Shorter": 9}, marks=pytest.mark.long),
        pytest.param("rrm", 156, 4, {"Shorter": 3}, marks=pytest.mark.long),
    ],
)
def test_results_above_a_prime(
    core: str, width: int, primes: int, settings: dict[str, int], rng: random.Random
) -> None:
    """Of cores with lazy results, and for primes that are shorter than the core is wide."""
    assert check_larger(core, width, primes, settings, rng) == 18


@pytest.mark.long
@pytest.mark.parametrize("number", ["r", "h", "v", "c"])
@pytest.mark.parametrize(
    ("core", "width", "settings"), [("montgomery_dsp", 128, {"Lazy": 1}), (WORDS, 68, {"Shorter": 19})]
)
def test_results_that_are_not_reduced_are_found(
    core: str,
    width: int,
    settings: dict[str, int],
    number: str,
    monkeypatch: pytest.MonkeyPatch,
    rng: random.Random,
) -> None:
    reduced = rsa_crt._reduced
    monkeypatch.setattr(
        rsa_crt, "_reduced", lambda config, each: [] if each == number else reduced(config, each)
    )
    with pytest.raises((VerificationError, ProtocolError)):
        check_larger(core, width, 2, settings, rng)


@pytest.mark.long
def test_less_than_a_prime_taken_off_is_found(monkeypatch: pytest.MonkeyPatch, rng: random.Random) -> None:
    """The lane of a long prime has fewer steps than that of a short one."""
    less = rsa_crt._less
    monkeypatch.setattr(rsa_crt, "_less", lambda *to, last="": less(*to[:5]))
    with pytest.raises((VerificationError, ProtocolError)):
        check_larger(WORDS, 68, 2, {"Shorter": 19}, rng)


@pytest.mark.long
@pytest.mark.parametrize(
    "core", [core for core in modmul.registry.rooms() if core not in (*ONE_MODULUS, *BINARY)]
)
def test_every_core(core: str, rng: random.Random) -> None:
    """Right; and each number that a row writes, in each lane, is that of the model."""
    found, config = build(core, 32)
    simulation = Simulation(seen(found).of(config))
    for key in islice(examples(config), 3):
        assert sum(checks.check_random(simulation, key, 20, rng)) >= 20
        assert differences(simulation, key, rng.randrange(key), rng.randrange(key)) == []


@pytest.mark.long
@pytest.mark.parametrize("word", [1, 3])
def test_short_words(word: int, rng: random.Random) -> None:
    """Digits of plain products are not longer than a word."""
    found, config = build(WORDS, 20)
    config = config.with_parameters({"Word": word})
    simulation = Simulation(found.of(config))
    for key in islice(examples(config), 2):
        assert check_key(simulation, key, 3, rng) == 3


@pytest.mark.parametrize(
    ("core", "width", "primes"),
    [
        (WORDS, 16, 2),
        pytest.param("fips", 32, 2, marks=pytest.mark.long),
        pytest.param(WORDS, 24, 3, marks=pytest.mark.long),
        pytest.param(WHOLE, 32, 4, marks=pytest.mark.long),
    ],
)
def test_contract(core: str, width: int, primes: int, rng: random.Random) -> None:
    """Idle cycles and back-pressure, resets, contexts, illegal ones too, and what registers hold at first.

    And each number that a row writes, in each lane, is that of the model.
    """
    found, config = build(core, width, primes)
    made = seen(found).of(config)
    simulation = Simulation(made)
    moduli = checks.interesting_moduli(made, rng, 3)
    for key in moduli:
        assert differences(simulation, key, rng.randrange(key), rng.getrandbits(width)) == []
    assert checks.check_back_pressure(simulation, moduli[0], 4, rng) == 20
    assert checks.check_reset(simulation, moduli, rng) >= 10
    assert checks.check_context(simulation, moduli, rng) >= 3
    assert checks.check_operands(simulation, moduli, rng) >= 6
    assert checks.check_paths(simulation, moduli, rng) >= 1
    assert checks.check_power_up(made, moduli, range(3)) >= 9


# --- blinding -------------------------------------------------------------------------------------


def check_blinding(found: SystemRoom, config: RsaCrt, rng: random.Random) -> None:
    """What the cores raise to what: both are blinded, with other numbers in each operation."""
    simulation = Simulation(seen(found).of(config))
    [key] = keys(config, 1, rng)
    simulation.load(key)
    domain = config.core.function.domain(config.inner)
    factors: dict[int, int] = {}
    for _ in range(3):
        c, y = rng.randrange(key), rng.getrandbits(config.width)
        numbers = written(config, simulation.follow(c, y))
        for lane, prime in enumerate(key.primes):
            drawn = y >> config.size * ((lane + config.primes - 1) % config.primes)
            exponent = key.d % (prime - 1) + drawn % (1 << config.blind) * (prime - 1)
            low, high, table = (numbers[lane, config.program.slots[name]] for name in ("k.0", "k.1", "t1"))
            assert exponent in [a + (b << config.size) for a, b in zip(low, high, strict=True)]
            base = domain.product(prime, table[0], 1)
            factor = base * pow(c, -1, prime) % prime
            assert factor == factors.get(lane, factor)
            assert factor not in (0, 1)
            factors[lane] = factor * factor % prime


@pytest.mark.parametrize(("width", "primes"), [(32, 2), pytest.param(48, 3, marks=pytest.mark.long)])
def test_blinding(width: int, primes: int, rng: random.Random) -> None:
    check_blinding(*build(WORDS, width, primes, blind=12), rng)


# --- faults ---------------------------------------------------------------------------------------


def with_faults(monkeypatch: pytest.MonkeyPatch, prime: int) -> None:
    """Cores of a prime flip a bit of one result: that whose number is that of the contexts so far."""

    def text(core: Core, config: Config, module: str) -> str:
        right = socket(core, config, module)
        ports = right[right.index("`default_nettype") : right.index(");\n")]
        return f"""\
{right.replace("mm_sys_core", "mm_sys_right_core")}
{ports});

  logic [15:0] number_q, contexts_q;
  logic [7:0]  beat_q;
  logic        first_q;
  logic [{config.word - 1}:0] modulus_q, z;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q   <= '0;
      contexts_q <= '0;
      beat_q     <= '0;
      first_q    <= 1'b1;
    end else begin
      first_q <= (first_q & ~(ctx_valid_i & ctx_ready_o)) | (in_valid_i & in_ready_o);
      if (ctx_valid_i && ctx_ready_o && first_q) begin
        number_q   <= '0;
        contexts_q <= contexts_q + 1'b1;
      end
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

  assign z_o = number_q + 1'b1 == contexts_q && beat_q == '0 && modulus_q == {config.word}'d{prime}
             ? z ^ ({config.word}'d1 << (contexts_q % 16'd{config.word})) : z;

endmodule

`default_nettype wire
"""

    monkeypatch.setattr(modmul.room, "socket", text)


def outcomes(simulation: Simulation, key: RsaKey, count: int, rng: random.Random) -> dict[str, int]:
    """Operations, each behind a new context: how many were right, wrong, or ended in an error and zeros."""
    found = {"right": 0, "wrong": 0, "error": 0}
    for _ in range(count):
        simulation.load(key)
        simulation.edge(2)
        assert not simulation.peek("ctx_error_o")
        x, y = rng.randrange(1, key), rng.randrange(key)
        z = simulation.multiply(x, y)
        if simulation.peek("ctx_error_o"):
            assert z == 0
            found["error"] += 1
        else:
            found["right" if z == pow(x, key.d, key) else "wrong"] += 1
    return found


KEY = RsaKey(251, 137, 7)
KEYS = {2: KEY, 3: RsaKey(251, 137, 7, more=[131]), 4: RsaKey(251, 137, 7, more=[131, 139])}


def check_faults(found: SystemRoom, config: RsaCrt, rng: random.Random, count: int = 60) -> None:
    """A bit flips in each operation of the core in turn; then the next operations are right again."""
    seen = outcomes(Simulation(found.of(config)), KEYS[config.primes], count, rng)
    assert seen["wrong"] == 0
    assert seen["error"] >= 25
    assert seen["right"] >= 10


@pytest.mark.parametrize(
    ("core", "lane", "primes"),
    [
        (WORDS, 0, 2),
        pytest.param(WORDS, 1, 2, marks=pytest.mark.long),
        pytest.param(WHOLE, 0, 2, marks=pytest.mark.long),
        *(pytest.param(WORDS, lane, 3, marks=pytest.mark.long) for lane in range(3)),
        pytest.param(WHOLE, 3, 4, marks=pytest.mark.long),
    ],
)
def test_no_fault_gets_out(
    core: str, lane: int, primes: int, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    with_faults(monkeypatch, KEYS[primes].primes[lane])
    check_faults(*build(core, 8 * primes, primes), rng)


@pytest.mark.long
def test_faults_get_out_unchecked(monkeypatch: pytest.MonkeyPatch, rng: random.Random) -> None:
    """The same without the check, so that the test above says something."""
    found, config = build(WORDS, 16, check=0)
    with_faults(monkeypatch, KEY.p)
    count = outcomes(Simulation(found.of(config)), KEY, 50, rng)
    assert count["error"] == 0
    assert count["wrong"] >= 20
    assert count["right"] >= 10


FAULT = """\
  assign z_o = core_x;

  // A bit flips on its way to the register file of one lane: of the word whose number, since the context,
  // is that of the contexts so far.
  logic [15:0] number_q, contexts_q;
  logic        mine_q, fresh_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_q   <= '0;
      contexts_q <= '0;
      fresh_q    <= 1'b0;
    end else begin
      fresh_q <= core_ctx_valid_i;
      if (core_ctx_valid_i && !fresh_q && number_q != '0) begin
        number_q   <= '0;
        contexts_q <= contexts_q + 1'b1;
      end else if (!port_turn && (result | late)) begin
        number_q <= number_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (port_write_i && port_addr_i == AddrBits'(ModulusSlot) << SlotBits) mine_q <= port_word_i == Word'({});
  end
"""

WRITTEN = "late_turn ? late_word : result_word;"


def with_flips(
    core: str, prime: int, folder: Path, primes: int = 2, **settings: int
) -> tuple[SystemRoom, RsaCrt]:
    """The system with a bit that flips in the lane of a prime."""
    found, config = build(core, 8 * primes, primes, **settings)
    found = mutant(found, folder / "1", "mm_engine_lane", "  assign z_o = core_x;\n", FAULT.format(prime))
    flip = f"({WRITTEN[:-1]}) ^ (Word'(mine_q && number_q == contexts_q) << (contexts_q % 16'd8));"
    return mutant(found, folder / "2", "mm_engine_lane", WRITTEN, flip), config


@pytest.mark.parametrize(
    ("lane", "primes"),
    [
        (0, 2),
        pytest.param(1, 2, marks=pytest.mark.long),
        *(pytest.param(lane, 3, marks=pytest.mark.long) for lane in range(3)),
    ],
)
def test_no_flipped_bit_gets_out(lane: int, primes: int, tmp_path: Path, rng: random.Random) -> None:
    """In any word that is written: sums, products by digits and scans besides multiplications."""
    key = KEYS[primes]
    found, config = with_flips(WORDS, key.primes[lane], tmp_path, primes)
    seen = outcomes(Simulation(found.of(config)), key, 65 * primes, rng)
    assert seen["wrong"] == 0
    assert seen["error"] >= 40
    assert seen["right"] >= 10


@pytest.mark.long
def test_flipped_bits_get_out_unchecked(tmp_path: Path, rng: random.Random) -> None:
    found, config = with_flips(WORDS, KEY.p, tmp_path, check=0)
    seen = outcomes(Simulation(found.of(config)), KEY, 110, rng)
    assert seen["error"] == 0
    assert seen["wrong"] >= 25


def test_wiping_is_guarded() -> None:
    """No context is taken before the register file is overwritten, whatever happens to what says so."""
    found = {
        each.outcome
        for each in strikes(on("rsa_crt", WORDS).build(16), 150, seed=2, only="gen_lanes.wiping_q")
    }
    assert found and "wrong" not in found


@pytest.mark.long
def test_without_its_guard_it_lets_something_wrong_out(tmp_path: Path) -> None:
    right, wrong = "refused_i(refused | wiping)", "refused_i(refused)"
    found = mutant(on("rsa_crt", WORDS), tmp_path, "mm_engine", right, wrong).build(16)
    assert "wrong" in {each.outcome for each in strikes(found, 3000, seed=2, only="gen_lanes.wiping_q")}


# --- the tests above can fail ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("mm_engine", "agreed_q <= &flag", "agreed_q <= |flag"),
    ],
)
def test_missing_checks_are_found(
    name: str, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    with_faults(monkeypatch, KEY.p)
    found, config = build(WORDS, 16)
    with pytest.raises(AssertionError):
        check_faults(mutant(found, tmp_path, name, old, new), config, rng)


@pytest.mark.long
def test_a_third_lane_that_need_not_agree_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    with_faults(monkeypatch, KEYS[3].primes[2])
    found, config = build(WORDS, 24, 3)
    found = mutant(found, tmp_path, "mm_engine", "agreed_q <= &flag", "agreed_q <= &flag[1:0]")
    with pytest.raises(AssertionError):
        check_faults(found, config, rng)


@pytest.mark.long
@pytest.mark.parametrize("compared", [True, False])
def test_words_of_the_third_lane_are_compared(compared: bool, tmp_path: Path) -> None:
    """Also on their way out: a bit that flips there lets nothing leave."""
    found, config = build(WORDS, 24, 3)
    if not compared:
        right, wrong = "({Others{word_q2}})", "({other_words_q2[Word +: Word], word_q2})"
        found = mutant(found, tmp_path, "mm_engine", right, wrong)
    made = found.of(config)
    [register] = [
        each
        for each in registers(made.design)
        if each.path.endswith("gen_lane[2].u_lane.u_feed.gen_staged_pair.u_pair_stage.even_q")
    ]
    simulation, left = Simulation(made, flipped=[register]), set()
    simulation.reset()
    simulation.load(KEYS[3])
    latency = made.core.interface.latency(simulation.at)  # with a short e
    for cycle in range(latency - 20, latency + 20):
        simulation.reset()
        simulation.load(KEYS[3])
        left.add(simulation.strike(12345, 67890, Fault(cycle, 0, 0, 0)).beats == config.beats)
    assert left == ({True, False} if compared else {True})


SUM = "gen_lane[0].u_lane.gen_sums.u_sum"
FEED = "gen_lane[0].u_lane.u_feed"

MAJORITY = "(word_q & word_q2) | (other_q2 & (word_q | word_q2))"

FLIPS: list[tuple[int, str, slice, dict[str, str]]] = [
    (16, "u_sequencer.pc_q", slice(6, 69, 7), {"<= (begun_q2 | (at < Begins)) & (does": "<= 1'b0 & (does"}),
    (
        16,
        "gen_lanes.pair_q",
        slice(-40, None),
        {"there_q & open_q & ~(pair_q | heard_q | stray_q | unlike)": "open_q & ~unlike"},
    ),
    (
        16,
        "gen_lane[0].u_lane.u_feed.to_out_q",
        slice(0, None, 3),
        {"leave_q & there_q & open_q": "leave_q & there_q", "(|parts_q) | astray_q": "astray_q"},
    ),
    (
        16,
        "gen_lane[0].u_lane.u_feed.u_stage.even_q",
        slice(-40, -10),
        {"= others[16*part +: 16] != owns[16*part +: 16]": "= 1'b0"},
    ),
    (
        16,
        "gen_lane[0].u_lane.u_feed.u_stage.even_q",
        slice(-40, -10),
        {"torn_q    <= caught_q": "torn_q    <= 1'b0"},
    ),
    *((16, f"gen_lanes.{copy}", slice(-40, None), {MAJORITY: copy}) for copy in ("word_q", "word_q2")),
    (16, "gen_lanes.word_q", slice(-40, None), {"if (pair_q) {other_words_q2": "{other_words_q2"}),
    *(
        (16, f"gen_lanes.{stage}", slice(-40, None), {"(|parts_q) | astray_q": "(|parts_q)"})
        for stage in ("heard_q", "there_q")
    ),
    *(
        (16, f"{FEED}.{each}", slice(-40, None), {"(|parts_q) | astray_q": "astray_q"})
        for each in ("feed_q", "last_q", "u_stage.full_q")
    ),
    (16, "u_sequencer.exec_q", slice(0, 4), {"(begun_q2 | (at < Begins))": "begun_q2"}),
    (16, "gen_lanes.leave_q", slice(-40, None), {"(free == there_q)": "(~free & ~there_q)"}),
    (16, "gen_lane[0].u_lane.write_q", slice(0, 12), {"minus k, x, @x": "minus k, s, @s"}),
    (16, f"{SUM}.u_k.words", slice(0, 48, 3), {"add c, c, w": "add c, c, zero"}),
    (32, "u_port.u_gate.in_part_q", slice(0, 16), {"| astray_q | miscounted_q": "| astray_q"}),
    (
        16,
        "u_port.gen_halves.part_q",
        slice(0, 16),
        {" | (wrote_q & (addr_q != due_q))": ""},
    ),
]
"""Bits; a register; cycles of flips; what must stand in the hardware or the program, and what not."""

PATHS = tuple(dict.fromkeys(path for _, path, _, _ in FLIPS))


def left_wrong(found: SystemRoom, config: RsaCrt, path: str, cycles: slice) -> int:
    """How often something wrong leaves when a bit flips in one of these cycles of an operation."""
    made, key = found.of(config), KEY if config.width == 16 else RsaKey(65521, 65519, 11)
    # All of them, so that one simulation serves all tests of the same hardware.
    flipped = [each for each in registers(made.design) if each.path.endswith(PATHS)]
    [(number, register)] = [(at, each) for at, each in enumerate(flipped) if each.path.endswith(path)]
    simulation, wrong = Simulation(made, flipped=flipped), 0
    simulation.reset()
    simulation.load(key)
    for cycle in range(made.core.interface.latency(simulation.at) + 24)[cycles]:
        simulation.reset()
        simulation.load(key)
        simulation.strike(4321, 1234)
        x = 12345 + cycle
        bit = cycle % min(register.bits, config.word)
        struck = simulation.strike(x, 67890, Fault(cycle, number, 0, bit))
        known = (1 << struck.beats * config.word) - 1
        wrong += struck.beats > config.beats or bool((struck.words ^ pow(x, key.d, key)) & known)
    return wrong


each_flip = pytest.mark.parametrize(
    ("width", "path", "cycles", "guard"), FLIPS, ids=lambda each: str(each)[:40]
)


@each_flip
def test_flips_let_nothing_wrong_out(width: int, path: str, cycles: slice, guard: dict[str, str]) -> None:
    del guard
    assert not left_wrong(*build(WORDS, width), path, cycles)


@each_flip
def test_flips_that_let_something_wrong_out_are_found(
    width: int,
    path: str,
    cycles: slice,
    guard: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, config = build(WORDS, width)
    text = config.text()
    for number, (right, wrong) in enumerate(guard.items()):
        if right in text:
            changed = text.replace(right, wrong)
            monkeypatch.setattr(RsaCrt, "text", lambda _self, changed=changed: changed)
        else:
            [module] = [each.stem for each in found.sources if right in each.read_text()]
            found = mutant(found, tmp_path / str(number), module, right, wrong)
    assert left_wrong(found, config, path, cycles)


def test_missing_blinds_are_found(tmp_path: Path, rng: random.Random) -> None:
    """Both lanes with the same random bits."""
    found, config = build(WORDS, 32, blind=12)
    old, new = "if (write_y & ~wiping) addr[SlotBits", "if (1'b0) addr[SlotBits"
    with pytest.raises((AssertionError, VerificationError)):
        check_blinding(mutant(found, tmp_path, "mm_engine", old, new), config, rng)
