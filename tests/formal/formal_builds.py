# SPDX-License-Identifier: Apache-2.0
"""Builds of short operands of the cores whose products are proven, and what the tests of all of them ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from modmul.core import WordConfig
from modmul.prove.job import SOLVERS
from modmul.prove.product import kinds_of
from modmul.prove.product.argument import Argument
from modmul.prove.reach import Verdict
from modmul.prove.solve import Obligation, discharge
from modmul.registry import Room
from modmul.tools.store import Store

WIDTH = 4
SECONDS = 300.0
FRAME, GATE = "mm_frame", "mm_context_gate"
MUTANTS = {
    "held": (FRAME, "else if (out_ready_i)               done_q", "else done_q"),
    "answered": (FRAME, "if (busy_q && (step_q == LastStep)) done_q", "if (step_q == LastStep) done_q"),
    "in-flight": (FRAME, "~busy_q & (~done_q | out_ready_i)", "~busy_q"),
    "closed": (GATE, "whole_q & ctx_legal_i & ~ctx_load_o", "whole_q & ~ctx_load_o"),
    "open": (FRAME, "~busy_q & (~done_q | out_ready_i)", "~busy_q & out_ready_i"),
    "context-first": (GATE, "(in_part_q | ~ctx_valid_i)", "1'b1"),
    "context-alone": (FRAME, "ctx_free  = ~busy_q & ~done_q", "ctx_free  = ~busy_q"),
    "context-taken": (FRAME, "ctx_free  = ~busy_q & ~done_q", "ctx_free  = ~busy_q & ~done_q & ~ctx_error_o"),
    "error": (GATE, "if (whole_q) error_q", "if (whole_q & ~ctx_load_o) error_q"),
    "latency": (FRAME, "StepBits'(Steps - 1)", "StepBits'(Steps - 2)"),
    "reset": (GATE, "error_q   <= 1'b0", "error_q   <= 1'b1"),
}
"""For each rule of the contract, a core that breaks it: the source, what stands there, what does then."""

ONE, TWO, BOOTH = "montgomery_csa1", "montgomery_csa2", "imml_booth4"
SERIAL_WIDTH = 16
SETTINGS = {"Word": 8}
BINARY, TABLES, HALVES = "gf2m_fixed", "gf2m_serial", "gf2m_pipelined"
LEFT, RIGHT, BITWISE = "scalable_booth4_left", "scalable_booth4_right", "scalable_radix2_right"
IN_TURN = "scalable_booth4_serial"
UPWARD, AT_ONCE = "scalable_radix2", "scalable_radix2_parallel"
TRIPLED = "scalable_radix4"
DSP, FIPS, DROPPED = "montgomery_dsp", "fips", "rrm"
CASCADE = "montgomery_cascade"
LITERAL = "fips_literal"
PUSHED = "rrm_plain"
SPLIT = "rrm_split"
SPARSE = "sparse_prime"
SPARSE_ROW = "sparse_prime_dsp"
SHORT, FIXED = "small_any", "small_fixed"
PIPED = "pipelined"
SPECTRAL = "fmlm3"
FEW = {8: (8, {"Word": 4, "Pes": 3}), 16: (16, {"Word": 4, "Pes": 5}), 24: (24, {"Word": 4, "Pes": 5})}
"""Width, words and elements of a row that has fewer than its default."""
BLOCKS = {
    8: (52, {"Word": 24, "Digit": 8}),
    16: (52, {"Word": 16, "Digit": 8}),
    24: (66, {"Word": 16, "Digit": 8}),
}
"""Width and words of rows of blocks, which have to be longer, in place of other cores' widths."""
ADDING = {8: (52, {"Word": 8}), 16: (58, {"Word": 9}), 24: (124, {"Word": 8})}
"""The same of rows of blocks that add up among themselves; at last with operations as near as they can be."""
SCANNED = {8: (32, {"Word": 8}), 16: (64, {"Word": 16}), 24: (64, {"Word": 8})}
"""The same of ``fips`` and ``fips_literal``, whose proofs are written for four words or more."""
TABULATED = {8: (16, {"Word": 4, "Digit": 4}), 16: (16, {"Word": 8, "Digit": 4}), 24: (32, {"Word": 8})}
"""The same of ``gf2m_serial``, whose proof is written for 2, 4, 8, ... words and digits of 4 or 8 bits."""
ADDRESSED = {8: (48, {"Word": 16}), 16: (64, {"Word": 16}), 24: (96, {"Word": 32})}
"""The same of ``rrm``, whose proof is written for three words or more."""
WORDED = {8: (32, {"Word": 16}), 16: (48, {"Word": 16}), 24: (64, {"Word": 32})}
"""The same of ``rrm_plain``, which has words of 16 bits or more."""
IN_GROUPS = {8: (128, {"Word": 32}), 16: (128, {"Word": 16}), 24: (256, {"Word": 32})}
"""The same of ``rrm_split``, whose proof is written for two groups of columns or more."""
FOR_PRIMES = {
    8: (30, {"Word": 16, "Digit": 1, "Modulus": 2**30 - 2**28 + 1}),
    16: (52, {"Word": 16, "Digit": 4, "Modulus": 2**52 - 2**20 + 2**16 - 2**3 + 1}),
    24: (96, {"Word": 16, "Digit": 4, "Modulus": 2**96 - 2**64 + 2**40 + 1}),
}
"""The same of ``sparse_prime``: part of a word, and step 5 four times; four powers of 2 at once; carries that
are added with T."""
ONE_ROW = {
    8: (46, {"Word": 16, "Digit": 8, "Modulus": 2**46 - 2**20 + 2**7 + 1}),
    16: (53, {"Word": 16, "Digit": 8, "Modulus": 2**53 - 2**20 + 2**4 + 1}),
    24: (64, {"Word": 16, "Digit": 8, "Product": 4, "Modulus": 2**64 - 2**20 + 2**10 + 2**5 - 1}),
}
"""The same of ``sparse_prime_dsp``: part of a word; a column less than digits of X; a sum of numbers that are
subtracted."""
SHIFTED = {8: (12, {"Word": 4, "Pes": 2}), 16: (16, {"Word": 4, "Pes": 3}), 24: (24, {"Word": 8, "Pes": 2})}
"""The same of a row that shifts right, in which no word may wait between two passes."""
EACH_BIT = {8: (12, {"Word": 4, "Pes": 4}), 16: (16, {"Word": 4, "Pes": 4}), 24: (56, {"Word": 8, "Pes": 8})}
"""The same of a row that shifts left with an element for each bit of a word."""
TWICE = {**EACH_BIT, 8: EACH_BIT[16], 24: (64, {"Word": 8, "Pes": 8})}
"""The same of one whose last element takes its bit later."""
THREEFOLD = {**FEW, 24: (24, {"Word": 8, "Pes": 3})}
"""The same of one that takes triples; at last without an element that drops a word."""
HALVED = {8: (8, {"Leaf": 2}), 16: (16, {"Leaf": 4}), 24: (24, {"Leaf": 8})}
"""The same of ``gf2m_pipelined``, with other short products."""
TILED = {
    8: (8, {"TileA": 12, "TileB": 8}),
    16: (16, {"TileA": 8, "TileB": 8}),
    24: (30, {"TileA": 8, "TileB": 8}),
    31: (31, {}),
    32: (32, {}),
    33: (33, {}),
}
"""The same of ``small_any``: step 2 in a chain of blocks; in one block, with three rows and with five; as the
default build of short moduli, and of one that is too long for halves."""
ONE_BY_ONE = {
    7: (7, {"Modulus": 2**7 - 1}),
    8: (8, {"TileA": 12, "TileB": 8}),
    12: (12, {"Modulus": 2**12 - 2**8 + 1}),
    16: (16, {"TileA": 8, "TileB": 8, "Modulus": 5 * 2**13 + 1}),
    24: (24, {"TileA": 8, "TileB": 8, "Modulus": 2**23 + 9}),
    44: (44, {"TileA": 8, "TileB": 8}),
    48: (48, {"Modulus": 2**48 - 2**44 + 1}),
}
"""The same of ``small_fixed``: ones; a division by k in one level and in two; digits, with three rows;
tables, with four; seven rows, of which the second level adds zeros; and three levels."""

