# SPDX-License-Identifier: Apache-2.0
"""The files of commands that sign, decrypt and derive: messages, what comes of them, passphrases."""

from __future__ import annotations

import getpass
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from modmul.cli.options import BadInput
from modmul.tools.paths import replacing, writing

if TYPE_CHECKING:
    from modmul.use.rsa import Passphrase

__all__ = [
    "NOT_KEPT",
    "STANDARD",
    "InOption",
    "PassphraseOption",
    "check_target",
    "passphrase_of",
    "read",
    "writer",
]

STANDARD = Path("-")
"""Standard input or output."""
NOT_KEPT = "nothing was written"

InOption = Annotated[Path, typer.Option("--in", "-i", help="The file to read; - is standard input.")]
PassphraseOption = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        help="Its first line is the key's passphrase. Else it is in MODMUL_PASSPHRASE, or asked for.",
    ),
]


def check_target(what: str, target: Path, as_json: bool, **others: Path) -> None:
    """Refuse a place for what is written that holds a file that is read, or takes JSON."""
    if as_json and target == STANDARD:
        raise BadInput(f"the {what} and --json both go to standard output; write the {what} with --out FILE")
    for name, other in others.items():
        if target.exists() and other.exists() and target.samefile(other):
            raise BadInput(f"the {what} would overwrite the {name} {other}; give another --out")


@contextmanager
def writer(what: str, target: Path, mode: int = 0o666) -> Iterator[Callable[[bytes], None]]:
    """Writes all of a file, new ones with these permissions, or standard output."""
    if target != STANDARD:
        with replacing(what, target, mode) as put:
            yield put
        return

    def put_out(data: bytes) -> None:
        with writing(what, target):
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    yield put_out


def read(what: str, source: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if source == STANDARD else source.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read the {what} {source}: {error.strerror or error}") from error


def passphrase_of(key: Path, file: Path | None) -> Passphrase:
    """Where a passphrase comes from: a file, the environment, or the one who sits at the terminal."""

    def ask() -> bytes | None:
        if file is not None:
            return read("passphrase", file).split(b"\n")[0].removesuffix(b"\r")
        if (known := os.environb.get(b"MODMUL_PASSPHRASE")) is not None:
            return known
        if not sys.stdin.isatty():
            return None
        try:
            return os.fsencode(getpass.getpass(f"passphrase of {key}: ", sys.stderr))
        except EOFError:
            return None

    return ask
