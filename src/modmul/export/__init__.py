# SPDX-License-Identifier: Apache-2.0
"""Writes a core as a folder to drop into a design, with a self-checking bench and scripts of the tools.

Nothing in the folder needs this package: the bench runs in Icarus Verilog and Verilator, and Yosys and
nextpnr give again the figures that ``modmul measure`` gives, each through a target of the folder's Makefile.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import distribution
from pathlib import Path
from random import Random
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from modmul.bus.shell import Shell
from modmul.chips import CHIPS, Chip
from modmul.core import (
    PORTS,
    Polynomial,
    ceil_div,
    check_tool,
    field_of,
    size_name,
)
from modmul.design import Design
from modmul.export.axi import bus_files, bus_texts
from modmul.export.naming import check_name, named
from modmul.export.scripts import (
    ASIC_PERIOD,
    CONSTRAINTS,
    check_script,
    chip_files,
    librelane,
    listing,
    place,
)
from modmul.measure.records import SHIPPED_SEEDS
from modmul.measure.route import WRAPPER, wrapper
from modmul.room import Build, ProgramRoom
from modmul.study.facts import facts, under_controls
from modmul.tools.paths import writing

__all__ = ["export", "simulator", "vectors"]

COUNT = 200
"""Operations of a bench, unless they would take more than :data:`CYCLES`."""
CYCLES = 50_000
"""Clock cycles that a bench takes in about, where these are more than :data:`FEWEST` operations."""
FEWEST = 4
"""The fewest operations of a bench, unless fewer are asked for."""

LIMIT = 15
"""Seconds after which a bench ends by itself."""

TEMPLATES = {
    "readme.md.j2": "README.md",
    "makefile.j2": "Makefile",
    "tool.sh.j2": "tool.sh",
    "fusesoc.core.j2": "{top}.core",
    "bench.sv.j2": "bench/tb_{top}.sv",
    "top.sv.j2": "use/{top}_top.sv",
    "top.vhd.j2": "use/{top}_top.vhd",
    "asic.mk.j2": "asic/openroad.mk",
    "asic.sdc.j2": "asic/{top}.sdc",
}

HEAVY = 200_000
"""Bits times clock cycles of an operation above which Icarus Verilog may not end one in time."""

IGNORED = "/build/\n/tools.conf\n"
"""What git is to leave out of the folder: what is made in it, and what belongs to one machine."""

PORT_MEANING = {
    "clk_i": "clock; everything happens on its rising edge",
    "rst_ni": "asynchronous reset, active low; the context must be loaded again after it",
    "ctx_valid_i": "a beat of the modulus context is offered",
    "ctx_ready_o": "it is taken in this cycle",
    "ctx_data_i": "the beat, in the order of `context.hex`",
    "ctx_error_o": "the context loaded last cannot be served; no operands are accepted until a legal one is",
    "in_valid_i": "a word of both operands is offered",
    "in_ready_o": "it is taken in this cycle",
    "x_i": "first operand, least significant word first",
    "y_i": "second operand, in step with `x_i`",
    "out_valid_o": "a word of the result is shown, and stays until it is taken",
    "out_ready_i": "it is taken in this cycle",
    "z_o": "result, least significant word first",
}


def vectors(build: Build, modulus: int, count: int, seed: int) -> list[tuple[int, int, int, int]]:
    """Operands, their products in the core's own domain, all as they cross the ports, and the controls.

    Args:
        build: the core.
        modulus: one the core can serve.
        count: how many, at least 1.
        seed: of the random operands.

    Returns:
        ``count`` quadruples (x, y, z, controls): first a uniformly random pair, then every pair of 0, 1, M-1
        and the largest legal operand, then random pairs; random ones alone where only some operands will do.
        z is reduced and comes from Python. Control port i of the core is bit i: all are low in the first
        half, alternate in the third quarter, and are random then.
    """
    core, at, random = build.core, build.config.at(modulus), Random(seed)
    largest = core.function.operand_max(at, modulus)
    corners = sorted({value for value in (0, 1, modulus - 1, largest) if value <= largest})
    pairs = core.function.drawn(at, modulus, random, 1)
    if not core.function.draw:
        pairs += [(x, y) for x in corners for y in corners][: count - 1]
    pairs += core.function.drawn(at, modulus, random, count - len(pairs))
    masks = [0] * (count // 2)
    every = (1 << len(core.interface.controls)) - 1
    masks += [every * (turn % 2) for turn in range((count - len(masks)) // 2)]
    masks += [random.randint(0, every) for _ in range(count - len(masks))]
    if core.interface.remembers:  # the first operation behind a context is what later ones depend on
        masks[0] = masks[count // 2] = 0
    ats = [under_controls(build, modulus, mask) for mask in range(every + 1)]
    memory: dict[str, int] = {}
    rows = []
    for (x, y), mask in zip(pairs, masks, strict=True):
        at = ats[mask]
        z = core.function.answer(at, modulus, x, y, memory)
        encode = core.interface.encode
        rows.append((encode(at, x), encode(at, y), encode(at, z), mask))
    return rows


def export(
    build: Build,
    modulus: int | None,
    folder: Path,
    *,
    modulus_name: str = "",
    chips: Sequence[Chip] | None = None,
    count: int | None = None,
    seed: int = 1,
    force: bool = False,
    shell: Shell | None = None,
    name: str = "",
) -> list[Path]:
    """Write a core, its bench, the context of a modulus and the papers that go with them into a folder.

    Args:
        build: the core with its parameters.
        modulus: the modulus of the context and of the test vectors; ``None`` for 2^width - 1, or another of
            full length where the core does not serve that.
        folder: a new or empty folder; parents are created.
        modulus_name: what people call the modulus.
        chips: the chip families to write scripts for, at least one; ``None`` for all.
        count: operations of the bench, at least 1; ``None`` for :data:`COUNT`, or for as many as take
            :data:`CYCLES` clock cycles where these are fewer, but no fewer than :data:`FEWEST`.
        seed: of the random operands among them.
        force: write into a folder that is not empty: files of the same names are replaced, others
            are left alone.
        shell: the build on a bus, to be written as well, into the folder ``axi`` of the folder.
        name: what all names of the folder begin with, of letters, digits and single underscores: folders of
            different names go into one design. Empty: modules have the names that they have here.

    Returns:
        The files written, the SystemVerilog of the core first, in the order to compile, then the twins that
        the chips take, in a folder for each family.

    Raises:
        ValueError: the core cannot serve the modulus or is too wide, the configuration is another
            core's, ``count`` is below 1, there is no chip, some tool would refuse ``name``, or the folder is
            a file, not empty or cannot be written. Nothing is written then.
    """
    core, config = build.core, build.config
    if not isinstance(config, core.builds.config):
        raise ValueError(
            f"{core.slug} is configured by {core.builds.config.__name__}, not {type(config).__name__}"
        )
    if build.design.foreign:
        files = ", ".join(file.name for file in build.design.foreign)
        raise ValueError(f"sources of somebody else are not copied: {core.origin.checkout or files}")
    check_tool("exported", config.width, config.word)
    if modulus is None:
        modulus, modulus_name = _full_modulus(build)
    core.function.check(config, modulus)
    if count is None:
        count = min(COUNT, max(FEWEST, CYCLES // core.interface.interval(config.at(modulus))))
    if count < 1:
        raise ValueError(f"the bench needs at least 1 operation, got count {count}")
    if name:
        check_name(name)
    chosen = tuple(CHIPS.values() if chips is None else chips)
    if not chosen:
        raise ValueError("an export is for at least one chip family")
    with writing("folder", folder):
        folder = folder.resolve()
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"{folder} is a file, not a folder")
        if folder.exists() and not force and any(folder.iterdir()):
            raise ValueError(f"{folder} is not empty")

    design = build.design
    families = {chip.family for chip in chosen}
    twins = [twin for twin, _, family in design.twins if family in families]
    rows = vectors(build, modulus, count, seed)
    texts = _texts(build, design, modulus, " ".join(modulus_name.split()), rows, seed, chosen, shell, name)
    sources = {place(source): source for source in (*design.sources, *twins)}
    for chip in chosen:
        sources |= {f"chips/{chip.slug}/files/{file.name}": file for file in chip.files}
    if shell is not None:
        sources |= bus_files(shell)
    sources["measure/figures.py"] = Path(__file__).with_name("figures.py")
    if name:
        copied = {place: source.read_text(encoding="utf-8") for place, source in sources.items()}
        sources, texts = {}, named(name, copied | texts)
    names = [*sources, *texts]
    with writing("folder", folder):
        _write(sources, texts, folder)
    return [folder / name for name in names]


def simulator(build: Build) -> str:
    """The target of the folder's Makefile that tries a build soonest: ``"icarus"`` or ``"verilator"``."""
    heavy = build.config.width * build.core.interface.interval(build.config) > HEAVY
    return "verilator" if heavy else "icarus"