SPLIT_UP = {
    8: (8, {}),
    12: (17, {"TileA": 8, "TileB": 8, "Leaf": 8, "Carry": 10}),
    16: (13, {}),
    24: (24, {"TileA": 9, "TileB": 8, "Leaf": 14, "Carry": 14}),
}
"""The same of ``pipelined``: operands that are not split; of an odd length, split twice, by sizes and signs
at first, with additions in pieces; not split, of an odd length; split once, with leaves of several rows."""


BY_DIGITS = {8: (32, {"Word": 8, "Digit": 2}), **{n: (n, {"Word": 8, "Digit": 2}) for n in (16, 24)}}
"""The same of ``gf2m_fixed``, whose proof is written for several words."""

IN_TRANSFORMS = {8: (16, {"Transform": 8}), 16: (32, {"Transform": 8}), 24: (64, {"Transform": 8})}
"""The same of ``fmlm3``, whose proof is written for operands of P digits; at last with Karatsuba's rule."""

LONGER: Mapping[str, Mapping[int, tuple[int, Mapping[str, int]]]] = {
    DSP: BLOCKS,
    CASCADE: ADDING,
    BINARY: BY_DIGITS,
    TABLES: TABULATED,
    HALVES: HALVED,
    DROPPED: ADDRESSED,
    PUSHED: WORDED,
    SPLIT: IN_GROUPS,
    SPARSE: FOR_PRIMES,
    SPARSE_ROW: ONE_ROW,
    **dict.fromkeys((FIPS, LITERAL), SCANNED),
    **dict.fromkeys((RIGHT, BITWISE, IN_TURN), SHIFTED),
    UPWARD: EACH_BIT,
    AT_ONCE: TWICE,
    LEFT: FEW,
    TRIPLED: THREEFOLD,
    SHORT: TILED,
    SPECTRAL: IN_TRANSFORMS,
    FIXED: ONE_BY_ONE,
    PIPED: SPLIT_UP,
}
"""By core, width and parameters of builds in place of those of 8, 16 and 24 bits with words of 8 bits."""


