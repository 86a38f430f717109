# SPDX-License-Identifier: Apache-2.0
"""Programs of anybody's for the engine: the assembler, those that come along, runs, the tutorial."""

from __future__ import annotations

import importlib.util
import random
import re
import shlex
from dataclasses import replace
from math import gcd
from pathlib import Path
from types import ModuleType

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from engine_program import differences, seen

from modmul.cli.completing import program_names
from modmul.core import Config, Memory, Polynomial, ProgramError
from modmul.moduli import ModulusError, modulus, number
from modmul.registry import ProgramRoom, on, program, programs, room, rooms
from modmul.systems import engine
from modmul.systems.assembly import assemble
from modmul.systems.batches import joined
from modmul.systems.parts import parts
from modmul.systems.running import ProgramConfig
from modmul.use import program as use
from modmul.use.clock import clock
from modmul.use.program import Running, prepare, read
from modmul.verify.checks import interesting_moduli
from modmul.verify.failures import VerificationError
from modmul.verify.key import verification_inputs, verification_key
from modmul.verify.mutant import mutant
from modmul.verify.runner import Plan, verify
from modmul.verify.simulation import Simulation

ROOT = Path(__file__).parents[1]
TUTORIAL = ROOT / "docs" / "engine-tutorial.md"
PRIME = 0xFFFFFFFFA9
CORES = ("rrm", "imml_booth4")
"""In Montgomery's domain and in the plain one."""

CUBE = """\
.number  r2 ~k
.operand x y
.entry   other
main:  mul  a, x, r2
       mul  -, f, f
       mul  -, f, x
       mul  -, f, k
       out  f
other: mul  -, y, r2
       mul  b, f, x
       out  b
"""
"""k x^3, or with the entry x y."""


def prepared(name: str, core: str, modulus: int = PRIME, **values: int) -> Running:
    return prepare(*read(name), core, modulus, values)


def modelled(running: Running, x: int | None = None) -> int:
    """The result by the model."""
    config = running.build.config.at(running.modulus)
    own, y = running.operands
    answer = running.build.core.function.answer(config, running.modulus, own if x is None else x, y)
    assert isinstance(answer, int)
    return answer


def test_parts() -> None:
    """Rows behind a title, as often as they run, and the cycles from each to the next."""
    text = """\
.number  r2
.operand x y
        jump  main
;; squares
again:  mul   -, f, f
        repeat 3, again
;;
        out   f
;;  entering
main:   mul   a, x, r2
        jump  again
;; never
        out   a
"""
    running = prepare("p.s", text, "rrm", PRIME, {"x": 3, "y": 5})
    schedule = running.schedule
    assert [(part.title, part.rows) for part in schedule.parts] == [
        *(("", 1), ("squares", 6), ("", 1)),
        ("entering", 2),
    ]
    assert sum(part.cycles for part in schedule.parts) == schedule.cycles == running.build.latency
    begins = {row.line: row.begins or 0 for row in schedule.rows}
    assert schedule.parts[3].cycles == begins[5] - begins[10]
    assert schedule.parts[0].cycles == begins[10]
    assert schedule.parts[2].cycles == schedule.cycles - begins[8]


@pytest.mark.parametrize(
    ("system", "width", "parameters"),
    [
        *((system, 32, {}) for system in ("modexp", "ladder", "rsa_crt")),
        ("rsa_crt", 36, {"Primes": 3}),
        ("rsa_crt", 32, {"BlindMessage": 0, "Blind": 0, "Check": 0, "Window": 1}),
    ],
)
def test_parts_of_systems(system: str, width: int, parameters: dict[str, int]) -> None:
    """All rows of a system have a title of their own, and all of its cycles are theirs."""
    build = on(system, "rrm").build(width, parameters)
    assert isinstance(build.config, engine.EngineConfig)
    found = parts(build.config)
    assert sum(part.cycles for part in found) == build.latency
    titles = [part.title for part in found]
    assert all(titles)
    assert len(titles) == len(set(titles))


