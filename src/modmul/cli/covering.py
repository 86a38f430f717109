# SPDX-License-Identifier: Apache-2.0
"""Coverage of the checks: what they reach in the hardware."""

from __future__ import annotations

from typing import Annotated

import typer

from modmul.cli.completing import core_names
from modmul.cli.options import JsonOption, RoomsOption, names
from modmul.cli.printing import print_json, print_table, say
from modmul.cli.progress import showing
from modmul.registry import own_cores, room
from modmul.tools.extras import need

__all__ = ["coverage"]


def coverage(
    cores: Annotated[
        list[str] | None,
        typer.Argument(metavar="CORE", help="Cores. Default: all.", autocompletion=core_names),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Name every item that is neither covered nor proven out of reach.")
    ] = False,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """What the checks of the contract reach in two small builds of cores; what is left, with the reason."""
    need("simulation", "synthesis")
    from modmul.cover.plan import KINDS, cover_all, exclusions
    from modmul.tools.store import Store

    told = exclusions()
    wanted = [room(slug).core.slug for slug in names(cores)] if cores else own_cores()
    with showing() as listener:
        found = list(cover_all(wanted, Store(), told, listener))
    left = {each.core: each.open(told) for each in found}
    if as_json:
        data = [
            {
                "core": each.core,
                "builds": each.configs,
                "counts": {
                    kind: dict(zip(("all", "covered", "proven"), each.counts[kind], strict=True))
                    for kind in KINDS
                },
                "left": [
                    {
                        "build": config,
                        "kind": item.kind,
                        "item": item.text,
                        "reason": told.reason(each.core, config, item) or "",
                    }
                    for config, item in each.left
                ],
                "wrong": each.wrong,
            }
            for each in found
        ]
        print_json({"results": data})
    else:
        rows = []
        for each in found:
            counts = [each.counts[kind] for kind in KINDS]
            shares = [f"{covered:,}+{proven:,}/{total:,}" for total, covered, proven in counts]
            rows.append((each.core, *shares, str(len(each.left)), str(len(left[each.core]))))
        print_table(("core", *KINDS, "left", "open"), rows)
        say("covered + proven out of reach / all; left: neither; open: of these, without a reason")
        for each in found:
            for config, item in each.left if show else ():
                reason = told.reason(each.core, config, item)
                say(f"{each.core} ({config}): {item.kind}: {item.text}: {reason or 'OPEN'}")
            for text in each.wrong:
                say(f"{each.core}: excluded, and covered: {text}")
    if any(each.wrong for each in found) or any(left[slug] for slug in left if slug not in told.open):
        raise typer.Exit(1)
