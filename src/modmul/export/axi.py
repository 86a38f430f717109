# SPDX-License-Identifier: Apache-2.0
"""What an exported folder has for a bus: the shell, its bench, the driver, the registers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from modmul.bus.shell import SOCKET, Shell
from modmul.core import ceil_div
from modmul.design import Design
from modmul.export.scripts import Render, place

__all__ = ["bus_files", "bus_texts"]

FOLDER = "axi"

MOST = 40
"""Operations of the bench."""

OURS = Path(str(files("modmul"))) / "bus"

COPIED = {
    "registers.rdl": OURS / "registers.rdl",
    "registers.xml": OURS / "registers.xml",
    **{
        f"driver/{name}": OURS / "c" / name for name in ("modmul_bus.c", "modmul_bus.h", "modmul_registers.h")
    },
}


def bus_files(shell: Shell) -> dict[str, Path]:
    """Place in the folder and source of what is copied: the shell's modules, the driver, the registers."""
    modules = {f"rtl/{source.name}": source for source in shell.sources}
    return {f"{FOLDER}/{name}": source for name, source in (modules | COPIED).items()}


def bus_texts(
    shell: Shell, design: Design, modulus: int, rows: Sequence[Sequence[int]], render: Render
) -> Mapping[str, str]:
    """The generated files: place in the folder and contents.

    Args:
        design: the core's.
        modulus: of the context.
        rows: the operations of the core's bench.
        render: fills a template.
    """
    at = shell.build.config.at(modulus)
    frame = [2, *shell.context(modulus)]
    parts = [(word >> 32 * k) & 0xFFFFFFFF for word in frame[1:] for k in range(shell.bus // 32)]
    values = {
        "shell": shell,
        "frame": frame,
        "parts": parts,
        "words": ceil_div(at.bits, shell.bus),
        "operand_words": ceil_div(at.bits, 32),
        "operations": min(len(rows), MOST),
        "total": len(rows),
        "remembers": shell.build.core.interface.remembers,
        "too_large": shell.bound(modulus) < (1 << ceil_div(at.bits, shell.bus) * shell.bus) - 1,
        "limit": 4 * shell.timeout
        + 2 * shell.build.core.interface.context_wait(shell.build.config)
        + 1000
        + 40 * len(frame) * (1 + shell.bus // shell.build.config.word),
    }
    top = shell.build.core.top
    own = [f"rtl/{SOCKET}.sv", *(f"rtl/{source.name}" for source in shell.sources), f"{top}_axi.sv"]
    listed = [*map(place, design.sources), *(f"{FOLDER}/{file}" for file in own)]
    digits = shell.bus // 4
    texts = {
        f"rtl/{SOCKET}.sv": shell.socket(),
        f"{top}_axi.sv": render("axi_top.sv.j2", **values),
        f"{top}_axi.core": render("axi_fusesoc.core.j2", **values, own=own),
        f"{top}_axi.f": "\n".join(listed) + "\n",
        f"tb_{top}_axi.sv": render("axi_bench.sv.j2", **values),
        "frame.hex": "\n".join(
            ["// a context frame, a word a line", *(f"{w:0{digits}x}" for w in frame), ""]
        ),
        "Makefile": render("axi_makefile.j2", **values),
        "README.md": render("axi_readme.md.j2", **values),
        "driver/modmul_context.h": render("axi_context.h.j2", **values),
        "driver/example.c": render("axi_example.c.j2", **values),
    }
    return {f"{FOLDER}/{name}": text for name, text in texts.items()}
