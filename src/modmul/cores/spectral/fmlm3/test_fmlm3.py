# SPDX-License-Identifier: Apache-2.0
"""What the contract tests cannot know of fmlm3: its blocks, parameter sets, cycles, chains of operations."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import gcd
from pathlib import Path

import pytest

from modmul.cores.spectral.fmlm3.core import (
    CORE,
    TABLE_2,
    TABLE_6,
    Durations,
    Fmlm3Config,
    ParameterSet,
    check,
    cycles,
    digits,
    forward_transform,
    most_efficient,
    parameter_sets,
    sets_by_length,
    square_cycles,
    states,
    work,
)
from modmul.cores.spectral.fmlm3.mclaughlin import product
from modmul.design import Design, Port
from modmul.registry import Room, room
from modmul.verify.checks import check_batch, check_random
from modmul.verify.ports import random_controls
from modmul.verify.simulation import Simulation
from modmul.verify.simulator import Model, Unit

FMLM3 = room("fmlm3")


@pytest.fixture
def rng() -> random.Random:
    return random.Random(1)


# --- a block in simulation ------------------------------------------------------------------------


class Block:
    """One module of the core, cycle by cycle.

    Args:
        folder: for the module around it: Verilator does not take a recursive one as the top.
        module: its name without ``mm_fmlm3_``.
        parameters: of the module.
        inputs, outputs: ports and their bits; ``clk_i`` is not among them.
        clocked: whether it has a clock.
    """

    def __init__(
        self,
        folder: Path,
        module: str,
        parameters: Mapping[str, int],
        inputs: Mapping[str, int],
        outputs: Mapping[str, int],
        *,
        clocked: bool = True,
    ) -> None:
        ports = [Port("clk_i", "input", 1)] if clocked else []
        ports += [Port(name, "input", bits) for name, bits in inputs.items()]
        ports += [Port(name, "output", bits) for name, bits in outputs.items()]
        head = ", ".join(f"{port.direction} wire [{port.bits - 1}:0] {port.name}" for port in ports)
        pins = ", ".join(f".{port.name}" for port in ports)
        settings = ", ".join(f".{name}({value})" for name, value in parameters.items())
        bench = folder / "bench.sv"
        bench.write_text(
            f"module bench({head});\nmm_fmlm3_{module} #({settings}) u_block({pins});\nendmodule\n"
        )
        design = Design(f"fmlm3/{module}", "bench", (*FMLM3.sources, bench), {}, tuple(ports))
        self.run = Model(Unit(design)).rows

    def piped(self, rows: Sequence[Sequence[int]], delay: int) -> list[list[int]]:
        """The outputs that ``delay`` cycles make of each row."""
        return self.run([*rows, *[rows[-1]] * delay])[delay:]


def held(value: int, bits: int) -> int:
    """A residue as it is held, minus one: -1 stands for 0."""
    return (value - 1) % (1 << (bits + 1))


def residues(bits: int, rng: random.Random, count: int) -> list[int]:
    """Corners and random residues modulo 2^bits + 1."""
    corners = [0, 1, 2, (1 << bits) - 1, 1 << bits, 1 << (bits - 1), 1 << (bits // 2), (1 << (bits // 2)) - 1]
    return [*corners, *(rng.randint(0, 1 << bits) for _ in range(count))]


# --- blocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bits", "grain", "levels"), [(8, 1, 3), (8, 2, 2), (12, 3, 2), (64, 1, 6)])
def test_shift(tmp_path: Path, rng: random.Random, bits: int, grain: int, levels: int) -> None:
    """Every residue and amount of small rings: y = a * 2^(grain * amount)."""
    block = Block(
        tmp_path,
        "shift",
        {"Bits": bits, "Grain": grain, "Levels": levels},
        {"a_i": bits, "amount_i": levels, "zero_i": 1, "negate_i": 1},
        {"y_o": bits},
    )
    values = range(1, (1 << bits) + 1) if bits <= 12 else residues(bits, rng, 300)[1:]
    rows = [(a - 1, e, 0, 0) for a in values for e in range(1 << levels)]
    m = (1 << bits) + 1
    for (a, e, _, _), [y] in zip(rows, block.piped(rows, 2), strict=True):
        assert y == ((a + 1) << (grain * e)) % m - 1


@pytest.mark.parametrize("bits", [8, 16, 64])
def test_root2(tmp_path: Path, rng: random.Random, bits: int) -> None:
    """Every residue of small rings, with the factor and without."""
    block = Block(tmp_path, "root2", {"Bits": bits}, {"root2_i": 1, "a_i": bits + 1}, {"y_o": bits + 1})
    values = range((1 << bits) + 1) if bits <= 16 else residues(bits, rng, 2000)
    # The factor belongs to the cycle of its residue.
    rows = [(root, held(a, bits)) for a in values for root in (0, 1)]
    m = (1 << bits) + 1
    got = block.piped(rows, 2)
    for a, [y0], [y1] in zip(values, got[::2], got[1::2], strict=True):
        assert y0 == held(a, bits)
        assert y1 == held(a * ((1 << (bits // 2)) - 1) % m, bits)


@pytest.mark.parametrize(
    ("bits", "grain", "levels", "root2", "scale"),
    [(8, 2, 2, 0, 0), (8, 2, 2, 0, 1), (8, 1, 3, 1, 1), (8, 1, 3, 1, 0), (96, 3, 5, 0, 1), (64, 1, 6, 1, 1)],
)
def test_butterfly(
    tmp_path: Path, rng: random.Random, bits: int, grain: int, levels: int, root2: int, scale: int
) -> None:
    """Every pair of residues of a small ring, random factors; digits and products through its last adder."""
    wide = bits + 1
    block = Block(
        tmp_path,
        "butterfly",
        {"Bits": bits, "Grain": grain, "Levels": levels, "Root2": root2, "Scale": scale},
        {
            **{"x0_i": wide, "x1_i": wide, "e0_i": levels + 1, "e1_i": levels + 1, "root_i": 2},
            **{"ext_i": 1, "from_ext_i": 1, "w0_i": wide, "w1_i": wide, "c_i": 1},
        },
        {"y0_o": wide, "y1_o": wide},
    )
    m, delay = (1 << bits) + 1, 6 if root2 else 4
    root = (1 << (bits // 2)) - 1
    all_pairs = [(a, b) for a in range(m) for b in range(m)] if bits == 8 else []
    pairs = all_pairs or [(a, b) for a in residues(bits, rng, 40) for b in residues(bits, rng, 40)]
    rows = []
    for x0, x1 in pairs:
        e0, e1 = (rng.randrange(2 << levels) for _ in range(2))
        roots = rng.choice((0, 2, 3)) if root2 else 0
        w0, w1 = held(x0, bits), held(x1, bits)
        rows.append((w0, w1, e0 if scale else 0, e1, roots if scale else roots & 2, 0, 0, 0, 0, 0))
    for (x0, x1), row, (y0, y1) in zip(pairs, rows, block.piped(rows, delay), strict=True):
        a = (x0 << (grain * row[2])) * (root if row[4] & 1 else 1)
        b = (x1 << (grain * row[3])) * (root if row[4] & 2 else 1)
        assert (y0, y1) == (held((a + b) % m, bits), held((a - b) % m, bits))
    # The residue itself, and what comes from outside.
    plain = block.piped([(*row[:9], 1) for row in rows[:5000]], delay)
    for (x0, x1), row, (y0, _) in zip(pairs, rows, plain, strict=False):
        a = (x0 << (grain * row[2])) * (root if row[4] & 1 else 1)
        b = (x1 << (grain * row[3])) * (root if row[4] & 2 else 1)
        assert y0 == (a + b) % m
    for c in (0, 1):
        words = [rng.randint(0, 1 << bits) for _ in range(50)]
        rows = [(0, 0, 0, 0, 0, 1, 1, w, w, c) for w in words]
        for w, (y0, y1) in list(zip(words, block.piped(rows, 1), strict=True))[2:]:
            assert y0 == y1 == (w - 1 + c) % (1 << wide)


@pytest.mark.parametrize("channel_bits", [1, 2, 3])
def test_switch(tmp_path: Path, rng: random.Random, channel_bits: int) -> None:
    """Every setting, and every channel."""
    bits, channels = 5, 1 << channel_bits
    block = Block(
        tmp_path,
        "switch",
        {"Bits": bits, "ChannelBits": channel_bits},
        {"select_i": channel_bits, "data_i": bits * channels},
        {"data_o": bits * channels},
        clocked=False,
    )
    for select in range(channels):
        words = [rng.randrange(1 << bits) for _ in range(channels)]
        [[got]] = block.run([(select, sum(w << (bits * k) for k, w in enumerate(words)))])
        assert got == sum(words[k ^ select] << (bits * k) for k in range(channels))


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize(("bits", "digit", "v"), [(8, 2, 3), (16, 5, 4), (64, 16, 6), (128, 60, 7)])
def test_final(tmp_path: Path, rng: random.Random, turn: int, bits: int, digit: int, v: int) -> None:
    """Digits at and around the bounds of equation 12, and random ones, are accumulated to the number."""
    carry = bits + 2 - digit
    block = Block(
        tmp_path,
        "final",
        {"Bits": bits, "Digit": digit, "CountBits": v, "Turn": turn},
        {
            **{"first_i": 1, "valid_i": 1, "turn_i": 1, "restrict_i": 1},
            **{"count_i": v, "a_i": bits + 1},
        },
        {"digit_o": digit, "carry_o": carry},
    )
    m, b, p = (1 << bits) + 1, 1 << digit, 1 << v
    back = pow(1 << (bits // 2), -1, m)
    for case in range(200):
        nega, half = case % 2, case // 2 % 2
        count, values = half * p // 2, []
        for n in range(count, count + p // 2):
            low, high = -2 * (p - 1 - n) * (b - 1) ** 2, 2 * (n + 1) * (b - 1) ** 2
            value = rng.choice((low, low + 1, high, high - 1, -1, 0, 1, rng.randint(low, high)))
            value = min(max(value, low), high)
            values.append(value if nega else rng.randint(0, min(m - 1, 2 * p * (b - 1) ** 2)))
        rows = []
        for i, value in enumerate(values):
            # With turn, the block takes what 2^(-bits/2) makes of its input.
            residue = value * pow(back, -1, m) % m if turn and nega else value % m
            rows.append((int(i == 0), 1, nega, nega, count + i, held(residue, bits)))
        idle = (0, 0, nega, nega, 0, 0)
        got = block.run([*rows, idle, idle, idle])[2:]
        found = sum(d << (digit * i) for i, (d, _) in enumerate(got[: p // 2]))
        top = got[p // 2 - 1][1]
        top -= (top >> (carry - 1)) << carry
        assert found + (top << (digit * p // 2)) == sum(
            value << (digit * i) for i, value in enumerate(values)
        )


@pytest.mark.parametrize(
    ("bits", "extra", "levels"),
    [
        *((6, 2, 0), (6, 2, 1), (7, 2, 2), (64, 2, 2), (96, 2, 3)),
        *((160, 2, 3), (192, 3, 4), (224, 3, 4), (288, 3, 4)),
    ],
)
def test_karatsuba(tmp_path: Path, rng: random.Random, bits: int, extra: int, levels: int) -> None:
    """Every pair of small numbers; corners and random ones of the lengths of Table 6."""
    size = bits + extra
    block = Block(
        tmp_path,
        "karatsuba",
        {"Bits": bits, "Extra": extra, "Levels": levels},
        {"idle_i": 1, "a_i": size, "b_i": size},
        {"p_o": 2 * size},
    )
    one = range((1 << bits) + 1) if bits <= 7 else residues(bits, rng, 60)
    rows = [(0, a, b) for a in one for b in one]
    for (_, a, b), [p] in zip(rows, block.piped(rows, 3 + 4 * levels), strict=True):
        assert p == a * b


@pytest.mark.parametrize(("bits", "scale"), [(6, 2), (8, 3), (64, 7), (96, 5), (128, 6)])
def test_multiply_adder(tmp_path: Path, rng: random.Random, bits: int, scale: int) -> None:
    """Every pair of residues of a small ring, with random addends: the product over 2^scale, and the sum."""
    wide, m = bits + 1, (1 << bits) + 1
    block = Block(
        tmp_path,
        "multiply_adder",
        {"Bits": bits, "Scale": scale},
        {"idle_i": 1, "a_i": wide, "b_i": wide, "plain_i": 1, "addend_i": wide},
        {"residue_o": wide, "w_o": wide, "c_o": 1},
    )
    one = list(range(m)) if bits <= 8 else residues(bits, rng, 50)
    pairs = [(a, b) for a in one for b in one]
    levels = 0
    while bits > 20 << levels:
        levels += 1
    delay = 3 + 3 + 4 * levels
    for plain in (0, 1):
        addends = [rng.choice((0, 1, m - 1, rng.randrange(m))) for _ in pairs]
        late = [0] * delay + addends  # with the residue
        rows = [(0, a, b, plain, held(late[i], bits)) for i, (a, b) in enumerate(pairs)]
        rows += [(0, 0, 0, plain, held(value, bits)) for value in late[len(pairs) :]] + [(0, 0, 0, plain, 0)]
        out = block.run(rows)
        for i, (a, b) in enumerate(pairs):
            product = a * b * pow(2, -scale, m) % m
            assert out[i + delay][0] == (product if plain else held(product, bits))
            if not plain:
                _, w, c = out[i + delay + 1]
                assert (w - 1 + c) % (1 << wide) == held((product + addends[i]) % m, bits)


@pytest.mark.parametrize("reduce", [False, True])
def test_rca(tmp_path: Path, rng: random.Random, reduce: bool) -> None:
    """Both halves and their carries, modulo R and modulo Q'; carries from one bit to as long as a half."""
    bits, segments, carry = 4, 4, 8
    block = Block(
        tmp_path,
        "rca",
        {"Bits": bits, "CarryBits": carry},
        {
            **{"load_i": 1, "inject_i": 1, "subtract_i": 1, "low_carry_i": carry},
            **{"high_carry_i": carry, "middle_i": 1, "segment_i": bits},
        },
        {"segment_o": bits, "top_o": 2},
    )
    size = 1 << (bits * segments)
    for case in range(20_000):
        least = -(1 << (carry - 2)) if reduce else 0
        low, high = (
            rng.choice((least, -1 if reduce else 1, 0, 1, rng.randint(least, (1 << (carry - 2)) - 1)))
            for _ in range(2)
        )
        whole = rng.choice((0, size - 1, rng.randrange(size), rng.randrange(16), size - rng.randint(1, 16)))
        inject = int(case % 5 > 0)
        rows = [(1, inject, int(reduce), low, high, 0, 0)]
        for k in range(segments):
            segment = (whole >> (bits * k)) % (1 << bits)
            rows.append((0, inject, int(reduce), low, high, int(k == segments // 2 - 1), segment))
        out = block.run([*rows, rows[0]])
        got = sum(word << (bits * k) for k, (word, _) in enumerate(out[2:]))
        top = out[-1][1] - 4 * (out[-1][1] >> 1)
        right = whole + inject * ((low << (bits * segments // 2)) + (-high if reduce else high))
        if -size <= right < 2 * size:
            assert got + top * size == right


def test_subtracter_and_half(tmp_path: Path, rng: random.Random) -> None:
    """Every pair of numbers of two short segments; every number of two segments halved."""
    bits = 2
    block = Block(
        tmp_path,
        "subtracter",
        {"Bits": bits},
        {"first_i": 1, "a_i": bits, "b_i": bits},
        {"difference_o": bits, "borrow_o": 1, "lsb_o": 1},
    )
    pairs = [(a, b) for a in range(16) for b in range(16)]
    rows = [row for a, b in pairs for row in ((1, a % 4, b % 4), (0, a // 4, b // 4))]
    out = block.run([*rows, (1, 0, 0)])
    for i, (a, b) in enumerate(pairs):
        low, high = out[2 * i + 1], out[2 * i + 2]
        assert low[0] + 4 * high[0] - 16 * high[1] == a - b
        assert out[2 * i][2] == (a - b) % 2
    half = Block(tmp_path, "half", {"Bits": bits}, {"segment_i": bits, "next_i": 1}, {"segment_o": bits})
    rows2 = [(a % 4, a // 4 % 2) for a in range(16)]
    for a, [got] in enumerate(half.piped(rows2, 1)):
        assert got == a // 2 % 4


def test_ram(tmp_path: Path, rng: random.Random) -> None:
    """Both kinds of memory: a word is read a cycle after its address."""
    for depth in (16, 64):
        block = Block(
            tmp_path,
            "ram",
            {"Bits": 9, "Depth": depth},
            {
                "write_i": 1,
                "waddr_i": depth.bit_length() - 1,
                "wdata_i": 9,
                "raddr_i": depth.bit_length() - 1,
            },
            {"rdata_o": 9},
        )
        words = [rng.randrange(512) for _ in range(depth)]
        block.run([(1, k, word, (k + 1) % depth) for k, word in enumerate(words)])
        assert [got for [got] in block.piped([(0, 0, 0, k) for k in range(depth)], 1)] == words


# --- parameter sets -------------------------------------------------------------------------------


def test_tables_3_and_4() -> None:
    """Table 4, with the algorithms of Section 4.3, and the sets of Table 3."""
    found = {e.p: (e.u, e.c2, e.k, e.algorithm) for e in parameter_sets(2048)}
    assert found[16] == (128, 34, 272, 2)
    assert found[32] == (64, 10, 160, 2)
    assert found[64] == (32, 4, 128, 3)
    assert found[128] == (16, 1, 64, 3)
    assert max(found) == 128  # rows 5 and 6 of Table 4 are beyond where Algorithm 4 stops
    assert [ParameterSet(p, u, 3).k for p, u in ((256, 8), (512, 4))] == [128, 256]
    assert ParameterSet(16, 128, 3).k == 400
    table3 = ((1792, 64, 28, 64), (3584, 128, 28, 64), (7680, 128, 60, 128), (15104, 256, 59, 128))
    for l, p, u, k in table3:  # noqa: E741
        entry = ParameterSet(p, u, 2)
        assert (entry.l, entry.k) == (l, k)
    for entry in (ParameterSet(64, 28, 2), ParameterSet(128, 16, 3), ParameterSet(16, 128, 2)):
        assert pow(entry.root, entry.p, entry.m) == entry.m - 1


def test_table_2() -> None:
    """Counted from the states, a square in a chain is what is printed with Algorithm 2, and less with 3."""
    p, v = 32, 5
    second, third = (Fmlm3Config(1024, p, 32, algorithm, 2, square=True, chain=True) for algorithm in (2, 3))
    a, _, c = TABLE_2["FMLM3"]
    printed = {name: (a * v + b * p + c) * p for name, (a, b, c) in TABLE_2.items()}
    assert work(second)["digit_products"] == printed["FMLM3"] == min(printed.values())
    configs = [
        second,
        third,
        replace(second, square=False, keep=True),
        replace(second, square=False, chain=False),
    ]
    found = [(work(config)["transforms"], work(config)["products"]) for config in configs]
    assert found == [(a, c), (5, 4), (5, 3), (9, 4)]


def test_figure_2() -> None:
    """l = 2048: v, P, bits of M, c. M shrinks down to c = 1/2; behind that it grows with P."""
    found = {e.v: (e.p, e.k + 1, e.c2 / 2) for e in sets_by_length(2048)}
    assert {v: found[v] for v in range(4, 10)} == {
        **{4: (16, 273, 17), 5: (32, 161, 5), 6: (64, 129, 2)},
        **{7: (128, 65, 0.5), 8: (256, 129, 0.5), 9: (512, 257, 0.5)},
    }


def test_figure_9() -> None:
    """The builds are those of Table 7; its second row of 2,048 bits is misprinted there."""
    products = {key: round(product) for key, (_, product) in most_efficient().items()}
    assert products[2048, 1] == 71485 and products[1024, 2] == 24173
    assert {width: config.set.v for (width, n), (config, _) in most_efficient().items() if n == 2} == {
        **{1024: 6, 2048: 7, 3072: 7, 4096: 7, 7680: 7}
    }


@pytest.mark.parametrize("row", TABLE_6)
def test_table_6(row: Sequence[float]) -> None:
    """The printed M, and no more cycles than printed."""
    config = table_6(row)
    assert config.set.l == config.width
    assert cycles(replace(config, square=True, chain=True)) <= row[10]


@pytest.mark.parametrize("width", [1024, 2048, 3072, 4096, 7680])
def test_defaults_are_those_of_table_7(width: int) -> None:
    """The estimate behind the default finds the paper's most efficient sets."""
    best = {1024: (64, 16, 3), 2048: (128, 16, 3), 3072: (128, 24, 2), 4096: (128, 32, 3)}
    best[7680] = (128, 60, 2)
    config = Fmlm3Config(width)
    assert (config.transform, config.digit, config.algorithm) == best[width]


def test_table_5() -> None:
    """No transform takes more cycles than in Table 5: equations 28 and 29 with the paper's delay of 11."""
    for p in (32, 64, 128):
        for n in (1, 2, 4):
            for c2 in (1, 2):
                u = 16 if c2 == 2 else max((p // 2 - 10) // 2, 2)
                d = Durations(ParameterSet(p, u, 2), n, 2)
                root = 2 if d.entry.c2 == 1 else 0
                stages = (d.entry.v - 1) * max(p // (2 * n), -(-(44 * n + p) // (4 * n)))
                assert d.forward <= stages + 11 + p // (2 * n) + root
                assert d.inverse <= stages + 14 + p // 2


def test_more_butterflies() -> None:
    """What the README says of N = P/8 and P/2; the estimates of Table 5 for N = P/2 are 60, 72 and 84."""
    found = {
        (n, p): Durations(ParameterSet(p, 60, 2), p // n, 2).forward for n in (8, 2) for p in (32, 64, 128)
    }
    assert [found[8, p] for p in (32, 64, 128)] == [46, 55, 64]
    assert [found[2, p] for p in (32, 64, 128)] == [35, 42, 49]
    entry = ParameterSet(32, 32, 2)
    assert [square_cycles(entry, n) for n in (2, 4, 16)] == [707, 635, 567]
    assert Fmlm3Config(64, 32, butterflies=4).butterflies == 4
    with pytest.raises(ValueError, match="transform must be at least 32 for 4 butterflies, got 16"):
        Fmlm3Config(64, 16, butterflies=4)


def test_gcd() -> None:
    """Even moduli are served; a factor in common with R is refused, with other cores named."""
    config = Fmlm3Config(16)
    for modulus in (3, 5, 17 * 7):
        with pytest.raises(ValueError, match=r"in common with R = 2\^16 - 1.*take montgomery_csa2"):
            check(config, modulus)
    with pytest.raises(ValueError, match="take an interleaved core"):
        check(config, 6)
    check(config, 14)


# --- Algorithm 1 -----------------------------------------------------------------------------------


def legal(l: int) -> list[int]:  # noqa: E741
    return [n for n in range(1, 1 << l) if gcd(n, (1 << l) - 1) == 1]


def check_product(l: int, n: int, x: int, y: int) -> bool:  # noqa: E741
    """Right, and every step in its range. Whether t is N."""
    r, q = (1 << l) - 1, (1 << l) + 1
    got = product(l, n, x, y)
    assert (got.z * r - x * y) % n == 0 and 0 <= got.z < n
    assert 0 <= got.m < r and max(got.residue, got.w, got.s) < q and min(got) >= 0
    assert got.t * r == x * y + got.m * n and got.t < 2 * n
    assert (x * y + got.m * n - got.residue) % q == 0 and (2 * got.s + got.residue) % q == 0
    return got.t == n


def test_mclaughlin_exhaustively() -> None:
    """Every modulus and all operands up to 5 bits; t = N happens, also where no operand is 0 or N."""
    for l in range(2, 6):  # noqa: E741
        for n in legal(l):
            for x in range(n + 1):
                for y in range(n + 1):
                    check_product(l, n, x, y)
    assert check_product(8, 14, 2, 7)


@pytest.mark.parametrize("l", [64, 1024, 7680])
def test_mclaughlin_at_full_width(rng: random.Random, l: int) -> None:  # noqa: E741
    """Corners and random operands."""
    r = (1 << l) - 1
    for n in [n for n in (rng.getrandbits(l) | (1 << (l - 1)) for _ in range(20)) if gcd(n, r) == 1][:4]:
        operands = [0, 1, n - 1, n, *(rng.randrange(n) for _ in range(4))]
        for x in operands:
            for y in operands:
                check_product(l, n, x, y)


@pytest.mark.parametrize(
    ("l", "n", "x", "y"),
    [(1, 1, 0, 0), (4, 16, 0, 0), (4, 0, 0, 0), (4, 5, 0, 0), (4, 7, 8, 0), (4, 7, 0, -1)],
)
def test_mclaughlin_refuses(l: int, n: int, x: int, y: int) -> None:  # noqa: E741
    with pytest.raises(ValueError, match=r"the modulus has to|operands lie in 0 … 7"):
        product(l, n, x, y)


def test_the_core_computes_algorithm_1(rng: random.Random) -> None:
    """The model of the core, step by step, leaves t >= N as Algorithm 1 does."""
    for config in (Fmlm3Config(16, 8, 2, 2, 1), Fmlm3Config(64, 16, 4, 3, 2)):
        for n in moduli(config, 8, rng):
            x, y = rng.randint(0, n), rng.randint(0, n)
            *_, last = (step.state for step in CORE.algorithm.model(config, n, x, y) if "less" in step.state)
            got = product(config.set.l, n, x, y)
            assert last["less"] == (got.t >= n)
            assert got.z == CORE.function.answer(config, n, x, y)


# --- the whole core -------------------------------------------------------------------------------


def table_6(row: Sequence[float]) -> Fmlm3Config:
    width, algorithm, p, u, n = (int(value) for value in row[:5])
    return Fmlm3Config(width, p, u, algorithm, n)


def moduli(config: Fmlm3Config, count: int, rng: random.Random) -> Iterator[int]:
    """Of full length and shorter, even and odd."""
    while count:
        bits = config.width if count % 3 else rng.randint(2, config.width)
        n = rng.getrandbits(bits) | (1 << (bits - 1)) | count % 2
        if CORE.function.serves(config, n):
            count -= 1
            yield n


def multiply(simulation: Simulation, config: Fmlm3Config, count: int, rng: random.Random) -> None:
    """Corners and random operands, products and squares, with the declared latency."""
    for n in moduli(config, 4, rng):
        assert sum(check_random(simulation, n, count // 4, rng)) >= count // 4


STATES = (
    *("IDLE", "LX", "CTX", "NCTX", "LY", "CTY", "NCTY", "P1", "ICT1", "RZ", "CTZ"),
    *("P2", "ICT2", "RM", "NCTM", "P4", "INCT", "RQ", "SUB"),
)
"""Of mm_fmlm3_control."""


def test_states() -> None:
    """How long each state of the control unit lasts in the hardware: the durations that cycles() adds up."""
    watched = Room(CORE.changed(trace=lambda _config: {"state": "u_control.state_q"}), FMLM3.path)
    sets = ((32, 8, 3, 2, 0), (64, 8, 2, 1, 0), (128, 2, 3, 4, 0), (32, 8, 2, 2, 1), (32, 8, 3, 1, 1))
    for config in [Fmlm3Config(256, *rest) for rest in sets]:
        simulation = Simulation(watched.of(config))
        simulation.load(1 << 255)
        for square, keep in ((False, False), (True, False), (False, True)):
            seen = [STATES[state["state"]] for state in simulation.follow(5, 7, square=square, keep=keep)]
            if seen[0] == "P1":  # it is under way
                seen = seen[2:]
            lasted = [(name, len(list(group))) for name, group in groupby(seen) if name != "IDLE"]
            assert lasted == states(replace(config, square=square, keep=keep))


def test_corners_of_the_algorithm(rng: random.Random) -> None:
    """Zero operands, S = 0 and t = N (N = 14, x = 2, y = 7), which the paper's Fig. 7 gets wrong."""
    for config in (Fmlm3Config(8, 4, 0, 2, 1), Fmlm3Config(8, 8, 0, 3, 1), Fmlm3Config(8, 16, 0, 2, 2)):
        simulation = Simulation(FMLM3.of(config))
        for n in (14, 7, 254, 2):
            if CORE.function.serves(config, n):
                simulation.load(n)
                pairs = [(x, y) for x in range(min(n, 20) + 1) for y in range(min(n, 20) + 1)]
                got = simulation.run([x for x, _ in pairs], [y for _, y in pairs]).results
                domain = CORE.function.domain(config)
                assert got == [domain.product(n, x, y) for x, y in pairs]


def test_1024_bits(rng: random.Random) -> None:
    """The most efficient set of Table 7, with two butterflies and with one."""
    default = Fmlm3Config(1024)
    configs = [default, replace(default, butterflies=1)]
    for config in configs:
        multiply(Simulation(FMLM3.of(config), seed=3), config, 900, rng)


def chain(config: Fmlm3Config, rng: random.Random, count: int) -> None:
    """Operations with operands of their own, the last result or those kept: results and latencies."""
    simulation = Simulation(FMLM3.of(config), seed=7)
    for n in moduli(config, 3, rng):
        simulation.load(n)
        xs, ys = ([rng.randrange(n) for _ in range(count)] for _ in range(2))
        assert check_batch(simulation, n, xs, ys, controls=random_controls(CORE, count, rng)) == count


@pytest.mark.parametrize("algorithm", [2, 3])
def test_chains(rng: random.Random, algorithm: int) -> None:
    """Operands in the spectral domain, from results and kept, at 64 and 512 bits."""
    for config in (Fmlm3Config(64, 16, 0, algorithm, 2), Fmlm3Config(512, 32, 16, algorithm, 1)):
        chain(config, rng, 60)
    chain(Fmlm3Config(512, 32, 16, algorithm, 4, 1), rng, 60)


# --- ports in the spectral domain -----------------------------------------------------------------


def test_encoding(rng: random.Random) -> None:
    """T(x) and T'(x), and back; what is no transform of a number is -1. The lowest bit of x is in a sum."""
    for width, p, u, algorithm in ((8, 4, 5, 2), (64, 16, 4, 3), (128, 128, 0, 3)):
        config = Fmlm3Config(width, p, u, algorithm, 1, 1)
        chosen, bits = config.set, config.word
        for x in (0, 1, (1 << chosen.l) - 1, *(rng.getrandbits(chosen.l) for _ in range(20))):
            word = CORE.interface.encode(config, x)
            residues = config.split(word)
            assert residues[: chosen.p] == forward_transform(chosen, digits(chosen, x), nega=False)
            assert residues[chosen.p :] == forward_transform(chosen, digits(chosen, x), nega=True)
            assert CORE.interface.decode(config, word) == x
            assert CORE.interface.decode(config, word ^ (1 << rng.randrange(config.bits))) == -1
            assert (sum(residues[: chosen.p]) >> chosen.v) & 1 == x & 1
        # T of a digit that is too long.
        long = [1 << chosen.u, *[0] * (chosen.p - 1)]
        both = [r for nega in (False, True) for r in forward_transform(chosen, long, nega=nega)]
        assert CORE.interface.decode(config, sum(r << (bits * i) for i, r in enumerate(both))) == -1
        assert not CORE.interface.carries_numbers(config) and CORE.interface.carries_numbers(
            replace(config, spectral=0)
        )
    assert CORE.interface.encode(Fmlm3Config(64), 5) == CORE.interface.decode(Fmlm3Config(64), 5) == 5


def test_a_table_of_powers(rng: random.Random) -> None:
    """Spectral results come back as operands, any with any: what a window method does."""
    config = Fmlm3Config(256, 32, 8, 3, 2, 1)
    simulation = Simulation(FMLM3.of(config))
    [n] = moduli(config, 1, rng)
    simulation.load(n)
    right = CORE.function.domain(config).product
    table = [rng.randrange(n)]
    for _ in range(6):
        table.append(simulation.multiply(table[-1], table[0]))
        assert table[-1] == right(n, table[-2], table[0])
    pairs = [(x, y) for x in table for y in table]
    got = simulation.run([x for x, _ in pairs], [y for _, y in pairs]).results
    assert got == [right(n, x, y) for x, y in pairs]


@pytest.mark.parametrize("row", TABLE_6)
def test_spectral_operations_are_those_of_table_6(row: Sequence[float]) -> None:
    """A product of any two spectral values: seven transforms, or five, and no more cycles than printed."""
    config = replace(table_6(row), spectral=1)
    assert work(config)["transforms"] == (7 if row[1] == 2 else 5)
    assert work(config)["products"] == 4
    assert work(replace(config, square=True, chain=True)) == work(config)
    assert work(replace(config, keep=True))["transforms"] == 5
    assert cycles(config) <= row[10]


def test_digits_and_residues_at_the_ports() -> None:
    """The README's table: cycles and interval of x * y, cycles of a square in a chain."""

    def figures(*build: int) -> list[tuple[int, int, int]]:
        width, p, u, algorithm = build
        configs = [Fmlm3Config(width, p, u, algorithm, 2, spectral) for spectral in (0, 1)]
        return [
            (
                cycles(config),
                CORE.interface.interval(config),
                cycles(replace(config, square=True, chain=True)),
            )
            for config in configs
        ]

    assert figures(1024, 64, 16, 3) == [(1021, 1153, 796), (812, 1072, 812)]
    assert figures(1024, 32, 32, 2) == [(844, 912, 707), (675, 807, 675)]
    assert figures(4096, 128, 32, 3) == [(2165, 2425, 1668), (1688, 2204, 1688)]
    assert CORE.interface.interval(Fmlm3Config(1024, square=True, chain=True)) == 928


def test_transforms_saved() -> None:
    """Seven transforms in a chain with Algorithm 2, five with Algorithm 3 or with a kept operand."""
    second, third = Fmlm3Config(1024, 32, 32, 2, 2), Fmlm3Config(1024, 32, 32, 3, 2)
    assert work(replace(second, square=True, chain=True))["transforms"] == 7
    assert work(replace(second, chain=True, keep=True))["transforms"] == 5
    assert work(replace(third, square=True, chain=True))["transforms"] == 5
    assert cycles(replace(second, chain=True, keep=True)) < cycles(replace(second, square=True, chain=True))


# --- long -----------------------------------------------------------------------------------------

FURTHER = (
    *((1792, 64, 28, 2, 2), (3584, 128, 28, 2, 2), (15104, 256, 59, 2, 2), (2048, 16, 128, 2, 2)),
    *(
        (2048, 256, 8, 3, 2),
        (2048, 512, 4, 3, 2),
        (2048, 16, 128, 3, 1),
        (4096, 64, 64, 2, 4),
        (2048, 256, 8, 3, 8),
    ),
    *((2048, 128, 16, 3, 4), (7680, 128, 60, 2, 1)),
    *((1024, 32, 32, 2, 4), (2048, 32, 64, 3, 4), (2048, 64, 32, 3, 8)),
    *((1024, 64, 16, 3, 2, 1), (3072, 128, 24, 2, 1, 1), (2048, 32, 64, 2, 4, 1)),
)
"""Sets of Tables 3 and 4, and further numbers of butterflies: l, P, u, algorithm, butterflies."""


@pytest.mark.long
@pytest.mark.parametrize(
    "config", [*map(table_6, TABLE_6), *(Fmlm3Config(*entry) for entry in FURTHER)], ids=str
)
def test_every_set(config: Fmlm3Config, rng: random.Random) -> None:
    """Corners, 1,000 random multiplications and a chain with every set of Tables 3, 4 and 6."""
    multiply(Simulation(FMLM3.of(config), seed=5), config, 1840, rng)
    chain(config, rng, 24)


TINY = (
    *(
        (16, 8, 2, 2, 1),
        (16, 16, 2, 2, 2),
        (32, 8, 4, 2, 1),
        (32, 8, 4, 3, 1),
        (32, 16, 2, 3, 1),
        (64, 32, 2, 2, 4),
    ),
    *((64, 64, 2, 3, 4), (64, 16, 4, 3, 2), (64, 4, 16, 2, 1), (128, 32, 4, 2, 2), (128, 64, 2, 2, 1)),
    *((16, 8, 2, 2, 1, 1), (64, 16, 4, 3, 2, 1), (128, 64, 2, 2, 1, 1)),
)


@pytest.mark.long
@pytest.mark.parametrize("config", [Fmlm3Config(*entry) for entry in TINY], ids=str)
def test_tiny_sets(config: Fmlm3Config, rng: random.Random) -> None:
    """100,000 multiplications of each, where every carry and corner comes often."""
    simulation = Simulation(FMLM3.of(config), seed=6)
    for n in moduli(config, 50, rng):
        assert sum(check_random(simulation, n, 2000, rng)) >= 2000
