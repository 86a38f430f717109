# SPDX-License-Identifier: Apache-2.0
"""Names of its own for an exported folder, so that a design takes several of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from modmul.design import PREFIX

__all__ = ["check_name", "named"]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
"""What SystemVerilog, VHDL, C and FuseSoC all take in front of a name."""

MODULE = re.compile(rf"(?<![A-Za-z0-9]){PREFIX}(?=\w)")
"""How the name of a module begins, behind ``tb_`` as well; nothing else begins like that."""

CONTEXT = re.compile(r"\b(?=(?:modmul_context|MODMUL_CONTEXT_(?:H|BUILD|WORDS)|MODMUL_OPERAND_WORDS)\b)")
"""In front of what the context's header in C defines, and of the header's own name."""

KEPT = {"tools.conf", "LICENSE"}
"""Files that name no module, whatever is in them."""


def check_name(name: str) -> None:
    """Refuse a name that cannot stand in front of others.

    Raises:
        ValueError: it is not made of letters, digits and single underscores between them, or does not begin
            with a letter.
    """
    if not NAME.fullmatch(name):
        raise ValueError(
            f"a folder is named by letters, digits and single underscores, a letter first, not {name!r}"
        )


def named(name: str, files: Mapping[str, str]) -> dict[str, str]:
    """Files with a name in front of all that one folder has like another.

    These are the modules, with their files and FuseSoC's cores, and what ``modmul_context.h`` defines for C,
    its macros with a name in capitals.

    Args:
        files: place in the folder, and text.
    """

    def changed(text: str) -> str:
        text = MODULE.sub(f"{name}_{PREFIX}", text)
        return CONTEXT.sub(lambda at: f"{name.upper() if at.string[at.end()] == 'M' else name}_", text)

    return {changed(place): text if place in KEPT else changed(text) for place, text in files.items()}