# --- the assembler ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        (".number", ".numbre", "line 1: there is no .numbre; there is .table, .number"),
        (".number  r2 ~k", ".number", "line 1: .number takes registers"),
        ("~k", "5", "line 1: 5 needs a register: .number k=5"),
        ("~k", "f", "line 1: f is no number of the context"),
        ("~k", "~k r2", "line 1: r2 is there twice; leave one"),
        ("~k", "~k x", "line 1: x is an operand, too; give it another name"),
        ("~k", "k=~y", "line 1: the number ~y has the name of an operand"),
        ("x y", "x", "line 2: .operand takes the two registers"),
        ("x y", "x x", "line 2: both operands come into x"),
        ("x y", "x y\n.operand x y", "line 3: .operand is there twice"),
        (".entry   other", ".entry", "line 3: .entry takes one label"),
        ("  other\n", "  away\n", "line 3: there is no label away; write away: before a row"),
        (".entry   other", ".table t four", "line 3: a table has 2, 4, 8, … 256 entries, not four"),
        (".entry   other", ".table t 99999999999999", "line 3: a table has .* not 99999999999999"),
        (".entry   other", ".table t", "line 3: .table takes a name and the number of entries"),
        ("x y", "x y0\n.table y 2", "line 2: the second operand, y0, cannot be in the table"),
        ("mul  -, f, k", "scan s", "line 7: there is no table to scan"),
        ("mul  -, f, k", "bits many", "line 7: bits takes first, or how many bits, at least 1; not many"),
        ("mul  -, f, k", "bits 0", "line 7: bits takes first"),
        ("mul  -, f, k", "bits 4096", "line 7: 4096 does not fit into 4 bits of a row; take fewer bits"),
        ("mul  a, x, r2", "mul  f, x, r2", "line 4: every result goes into f; write -"),
        ("mul  a, x, r2", "mul  3, x, r2", "line 4: 3 cannot be written; a register is a letter"),
        ("mul  a, x, r2", "mul  a, 1, 1", "line 4: 1 can be one factor, not both"),
        ("mul  a, x, r2", "mul  a, x, -", "line 4: - is no factor; take a register, f, 1 or a.b"),
        ("mul  a, x, r2", "mul  a, x?y?k, x", r"line 4: x\?y\?k is no choice; it is between two registers"),
        ("mul  a, x, r2", "mul  a, x?y, r2", "line 4: a choice is for both operands, or beside f or 1"),
        ("out  b", "out  b?a", r"line 11: out sends a register, f or 1, not b\?a"),
        ("~k", "k=m b=~k", "line 1: the number ~k has the name of a register that holds m"),
        ("~k", "~M", "line 1: M is the modulus in numbers"),
        ("x y", "x M", "line 2: M is the modulus in numbers"),
        (".entry   other", ".keep other", "line 3: .keep stands alone"),
        ("out  b", "jump other", "line 11: this goes round for ever; only loop ends"),
    ],
)
def test_what_the_assembler_refuses(right: str, wrong: str, reason: str) -> None:
    assert CUBE.count(right) == 1
    with pytest.raises(ProgramError, match=reason):
        assemble(CUBE.replace(right, wrong))


WORDS = (
    *("acc", "plus", "minus", "half", "move", "twice", "rewind", "repeat", ".long", ".count", "k=n/2"),
    *("s.0", "x.1", "s", "^", "a^b", "0^b", "-", "digits"),
    *("mul", "out", "scan", "bits", "loop", "jump", ".table", ".number", ".operand", ".entry", ".foo"),
    *("a", "b", "x", "e", "f", "1", "-", "q~", "q'", "a?b", "a!b", "a?b?c", "?", "~r2", "t0=one", "=", ":"),
    *("main:", "main", "first", "0", "-1", "4", "99999999999999", "two", "٣", ",", ";", "\t", "\n", "\x0b"),
    *("t", "é", "t0", "~", "''"),
)


def broken(text: str, rng: random.Random) -> str:
    """A program with a few lines and words removed, added, changed."""
    lines = text.splitlines()
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(lines))
        words = lines[at].split() or ["x"]
        place = rng.randrange(len(words))
        kind = rng.randrange(5)
        if kind == 0:
            words[place] = rng.choice(WORDS)
        elif kind == 1:
            words.insert(place, rng.choice(WORDS))
        elif kind == 2:
            del words[place]
        elif kind == 3:
            words = lines[rng.randrange(len(lines))].split()
        else:
            letters = list(words[place])
            letters[rng.randrange(len(letters))] = chr(rng.choice((rng.randrange(32, 127), 0x661, 0x2028)))
            words[place] = "".join(letters)
        lines[at] = " ".join(words)
    return "\n".join(lines)


def test_whatever_the_text_is_a_program_or_refused_in_one_line() -> None:
    rng = random.Random(41)
    texts = [CUBE, *(file.read_text() for file in programs().values())]
    made = refused = 0
    for _ in range(1000):
        junk = "".join(rng.choice(WORDS) + rng.choice(("", " ")) for _ in range(rng.randint(0, 40)))
        for text in (junk, broken(rng.choice(texts), rng)):
            try:
                assemble(text, long=rng.choice((1, 2)))
                made += 1
            except ProgramError as error:
                assert len(str(error).splitlines()) == 1, text
                refused += 1
    assert made > 50 and refused > 1000


def test_what_no_row_reads_is_told() -> None:
    text = CUBE.replace("mul  -, f, k", "mul  c, f, f").replace("mul  b, f, x", "mul  q~, f, x")
    running = prepare("cube", text.replace("out  b", "out f"), "rrm", PRIME, {"x": 2, "y": 3, "k": 5})
    assert running.described.unused == {"k": 0, "a": 4, "c": 7, "q~": 10}
    assert len(running.notes) == 4
    assert not any(program(read(name)[1], "rrm", name)[0].unused for name in programs())


# --- those that come along ----------------------------------------------------------------------------


SMALL = 0x1FFFF
"""A prime above all numbers in their texts."""

