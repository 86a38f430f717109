# SPDX-License-Identifier: Apache-2.0
"""modmul: modular-multiplier hardware behind one port list, proven, measured and exported.

``modmul.load`` gives a core to multiply with, ``modmul.choose`` the core for a modulus, a chip and a budget,
``modmul.records`` the shipped measurements (:mod:`modmul.api`).
"""

from importlib import import_module
from typing import Any

__all__ = ["__version__", "choose", "load", "records"]


def __getattr__(name: str) -> Any:
    """What ``modmul.api`` has, and the version: looked up when somebody asks for it."""
    if name == "__version__":
        return import_module("importlib.metadata").version("modmul")
    if name in ("choose", "load", "records"):
        return getattr(import_module("modmul.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
