# SPDX-License-Identifier: Apache-2.0
"""The modulus that a text means, whatever it is."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path

from modmul.moduli.base import Modulus, ModulusError, quoted
from modmul.moduli.context import from_context, is_json
from modmul.moduli.expression import expression, is_expression, printed_bytes
from modmul.moduli.named import ALIASES, NAMED
from modmul.moduli.polynomial import is_polynomial, polynomial

__all__ = ["modulus"]

LARGEST_FILE = 1 << 26
"""Bytes of a file that may hold a key or a context; those of the longest context are fewer."""


def modulus(text: str) -> Modulus:
    """The modulus that a text means.

    Args:
        text: one of

            - a name of :data:`NAMED` or :data:`ALIASES` (``p256``, ``b163``);
            - a number, decimal or ``0x`` and hexadecimal digits, ``_`` allowed between digits;
            - hexadecimal in pieces: ``0xffff ffff``, or the bytes that OpenSSL prints, ``00:c3:…``;
            - an expression of numbers with ``+``, ``-``, ``*``, ``^`` or ``**`` and parentheses
              (``2^255-19``), of at most :data:`~modmul.core.MAX_WIDTH` bits;
            - a polynomial over GF(2), which is what has an x in it (``x^163+x^7+x^6+x^3+1``);
            - the path of a PEM or DER file with an RSA key (its public modulus), an elliptic-curve key (the
              field prime or polynomial of its curve) or a certificate of either;
            - the path of a ``context.json`` as ``modmul export`` writes it.

    Raises:
        ModulusError: the text is none of these, the number is not positive or too long, or a power of x
            comes twice; the message says why, in one line.
    """
    text = text.strip()
    name = ALIASES.get(text.lower(), text.lower())
    if name in NAMED:
        return NAMED[name]
    number = printed_bytes(text)
    if number is not None:
        return number
    if is_polynomial(text):
        return polynomial(text)
    if is_expression(text):
        return expression(text)
    path = Path(text)
    try:
        path = path.expanduser()
        there, folder = path.is_file(), path.is_dir()
    except (OSError, RuntimeError, ValueError):  # too long a name, the home of nobody, a null character
        there = folder = False
    if there:
        return _from_file(path)
    if folder and text:
        raise ModulusError(f"{quoted(text)} is a folder; give a file in it: a key or a context.json")
    raise ModulusError(_nothing(text, path))


def _from_file(path: Path) -> Modulus:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ModulusError(f"{path} is too large for a key or a context file")
        data = path.read_bytes()
    except OSError as error:
        raise ModulusError(f"cannot read {path}: {error.strerror}") from error
    if is_json(path, data):
        return from_context(path, data)
    from modmul.moduli.keys import from_key  # noqa: PLC0415 (cryptography is slow to import)

    return from_key(path, data)


def _nothing(text: str, path: Path) -> str:
    """Why a text is no modulus, with what it may have been meant to be."""
    if re.fullmatch(r"[-+]?[0-9]{1,3}(?:[,.' ][0-9]{3})+", text):
        return f"{quoted(text)} is not a number: write it without separators or with _, as in 1_000_003"
    if re.fullmatch(r"[0-9A-Fa-f\s]{8,}", text):
        return f"{quoted(text)} is no modulus; if it is hexadecimal, write 0x before it"
    if re.fullmatch(r"[-+0-9(][-+*^()0-9\s]*[/%][-+*^()0-9\s/%]*", text):
        return f"{quoted(text)} is not a number: expressions have + - * ^ ** and parentheses, and no division"
    if path.suffix in {".pem", ".der", ".key", ".crt", ".cer", ".json"} or path.parent != Path():
        return f"no file {quoted(text)}"
    near = get_close_matches(text.lower(), [*NAMED, *ALIASES], n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(near)}?" if near else "'modmul list --moduli' shows the names"
    return (
        f"{quoted(text)} is no modulus: not a name, a number (decimal, 0x… or 2^255-19), a polynomial "
        f"(x^8+x^4+x^3+x+1), a key file or a context.json; {hint}"
    )
