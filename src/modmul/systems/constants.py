# SPDX-License-Identifier: Apache-2.0
"""Programs that compute R mod M and R^2 mod M from M, while the last word of a context waits."""

from __future__ import annotations

import re

__all__ = ["check_radix", "doublings", "with_constants"]

LABEL = "constants"

DOUBLE = """
{label}:                     ; {r2} = 2^(2 D), by as many doublings as the context says
    jump  {label}_test
{label}_double:
    {double}
{label}_test:
    loop  {label}_double
    mul   {one}, {r2}, 1
"""
"""With R = 2^D: R^2, and R mod M by the product with 1. In GF(2^m) x stands in place of 2."""

CORRECT = """\
    mul   inverse, unit, 1   ; with R = 2^D - 1 the product with 1 is R + 2 + 1/R
    sub   {one}, {one}, inverse
    sub   {one}, {one}, unit
    sub   {one}, {one}, unit
    sub   {r2}, {r2}, {one}  ; (R + 1)^2 - 2 R - 1
    sub   {r2}, {r2}, {one}
    sub   {r2}, {r2}, unit
"""


def check_radix(slug: str, radix: int) -> None:
    """Raise ValueError unless R is 2^D or 2^D - 1."""
    if radix & (radix - 1) and radix & (radix + 1):
        raise ValueError(f"compute_r2 needs a radix R of 2^D or 2^D - 1, unlike {slug}'s")


def doublings(radix: int) -> int:
    """Of 1, for R^2 or, with R = 2^D - 1, for (R + 1)^2."""
    return 2 * (radix.bit_length() - (radix & (radix - 1) == 0))


def with_constants(text: str, radix: int, *, both_fields: bool = False) -> str:
    """The program with rows that run on a context and write what it names ``one`` and ``r2``.

    In their place the context brings 1, what sums are reduced by, and for GF(2^m) the highest power of x
    below M. Where R is 1 nothing is computed, and the program stays as it is.

    Args:
        text: of a program without ``.setup``.
        radix: R of the core.
        both_fields: whether the core serves GF(2^m), too.
    """
    [line] = re.findall(r"^\.number .*$", text, re.MULTILINE)
    words = line.partition(";")[0].split()[1:]
    names = {word.rpartition("=")[2]: word.partition("=")[0] for word in words}
    if radix == 1 or not {"one", "r2"} <= names.keys():
        return text
    one, r2 = names["one"], names["r2"]
    exact = radix & (radix - 1) == 0
    rest = [word for word in words if word.rpartition("=")[2] not in ("one", "r2")]
    modulus = re.search(r"^\.modulus (\w+)", text, re.MULTILINE)
    more = [*([] if exact else ["unit=1"]), *(["top"] if both_fields else [])]
    numbers = [f"{r2}=1", *more, *rest, *([] if modulus else ["m"])]
    head = [f".number  {' '.join(numbers)}", *([] if modulus else [".modulus m"]), f".setup   {LABEL}"]
    double = f"twice {r2}, {r2}, top" if both_fields else f"add   {r2}, {r2}, {r2}"
    rows = DOUBLE + ("" if exact else CORRECT) + "    ready\n"
    return text.replace(line, "\n".join(head)) + rows.format(label=LABEL, one=one, r2=r2, double=double)
