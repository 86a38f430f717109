# SPDX-License-Identifier: Apache-2.0
"""What the paper says of this core, and what we find."""

from __future__ import annotations

from collections.abc import Iterator

from modmul.study.evidence import Claim, Evidence, NoClaim


def claims(see: Evidence) -> Iterator[Claim]:
    """Of Amanor et al.."""
    one, interleaved = (see.luts(slug, "virtex2", 1024) for slug in ("montgomery_csa1", "interleaved_csa"))
    yield Claim(
        "Section 3.2, Table 1",
        "about as large as redundant interleaved (21 and 24 % at 1,024 bits, the same at 32 to 512)",
        f"{one:,} and {interleaved:,} LUTs in the 4-input fabric",
        see.verdict(0.75 < one / interleaved < 1.33),
        "modmul papers amanor2005",
    )
    yield Claim(
        "Table 3",
        "42.1 MHz and 37.5 ms for 1,024-bit RSA",
        f"Table 2 prints 49.0 MHz: 32.1 ms follow; {see.mhz('montgomery_csa1'):.0f} MHz on ECP5 at 256 bits",
        NoClaim("misprint, the rows of one and of two CSAs are swapped"),
        "modmul papers amanor2005",
    )
    cycles = see.power("modexp", "montgomery_csa1", 1024)
    yield Claim(
        "Section 3.3",
        "1.5 n + 1 multiplications a power: 1,573,888 cycles at 1,024 bits",
        f"{cycles:,} cycles with windows, every exponent in the same time",
        see.verdict(cycles < 1_573_888, "windows save more than loading, conversion and constant time cost"),
        "make powers",
    )
