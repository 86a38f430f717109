# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/verification.md: what the records say of every core. ``readme.py`` writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from modmul.cover import plan as cover_plan
from modmul.prove import plan as proof_plan
from modmul.prove.prover import PROPERTIES, Proof

__all__ = ["complete", "covered", "parts", "proven"]

PAGE = Path(__file__).parents[1] / "docs" / "verification.md"

MEANING = {
    "operands": "No operand reaches a handshake or `ctx_error_o`",
    "contract": "Every rule of the port contract holds in every cycle of every run",
    "time": "Copies with different operands, or moduli of one length, never differ in time",
    "product": "Every result is the product, for every modulus",
}
"""Property of ``modmul.prove`` to the row of the checklist."""
REACHED = (
    "Lines, branches, bits, states and what comes together at the ports are covered, out of reach by proof, "
    "or left out with a reason"
)


def proven(proofs: Sequence[Proof], slug: str, kind: str) -> str:
    """At which widths a property of a core is proven, or how much of it; ``""`` where nothing was asked."""
    told = []
    for width in sorted({proof.width for proof in proofs if (proof.core, proof.kind) == (slug, kind)}):
        asked = [proof for proof in proofs if (proof.core, proof.kind, proof.width) == (slug, kind, width)]
        count = sum(proof.proven for proof in asked)
        told.append(f"{width} bits" if count == len(asked) else f"{count} of {len(asked)} at {width} bits")
    return ", ".join(told)


def covered(slug: str) -> str:
    """What is known of a core's coverage; ``""`` where it was not run."""
    told = cover_plan.exclusions()
    for each in cover_plan.known():
        if each.core == slug:
            left = len(each.open(told))
            return f"{left:,} open" if left else "complete"
    return ""


def complete(slug: str) -> list[str]:
    """What is known of a core as a whole: properties that are proven, and coverage."""
    proofs = proof_plan.known()
    known = {kind: proven(proofs, slug, kind) for kind in PROPERTIES} | {"coverage": covered(slug)}
    return [name for name, told in known.items() if told and not _in_part(told)]


def _in_part(told: str) -> bool:
    return " of " in told or " open" in told


def parts() -> dict[Path, dict[str, list[str]]]:
    """The lines of each part of the page."""
    return {PAGE: {"checklist": list(_checklist()), "by-core": list(_by_core())}}


def _checklist() -> Iterator[str]:
    """A property a line: of how many cores it is known."""
    proofs, slugs = proof_plan.known(), cover_plan.slugs()
    yield "| what | known of | the others | command |"
    yield "|---|--:|---|---|"
    for kind in PROPERTIES:
        yield _row(MEANING[kind], {slug: proven(proofs, slug, kind) for slug in slugs}, "make formal")
    yield _row(REACHED, {slug: covered(slug) for slug in slugs}, "make coverage")


def _row(what: str, known: Mapping[str, str], command: str) -> str:
    """Of how many cores the whole is known; of how many a part, or nothing."""
    partly = [slug for slug, text in known.items() if _in_part(text)]
    nothing = [slug for slug, text in known.items() if not text]
    whole = len(known) - len(partly) - len(nothing)
    others = [f"{len(some)} {how}" for some, how in ((partly, "in part"), (nothing, "not")) if some]
    return f"| {what} | {whole} of {len(known)} | {', '.join(others)} | `{command}` |"


def _by_core() -> Iterator[str]:
    """A core a line."""
    proofs = proof_plan.known()
    yield f"| core | {' | '.join(PROPERTIES)} | coverage |"
    yield f"|{'---|' * (len(PROPERTIES) + 2)}"
    for slug in cover_plan.slugs():
        cells = [proven(proofs, slug, kind) for kind in PROPERTIES]
        yield f"| `{slug}` | {' | '.join(cells)} | {covered(slug)} |"
