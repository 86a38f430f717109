# SPDX-License-Identifier: Apache-2.0
"""What there is: the cores, the moduli with a name, the targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from rich.padding import Padding

from modmul.cli.completing import wing_names
from modmul.cli.options import (
    BadInput,
    CoreArgument,
    JsonOption,
    RoomsOption,
    SetOption,
    TargetOption,
    WidthOption,
    settings,
)
from modmul.cli.printing import out, print_json, print_table
from modmul.registry import (
    BINARY_FIELD,
    ECC,
    PRIME_FIELD,
    operand_width,
    program,
    read_program,
    room,
    rooms,
)
from modmul.registry import programs as registry_programs
from modmul.registry import systems as registry_systems

__all__ = ["list_", "show"]


def list_(
    moduli: Annotated[bool, typer.Option("--moduli", help="The moduli that have a name.")] = False,
    targets: Annotated[bool, typer.Option("--targets", help="The targets.")] = False,
    systems: Annotated[bool, typer.Option("--systems", help="The systems that are built of a core.")] = False,
    programs: Annotated[bool, typer.Option("--programs", help="The programs for the engine.")] = False,
    wings: Annotated[bool, typer.Option("--wings", help="The wings, by how their cores work.")] = False,
    wing: Annotated[
        str | None, typer.Option(metavar="WING", help="Only cores of this wing.", autocompletion=wing_names)
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(metavar="PAPER", help="Only cores of this paper; 'none' for those of none."),
    ] = None,
    domain: Annotated[
        str | None,
        typer.Option(metavar="plain|montgomery", help="Only cores that give x*y mod M, or x*y/R mod M."),
    ] = None,
    field: Annotated[
        str | None, typer.Option(metavar="gfp|gf2m", help="Only cores that compute in this field.")
    ] = None,
    modulus_: Annotated[
        str | None,
        typer.Option("--modulus", "-m", help="Only cores with a build for this modulus, and its width."),
    ] = None,
    blocks: Annotated[
        bool | None,
        typer.Option("--blocks/--no-blocks", help="Only those with multiplier blocks, or without."),
    ] = None,
    width: WidthOption = None,
    target_: TargetOption = "ecp5",
    as_json: JsonOption = False,
) -> None:
    """The cores, with shipped sizes of their default builds; or moduli, targets, systems, programs, wings."""
    if moduli:
        columns, data = _moduli()
    elif targets:
        columns, data = _targets()
    elif systems:
        columns, data = _systems()
    elif programs:
        columns, data = _programs()
    elif wings:
        columns, data = _wings()
    else:
        _list_cores(_Filter(wing, paper, domain, field, modulus_, blocks), width, target_, as_json=as_json)
        return
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
    data.append(
        {
            "system": f"{ECC}CURVE",
            "description": "multiples of points of a curve, on any core: modmul ecc curves",
            "as a core": f"{ECC}p256:CORE",
        }
    )
    return ("system", "as a core", "description"), data


def _programs() -> Listing:
    """Each with the first line that its text has to say."""
    data = []
    for name, file in registry_programs().items():
        _, text = read_program(name)
        described, _ = program(text, next(iter(rooms())))
        title = next(line for line in text.splitlines() if not line.startswith("; SPDX")).strip("; .")
        operands = [f"{each}=…" for each in (*described.operands, *described.numbers) if each]
        data.append({"program": name, "description": title, "takes": " ".join(operands), "file": str(file)})
    return ("program", "takes", "description", "file"), data


def _wings() -> Listing:
    """Each with the heading of its page."""
    data = []
    for wing in wing_names():
        cores = [found for found in rooms().values() if found.wing == wing]
        page = cores[0].path.parent / "README.md"
        heading = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
        data.append(
            {
                "wing": wing,
                "description": heading,
                "cores": ", ".join(found.core.slug for found in cores),
                "page": str(page),
            }
        )
    return ("wing", "description", "cores"), data


FIELDS = {"gfp": PRIME_FIELD, "gf2m": BINARY_FIELD}
"""As the option has them."""


@dataclass(frozen=True)
class _Filter:
    """Which cores to list; ``None`` leaves a quality open."""

    wing: str | None
    paper: str | None
    domain: str | None
    field: str | None
    modulus: str | None
    blocks: bool | None

    def __post_init__(self) -> None:
        """Raise BadInput where something is asked for that no core can have."""
        papers = {found.core.origin.paper or "none" for found in rooms().values()}
        for name, value, known in (
            ("wing", self.wing, set(wing_names())),
            ("paper", self.paper, papers),
            ("domain", self.domain, {"plain", "montgomery"}),
            ("field", self.field, set(FIELDS)),
        ):
            if value is not None and value not in known:
                raise BadInput(f"no {name} is named {value!r}; there is {', '.join(sorted(known))}")

    def passes(self, entry: Mapping[str, Any], blocks: bool) -> bool:
        """Whether a core has what is asked for, the modulus aside."""
        wanted = (
            (self.wing, entry["wing"]),
            (self.paper, entry["paper"] or "none"),
            (self.domain, entry["domain"]),
            (self.blocks, blocks),
        )
        return all(value in (None, has) for value, has in wanted) and (
            self.field is None or FIELDS[self.field] in entry["fields"]
        )


def _list_cores(wanted: _Filter, width: int | None, target: str, *, as_json: bool) -> None:
    from modmul.chips import chip
    from modmul.moduli import modulus
    from modmul.study.columns import texts
    from modmul.study.facts import about

    value = modulus(wanted.modulus).value if wanted.modulus else None
    bits, on_chip = operand_width(width, value), chip(target)
    data = []
    for found in rooms().values():
        try:
            if value is not None:
                found.fitting(bits, value, target)
            entry = about(found, bits, on_chip)
            blocks = found.build(bits, chip=target).config.multiplier_blocks
        except ValueError:  # there is no such build
            continue
        if wanted.passes(entry, blocks):
            data.append(entry)
    if as_json:
        print_json(data)
        return
    if not data:
        raise BadInput("no core is like that; leave something out")
    figures = {
        "interval": texts([entry["interval"] for entry in data]),
        "LUTs": texts([entry["luts"] for entry in data]),
        "DSP": texts([entry["dsp"] for entry in data]),
        "MHz": texts([entry["fmax_mhz"] for entry in data], 1),
    }
    figures = {
        heading.rjust(length): [text.rjust(length) for text in column]
        for heading, column in figures.items()
        for length in (max(map(len, (heading, *column))),)
    }
    words = ("core", "wing", "paper", "domain")
    table = [
        [*(entry[word] for word in words), *(column[at] for column in figures.values()), entry["description"]]
        for at, entry in enumerate(data)
    ]
    unfinished = any(entry["status"] != "stable" for entry in data)
    headings = [*words, *figures, "description", *(["status"] if unfinished else [])]
    if unfinished:
        table = [[*line, entry["status"]] for line, entry in zip(table, data, strict=True)]
    print_table(headings, table)
    out.print(
        f"Of the default builds of {bits} bits: clock cycles from one operation to the next; as shipped, "
        f"area and clock frequency on {target}",
        markup=False,
    )


NOTHING = {"controls": "none", "paper": "none"}
"""What ``show`` prints of an empty entry."""


LONGEST_SHOWN = 128
"""Bits of the parameters that :func:`show` prints; those that are no moduli are programs of the engine."""


def _shown(parameters: Mapping[str, int]) -> list[str]:
    """Parameters as people read them: a modulus by its name, a program by its length."""
    from modmul.moduli.named import shown

    return [
        f"{name}=… ({value.bit_length():,} bits)"
        if name != "Modulus" and value.bit_length() > LONGEST_SHOWN
        else f"{name}={shown(name, value)}"
        for name, value in parameters.items()
    ]


def show(
    core: CoreArgument,
    width: WidthOption = None,
    set_: SetOption = None,
    _rooms: RoomsOption = None,
    as_json: JsonOption = False,
) -> None:
    """One core: paper, parameters and what they mean, ranges, cycles, context, moduli with a name."""
    from modmul.study.facts import facts, named_moduli

    found = room(core)
    described = found.core
    only = described.builds.only_width or None
    build = found.build(operand_width(only if width is None else width), settings(set_))
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
        "named moduli": named_moduli(found),
    }
    meanings = config.meanings()
    notes = {title: list(lines) for title, lines in described.notes(config).items()}
    if as_json:
        print_json(data | {"notes": notes, "meanings": meanings})
        return
    cited = data.pop("citation")
    if cited != described.origin.paper:
        data["paper"] += f" ({cited})"
    for name, value in data.items():
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        out.print(f"{name:14} {text or NOTHING.get(name, 'nothing else')}", markup=False)
    out.print(f"{'more':14} {found.path / 'README.md'}", markup=False)
    out.print("\nparameters", markup=False)
    length = max(map(len, meanings))
    for name, meaning in meanings.items():
        out.print(Padding(f"{name:{length}}  {meaning}", (0, 0, 0, 2)))
    for title, lines in notes.items():
        out.print(f"\n{title}", markup=False)
        for line in lines:
            out.print(f"  {line}", markup=False)
