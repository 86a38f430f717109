# SPDX-License-Identifier: Apache-2.0
"""What the cores for small primes share: their product in chains of multiplier blocks."""

from typing import Any

from modmul.core import Regular, Standing, Stream, ceil_div

__all__ = ["check_tiles", "product_cycles", "registers", "stream", "sum_cycles"]


def sum_cycles(bits: int, carry: int) -> int:
    """Cycles of an addition, of so many bits a cycle; 0 for all of them."""
    return ceil_div(bits, carry) if carry else 1


def check_tiles(tile_a: int, tile_b: int) -> None:
    """Raise ValueError unless these can be the sides of a block."""
    for name, bits in (("tile_a", tile_a), ("tile_b", tile_b)):
        if not 8 <= bits <= 64:
            raise ValueError(f"{name} must be 8 to 64 bits, got {bits}")
    if tile_b > tile_a:
        raise ValueError(f"tile_b must be at most tile_a, {tile_a} bits, got {tile_b}")


def registers(carry: int, queue: int) -> int:
    """Those behind each product: two in a long pipeline with a queue, one in one without."""
    return 1 + queue if carry else 0


def product_cycles(bits: int, tile_a: int, tile_b: int, carry: int, queue: int) -> int:
    """Cycles of ``mm_small_product``: the blocks of a chain, and the levels of the tree behind the chains."""
    deep = registers(carry, queue)
    if tile_a - 1 < bits <= 2 * (tile_b - 1):
        return 5 + deep
    rows = ceil_div(bits, tile_a - 1)
    levels = 1 if rows == 3 and not deep else (rows - 1).bit_length()
    return ceil_div(bits, tile_b - 1) + 1 + deep + levels * sum_cycles(2 * bits, carry)


def stream(config: Any, known: Regular) -> Stream[Any]:
    """Without a memory of results, the pipeline stands still while one waits."""
    return known if config.queue else Standing.of(known)