POINT = {"p": 3, "k": 0x2D, "inverse": SMALL - 2, "blind": 7}
TWO_POINTS = {"p": 0x1234, "d": 0x116, "a": 1, "b": 2, "b3": 6, "inverse": SMALL - 2} | {
    "g2x": 5,
    "g2y": 6,
    "g3x": 7,
    "g3y": 8,
}
EDWARDS = POINT | {"a": 1, "d": 2}
WEIERSTRASS = POINT | {"a": 1, "b": 2}
UNITS = WEIERSTRASS | {"up": 5, "down": 6, "c4": 8}
TWO_EDWARDS = EDWARDS | {
    f"b{times}{name}": 3 * times + at for times in range(1, 8) for at, name in enumerate("xyt")
}
VALUES = {
    "binary_curve": POINT | {"a": 1, "b": 2, "root": 3},
    "edwards": EDWARDS,
    "edwards_minus": EDWARDS,
    "edwards_plus": EDWARDS,
    "inverse": {"x": 3, "e": 0x2D},
    "key_check": {"N": 13 * SMALL, "q": 13, "e": 17, "dp": 0x1234, "kp": 2, "dq": 5, "kq": 7},
    "ladder": {"x": 3, "e": 0x2D},
    "miller_rabin": {"x": 3},
    "modexp": {"x": 3, "e": 0x2D},
    "odd_inverse": {"x": 3},
    "product": {"x": 0x1234, "y": 0x5678},
    "product_chain": {"x": 2, "y": 3, "a": 5, "b": 7, "c": 11},
    "public_power": {"x": 3},
    "safegcd": {"x": 3},
    "two_points": TWO_POINTS,
    "two_points3": TWO_POINTS,
    "two_binary": {"p": 3, "k": 0x16A, "a": 1, "b": 2, "root": 3, "inverse": SMALL - 2, "gx": 5, "gy": 6},
    "two_edwards": TWO_EDWARDS,
    "two_edwards_minus": EDWARDS
    | {f"b{times}{name}": times + at for times in range(1, 8) for at, name in enumerate(("d", "s", "t2"))},
    "two_edwards_plus": TWO_EDWARDS,
    "two_powers": {"g": 3, "h": 5, "e": 0x1B},
    "weierstrass": WEIERSTRASS | {"b4": 8},
    "weierstrass_minus": UNITS,
    "weierstrass_plus": UNITS,
    "weierstrass_zero": WEIERSTRASS | {"b4": 8},
    "x25519": {"x": 9, "e": 0x2D, "blind": 3},
    "x448": {"x": 5, "e": 0x2D, "blind": 3},
}
"""What each program can be run with."""


@pytest.mark.parametrize("core", CORES)
def test_what_they_compute(core: str, rng: random.Random) -> None:
    x, y, a, b, c = (rng.randrange(1, PRIME) for _ in range(5))
    u, v = rng.getrandbits(20), rng.getrandbits(20)
    e = sum((2 * (u >> at & 1) + (v >> at & 1)) << 2 * at for at in range(20))
    assert modelled(prepared("inverse", core, x=x, e=PRIME - 2)) == pow(x, -1, PRIME)
    assert modelled(prepared("public_power", core, x=x)) == pow(x, 65537, PRIME)
    both = pow(x, u, PRIME) * pow(y, v, PRIME) % PRIME
    assert modelled(prepared("two_powers.s", core, g=x, h=y, e=e)) == both
    chain = prepared("product_chain", core, x=x, y=y, a=a, b=b, c=c)
    assert modelled(chain) == x * y * a * b * c % PRIME
    for name in ("modexp", "ladder"):
        assert modelled(prepared(name, core, x=x, e=u)) == pow(x, u, PRIME)


