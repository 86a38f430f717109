# SPDX-License-Identifier: Apache-2.0
"""Programs whose registers hold several numbers, and what they compute, for tests of them."""

from __future__ import annotations

import random
from collections.abc import Mapping

from modmul.moduli.curves import CURVES
from modmul.moduli.multiples import drawn
from modmul.registry import on
from modmul.room import Build
from modmul.systems import batches
from modmul.systems.running import ProgramConfig
from modmul.verify.simulation import Simulation

PRIME = 0xFFFFFD

POWERS = """\
.number  one r2 m
.operand x e
.modulus m
    mul   a, x, r2
    sub   q, one, one
    sub   d, q, one
    sub   d, d, a
    bits  first
    mul   p~, a, one
    mul   s~, one?a, one?a
    jump  test
round:
    bits  1
    mul   p~, f, p'
    mul   s~, s'?p', s'?p'
    add   q, q, q
    sub   d, q, one
    add   q, q, a
    sub   d, d, q            ; -1 - a
test:
    loop  round
    mul   -, one, one
    mul   -, f, s~!p~
r:  mul   -, f, f
    repeat 2, r
    mul   -, f, q
    mul   -, f, d
    mul   z, f, 1
    out   z
"""


def powers(modulus: int, x: int, e: int, rounds: int) -> int:
    """What the program computes, x^(4 e) x (2^rounds - 1) (-1 - x), without a model."""
    return pow(x, 4 * e, modulus) * x * ((1 << rounds) - 1) * (-1 - x) % modulus


CHOICES = """\
.table   t 4
.number  one r2 m zero=0 nothing=0
.operand p e
.long    p nothing
.modulus m
    mul   t1, p.0, r2
    mul   t2, p.1, r2
    add   t3, t1, t2
    move  t0, zero
    move  good, zero
    move  v, t3
    bits  first
    scan  s, t
    jump  test
round:
    bits  2
    scan  u, t
    add   b, s, t1           ; a test between sums
    equal s, u
    add   c, s, t2
    move  v, u^t3
    mul   w, s, 1
    mul   a, v, 1
    less  w, a
    move  w, s^v
    move  good, good^one
    mul   s, w, v
    add   s, s, b
    sub   s, s, c
test:
    loop  round
    mul   p.0, s, 1
    mul   p.1, v, 1
    equal good, one
    release p, nothing
"""


def chosen(modulus: int, x: int, y: int, exponent: int, bits: int) -> tuple[int, int] | None:
    """What the program computes, without a model; ``None`` where nothing is released."""
    table = (0, x, y, (x + y) % modulus)
    digits = [exponent >> at & 3 for at in range(0, bits, 2)][::-1]
    s, v, good = table[digits[0]], table[3], False
    for digit in digits[1:]:
        v = table[3] if s == table[digit] else table[digit]
        b, c = s + x, s + y
        w, good = (v, True) if s < v else (s, good)
        s = (w * v + b - c) % modulus
    return (s, v) if good else None


def several_chosen(simulation: Simulation, modulus: int, operands: list[tuple[int, int, int]]) -> set[bool]:
    """One operation: all numbers are right and on time, and the error output rises if one is kept back.

    Returns:
        whether there were numbers that are released, and others.
    """
    config = config_of(simulation.build.at(modulus))
    size = config.number * config.word
    pairs = [(x | y << size, exponent) for x, y, exponent in operands]
    simulation.load(modulus)
    batch = simulation.run(*([each] for each in batches.packed(pairs, size, registers=2)))
    assert batch.latencies.tolist() == [simulation.build.core.interface.latency(config)]
    right = [chosen(modulus, *each, config.exponent) for each in operands]
    found = [divmod(z, 1 << size)[::-1] for z in batches.parts(batch.results[0], len(pairs), size, 2)]
    assert found == [each or (0, 0) for each in right]
    assert simulation.peek("ctx_error_o") == (None in right)
    return {each is not None for each in right}


def drawn_for(modulus: int, rng: random.Random) -> tuple[int, int, int]:
    some = (0, 1, modulus - 1, rng.randrange(modulus), rng.randrange(modulus))
    return rng.choice(some), rng.choice(some), rng.choice((0, rng.getrandbits(6), rng.getrandbits(24)))


def config_of(build: Build) -> ProgramConfig:
    assert isinstance(build.config, ProgramConfig)
    return build.config


def points_right(name: str, core: str, settings: Mapping[str, int], rng: random.Random) -> Build:
    """Multiples of points are those of the group's model; one off the curve is kept back, and no other one.

    Returns:
        the build.
    """
    at = CURVES[name]
    build = on(f"ecc_{name}", core).build(at.bits, {**settings, "Blind": 0})
    config = config_of(build.at(at.modulus))
    simulation, size = Simulation(build), config.number * config.word
    several = [drawn(at, size, 0, rng) for _ in range(config.batch)]
    wanted = []
    for point, scalar in several:
        multiple = at.multiply(scalar, (point & (1 << size) - 1, point >> size))
        assert multiple
        wanted.append(multiple[0] | multiple[1] << size)
    for off in (False, True):
        several[-1] = several[-1][0] ^ off, several[-1][1]
        wanted[-1] = 0 if off else wanted[-1]
        operands = batches.packed(several, size, registers=2) if config.batch > 1 else several[0]
        simulation.load(at.modulus)
        batch = simulation.run(*([each] for each in operands))
        assert batches.parts(batch.results[0], config.batch, size, 2) == wanted
        assert batch.latencies.tolist() == [build.latency]
        assert simulation.peek("ctx_error_o") == off
    return build