def small(found: Room, width: int = SERIAL_WIDTH, shared: int = 0, place: int = 0) -> Argument:
    """An argument for a build of short operands, of more than one word and digit where it has those."""
    settings: Mapping[str, int] = SETTINGS if isinstance(found.build(width).config, WordConfig) else {}
    if found.core.slug in LONGER:
        width, settings = LONGER[found.core.slug][width]
    build = found.build(width, {"SharedTaps": 1} if shared else settings)
    return kinds_of(build)[place].of(build)


def named(proof: Argument, text: str) -> Iterator[Obligation]:
    return (obligation for obligation in proof.all() if obligation.name.startswith(text))


def only_the_first_is_proven(asked: Sequence[Obligation], store: Store) -> None:
    """Of two obligations, of hardware as it is and of a mutant, the second is refuted."""
    first, second = (outcome.verdict for _, outcome in discharge(asked, store, SECONDS))
    assert (first, second) == (Verdict.PROVEN, Verdict.REFUTED)


def refuted_without(text: str, solver: str, old: str, new: str) -> None:
    """Something is true, and no longer with a part of it replaced."""
    assert old in text
    said = [SOLVERS[solver](each, SECONDS) for each in (text, text.replace(old, new, 1))]
    assert said == ["unsat", "sat"], (old, new)