@pytest.fixture
def unarranged(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program computes is the same in any order of its rows; that of the text is there at once."""
    monkeypatch.setattr(engine, "_arranged", lambda _slug, config, _core: config.written)
    monkeypatch.setattr(engine, "_latency", None)  # that of another order is not to be remembered


@pytest.mark.parametrize("core", CORES)
def test_numbers_without_a_modulus(core: str, rng: random.Random) -> None:
    x, y = rng.randrange(PRIME), rng.randrange(PRIME)
    assert modelled(prepared("product", core, x=x, y=y)) == x * y


INVERSES = ("odd_inverse", "safegcd")
"""Programs that invert modulo any odd M."""


def inverse(x: int, modulus: int) -> int:
    """1 / x, or 0 if there is none."""
    return pow(x, -1, modulus) if gcd(x, modulus) == 1 else 0


def some_operands(modulus: int, rng: random.Random) -> list[int]:
    """At the edges, with a common factor, and any."""
    shared = [factor * rng.randrange(modulus // factor) for factor in (3, 5) if modulus % factor == 0]
    edges = [0, 1, 2, modulus >> 1, modulus - 2, modulus - 1]
    return [*edges, *shared, *(rng.randrange(modulus) for _ in range(4))]


@pytest.mark.parametrize("name", INVERSES)
def test_inverses(name: str, unarranged: None, rng: random.Random) -> None:
    """All of two to four bits, where no bit of a number is to spare; and some of longer ones."""
    for width in (2, 3, 4):
        for m in range(3, 1 << width, 2):
            running = prepare(*read(name), "imml_booth4", m, {"x": 0}, width=width)
            assert [modelled(running, x) for x in range(m)] == [inverse(x, m) for x in range(m)]
    for core in CORES:
        for m in (3 * 5 * (2**31 - 1), 2**24 - 1):
            running = prepared(name, core, m, x=0)
            for x in some_operands(m, rng):
                assert modelled(running, x) == inverse(x, m)


@pytest.mark.long
@pytest.mark.parametrize("core", [*CORES, "montgomery_dsp"])
@pytest.mark.parametrize("name", INVERSES)
def test_inverses_on_the_hardware(name: str, core: str, rng: random.Random) -> None:
    """All of six bits, and some of 256, in the same time for every operand."""
    long = 2**256 - 1, 3 * 5 * (2**61 - 1), rng.getrandbits(255) | 1 << 255 | 1
    for width, moduli in ((6, range(3, 64, 2)), (256, long)):
        simulation = Simulation(prepare(*read(name), core, moduli[-1], {"x": 0}, width=width).build)
        for m in moduli:
            simulation.load(m)
            xs = [*range(m)] if width == 6 else some_operands(m, rng)
            batch = simulation.run(xs, [0] * len(xs))
            assert batch.results == [inverse(x, m) for x in xs]
            assert len(set(batch.latencies.tolist())) == 1


def passes(x: int, modulus: int) -> bool:
    """Whether an odd M is a strong probable prime to the base x."""
    d, twos = modulus - 1, 0
    while d % 2 == 0:
        d, twos = d // 2, twos + 1
    return pow(x, d, modulus) == 1 or any(pow(x, d << i, modulus) == modulus - 1 for i in range(twos))


PSEUDOPRIMES = (2047, 3277, 4033, 1373653, 25326001, 3215031751, 341550071728321)
"""Strong ones: all to the base 2, the last four also to 3, three to 5, two to 7, one to 11 and 13."""

CARMICHAEL = (561, 1105, 1729, 2465, 2821, 6601, 8911, 56052361)

TWOS = (257, 65537, 12289, 2**16 * 3 * 5 + 1, 27 * 2**56 + 1, 2**61 - 1, 2**64 - 59, 2**63 + 1)
"""Primes and others, M - 1 with many factors of two or one."""


def test_strong_probable_primes(unarranged: None, rng: random.Random) -> None:
    for m in range(5, 32, 2):
        running = prepared("miller_rabin", "imml_booth4", m, x=0)
        assert [modelled(running, x) for x in range(m)] == [passes(x, m) for x in range(m)]
    assert all(passes(2, m) for m in PSEUDOPRIMES)
    for m in (*PSEUDOPRIMES[-2:], *rng.sample(CARMICHAEL, 2), *rng.sample(TWOS, 3)):
        running = prepared("miller_rabin", rng.choice(CORES), m, x=0)
        for x in (2, 3, 11, 17, m - 1, rng.randrange(m)):
            assert modelled(running, x) == passes(x, m)


@pytest.mark.long
@pytest.mark.parametrize("core", CORES)
def test_strong_probable_primes_on_the_hardware(core: str, rng: random.Random) -> None:
    """All bases of all odd M up to some hundreds, and some of others: in one time for all of a build."""
    for width, moduli in ((9, range(5, 400, 2)), (64, (*PSEUDOPRIMES, *CARMICHAEL, *TWOS))):
        simulation = Simulation(prepare(*read("miller_rabin"), core, moduli[-1], {"x": 0}, width=width).build)
        times = set()
        for m in moduli:
            simulation.load(m)
            xs = [*range(m)] if width == 9 else [*range(2, 20), m - 1, *(rng.randrange(m) for _ in range(9))]
            batch = simulation.run(xs, [0] * len(xs))
            assert batch.results == [passes(x, m) for x in xs]
            times |= set(batch.latencies.tolist())
        assert len(times) == 1


def test_a_key_that_is_none() -> None:
    """Each number that is another one is found, of either prime."""
    p, q, e = 2**31 - 1, 2**13 - 1, 17
    key = {"N": p * q, "q": q, "e": e}
    for name, prime in (("p", p), ("q", q)):
        d = pow(e, -1, prime - 1)
        key |= {f"d{name}": d, f"k{name}": (e * d - 1) // (prime - 1)}
    assert modelled(prepared("key_check", "rrm", p, **key)) == 1
    for name, value in key.items():
        assert modelled(prepared("key_check", "rrm", p, **key | {name: value ^ 4})) == 0
    assert modelled(prepared("key_check", "rrm", p, **key | {"N": p * q ^ 1 << 63})) == 0
    with pytest.raises(ValueError, match=r"^N lies in 0 … 2\^64-1"):
        prepared("key_check", "rrm", p, **key | {"N": 1 << 64})


@pytest.mark.long
@pytest.mark.parametrize(("core", "group"), [("montgomery_dsp", "ffdhe2048"), ("imml_booth8", "modp2048")])
def test_a_diffie_hellman_exchange_on_the_hardware(core: str, group: str, rng: random.Random) -> None:
    """Both sides, with secrets as long as RFC 7919 asks for in these groups."""
    prime, length = modulus(group).value, 225
    secrets = [rng.getrandbits(length) for _ in "ab"]
    running = prepare(*read("modexp"), core, prime, {"x": 2, "e": 0}, length=length)
    simulation = Simulation(running.build)
    simulation.load(prime)
    public = simulation.run([2, 2], secrets).results
    assert public == [pow(2, secret, prime) for secret in secrets]
    agreed = simulation.run(public[::-1], secrets)
    assert agreed.results == [pow(2, secrets[0] * secrets[1], prime)] * 2
    assert set(agreed.latencies.tolist()) == {running.schedule.cycles}


def test_a_product_on_the_hardware(rng: random.Random) -> None:
    """All of its words leave, and one of twice the length comes in."""
    x, y = rng.getrandbits(24), rng.getrandbits(24)
    for name, values, right in (("product", {"x": x, "y": y}, x * y), ("key_check", {}, 0)):
        given = values or VALUES[name] | {"N": 2**50 - 1}
        ran = use.run(prepared(name, "rrm", 0xFFFFFD, **given), count=8, seed=rng.getrandbits(30))
        assert ran.value == right and ran.scheduled


def test_x25519(rng: random.Random) -> None:
    """The first vector of RFC 7748, section 5.2, and keys of another library."""
    prime = 2**255 - 19
    agreed = [
        (
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        )
    ]
    for _ in range(3):
        mine, other = (X25519PrivateKey.from_private_bytes(rng.randbytes(32)) for _ in range(2))
        theirs = other.public_key()
        keys = mine.private_bytes_raw(), theirs.public_bytes_raw(), mine.exchange(theirs)
        agreed.append((keys[0].hex(), keys[1].hex(), keys[2].hex()))
    for k, u, expected in agreed:
        scalar = int.from_bytes(bytes.fromhex(k), "little") & ~7 & (1 << 254) - 1 | 1 << 254
        x = (int.from_bytes(bytes.fromhex(u), "little") & (1 << 255) - 1) % prime
        found = modelled(prepared("x25519", "rrm", prime, x=x, e=scalar, blind=rng.randrange(1, prime)))
        assert found.to_bytes(32, "little").hex() == expected


def test_an_inverse_in_the_binary_field() -> None:
    modulus = Polynomial(0x11B)
    found = modelled(prepared("inverse", "fips", modulus, x=0x57, e=254))
    assert modulus.product(found, 0x57) == 1


def test_sums_in_the_binary_field(rng: random.Random) -> None:
    """A sum is a ^ b, in the model that comes with the package as in the hardware."""
    modulus = Polynomial(0x11B)
    text = ".number one r2 m\n.operand x y\n.modulus m\nmul a, x, r2\nadd b, x, y\nmul c, a, b\nout c\n"
    running = prepare("sums", text, "fips", modulus, {"x": 0x57, "y": 0x83})
    assert modelled(running) == modulus.product(0x57, 0x57 ^ 0x83)


def test_a_text_that_is_like_another(tmp_path: Path) -> None:
    file = tmp_path / "mine.s"
    own = "; mine\n.like x25519\n;; the curve\n.number  a24=~5\n"
    file.write_text(own)
    name, text = read(str(file))
    assert (name, text.splitlines()[0]) == ("mine.s", "; mine")
    original = read("x25519")[1].replace("~121665", "~5")
    assert assemble(text).rows and assemble(text).contents == assemble(original).contents
    assert [each.operation for each in assemble(text).rows] == [
        each.operation for each in assemble(original).rows
    ]
    for wrong, reason in (
        (own.replace("x25519", "y25519"), "there is no program y25519 to be like"),
        (own.replace("the curve", "a curve"), "x25519 has no part ;; a curve"),
        (own.replace(";; the curve\n", ""), "nothing for what stands before"),
    ):
        file.write_text(wrong)
        with pytest.raises(ValueError, match=f"{file}: .*{reason}"):
            read(str(file))


def test_every_program_is_shown_with_a_command_that_runs_it(unarranged: None) -> None:
    """In the tutorial, and in its own text."""
    lines = TUTORIAL.read_text(encoding="utf-8")
    shown = re.findall(r"^\| `\w+` \| .* \| `(modmul run .*)` \|$", lines, re.MULTILINE)
    for file in programs().values():
        text = file.read_text().replace("\\\n; ", "")
        shown += re.findall(r"^; +(modmul run .*?)(?: {2,};.*)?$", text, re.MULTILINE)
    named = set()
    for command in shown:
        _, _, name, option, core, other, modulus_, *values = shlex.split(command)
        assert (option, other) == ("--core", "-m")
        value = modulus("p256" if modulus_ == "key.pem" else modulus_).value
        pairs = (each.split("=") for each in values if "=" in each)  # not those of --length
        modelled(prepared(name, core, value, **{key: number(text, {"M": value}) for key, text in pairs}))
        named.add(name)
    assert named == set(programs()) and len(shown) > len(named)


# --- what is given ------------------------------------------------------------------------------------


def test_numbers_of_the_context(rng: random.Random) -> None:
    """Those that the engine knows, and given ones as they are and in the domain."""
    text = ".number one r2 r3 m a=k ~k b=0x2a c=~42\n.operand x -\nmul -, one, one\nout k\n"
    running = prepare("numbers", text, "rrm", PRIME, {"x": 0, "k": 77})
    config = running.build.config
    assert isinstance(config, ProgramConfig)
    domain = config.core.function.domain(config.at(PRIME).inner)
    r = domain.radix % PRIME
    words = running.build.core.interface.context(config.at(PRIME), PRIME)[-8 * config.number :]
    values = [
        sum(word << config.word * at for at, word in enumerate(words[first : first + config.number]))
        for first in range(0, len(words), config.number)
    ]
    assert values == [r, r * r % PRIME, r**3 % PRIME, PRIME, 77, 77 * r % PRIME, 42, 42 * r % PRIME]
    assert modelled(running) == 77 * r % PRIME


@pytest.mark.parametrize(
    ("values", "options", "says"),
    [
        ({"x": 1, "y": 1}, {}, "cube takes x=…, y=…, k=…; give k=NUMBER"),
        ({"x": 1, "y": 1, "k": 1, "z": 1}, {}, "cube takes no z; it takes x=…, y=…, k=…"),
        ({"x": 1, "y": 1, "k": 1, "r2": 1}, {}, "r2 follows from the modulus, and nobody gives it; leave r2"),
        ({"x": PRIME + 1, "y": 1, "k": 1}, {}, "^x lies in 0 … M(-1)?, got 1099511627690"),
        ({"x": 1, "y": -1, "k": 1}, {}, "^y lies in 0 … M(-1)?, got -1"),
        ({"x": 1, "y": 1, "k": 1 << 40}, {}, "^k lies in 0 … M"),
        ({"x": 1, "y": 1, "k": 1}, {"length": 8}, "cube takes no bits of an exponent"),
        ({"x": 1, "y": 1, "k": 1}, {"settings": {"Nothing": 1}}, "has no parameter 'Nothing'"),
        ({"x": 1, "y": 1, "k": 1}, {"width": 39}, "the modulus has 40 bits, more than"),
    ],
)
def test_what_cannot_be_given(values: dict[str, int], options: dict[str, int], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        prepare("cube", CUBE, "rrm", PRIME, values, **options)  # type: ignore[arg-type]


def test_what_cannot_be_run() -> None:
    values = {"x": 3, "e": 300}
    with pytest.raises(ValueError, match=r"e lies in 0 … 2\^8-1, got 300"):
        prepare(*read("inverse"), "rrm", PRIME, values, length=8)
    with pytest.raises(ValueError, match=r"inverse\.s has no entry; name a label of it"):
        prepare(*read("inverse"), "rrm", PRIME, values, entry=True)
    with pytest.raises(ValueError, match=r"modexp:rrm is a system; .* take a core, such as rrm"):
        prepare(*read("inverse"), "modexp:rrm", PRIME, values)
    with pytest.raises(ProgramError, match=r"^two: lines 5 and 7: rounds take \[1, 2\] bits"):
        loops = "a: bits 1\nloop a\nb: bits 2\nloop b\nmul -, x, x\nout f\n"
        prepare("two", f".operand x e\n\n\n{loops}", "rrm", PRIME, values)
    greedy = prepare("greedy", ".operand x e\n" + "bits 3\n" * 8 + "out x\n", "rrm", PRIME, values)
    with pytest.raises(ValueError, match="takes more bits than an exponent of 9 has"):
        modelled(greedy)


def test_numbers_as_people_write_them() -> None:
    names = {"M": PRIME}
    assert number("M-2", names) == PRIME - 2 and number("0x1f", names) == 31 and number("-3", names) == -3
    assert number("2^M^0", names) == 2 and number("(M+1)*2", names) == 2 * PRIME + 2
    for wrong in ("", "ten", "1.5", "MM", "M-", "x5", "0xg"):
        with pytest.raises(ModulusError, match="is not a number"):
            number(wrong, names)


def test_the_shell_completes_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for file in ("inner.s", "sub/mine.s", "other.txt"):
        (tmp_path / file).touch()
    assert program_names() == [*programs(), "inner.s", "sub/"]
    assert program_names("in") == ["inverse", "inner.s"]
    assert program_names("sub/") == ["sub/mine.s"]


# --- on the hardware ----------------------------------------------------------------------------------


def test_a_run(rng: random.Random) -> None:
    """Result, time and schedule; with the entry, too."""
    values = {"x": 0x123456, "y": 0xFEDCBA, "k": 0x777}
    modulus = 0xFFFFFD
    for entry in (False, True):
        running = prepare("cube", CUBE, "rrm", modulus, values, entry=entry)
        ran = use.run(running, count=20, seed=rng.getrandbits(30))
        x, y, k = values.values()
        assert ran.value == (x * y if entry else k * x**3) % modulus
        assert ran.scheduled and ran.checked == 20 and ran.latency == running.schedule.cycles
        schedule = running.schedule
        assert [row.times for row in schedule.rows] == ([0] * 5 + [1] * 3 if entry else [1] * 5 + [0] * 3)
        assert (schedule.products, schedule.squares) == ((2, 0) if entry else (3, 1))
        live = {register.name: register.live for register in schedule.registers}
        assert (live["k"] is None) == entry and (live["y"] is None) == (not entry)
        assert not {"a", "b"} & live.keys() and schedule.places == 4  # f is in their place


def test_a_difference_from_the_model_is_an_error() -> None:
    running = prepare("cube", CUBE, "rrm", 0xFFFFFD, {"x": 5, "y": 7, "k": 11})
    core = running.build.core

    def compute(config: ProgramConfig, modulus: int, x: int, y: int, memory: Memory) -> int:
        right: int = core.function.answer(config, modulus, x, y, memory)
        return right ^ (x == 5)

    room = replace(running.build.room, core=core.changed(compute=compute))
    with pytest.raises(VerificationError, match=r"hardware says .*, the model "):
        use.run(replace(running, build=room.of(running.build.config)))


def test_what_nobody_waits_for_has_come_at_the_end() -> None:
    """A product that no row reads, and a scan: the next operation takes as long as the first."""
    text = ".table t 2\n.number one r2\n.operand x -\nmul t0, x, r2\nmul t1, x, x\nmul -, f, t0\nout x\n"
    running = prepare("late", text, "rrm", 0xFFFFFD, {"x": 9})
    simulation = Simulation(running.build)
    simulation.load(running.modulus)
    batch = simulation.run([1, 2, 3], [0, 0, 0])
    assert batch.results == [1, 2, 3]
    assert set(batch.latencies.tolist()) == {running.schedule.cycles}
    scan = assemble(text.replace("mul -, f, t0\nout x", "scan s\nout f"))
    assert scan.rows[-1].quiet and not assemble(CUBE).rows[4].quiet


SCANS = """\
.table t u 2
.number t0=3 t1=5 u0=7 u1=11
.operand x e
bits first
scan a
scan b, u
mul -, a, b
out f
"""


def test_a_scan_of_the_second_table(tmp_path: Path) -> None:
    """Entries of several registers are in as many tables; one that begins elsewhere is found."""
    for e, right in ((0, 3 * 7), (1, 5 * 11)):
        running = prepare("scans", SCANS, "imml_booth4", 0xFFFFFD, {"x": 0, "e": e})
        ran = use.run(running)
        assert ran.value == right and ran.scheduled
    room = mutant(
        running.build.room, tmp_path / "rtl", "mm_engine_reader", "exponent : a_slot_i;", "exponent : '0;"
    )
    with pytest.raises(VerificationError):
        use.run(replace(running, build=room.of(running.build.config)))
    for wrong, reason in (
        (SCANS.replace("b, u", "b, v"), "line 6: there is no table v; there is t, u"),
        (SCANS.replace("t u 2", "t t 2"), "line 1: t0 is in two tables"),
        (SCANS.replace("b, u", "b, u, t"), "line 6: scan takes a register, and a table, not 3"),
    ):
        with pytest.raises(ProgramError, match=reason):
            assemble(wrong)


@pytest.mark.parametrize(
    "core",
    [
        *CORES,
        *(pytest.param(c, marks=pytest.mark.long) for c in ("montgomery_dsp", "fips")),
        pytest.param("scalable_booth4_left", marks=pytest.mark.long),
    ],
)
def test_no_program_is_faster_than_its_bound(core: str) -> None:
    """A chain of products takes no more than it must, but for its ends; others have rows that wait."""
    texts = [name for name, file in programs().items() if ".like" not in file.read_text()]
    found = {name: prepared(name, core, SMALL, **VALUES[name]).schedule for name in texts}
    assert all(0 < each.bound <= each.cycles <= each.written for each in found.values()), found
    chain = found["public_power"]
    assert chain.cycles - chain.bound < 4 * chain.cycles // (chain.squares + chain.products)


def test_a_bound_follows_what_rows_need() -> None:
    """Side by side they take as long as the core is busy; one behind the other, the latency."""
    rows = {"chain": "mul -, f, f\n", "beside": "mul -, x, x\n"}
    text = ".number r2\n.operand x -\nmul -, x, r2\n{}out f\n"
    bounds = {
        name: prepare("p.s", text.format(20 * row), "montgomery_dsp", 0xFFF1, {"x": 3}).schedule.bound
        for name, row in rows.items()
    }
    assert bounds["chain"] > 2 * bounds["beside"] > 40


def test_a_program_by_its_file(tmp_path: Path) -> None:
    """The same hardware as where it is run; the text is part of what a verification is kept under."""
    file = tmp_path / "my cube.s"
    file.write_text(CUBE)
    found = room(f"{file}:rrm")
    build = found.build(16)
    assert build.slug == "my_cube:rrm" and build.core.top == "mm_engine"
    assert build.design.digest == program(CUBE, "rrm")[1].build(16).design.digest
    _, other = program(CUBE + ";", "rrm", file.name)
    keys = [verification_key(each, Plan(count=1)) for each in (build, found.build(16), other.build(16))]
    assert keys[0] == keys[1] != keys[2]
    assert any(path.name == "running.py" for path in verification_inputs(found))
    for some in interesting_moduli(build, random.Random(1), 4):  # numbers that nobody has given are any
        assert build.core.function.answer(build.config.at(some), some, 0, 1) == 0
    for name, says in (("none.s:rrm", "there is no file none.s"), (f"{file}:modexp:rrm", "is a system")):
        with pytest.raises(ValueError, match=says):
            room(name)
    file.write_text(CUBE.replace("out  b", "out  c"))
    with pytest.raises(ProgramError, match=r"^my cube\.s: line 11: c is read before it is written"):
        room(f"{file}:rrm")


@pytest.mark.long
def test_a_program_passes_the_checks_of_all_cores(tmp_path: Path) -> None:
    (tmp_path / "cube.s").write_text(CUBE)
    assert verify(room(f"{tmp_path / 'cube.s'}:rrm").build(16), Plan(count=100)).total > 200


FIELD = Polynomial(1 << 40 | 0b111001)
"""Irreducible, for cores of GF(2^m)."""


QUICK = (("odd_inverse", "fips"), ("two_powers", "scalable_booth4_left"))


@pytest.mark.parametrize(
    ("name", "core"),
    [
        pytest.param(name, core, marks=pytest.mark.long if (name, core) not in QUICK else ())
        for name in programs()
        for core in rooms()
    ],
)
def test_every_register_of_every_program_on_every_core(name: str, core: str, rng: random.Random) -> None:
    """Each number that a row writes is that of the model, and so are the result and the cycles."""
    refused = []
    for some in (PRIME, FIELD):
        try:
            running = prepared(name, core, some, **VALUES[name])
        except ValueError as error:
            refused.append(str(error))
            continue
        found = running.build.room
        assert isinstance(found, ProgramRoom)
        running = replace(running, build=seen(found).of(running.build.config))
        simulation = Simulation(running.build, seed=rng.getrandbits(31))
        for x, y in (running.operands, drawn(running, rng), drawn(running, rng)):
            assert differences(simulation, some, x, y) == []
        once = running.build.core.interface.told(simulation.at) or rewrites(simulation.at)
        ran = use.run(running, count=0 if once else 20, seed=rng.getrandbits(30))
        assert ran.value == modelled(running) and ran.scheduled
    if len(refused) == 2:
        pytest.skip(refused[0])


def drawn(running: Running, rng: random.Random) -> tuple[int, int]:
    """Random operands; of a long one the core takes each part."""
    config = running.build.config.at(running.modulus)
    assert isinstance(config, ProgramConfig)
    most = running.build.core.function.operand_max(config, running.modulus)
    x = joined((rng.randint(0, most) for _ in range(config.x_registers)), config.number * config.word)
    return x, use._random(running, rng)[1]


def rewrites(config: Config) -> bool:
    """Whether the next operation finds other numbers of the context."""
    assert isinstance(config, ProgramConfig)
    written = {name for row in config.program.rows for name in row.writes}
    return not written.isdisjoint(config.program.numbers)


UNREAD = """\
.keep
.number one m
.operand x y
.modulus m
      sub  a, x, one
again: add a, a, x
      repeat 2, again
      sub  b, x, y
      mul  z, x, y
      out  z
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("b, x, y", "b, y, x"),  # another number
        ("b, x, y", "a, x, y"),  # into another register
        ("repeat 2", "repeat 3"),  # and one more
        ("sub  b, x, y", ""),  # and one less
    ],
)
def test_a_row_that_writes_something_else_is_found(right: str, wrong: str) -> None:
    """The result tells nothing of it."""
    build = seen(program(UNREAD, "montgomery_csa2")[1]).build(40)
    simulation = Simulation(build)
    assert UNREAD.count(right) == 1 or not right
    simulation.config = build.config.running(source=UNREAD.replace(right, wrong))  # of the model alone
    assert bool(differences(simulation, PRIME, 5, 7)) == bool(right)


