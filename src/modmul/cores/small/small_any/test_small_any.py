# SPDX-License-Identifier: Apache-2.0
"""small_any: the range of what step 3 leaves, in integers."""

import random

from modmul.cores.small.small_any.core import SmallAny, quotient


def check(config: SmallAny, m: int, t: int) -> int:
    """r of step 3, in units of M rounded down: -1 or 0."""
    r = t + quotient(config, m, t) * m
    assert -m <= r < m, (config, m, t, r)
    return r // m


def test_every_product_of_short_moduli() -> None:
    """For all M of 3 to 6 bits and all T, with the whole product and, in short blocks, with halves."""
    for n in range(3, 7):
        for config in (SmallAny(n), SmallAny(n, tile_a=8, tile_b=8)):
            seen = {check(config, m, t) for m in range(1 << n - 1, 1 << n) for t in range(m * m + 1)}
            assert seen == {-1, 0}
    assert not SmallAny(6, tile_a=8, tile_b=8).whole


def test_products_of_all_lengths() -> None:
    """At the ends, around multiples of M, and anywhere; the blocks of two families, and short ones."""
    rng = random.Random(1)
    for n in range(8, 33):
        for config in (SmallAny(n), SmallAny(n, tile_a=18), SmallAny(n, tile_a=10, tile_b=8)):
            for m in (1 << n - 1, (1 << n - 1) + 1, (1 << n) - 1, rng.randrange(1 << n - 1, 1 << n)):
                near = (rng.randrange(m + 1) * m for _ in range(50))
                some = (0, 1, m * m, *(t + d for t in near for d in (-1, 0, 1)))
                for t in (*some, *(rng.randrange(m * m) for _ in range(50))):
                    if 0 <= t <= m * m:
                        check(config, m, t)