def _twins(design: Design) -> dict[str, list[str]]:
    """Family to the names of its twins of a design."""
    found: dict[str, list[str]] = {}
    for twin, _, family in design.twins:
        found.setdefault(family, []).append(twin.name)
    return found


def _full_modulus(build: Build) -> tuple[int, str]:
    """A modulus of full length and its name: 2^width - 1 where the core serves it."""
    core, config = build.core, build.config
    ones = (1 << config.width) - 1
    if core.function.serves(config, ones):
        return ones, f"2^{config.width} - 1"
    value = core.function.some_modulus(config)
    return value, hex(value)


def _write(sources: Mapping[str, Path], texts: Mapping[str, str], folder: Path) -> None:
    """All the files at once: a new folder appears complete."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        staged = Path(scratch) / folder.name
        for name in (*sources, *texts):
            (staged / name).parent.mkdir(parents=True, exist_ok=True)
        for name, source in sources.items():
            shutil.copyfile(source, staged / name)
        for name, text in texts.items():
            (staged / name).write_text(text, encoding="utf-8", newline="\n")
        if folder.exists():
            for name in (*sources, *texts):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (staged / name).replace(folder / name)
        else:
            staged.rename(folder)


def _texts(
    build: Build,
    design: Design,
    modulus: int,
    modulus_name: str,
    rows: Sequence[tuple[int, int, int, int]],
    seed: int,
    chips: Sequence[Chip],
    shell: Shell | None,
    name: str,
) -> dict[str, str]:
    """The generated files: place in the folder and contents."""
    room, core, config = build.room, build.core, build.config
    told = facts(build, modulus)
    package = distribution("modmul")
    licence = package.read_text("licenses/LICENSE")
    if licence is None:
        raise FileNotFoundError("the installed package lacks its LICENSE file")
    refused = core.illegal_contexts(config)[0]
    about = _about(build)
    meanings = PORT_MEANING | {control.name: control.meaning for control in core.interface.controls}
    values = {
        "about": next(iter(about), ""),
        "config": config,
        "controls": core.interface.controls,
        "core": core,
        "count": len(rows),
        "facts": told,
        "limit": 1000 + 20 * (max(told.latencies) + told.interval + told.beats),
        "name": name,
        "modulus": modulus,
        "modulus_name": modulus_name,
        "modulus_size": size_name(modulus),
        "numbers": core.interface.carries_numbers(config),
        "modulus_text": modulus.text if isinstance(modulus, Polynomial) else "",
        "words": {name for name, _, width in PORTS if width == "word"},
        "program": isinstance(room, ProgramRoom),
        "ports": [(port, meanings[port.name]) for port in core.interface.ports(config)],
        "refused_beats": len(refused),
        "seed": seed,
        "settings": design.settings,
        "sources": [
            (source.name, {family: place(twin) for twin, plain, family in design.twins if plain == source})
            for source in design.sources
        ],
        "families": {chip.family for chip in chips if chip.family},
        "on_bus": shell is not None,
        "families_with_twins": {chip.family: [] for chip in chips} | _twins(design),
        "chips": chips,
        "seeds": SHIPPED_SEEDS,
        "limit_seconds": LIMIT,
        "asic_period": ASIC_PERIOD,
        "constraints": CONSTRAINTS,
        "wrapper": WRAPPER,
        "top": core.top,
        "version": package.version,
    }
    environment = Environment(
        loader=PackageLoader("modmul.export", "."),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["quoted"] = json.dumps

    def render(template: str, **more: object) -> str:
        return environment.get_template(template).render(values | more)

    title = f"modulus {modulus_name or hex(modulus)}, {core.slug}, {config}"
    scripts: dict[str, str] = {}
    for chip in chips:
        scripts |= chip_files(design, chip, render)
    on_bus = bus_texts(shell, design, modulus, rows, render) if shell else {}
    return {
        f"{core.top}.f": listing(design.sources),
        **{name.format(top=core.top): render(template) for template, name in TEMPLATES.items()},
        **about,
        "bench/vectors.hex": _hex_file(
            told.beats * told.word,
            f"x, y, z{' and controls' if core.interface.controls else ''} of each operation; {title}",
            [row if core.interface.controls else row[:3] for row in rows],
        ),
        "context.hex": _hex_file(
            told.word,
            f"the context, a beat a line, in the order of loading; {title}",
            [[beat] for beat in told.context],
        ),
        "bench/refused.hex": _hex_file(
            told.word,
            f"a context that raises ctx_error_o; {core.slug}, {config}",
            [[beat] for beat in refused],
        ),
        "context.json": _context_json(build, modulus, modulus_name),
        f"measure/{WRAPPER}.sv": wrapper(design),
        "measure/check.ys": check_script(design),
        **scripts,
        **on_bus,
        "librelane.json": librelane(design),
        "tools.conf": f"{sys.executable}\n",
        ".gitignore": IGNORED,
        "LICENSE": licence,
    }


def _about(build: Build) -> dict[str, str]:
    """The room's own README under the core's name, without links into the project; nothing if it has none.

    Of a program it is the text.
    """
    room = build.room
    if isinstance(room, ProgramRoom):
        config: Any = build.config
        return {room.file: config.text()}
    source = room.path / "README.md"
    if not source.is_file():
        return {}
    text = re.sub(r"\[([^]]+)\]\((?!https?:)[^)]*\)", r"\1 (of modmul)", source.read_text(encoding="utf-8"))
    return {f"{room.core.top}.md": text}


def _hex_file(bits: int, title: str, rows: Sequence[Sequence[int]]) -> str:
    """Numbers of so many bits for $readmemh; a row a line."""
    digits = ceil_div(bits, 4)
    lines = [" ".join(f"{value:0{digits}x}" for value in row) for row in rows]
    return "\n".join((f"// {title}", *lines)) + "\n"


def _context_json(build: Build, modulus: int, modulus_name: str) -> str:
    """The context for people and programs: numbers in hexadecimal, lengths in decimal."""
    core, config = build.core, build.config
    at = config.at(modulus)
    domain = core.function.domain(at)
    told: dict[str, object] = {
        "core": core.slug,
        "parameters": config.parameters(),
        "modulus_name": modulus_name,
        "modulus": hex(modulus),
        "modulus_bits": modulus.bit_length(),
        "field": field_of(modulus),
        "operand_max": hex(core.function.operand_max(at, modulus)),
        "result_max": hex(core.function.result_max(at, modulus)),
        "word_bits": at.word,
        "beats": at.beats,
        "context": [hex(beat) for beat in core.interface.context(at, modulus)],
        "domain": domain.name,
        "radix": hex(domain.radix),
    }
    if domain.radix != 1:
        told["radix_mod_modulus"] = hex(domain.enter(modulus, 1))
        told["radix_squared_mod_modulus"] = hex(domain.enter(modulus, domain.radix))
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"
