# SPDX-License-Identifier: Apache-2.0
"""RSA keys to try systems with, of any length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import gcd, prod

from modmul.core import RsaKey, multiple
from modmul.systems.engine import EngineConfig

__all__ = ["examples"]


def _prime(number: int) -> bool:
    """Whether an odd number is prime: for certain below 2^64, and to an error nobody will see above."""
    small = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if number < 2 or any(number % s == 0 for s in small):
        return number in small
    twos = ((number - 1) & (1 - number)).bit_length() - 1
    for base in small:
        x = pow(base, number >> twos, number)
        if x not in (1, number - 1) and not any((x := x * x % number) == number - 1 for _ in range(twos - 1)):
            return False
    return True


def examples(config: EngineConfig) -> Iterator[RsaKey]:
    """Keys that a build serves: with its largest and its smallest primes, in several orders, and others."""
    bits = config.inner.width
    top, bottom = (1 << bits) - 1, (1 << (bits - config.shorter - 1)) + 1
    served = _primes(range(top, bottom - 1, -2), config)
    lowest = _primes(range(bottom, top + 1, 2), config)
    first, second, low = next(served, 0), next(served, 0), next(lowest, 0)
    pairs = [(first, low), (low, first), (second, first), (first, second), (low, second)]
    more = [next(served, 0) for _ in range(config.lanes - 2)]
    done = set()
    for turn in count():
        if turn < len(pairs):
            p, q = pairs[turn]
        else:
            p, q = next(served, 0), next(lowest, 0)
            if not p or not q:
                return
        primes = [p, q, *more]
        if all(primes) and len(set(primes)) == len(primes) and (p, q) not in done:
            done.add((p, q))
            order = prod(prime - 1 for prime in primes)
            e = next((e for e in _exponents(bits) if gcd(e, order) == 1), 0)
            if e:
                yield RsaKey(p, q, e, more=more)


def _exponents(bits: int) -> Iterator[int]:
    """Public exponents, of those in use the largest first."""
    yield from (e for e in (65537, 257, 17, 5, 3) if e < 1 << bits)
    yield from range(7, 1 << bits, 2)


def _primes(numbers: Sequence[int], config: EngineConfig) -> Iterator[int]:
    bits = config.inner.width
    for number in numbers:
        at = multiple(number, bits)
        if at < 1 << bits and _prime(number) and config.core.function.serves(config.inner, at):
            yield number