def test_random_operands_of_a_program_that_refuses_some() -> None:
    running = prepared("edwards", "rrm", SMALL, **VALUES["edwards"])
    with pytest.raises(ValueError, match=r"edwards\.s releases a result only if its operands pass a test"):
        use.run(running, count=1)


def test_a_clock_is_that_of_the_very_build() -> None:
    """Not that of its core, nor that of the same system with other parameters."""
    system = room("modexp:rrm")
    found = clock(system.build(256))
    alone = clock(room("rrm").build(256))
    assert found and alone and found.mhz != alone.mhz and found.of == "modexp:rrm of this size on ecp5"
    assert clock(system.build(256, {"Window": 1})) is None


# --- the tutorial -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tutorial() -> ModuleType:
    """``tools/tutorial.py``."""
    spec = importlib.util.spec_from_file_location("tutorial", ROOT / "tools" / "tutorial.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tutorial_shows_what_its_commands_print(tutorial: ModuleType) -> None:
    text = TUTORIAL.read_text(encoding="utf-8")
    assert text.count("\n$ modmul run ") >= 3
    assert tutorial.renewed(text) == text, "'make tutorial' writes it"


def test_a_stale_or_nameless_block_of_the_tutorial(tutorial: ModuleType) -> None:
    command = "$ modmul run mine.s --core rrm -m 101 x=2 y=1 k=3"
    text = f"```asm\n; mine.s\n{CUBE}```\n```console\n{command}\nold\n```\n"
    assert f"{command}\n0x18\n" in tutorial.renewed(text) and "old" not in tutorial.renewed(text)
    with pytest.raises(ValueError, match="name of its file, not so: nothing"):
        tutorial.renewed("```asm\nnothing\n```\n")
    with pytest.raises(ValueError, match="not a command of the tutorial: rm -rf"):
        tutorial.renewed("```console\n$ rm -rf x\n```\n")
