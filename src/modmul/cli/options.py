# SPDX-License-Identifier: Apache-2.0
"""The options that several commands share, and what their texts mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modmul.chips import Chip
from modmul.chips import names as chip_names
from modmul.cli.completing import core_names, list_of_cores, modulus_names, target_names
from modmul.cli.printing import say
from modmul.measure import Shelf
from modmul.measure.weights import Weights
from modmul.registry import ECC, visit

if TYPE_CHECKING:
    from modmul.moduli import Modulus

__all__ = [
    "BadInput",
    "CoreArgument",
    "CoreArguments",
    "CoreOption",
    "CoresOption",
    "CsvOption",
    "FreshOption",
    "JobsOption",
    "JsonOption",
    "ModulusOption",
    "OnOption",
    "RecordsOption",
    "RoomsOption",
    "SetOption",
    "SystemModulusOption",
    "TargetOption",
    "UnreducedOption",
    "WeightsOption",
    "WidthOption",
    "integer",
    "names",
    "ranges",
    "settings",
    "shelf",
    "system_modulus",
    "weights",
]


def _let_in(folders: list[Path] | None) -> list[Path] | None:
    """Let rooms in before cores are looked up."""
    for folder in folders or ():
        visit(folder)
    return folders


JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")]
UnreducedOption = Annotated[
    bool,
    typer.Option("--unreduced", help="Rank builds whose results may be above M-1 among the others."),
]
CoresOption = Annotated[
    str | None,
    typer.Option(
        "--cores", metavar="CORE,…", help="Only these cores. Default: all.", autocompletion=list_of_cores
    ),
]
CoreArgument = Annotated[
    str, typer.Argument(metavar="CORE", help="A core; 'modmul list' names them.", autocompletion=core_names)
]
CoreArguments = Annotated[
    list[str],
    typer.Argument(metavar="CORE", help="Cores; 'modmul list' names them.", autocompletion=core_names),
]
CoreOption = Annotated[
    str,
    typer.Option(
        "--core",
        metavar="CORE",
        help="The multiplier; 'modmul list' names them.",
        autocompletion=core_names,
    ),
]
_MODULUS = typer.Option(
    "--modulus",
    "-m",
    help="A name (p256, b163, …), a number (decimal, 0x…, 2^255-19), a polynomial (x^8+x^4+x^3+x+1), "
    "a key file or a context.json.",
    autocompletion=modulus_names,
)
ModulusOption = Annotated[str, _MODULUS]
SystemModulusOption = Annotated[str | None, _MODULUS]
"""Where a system may say which modulus it has: a curve its field."""
WidthOption = Annotated[int | None, typer.Option("--width", "-w", help="Operand length in bits.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the core: SharedTaps=1, Word=64."),
]
TargetOption = Annotated[
    str,
    typer.Option("--target", "-t", help=f"One of {', '.join(chip_names())}.", autocompletion=target_names),
]
WeightsOption = Annotated[
    str,
    typer.Option(
        "--weights", metavar="dsp=N,bram=N", help="LUTs that a multiplier block and 18 kbit of RAM count for."
    ),
]
OnOption = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="ADDRESS",
        help="Synthesise, place and route on the workers of the Dask scheduler at tcp://host:port, as many "
        "at a time as they have threads, whatever --jobs says. Verification stays on this machine.",
    ),
]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Tools running at the same time.")]

RoomsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--room",
        metavar="DIR",
        callback=_let_in,
        is_eager=True,
        help="A core of your own: its folder, as 'modmul new-room' writes one.",
    ),
]

RecordsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--records",
        metavar="FILE",
        help="Measurements of your own, as 'modmul explore --save' writes them, beside the shipped ones.",
    ),
]

FreshOption = Annotated[
    bool,
    typer.Option("--fresh", help="Take no shipped measurement: measure on this machine."),
]


LONGEST_RANGE = 4096
"""Values of a parameter."""


class BadInput(ValueError):
    """Something the user can put right; the message says how."""


def names(texts: Sequence[str]) -> list[str]:
    """The names in comma-separated texts, each once.

    Raises:
        BadInput: there is none.
    """
    found = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    if not found:
        raise BadInput("name at least one core; 'modmul list' shows them")
    return list(dict.fromkeys(found))


def numbers(texts: Sequence[str], modulus: int | None) -> dict[str, int]:
    """The numbers in texts like ``"x=5"`` and ``"e=M-2"``, M being the modulus if there is one.

    Raises:
        BadInput: a text is none such, or a name is there twice.
    """
    from modmul.moduli import number

    found: dict[str, int] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not re.fullmatch(r"\w+", name):
            raise BadInput(f"operands and numbers are NAME=NUMBER, got {text!r}")
        if name in found:
            raise BadInput(f"{name} is given twice; leave one of them")
        found[name] = number(value, {} if modulus is None else {"M": modulus})
    return found


def lists(texts: Sequence[str], modulus: int | None) -> dict[str, list[int]]:
    """The numbers in texts like :func:`numbers` takes them, one or several: ``"x=5,M-2,7"``.

    Raises:
        BadInput: a text is none such, or a name is there twice.
    """
    found: dict[str, list[int]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if name in found:
            raise BadInput(f"{name} is given twice; leave one of them")
        each = [numbers([f"{name}{equals}{value}"], modulus) for value in values.split(",")]
        found[name] = [value for one in each for value in one.values()]
    return found


def system_modulus(system: str, text: str | None) -> Modulus | None:
    """The modulus that a text names; without one that of the curve, where a system is of one."""
    from modmul.moduli import curve, modulus

    if text is None and system.startswith(ECC):
        text = curve(system.partition(":")[0].removeprefix(ECC)).field
    return None if text is None else modulus(text)


def ranges(texts: Sequence[str] | None) -> dict[str, tuple[int, ...]]:
    """The values in texts like ``"Pes=1..8"``, ``"Word=8,16"`` or ``"Columns=0,2..4"``, ascending.

    Raises:
        BadInput: it is no such text, a parameter is given twice, or a range is empty or too long.
    """
    found: dict[str, tuple[int, ...]] = {}
    for text in texts or ():
        name, _, values = text.partition("=")
        if not name.isprintable():
            raise BadInput(f"--range is NAME=A..B or NAME=A,B,…, got {text!r}")
        if name in found:
            raise BadInput(f"--range gives {name} twice; give all its values at once: {name}=1..4,8")
        taken: set[int] = set()
        for part in values.split(","):
            first, dots, last = (each.strip() for each in part.partition(".."))
            if not first or (dots and not last):
                raise BadInput(f"--range is NAME=A..B or NAME=A,B,…, got {text!r}")
            low = integer(name, first)
            high = integer(name, last) if dots else low
            if high < low:
                raise BadInput(f"--range {name} begins at {low} and ends below it, at {high}")
            if high - low >= LONGEST_RANGE:
                raise BadInput(f"--range {name} has more than {LONGEST_RANGE:,} values; take fewer")
            taken |= {*range(low, high + 1)}
        found[name] = tuple(sorted(taken))
    return found


def shelf(files: Sequence[Path] | None) -> Shelf:
    """The shipped records with those of files; what of these is stale is said on standard error.

    Raises:
        RecordError: a file is damaged, or there is none.
    """
    from modmul.study.own import shelf_with

    found, said = shelf_with(files or ())
    for line in said:
        say(line)
    return found


def settings(texts: Sequence[str] | None) -> dict[str, int]:
    """The parameters in texts like ``"Word=64"``; a modulus also by its name.

    Raises:
        BadInput: a value is no number.
    """
    from modmul.moduli import modulus

    pairs = (text.partition("=") for text in texts or ())
    return {
        name: modulus(value).value if name == "Modulus" and value != "0" else integer(name, value)
        for name, _, value in pairs
    }


def weights(text: str, target: Chip) -> Weights:
    """The weights of a target, some of them changed.

    Raises:
        ValueError: the text is no such change.
    """
    return Weights.of(target).changed(text)


def integer(name: str, text: str) -> int:
    """A number as people write it.

    Raises:
        BadInput: it is none.
    """
    try:
        return int(text, 0)
    except ValueError as error:
        said = name if name.isprintable() else repr(name)
        raise BadInput(f"{said} must be a number (decimal or 0x…), got {text!r}") from error
