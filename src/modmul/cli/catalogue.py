# SPDX-License-Identifier: Apache-2.0
"""What there is: the cores, the moduli with a name, the targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from modmul.cli.options import JsonOption, SetOption, WidthOption, settings
from modmul.cli.printing import out, print_json, print_table
from modmul.registry import DEFAULT_WIDTH, operand_width, room, rooms
from modmul.registry import systems as registry_systems

__all__ = ["list_", "show"]


def list_(
    moduli: Annotated[bool, typer.Option("--moduli", help="The moduli that have a name.")] = False,
    targets: Annotated[bool, typer.Option("--targets", help="The targets.")] = False,
    systems: Annotated[bool, typer.Option("--systems", help="The systems that are built of a core.")] = False,
    as_json: JsonOption = False,
) -> None:
    """The cores; or the named moduli, the targets, the systems."""
    if moduli:
        columns, data = _moduli()
    elif targets:
        columns, data = _targets()
    elif systems:
        columns, data = _systems()
    else:
        columns, data = _cores()
    if as_json:
        print_json(data)
    else:
        print_table(columns, [[str(entry[column]) for column in columns] for entry in data])


Listing = tuple[tuple[str, ...], list[dict[str, Any]]]
"""The columns of a table, and the entries of JSON, which may have more."""


def _moduli() -> Listing:
    from modmul.moduli import NAMED

    data = [
        {"name": m.name, "field": m.field, "bits": m.bits, "source": m.source, "value": hex(m.value)}
        for m in NAMED.values()
    ]
    return ("name", "field", "bits", "source"), data


def _targets() -> Listing:
    from modmul.chips import CHIPS, FAMILIES

    data = [
        {"name": t.name, "description": t.title, "place and route": "yes" if t.route else "no"}
        for t in CHIPS.values()
    ]
    data += [
        {"name": f"{each.name}:{each.argument}", "description": each.title, "place and route": "no"}
        for each in FAMILIES.values()
    ]
    return ("name", "description", "place and route"), data


def _systems() -> Listing:
    data = [
        {"system": system.slug, "description": system.title, "as a core": f"{system.slug}:CORE"}
        for system, _ in registry_systems().values()
    ]
    return ("system", "as a core", "description"), data


def _cores() -> Listing:
    from modmul.study.facts import about

    data = [about(found) for found in rooms().values()]
    return ("core", "paper", f"interval at {DEFAULT_WIDTH} bits", "description", "status"), data


NOTHING = {"controls": "none", "paper": "none"}
"""What ``show`` prints of an empty entry."""


def _shown(parameters: Mapping[str, int]) -> list[str]:
    """Parameters as people read them, a modulus by its name."""
    from modmul.moduli.named import shown

    return [f"{name}={shown(name, value)}" for name, value in parameters.items()]


def show(
    core: str, width: WidthOption = DEFAULT_WIDTH, set_: SetOption = None, as_json: JsonOption = False
) -> None:
    """One core: paper, parameters, ranges, cycles, context."""
    from modmul.study.facts import facts

    found = room(core)
    described = found.core
    build = found.build(operand_width(width), settings(set_))
    config = build.config
    others = [other.options() for other in described.builds.at(config.width)[1:]]
    data: dict[str, Any] = {
        "core": described.slug,
        "title": described.title,
        "paper": described.origin.paper,
        "citation": described.origin.citation,
        "section": described.origin.where,
        "wing": found.wing,
        "status": described.status,
        "top module": described.top,
        "sources": [source.name for source in found.sources],
        "parameters": config.parameters() if as_json else ", ".join(_shown(config.parameters())),
        "also compared": [" ".join(_shown(other)) for other in others],
        **facts(build).named(),
    }
    notes = {title: list(lines) for title, lines in described.notes(config).items()}
    if as_json:
        print_json(data | {"notes": notes})
        return
    cited = data.pop("citation")
    if cited != described.origin.paper:
        data["paper"] += f" ({cited})"
    for name, value in data.items():
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        out.print(f"{name:14} {text or NOTHING.get(name, 'nothing else')}", markup=False)
    out.print(f"{'more':14} {found.path / 'README.md'}", markup=False)
    for title, lines in notes.items():
        out.print(f"\n{title}", markup=False)
        for line in lines:
            out.print(f"  {line}", markup=False)
