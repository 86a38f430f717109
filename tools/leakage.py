# SPDX-License-Identifier: Apache-2.0
"""``make leakage``: runs what docs/leakage.md tells, keeps the record, writes the page's tables.

``python tools/leakage.py [TEXT …]``: the runs whose commands hold one of these texts, or all; what is known
is not run again. The record comes with the package, so the tables can be compared with it at any time; it is
written after each run. Rows of hardware that has changed since are marked; ``--tables`` runs nothing, and
only writes the tables.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from modmul.registry import own_cores
from modmul.study.leaking import (
    PLAN,
    RECORD,
    SCALARS,
    Asked,
    Known,
    Unblinded,
    known,
    measured,
    missing,
    record,
    record_unblinded,
    stale,
    unblinded,
)
from modmul.tools.blocks import filled
from modmul.tools.run import end_tools_on_signals
from modmul.verify.leakage import MOST

PAGE = Path(__file__).parents[1] / "docs" / "leakage.md"

TITLES = (
    "what | blinded | traces | samples | order | beyond 4.5 | of samples | from … to | largest t | "
    "signal to noise"
)
ALIGNED = "|---|--:|--:|--:|--:|--:|--:|---|--:|--:|"


def renewed(text: str, found: Sequence[Known], scalars: Sequence[Unblinded]) -> str:
    """The text of the page with what is known now."""
    behind = set(stale(found))
    there = {each.command: {**each.found, "mark": " †" * (each.command in behind)} for each in found}
    asked = [one for one in PLAN if one.command in there]
    systems = [one for one in asked if ":" in one.slug]
    parts = {
        "leaks-systems": "\n".join(_systems(systems, there)),
        "leaks-where": "\n".join(_where(systems, there)),
        "leaks-ladder": "\n".join(_ladder(systems, there)),
        "leaks-scalars": "\n".join(_scalars(scalars)),
        "leaks-cores": "\n".join(_cores([one for one in asked if ":" not in one.slug], there)),
        "leaks-missing": _missing(found, len(behind)),
    }
    return filled(text, parts)


def _missing(found: Sequence[Known], behind: int) -> str:
    lines = [f"Of hardware that has changed since, and marked with †: {behind} of {len(found)} runs.", ""]
    left = missing(found)
    lines += ["Not run:", "", "```sh", *left, "```"] if left else []
    return "\n".join(lines) if behind else "\n".join(lines[2:]) or "All of the plan was run."


def _name(one: Asked) -> str:
    settings = "".join(f" `{name}={value}`" for name, value in one.settings.items())
    bits = "" if one.slug.startswith("ecc_") else f", {one.width} bits"
    return f"`{one.slug}`{bits}{settings}"


def _systems(asked: Sequence[Asked], there: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield f"| system | {TITLES} |"
    yield f"|---{ALIGNED}"
    for one in asked:
        found = there[one.command]
        for test in found["tests"]:
            rows = f"{found['edges']:,}" + (
                "" if found["edges"] == found["whole"] else f" of {found['whole']:,}"
            )
            where = f"{test['first']:,} … {test['last']:,}" if test["above"] else ""
            share = f"{100 * test['above'] / found['edges']:.1f} %"
            noise = _noise(found["snr"]) if found["snr_bits"] else "none"
            cells = (
                *(
                    _name(one) + found["mark"],
                    found["fixed"],
                    f"{found['blind'] or 'no'}",
                    f"{found['traces']:,}",
                    rows,
                ),
                *(f"{test['order']}", f"{test['above']:,}", share, where, _t(test["largest"]), noise),
            )
            yield f"| {' | '.join(cells)} |"


def _noise(value: float) -> str:
    if value >= MOST:
        return "no noise"
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _t(value: float) -> str:
    return f"{value:.1f}" if abs(value) < MOST else "no noise"


def _where(asked: Sequence[Asked], there: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The registers that leak most, of each run in which some do."""
    yield "| system | what | blinded | registers, each with its largest t and the cycle |"
    yield "|---|---|--:|---|"
    for one in asked:
        found = there[one.command]
        if found["told"]:
            shown = "; ".join(
                f"`{_short(each['path'])}` {_t(each['t'])} in {each['edge']:,}"
                for each in _several(found["told"])
            )
            yield f"| {_name(one)}{found['mark']} | {found['fixed']} | {found['blind'] or 'no'} | {shown} |"


