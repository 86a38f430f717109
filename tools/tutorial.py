# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of docs/engine-tutorial.md and writes what they print: ``python tools/tutorial.py``."""

from __future__ import annotations

import contextlib
import re
import shlex
import tempfile
from pathlib import Path

from typer.testing import CliRunner

from modmul.cli.app import app

TUTORIAL = Path(__file__).parents[1] / "docs" / "engine-tutorial.md"


def renewed(text: str) -> str:
    """The text of a tutorial with what its commands print now.

    Its programs, blocks ``asm`` that begin with the name of their file, are written to a folder of their own,
    in which the commands of its blocks ``console`` run. A time is left out: only a machine on which the
    program was placed and routed shows one.

    Raises:
        ValueError: a program without a name, or a command other than ``modmul run``.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for program in re.findall(r"^```asm\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            name = re.match(r"; (\S+\.s)", program)
            if not name:
                raise ValueError(
                    f"a program begins with the name of its file, not so: {program.splitlines()[0]}"
                )
            Path(name[1]).write_text(program, encoding="utf-8")
        return re.sub(
            r"(?<=^```console\n)(.*?)(?=^```$)",
            lambda block: _block(block[1]),
            text,
            flags=re.MULTILINE | re.DOTALL,
        )


def _block(block: str) -> str:
    commands = re.findall(r"^\$ (.*)", block, re.MULTILINE)
    return "\n".join(f"$ {command}\n{_printed(command)}" for command in commands)


def _printed(command: str) -> str:
    words = shlex.split(command)
    if words[:2] != ["modmul", "run"]:
        raise ValueError(f"not a command of the tutorial: {command}")
    done = CliRunner().invoke(app, words[1:])
    told = done.stdout if done.exit_code == 0 else f"error: {done.exception}\n"
    return "".join(f"{line.rstrip()}\n" for line in told.rstrip().splitlines() if " µs at " not in line)


if __name__ == "__main__":
    TUTORIAL.write_text(renewed(TUTORIAL.read_text(encoding="utf-8")), encoding="utf-8")
