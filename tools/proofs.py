# SPDX-License-Identifier: Apache-2.0
"""``make formal``: proves what is to be proven, keeps the record and writes the table of docs/proofs.md.

``python tools/proofs.py [--limit SECONDS] [CORE …]``: of some cores, or of all; what the record knows is not
asked again, and with a greater limit only what it knows to be proven. The record comes with the package, so
the table can be compared with it at any time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from modmul.prove import SECONDS
from modmul.prove.plan import RECORD, SYSTEMS, excuse, failed, goals, known, prove_all, record, stale
from modmul.prove.prover import OF_CORES, OF_SYSTEMS, PROPERTIES, Proof
from modmul.prove.watch import CONTRACT
from modmul.registry import rooms
from modmul.tools.blocks import filled
from modmul.tools.progress import Progress
from modmul.tools.run import end_tools_on_signals
from modmul.tools.store import Store

PAGE = Path(__file__).parents[1] / "docs" / "proofs.md"


def renewed(text: str, proofs: Sequence[Proof]) -> str:
    """The text of the page with what is known now."""
    tables = {
        "proofs": _table("core", rooms(), OF_CORES, proofs),
        "systems": _table("system", SYSTEMS, OF_SYSTEMS, proofs),
    }
    return filled(text, {"rules": _rules(), **tables, "unproven": _unproven(proofs)})


def _rules() -> str:
    lines = [f"| `{rule.name}` | {rule.meaning} |" for rule in CONTRACT]
    return "\n".join(("| rule | meaning |", "|---|---|", *lines))


def _table(what: str, slugs: Iterable[str], kinds: Sequence[str], proofs: Iterable[Proof]) -> str:
    """A core or system a line: at which width how much is proven, how, and in what time."""
    found: dict[str, dict[str, dict[int, list[Proof]]]] = {}
    for proof in proofs:
        found.setdefault(proof.core, {}).setdefault(proof.kind, {}).setdefault(proof.width, []).append(proof)
    head = (what, *kinds)
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for slug in slugs:
        cells = [_cell(found.get(slug, {}).get(kind, {})) for kind in kinds]
        _, settings = SYSTEMS.get(slug, (0, {}))
        named = (f"`{slug}`", *(f"`{name} = {value}`" for name, value in settings.items()))
        lines.append(f"| {', '.join(named)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(widths: Mapping[int, Sequence[Proof]]) -> str:
    return "; ".join(_at(width, some) for width, some in sorted(widths.items()))


def _at(width: int, proofs: Sequence[Proof]) -> str:
    proven = [proof for proof in proofs if proof.proven]
    share = [f"{len(proven)} of {len(proofs)}"] if len(proofs) > 1 else [] if proven else ["no"]
    methods = ", ".join(sorted({proof.method for proof in proven}))
    told = " ".join((*share, methods)).strip()
    return f"{width} bits: {told}, {sum(proof.seconds for proof in proofs):.0f} s"


def _unproven(proofs: Iterable[Proof]) -> str:
    missing = [proof for proof in proofs if not proof.proven]
    if not missing:
        return "Nothing: everything in the table is proven."
    lines = [f"| `{p.core}` | {p.width} | {p.name} | {excuse(p)} |" for p in missing]
    return "\n".join(("| core | bits | what | why |", "|---|---|---|---|", *lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cores", nargs="*", metavar="CORE", help="Cores or systems. Default: all.")
    parser.add_argument(
        "--limit", type=float, default=SECONDS, help="Seconds that a solver may take for a question."
    )
    asked = parser.parse_args()
    there = known()
    open_ = {(p.core, p.kind, p.width) for p in there if not p.proven and asked.limit > SECONDS}
    answered = [p for p in there if (p.core, p.kind, p.width) not in open_]
    wanted = stale(goals(asked.cores or None), answered)

    def listen(progress: Progress) -> None:
        print(f"{progress.done:3} of {progress.total}  {progress.text}", file=sys.stderr, flush=True)

    fresh = list(prove_all(wanted, Store(), asked.limit, listen))
    for proof in fresh:
        told = "" if proof.proven else f"  {excuse(proof) or proof.detail}"
        print(
            f"{proof.core:28} {proof.width:5}  {proof.name:24} {proof.verdict:9} {proof.method:12} "
            f"{proof.seconds:7.1f} s{told}"
        )
    again = {(goal.build.slug, goal.kind, goal.build.config.width) for goal in wanted}
    planned = {(goal.build.slug, goal.kind, goal.build.config.width) for goal in goals()}
    kept = [p for p in there if (p.core, p.kind, p.width) in planned - again]
    order = [*rooms(), *SYSTEMS]
    every = sorted(
        [*kept, *fresh], key=lambda p: (order.index(p.core), list(PROPERTIES).index(p.kind), p.width)
    )
    record(every)
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), every), encoding="utf-8")
    wrong = [proof for proof in fresh if failed(proof)]
    left = stale(goals(), every)
    print(
        f"{len(fresh) - len(wrong):,} as planned, {len(wrong)} not; {RECORD.name} and {PAGE.name} are written"
    )
    for proof in wrong:
        print(f"not as planned: {proof}: {proof.verdict}")
    for goal in left:
        print(f"to be proven again: {goal.build}: {goal.kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    end_tools_on_signals()
    sys.exit(main())
