# SPDX-License-Identifier: Apache-2.0
"""Writes what comes from the description of the registers on a bus, ``src/modmul/bus/registers.rdl``.

``make registers`` writes ``registers.py``, ``modmul_registers.h`` and ``registers.xml`` (IP-XACT) beside it,
the table of ``docs/bus.md``, and HTML into ``build/registers``; ``python tools/registers.py --check`` fails
when they are out of date.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from peakrdl_html import HTMLExporter
from peakrdl_ipxact import IPXACTExporter
from systemrdl import RDLCompiler
from systemrdl.node import AddrmapNode, RegNode

from modmul.tools.blocks import filled

ROOT = Path(__file__).parents[1]
HERE = ROOT / "src/modmul/bus"
SOURCE = HERE / "registers.rdl"
GUIDE = ROOT / "docs/bus.md"
README = ROOT / "README.md"
HTML = ROOT / "build/registers"
MADE = "made by 'make registers' from registers.rdl"
ACCESS = {(True, False): "read", (False, True): "write", (True, True): "read, write"}


def described() -> AddrmapNode:
    """The description, elaborated."""
    compiler = RDLCompiler()
    compiler.compile_file(str(SOURCE))
    return compiler.elaborate().top


def registers(top: AddrmapNode) -> Iterator[RegNode]:
    """Its registers in order, an array once."""
    for node in top.children(unroll=False):
        assert isinstance(node, RegNode)
        yield node


def address(register: RegNode) -> int:
    """Of a register, or of the first of an array."""
    return int(register.raw_absolute_address)


def enums(top: AddrmapNode) -> Mapping[str, Mapping[str, tuple[int, str]]]:
    """The enumerations of its fields: name to the values and their meanings."""
    found = {}
    for register in registers(top):
        for field in register.fields():
            if (encoding := field.get_property("encode")) is not None:
                found[encoding.type_name] = {
                    member.name: (int(member.value), str(member.rdl_desc)) for member in encoding
                }
    return found


def python(top: AddrmapNode) -> str:
    """The module with the addresses."""
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        f'"""Registers of a core on a bus: {MADE}."""',
        "",
        "from enum import IntEnum, IntFlag",
        "",
        "",
        "class Register(IntEnum):",
        '    """Addresses, in bytes."""',
        "",
        *(f"    {register.inst_name} = 0x{address(register):03X}" for register in registers(top)),
    ]
    for name, members in enums(top).items():
        title = f"class {name.capitalize()}(IntEnum):"
        lines += ["", "", title, f'    """The field ``{name}`` of an answer."""', ""]
        for member, (value, meaning) in members.items():
            lines += [f"    {member} = {value}", f'    """{meaning[0].upper()}{meaning[1:]}."""']
    for register in registers(top):
        fields = list(register.fields())
        if all(field.width == 1 for field in fields):
            name = register.inst_name.title().replace("_", "")
            lines += ["", "", f"class {name}(IntFlag):", f'    """{register.get_property("name")}."""', ""]
            for field in fields:
                meaning = str(field.get_property("desc"))
                lines += [f"    {field.inst_name.upper()} = {1 << field.low:#x}"]
                lines += [f'    """{meaning[0].upper()}{meaning[1:]}."""']
    return "\n".join(lines) + "\n"


def header(top: AddrmapNode) -> str:
    """The C header: C99, without types."""
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */", f"/* Registers of a core on a bus: {MADE}. */"]
    lines += ["#ifndef MODMUL_REGISTERS_H", "#define MODMUL_REGISTERS_H"]
    for register in registers(top):
        name = f"MODMUL_{register.inst_name}"
        lines += ["", f"/* {register.get_property('name')} */", f"#define {name} 0x{address(register):03x}u"]
        for field in register.fields():
            if register.size * 8 != field.width:
                mask = ((1 << field.width) - 1) << field.low
                lines.append(f"#define {name}_{field.inst_name.upper()} 0x{mask:08x}u")
                lines.append(f"#define {name}_{field.inst_name.upper()}_SHIFT {field.low}")
    lines += [f"#define MODMUL_ID_IS 0x{reset(top, 'ID'):08x}u"]
    lines += [f"#define MODMUL_VERSION_IS 0x{reset(top, 'VERSION'):08x}u"]
    for name, members in enums(top).items():
        lines.append("")
        for member, (value, meaning) in members.items():
            lines.append(f"#define MODMUL_{name.upper()}_{member} {value}u /* {meaning} */")
    return "\n".join([*lines, "", "#endif", ""])


def reset(top: AddrmapNode, name: str) -> int:
    """What a register holds after a reset."""
    [found] = [register for register in registers(top) if register.inst_name == name]
    return sum(int(field.get_property("reset") or 0) << field.low for field in found.fields())


def table(top: AddrmapNode) -> str:
    """The register map, and the codes, in Markdown."""
    lines = ["| address | register | bits | | what it says |", "|---|---|---|---|---|"]
    for register in registers(top):
        for number, field in enumerate(register.fields()):
            place = f"{address(register):#05x}" if number == 0 else ""
            if number == 0 and register.is_array:
                place += " …"
            name = f"`{register.inst_name}`" if number == 0 else ""
            bits = f"{field.high}:{field.low}" if field.width > 1 else f"{field.low}"
            access = ACCESS[bool(field.is_sw_readable), bool(field.is_sw_writable)]
            if field.get_property("onwrite") is not None:
                access = "read, write 1 to clear"
            title = f"{register.get_property('name')}: " if field.width == 32 else f"`{field.inst_name}`: "
            lines.append(f"| {place} | {name} | {bits} | {access} | {title}{field.get_property('desc')} |")
    lines += ["", "| code | | what went wrong |", "|--:|---|---|"]
    lines += [f"| {value} | `{name}` | {meaning} |" for name, (value, meaning) in enums(top)["code"].items()]
    return "\n".join(lines)


def overview(top: AddrmapNode) -> str:
    """The registers alone, with the names of their fields, in Markdown."""
    lines = ["| address | register | |", "|---|---|---|"]
    for register in registers(top):
        fields = [*register.fields()]
        names = ", ".join(f"`{field.inst_name}`" for field in fields)
        what = register.get_property("name") if fields[0].width == 32 else names
        place = f"{address(register):#05x}{' …' if register.is_array else ''}"
        lines.append(f"| {place} | `{register.inst_name}` | {what} |")
    return "\n".join(lines)


def ipxact(top: AddrmapNode) -> str:
    """IP-XACT of IEEE 1685-2014."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "registers.xml"
        IPXACTExporter(vendor="modmul", library="bus", version="1.0").export(top, str(file))
        return file.read_text(encoding="utf-8")


def made() -> dict[Path, str]:
    """Every file with its text."""
    top = described()
    return {
        HERE / "registers.py": python(top),
        HERE / "c" / "modmul_registers.h": header(top),
        HERE / "registers.xml": ipxact(top),
        GUIDE: filled(GUIDE.read_text(encoding="utf-8"), {"registers": table(top)}),
        README: filled(README.read_text(encoding="utf-8"), {"registers": overview(top)}),
    }


def main() -> int:
    stale = [
        path for path, text in made().items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in sys.argv[1:]:
        print("\n".join(f"{path.relative_to(ROOT)} is out of date: run 'make registers'" for path in stale))
        return int(bool(stale))
    for path, text in made().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    HTMLExporter().export(described(), str(HTML))
    return 0


if __name__ == "__main__":
    sys.exit(main())
