# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/verification.md: what the records say of every core. ``readme.py`` writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from modmul.cover import plan as cover_plan
from modmul.mutate import plan as mutation_plan
from modmul.prove import plan as proof_plan
from modmul.prove.prover import OF_CORES, Proof
from modmul.registry import own_cores

__all__ = ["complete", "covered", "mutants", "parts", "proven"]

PAGE = Path(__file__).parents[1] / "docs" / "verification.md"

MEANING = {
    "operands": "No operand reaches a handshake or `ctx_error_o`",
    "contract": "Every rule of the port contract holds in every cycle of every run",
    "time": "Copies with different operands, or moduli of one length, never differ in time",
    "whole": "Of six bits, the first operation behind a reset gives the product, for every modulus",
    "product": "Every result is the product, for every modulus",
}
"""Property of ``modmul.prove`` to the row of the checklist."""
REACHED = (
    "Lines, branches, bits, states and what comes together at the ports are covered, out of reach by proof, "
    "or left out with a reason"
)

FOUND = "Mutants of the modules that no other core before it has are found, or proven to be equivalent"


class Known(NamedTuple):
    """What is known of something of a core.

    Attributes:
        text: in a cell of the table; ``""`` where nothing was asked.
        whole: whether that is all of it.
    """

    text: str = ""
    whole: bool = False


def proven(proofs: Sequence[Proof], slug: str, kind: str) -> Known:
    """At which widths a property of a core is proven, or how much of it."""
    asked: dict[int, list[bool]] = {}
    for proof in proofs:
        if (proof.core, proof.kind) == (slug, kind):
            asked.setdefault(proof.width, []).append(proof.proven)
    told = [
        f"{width} bits" if all(each) else f"{sum(each)} of {len(each)} at {width} bits"
        for width, each in sorted(asked.items())
    ]
    return Known(", ".join(told), bool(asked) and all(map(all, asked.values())))


def covered(slug: str) -> Known:
    """What is known of a core's coverage."""
    told = cover_plan.exclusions()
    for each in cover_plan.known():
        if each.core == slug:
            left = len(each.open(told))
            return Known(f"{left:,} open" if left else "complete", not left)
    return Known()


def mutants(slug: str) -> Known:
    """What is known of the mutants of the modules that are tried in a core; one that has none is whole."""
    if not mutation_plan.hosted(slug):
        return Known("–", True)
    for each in mutation_plan.known():
        if each.core == slug:
            left = sum(tried.survived for tried in each.mutants)
            return Known(f"{left:,} of {len(each.mutants):,} open" if left else "all", not left)
    return Known()


def complete(slug: str) -> list[str]:
    """What is known of a core as a whole: properties that are proven, and coverage."""
    proofs = proof_plan.known()
    known = {kind: proven(proofs, slug, kind) for kind in OF_CORES} | {"coverage": covered(slug)}
    return [name for name, each in known.items() if each.whole]


def parts() -> dict[Path, dict[str, list[str]]]:
    """The lines of each part of the page."""
    return {PAGE: {"checklist": list(_checklist()), "by-core": list(_by_core())}}


def _checklist() -> Iterator[str]:
    """A property a line: of how many cores it is known."""
    proofs, slugs = proof_plan.known(), own_cores()
    yield "| what | known of | the others | command |"
    yield "|---|--:|---|---|"
    for kind in OF_CORES:
        yield _row(MEANING[kind], {slug: proven(proofs, slug, kind) for slug in slugs}, "make formal")
    yield _row(REACHED, {slug: covered(slug) for slug in slugs}, "make coverage")
    yield _row(FOUND, {slug: mutants(slug) for slug in slugs}, "make mutation")


def _row(what: str, known: Mapping[str, Known], command: str) -> str:
    """Of how many cores the whole is known; of how many a part, or nothing."""
    whole = sum(each.whole for each in known.values())
    nothing = sum(not each.text for each in known.values())
    partly = len(known) - whole - nothing
    others = [f"{some} {how}" for some, how in ((partly, "in part"), (nothing, "not")) if some]
    return f"| {what} | {whole} of {len(known)} | {', '.join(others)} | `{command}` |"


def _by_core() -> Iterator[str]:
    """A core a line."""
    proofs = proof_plan.known()
    yield f"| core | {' | '.join(OF_CORES)} | coverage | mutants |"
    yield f"|{'---|' * (len(OF_CORES) + 3)}"
    for slug in own_cores():
        cells = [proven(proofs, slug, kind).text for kind in OF_CORES]
        yield f"| `{slug}` | {' | '.join(cells)} | {covered(slug).text} | {mutants(slug).text} |"
