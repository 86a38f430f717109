# SPDX-License-Identifier: Apache-2.0
"""Which files decide what a module does: its own, and those of what it imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

__all__ = ["sources"]


def sources(module: str, package: str, root: Path | None = None) -> list[Path]:
    """The file of a module, and those of what it imports from a package, itself or through others.

    Imports in functions count. What a package imports counts where a name of its own is taken from it, and
    not for a module inside of it.

    Args:
        module: its name, inside of the package.
        package: imports from elsewhere are left alone.
        root: the folder with the outermost package; by default the one with this package.
    """
    root = root or Path(str(files("modmul"))).parent
    found: dict[str, Path] = {}
    left = [module]
    while left:
        name = left.pop()
        if name in found or not f"{name}.".startswith(f"{package}."):
            continue
        file = _file(root, name)
        if file is None:
            raise ModuleNotFoundError(name, name=name)
        found[name] = file
        left += _imported(root, file)
    return [file for _, file in sorted(found.items())]


def _imported(root: Path, file: Path) -> Iterator[str]:
    """The modules that a file imports, whether it names them or takes a name from them."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inside = f"{node.module}.{alias.name}"
                yield inside if _file(root, inside) else node.module


def _file(root: Path, module: str) -> Path | None:
    path = root.joinpath(*module.split("."))
    return next((each for each in (path.with_suffix(".py"), path / "__init__.py") if each.is_file()), None)