def _several(told: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The first of each kind: lanes and copies repeat each other."""
    kinds = {each["path"].rpartition(".")[2]: each for each in reversed(told)}
    return sorted(kinds.values(), key=lambda each: -abs(each["t"]))[:6]


def _short(path: str) -> str:
    """A register and the two instances around it."""
    *instances, name = path.split(".")
    return ".".join((*[each for each in instances if each.startswith("u_")][-2:], name))


def _ladder(asked: Sequence[Asked], there: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Twentieths of what was traced of P-256."""
    some = [one for one in asked if one.slug.startswith("ecc_p256")]
    found = [there[one.command] for one in some]
    if not found:
        return
    width = found[0]["edges"] // len(found[0]["tests"][0]["parts"])
    columns = [(f"{each['blind']} bits" if each["blind"] else "not blinded") + each["mark"] for each in found]
    yield f"| cycles | {' | '.join(columns)} |"
    yield f"|---|{'--:|' * len(columns)}"
    for at in range(len(found[0]["tests"][0]["parts"])):
        shares = [f"{100 * each['tests'][0]['parts'][at]:.0f} %" for each in found]
        yield f"| {at * width:,} … {(at + 1) * width - 1:,} | {' | '.join(shares)} |"


def _scalars(scalars: Sequence[Unblinded]) -> Iterator[str]:
    yield "| curve | `Blind` | bits as they are | with 64 bits | the fewest with none |"
    yield "|---|--:|--:|--:|--:|"
    for each in scalars:
        yield f"| `{each.curve}` | {each.blind} | {len(each.bits)} | {each.shorter} | {each.enough} |"


def _cores(asked: Sequence[Asked], there: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "| core | cycles | that leak | of all | largest t | bits of x beyond chance | leaks most |"
    yield "|---|--:|--:|--:|--:|--:|---|"
    order = own_cores()
    for one in sorted(asked, key=lambda one: order.index(one.slug)):
        found = there[one.command]
        [test] = found["tests"]
        most = f"`{_short(found['told'][0]['path'])}`" if found["told"] else ""
        share = f"{100 * test['above'] / found['edges']:.0f} %"
        cells = (
            f"`{one.slug}`{found['mark']}",
            f"{found['edges']:,}",
            f"{test['above']:,}",
            share,
            _t(test["largest"]),
        )
        yield f"| {' | '.join(cells)} | {found['snr_bits']} of {found['bits']} | {most} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="*", metavar="TEXT", help="Default: all.")
    parser.add_argument("--jobs", type=int, default=2, help="Batches at the same time.")
    parser.add_argument("--tables", action="store_true", help="Run nothing.")
    parser.add_argument("--scalars", action="store_true", help="Find anew what blinding leaves of scalars.")
    arguments = parser.parse_args()
    if arguments.scalars or not SCALARS.exists():
        record_unblinded()
    there = {each.command: each for each in known()}
    behind = {*stale(there.values()), *missing(there.values())}
    asked = [one for one in PLAN if one.command in behind]
    todo = [one for one in asked if not arguments.texts or any(t in one.command for t in arguments.texts)]
    todo = [] if arguments.tables else todo
    for at, one in enumerate(todo, 1):
        began = time.monotonic()
        there[one.command] = measured(one, jobs=arguments.jobs)
        record(there.values())
        seconds = time.monotonic() - began
        print(f"{at:3} of {len(todo)}  {seconds:6.0f} s  {one.command}", file=sys.stderr, flush=True)
    record(there.values())
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), known(), unblinded()), encoding="utf-8")
    print(f"{len(todo)} runs; {RECORD.name} and {PAGE.name} are written")
    return 0


if __name__ == "__main__":
    end_tools_on_signals()
    sys.exit(main())
