# SPDX-License-Identifier: Apache-2.0
"""The description's own arithmetic and data: polynomials over GF(2), domains, beats, run-time fields."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from modmul.core import (
    BINARY_FIELD,
    MAX_WIDTH,
    PORTS,
    PRIME_FIELD,
    RUNTIME,
    TOOL_WIDTHS,
    Config,
    Domain,
    Polynomial,
    ScalableConfig,
    WordConfig,
    bound_name,
    carryless_product,
    check_odd,
    check_positive,
    check_tool,
    check_width,
    field_of,
    full_modulus,
    montgomery_domain,
    operand_length,
    radix_name,
    size_name,
    to_beats,
)
from modmul.design import Port
from modmul.export import export
from modmul.measure import CHIPS
from modmul.moduli import NAMED
from modmul.registry import Room, room
from modmul.study.compare import Request, compare
from modmul.use.multiply import multiply
from modmul.verify.runner import Plan, verify

# --- polynomials, against shift and xor ---------------------------------------------------------


def product(a: int, b: int) -> int:
    """a * b over GF(2), a bit of b at a time."""
    z = 0
    while b:
        z ^= a if b & 1 else 0
        a, b = a << 1, b >> 1
    return z


def remainder(a: int, m: int) -> int:
    """a mod m over GF(2), a bit of a at a time."""
    while a.bit_length() >= m.bit_length():
        a ^= m << (a.bit_length() - m.bit_length())
    return a


@pytest.mark.parametrize("degree", [0, 1, 2, 7, 8, 63, 64, 65, 163, 571])
def test_products_are_those_of_shift_and_xor(degree: int, rng: random.Random) -> None:
    for _ in range(20):
        m = Polynomial(rng.getrandbits(degree) | 1 << degree)
        a, b, c = (rng.getrandbits(rng.randint(0, 2 * degree + 2)) for _ in range(3))
        assert carryless_product(a, b) == product(a, b)
        assert m.product(a) == remainder(a, m)
        assert m.product(a, b) == remainder(product(a, b), m)
        assert m.product(a, b, c) == remainder(product(product(a, b), c), m)


def test_every_product_and_inverse_of_small_polynomials() -> None:
    for m in map(Polynomial, range(1, 64)):
        for a in range(1 << m.degree):
            assert all(m.product(a, b) == remainder(product(a, b), m) for b in range(1 << m.degree))
            units = [b for b in range(1 << m.degree) if remainder(product(a, b), m) == 1]
            if units:
                assert [m.inverse(a)] == units
            else:
                with pytest.raises(ValueError, match="has no inverse modulo"):
                    m.inverse(a)


def test_the_inverse_of_a_power_of_x() -> None:
    for name in ("b163", "b571", "sm2-binary"):
        m = NAMED[name].value
        assert isinstance(m, Polynomial)
        inverse = m.inverse(1 << m.degree)
        assert remainder(product(inverse, 1 << m.degree), m) == 1
    low = Polynomial(1 << 16)  # N^-1 mod x^16, as a Montgomery core needs it
    assert product(low.inverse(0x11B), 0x11B) & 0xFFFF == 1


def test_a_polynomial_is_an_integer_that_remembers_what_it_is() -> None:
    p = Polynomial(0x11B)
    assert (p.degree, p.text, repr(p), int(p)) == (8, "x^8+x^4+x^3+x+1", "Polynomial(0x11b)", 0x11B)
    assert str(p) == repr(p) != "283", "a key made of text differs from the integer's"
    assert f"{p:#x}" == "0x11b" and json.dumps(p) == "283"
    assert isinstance(deepcopy(p), Polynomial)
    assert (Polynomial(0).degree, Polynomial(0).text, Polynomial(1).text, Polynomial(2).text) == (
        -1,
        "0",
        "1",
        "x",
    )
    assert (field_of(p), field_of(0x11B)) == (BINARY_FIELD, PRIME_FIELD) == ("GF(2^m)", "GF(p)")
    assert (operand_length(p), operand_length(0x11B)) == (8, 9)
    assert (size_name(p), size_name(0x11B)) == ("degree 8", "9 bits")
    with pytest.raises(ValueError, match="not negative"):
        Polynomial(-1)


def test_domains_of_both_fields(rng: random.Random) -> None:
    plain, montgomery = Domain("plain", 1), Domain("montgomery", 1 << 16)
    for modulus in (0xFFF1, Polynomial(0x1002D)):
        for _ in range(50):
            x, y = rng.getrandbits(16) % 0xFFF1, rng.getrandbits(16) % 0xFFF1
            right = remainder(product(x, y), modulus) if isinstance(modulus, Polynomial) else x * y % modulus
            assert plain.product(modulus, x, y) == right
            assert plain.enter(modulus, x) == x
            inside = montgomery.product(modulus, montgomery.enter(modulus, x), montgomery.enter(modulus, y))
            assert montgomery.product(modulus, inside, 1) == right
    assert (
        Domain("montgomery", 8).product(1, 0, 0) == Domain("montgomery", 8).product(Polynomial(1), 0, 0) == 0
    )
    for modulus in (6, Polynomial(6)):
        with pytest.raises(ValueError, match="inver"):
            montgomery.product(modulus, 1, 1)


# --- configurations -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Both(ScalableConfig):
    """A build for both fields with a control."""

    taps: int = 3
    square: bool = field(default=False, metadata=RUNTIME)

    @property
    def fields(self) -> tuple[str, ...]:
        return (PRIME_FIELD, BINARY_FIELD)


def test_run_time_fields_are_no_parameters() -> None:
    config = Both(64, word=8, taps=5)
    at = config.at(0xFFF1, square=True)
    assert config.runtime() == {"length": 0, "square": False}
    assert at.runtime() == {"length": 16, "square": True}
    assert at.parameters() == config.parameters() == {"Width": 64, "Word": 8, "Taps": 5}
    assert at.options() == {"Word": 8, "Taps": 5}
    assert str(at) == str(config) == "Width=64, Word=8, Taps=5"
    assert at != config


def test_the_length_comes_with_the_modulus() -> None:
    config = Both(64, word=8)
    assert (config.n, config.bits, config.beats, config.trace_bits) == (64, 64, 8, 66)
    for modulus, n, beats in ((0xFFF1, 16, 2), (1 << 16, 17, 3), (1, 2, 1), (Polynomial(0x11B), 8, 1)):
        at = config.at(modulus)
        assert (at.n, at.bits, at.beats, at.width, at.word) == (n, n, beats, 64, 8)
    assert WordConfig(64, word=8).at(0xFFF1) == WordConfig(64, word=8), "the length of the others is fixed"
    with pytest.raises(ValueError, match="operands of 65 bits are longer than the core's 64"):
        config.at(1 << 64)


def test_there_are_no_other_controls() -> None:
    for config in (Config(8), Both(8)):
        for name in ("width", "length", "cube"):
            with pytest.raises(ValueError, match=f"there is no control '{name}'"):
                config.at(5, **{name: True})


def test_parameters_by_name() -> None:
    config = Both(64, word=8)
    assert config.with_parameters({"Taps": 4, "Width": 32}) == Both(32, word=8, taps=4)
    for name in ("Length", "taps", "Square"):
        with pytest.raises(ValueError, match=f"there is no parameter '{name}'; there is Width, Word, Taps"):
            config.with_parameters({name: 1})
    with pytest.raises(ValueError, match="word must be at least 1"):
        config.with_parameters({"Word": 0})


def test_numbers_in_beats() -> None:
    assert to_beats(0xABCDE, 20, 8) == [0xDE, 0xBC, 0xA]
    assert to_beats(5, 3, 8) == [5]
    assert to_beats(0, 9, 3) == [0, 0, 0]
    assert Both(20, word=8).split(0xABCDE, 1) == [0xDE, 0xBC, 0xA, 1, 0, 0]
    assert Both(20, word=8).at(0xFF).split(0xAB) == [0xAB]
    for value in (-1, 1 << 24):
        with pytest.raises(ValueError, match="does not fit into 3 beats of 8 bits"):
            to_beats(value, 20, 8)


# --- moduli -------------------------------------------------------------------------------------


def test_the_field_of_a_modulus_is_checked_first() -> None:
    with pytest.raises(ValueError, match=r"^works in GF\(p\), this modulus is of GF\(2\^m\)$"):
        check_width(Config(8), Polynomial(0x11B))
    check_positive(Both(8), Polynomial(0x11B))


def test_the_length_of_a_polynomial_is_its_degree() -> None:
    check_width(Both(8), Polynomial(0x11B))
    full_modulus(Both(8), Polynomial(0x11B))
    with pytest.raises(ValueError, match="has degree 9, more than the core's 8; take --width 9"):
        check_width(Both(8), Polynomial(0x200))
    with pytest.raises(ValueError, match=r"exactly 8 bits .* has degree 7; take --width 7"):
        full_modulus(Both(8), Polynomial(0x80))
    check_odd(Both(8), Polynomial(0x11B))
    with pytest.raises(ValueError, match="the constant term 1, this polynomial is a multiple of x"):
        check_odd(Both(8), Polynomial(0x11A))
    with pytest.raises(ValueError, match="the modulus must be positive"):
        check_odd(Both(8), Polynomial(0))


@pytest.mark.parametrize(
    ("bound", "modulus", "name"),
    [
        (251, 251, "M"),
        (250, 251, "M-1"),
        (501, 251, "2M-1"),
        (500, 251, "2M-2"),
        (1004, 251, "4M"),
        (2007, 251, "8M-1"),
        (4095, 251, "2^12-1"),
        (4094, 251, "0xffe"),
        (255, Polynomial(0x11B), "2^8-1"),
        (0, Polynomial(1), "2^0-1"),
    ],
)
def test_the_name_of_a_bound(bound: int, modulus: int, name: str) -> None:
    assert bound_name(bound, modulus) == name


# --- cores --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("radix", "modulus", "name"),
    [
        (1 << 256, 251, "2^256"),
        ((1 << 3072) - 1, 251, "2^3072 - 1"),
        (1 << 163, Polynomial(0x11B), "x^163"),
        (7, Polynomial(0x11B), "0x7"),
        (0x1234, 251, "0x1234"),
    ],
)
def test_the_name_of_a_radix(radix: int, modulus: int, name: str) -> None:
    assert radix_name(radix, modulus) == name


def test_block_memories_are_counted_in_units_of_18_kbit() -> None:
    printed = next(row for row in room("fmlm3").core.origin.published if row.table == "6")
    assert (printed.dsp, printed.bram) == (27, 2 * 26 + 1)


def test_ports_with_and_without_controls(toy: Room) -> None:
    plain = room("imml_booth4").core
    widths = {"1": 1, "word": 9}
    contract = [Port(name, direction, widths[width]) for name, direction, width in PORTS]
    assert list(plain.interface.ports(plain.builds.config(9))) == contract
    ports = toy.core.interface.ports(toy.core.builds.config(12).with_parameters({"Word": 9}))
    names = [port.name for port in ports]
    assert names[names.index("y_i") :][:3] == ["y_i", "square_i", "out_valid_o"]
    assert [port for port in ports if port.name != "square_i"] == contract
    assert [control.field for control in toy.core.interface.controls] == ["square"]


def test_products_take_controls_and_domain_into_account(toy: Room) -> None:
    config = toy.core.builds.config(8)
    assert toy.core.function.answer(config.at(251), 251, 7, 11) == 77
    assert toy.core.function.answer(config.at(251, square=True), 251, 7, 11) == 49
    aes = Polynomial(0x11B)
    assert toy.core.function.answer(config.at(aes), aes, 0x57, 0x83) == 0xC1
    montgomery = toy.core.changed(domain=montgomery_domain)
    assert montgomery.function.answer(config.at(251), 251, 7, 11) == 77 * pow(256, -1, 251) % 251


def test_a_result_is_right_when_congruent_and_within_its_range(toy: Room) -> None:
    config = toy.core.builds.config(8)
    at = config.at(200)
    assert [z for z in range(-200, 800) if toy.core.function.accepts(at, 200, 77, z)] == [77, 277]
    reduced = room("imml_booth4").core
    assert [
        z for z in range(-200, 800) if reduced.function.accepts(reduced.builds.config(8), 200, 77, z)
    ] == [77]
    aes = Polynomial(0x11B)
    assert [z for z in range(1024) if toy.core.function.accepts(config.at(aes), aes, 77, z)] == [77]


def test_illegal_contexts_are_those_python_refuses() -> None:
    core = room("montgomery_csa1").core
    assert core.illegal_contexts(WordConfig(8, word=4)) == [[0, 0], [2, 0], [4, 0], [0, 8], [14, 15]]
    core = room("interleaved_csa").core
    contexts = core.illegal_contexts(WordConfig(8, word=8))
    assert contexts == [[m, 0, 0, 0, 0, 0] for m in (0, 1, 2, 4)]


def test_some_modulus_is_legal_or_there_is_a_reason(toy: Room) -> None:
    assert toy.core.function.some_modulus(toy.core.builds.config(8)) == 129

    def only_polynomials(config: Config, modulus: int) -> None:
        if not isinstance(modulus, Polynomial):
            raise ValueError("polynomials, please")

    def nothing(config: Config, modulus: int) -> None:
        raise ValueError("never")

    binary = toy.core.changed(check=only_polynomials)
    assert repr(binary.function.some_modulus(toy.core.builds.config(8))) == "Polynomial(0x103)"
    with pytest.raises(ValueError, match="never"):
        toy.core.changed(check=nothing).function.some_modulus(toy.core.builds.config(8))


# --- limits ---------------------------------------------------------------------------------------


def test_widths_and_words_that_no_core_has() -> None:
    assert Config(MAX_WIDTH).width == WordConfig(8, word=MAX_WIDTH).word == 1048576
    for width in (-8, 1, MAX_WIDTH + 1, 10**30):
        with pytest.raises(ValueError, match=f"width must be at .* bits, got {width}$"):
            Config(width)
    for word in (-8, 0, MAX_WIDTH + 1, 10**30):
        with pytest.raises(ValueError, match=f"word must be at .* bits?, got {word}$"):
            WordConfig(8, word=word)


@pytest.mark.parametrize("done", TOOL_WIDTHS)
def test_widths_and_words_that_no_tool_takes(done: str) -> None:
    most = TOOL_WIDTHS[done]
    assert 2**14 <= most < MAX_WIDTH
    check_tool(done, most, most)
    with pytest.raises(ValueError, match=f"^width must be at most {most} .* {done} .*, got {most + 1}; take"):
        check_tool(done, most + 1)
    with pytest.raises(ValueError, match=f"^word must be at most {most} .* {done} .*, got {most + 1}; take"):
        check_tool(done, 8, most + 1)


@pytest.mark.parametrize("slug", ["imml_booth4", "montgomery_csa1", "fmlm3"])
def test_the_library_refuses_them_at_once(slug: str, tmp_path: Path) -> None:
    found = room(slug)
    [config, *_] = found.core.builds.at(100_000)
    with pytest.raises(ValueError, match=r"width must be at most 32768 bits .* to be simulated"):
        verify(found.of(config), Plan())
    with pytest.raises(ValueError, match=r"width must be at most 32768 bits .* to be simulated"):
        multiply(found.of(config), 251, 3, 4)
    with pytest.raises(ValueError, match=r"width must be at most 32768 bits .* to be exported"):
        export(found.of(config), 251, tmp_path / "out")
    with pytest.raises(ValueError, match=r"width must be at most 16384 bits .* to be synthesised"):
        compare(Request(NAMED["p256"], 100_000, CHIPS["ecp5"], (found,)))
    assert not list(tmp_path.iterdir())
