# SPDX-License-Identifier: Apache-2.0
"""Mutants of sources: an operator, a condition, a constant or an assignment that is another.

slang elaborates a design, so that only what a build has in it is changed. All mutants are in one text of a
module, and an input that all modules get, :data:`CHOOSER`, says which of them the hardware is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modmul.design import PREFIX, Design
from modmul.tools.extras import need_package

__all__ = ["CHOOSER", "NUMBER_BITS", "Site", "changed", "sites"]

CHOOSER = "mutant_i"
"""The input with the number of the mutant; 0 is the original."""

NUMBER_BITS = 16

WRONG: dict[str, str] = {
    **{"+": "-", "-": "+", "*": "+"},
    **{"&": "|", "|": "&", "^": "|", "~^": "&", "&&": "||", "||": "&&"},
    **{"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    **{"<<": ">>", ">>": "<<", "<<<": ">>", ">>>": ">>"},
}
"""What takes the place of an operator with two operands."""

RESET = re.compile(r"\brst_ni\b")
"""Synthesis has to recognise an asynchronous reset, so what asks for it stays as it is."""


@dataclass(frozen=True, order=True)
class Site:
    """A mutant of a source.

    Attributes:
        module: whose source, which has its name.
        start, end: the characters in whose place others come.
        wrong: those.
        line: where that is.
        what: kind of the change, for people.
    """

    module: str
    start: int
    end: int
    wrong: str
    line: int
    what: str


def sites(design: Design) -> list[Site]:
    """All mutants of the sources of a design, in what its parameters leave of them.

    Constant expressions, functions, ranges and whatever else elaboration decides stay as they are, and so do
    resets.
    """
    need_package("pyslang", "mutants of sources")
    from pyslang import Bag  # noqa: PLC0415
    from pyslang.ast import Compilation, CompilationOptions  # noqa: PLC0415
    from pyslang.syntax import SyntaxTree  # noqa: PLC0415

    options = CompilationOptions()
    options.paramOverrides = [f"{name}={value}" for name, value in design.settings.items()]
    options.topModules = {design.top}
    compilation = Compilation(Bag([options]))
    for source in design.sources:
        compilation.addSyntaxTree(SyntaxTree.fromFile(str(source)))
    compilation.getAllDiagnostics()  # elaborates everything
    texts = {source.stem: source.read_bytes().decode("utf-8") for source in design.sources}
    found = _Finder(texts)
    found.elaborated(compilation.getRoot())
    return sorted(found.sites)


class _Finder:
    """Looks for places to change, in code that runs."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts
        self.sites: set[Site] = set()
        self.loops: set[str] = set()
        self.resets = False

    def elaborated(self, root: Any) -> None:
        """The processes, assignments and connections of all instances."""
        from pyslang import ast  # noqa: PLC0415

        def visit(node: Any) -> Any:
            if isinstance(node, ast.SubroutineSymbol):
                return ast.VisitAction.Skip
            if isinstance(node, ast.GenerateBlockSymbol) and node.isUninstantiated:
                return ast.VisitAction.Skip
            if isinstance(node, ast.InstanceSymbol):
                for connection in node.portConnections:
                    if connection.expression is not None and str(connection.port.direction).endswith(".In"):
                        self.runs(connection.expression)
            if isinstance(node, (ast.ProceduralBlockSymbol, ast.ContinuousAssignSymbol)):
                self.runs(node)
                return ast.VisitAction.Skip
            return ast.VisitAction.Advance

        root.visit(visit)

    def runs(self, top: Any) -> None:
        """What is in a process, an assignment or a connection."""
        from pyslang import ast  # noqa: PLC0415

        def visit(node: Any) -> Any:
            if isinstance(node, ast.ForLoopStatement):
                self.loops.update(variable.name for variable in node.loopVars)
                self.runs(node.body)
                return ast.VisitAction.Skip
            if isinstance(node, ast.ConditionalStatement) and self.asks_reset(node):
                before, self.resets = self.resets, True
                self.runs(node.ifTrue)
                self.resets = before
                if node.ifFalse is not None:
                    self.runs(node.ifFalse)
                return ast.VisitAction.Skip
            if isinstance(node, ast.BinaryExpression):
                self.binary(node)
            elif isinstance(node, ast.UnaryExpression):
                self.unary(node)
            elif isinstance(node, (ast.ConditionalExpression, ast.ConditionalStatement)):
                for each in node.conditions:
                    self.condition(each.expr)
            elif isinstance(node, ast.AssignmentExpression):
                self.assignment(node)
            return ast.VisitAction.Advance

        top.visit(visit)

    def asks_reset(self, node: Any) -> bool:
        """Whether a statement asks for the reset."""
        return any(each.expr.syntax and RESET.search(self.text(each.expr.syntax)) for each in node.conditions)

    def binary(self, node: Any) -> None:
        syntax = _bare(node.syntax)
        if syntax is None or not hasattr(syntax, "operatorToken") or not self.varies(node):
            return
        operator = syntax.operatorToken.valueText
        left, right = self.text(syntax.left), self.text(syntax.right)
        if operator in WRONG:
            wrong = WRONG[operator]
            self.add(syntax, f"({left}) {wrong} ({right})", f"{operator} is {wrong}")
        if operator in {"==", "!=", "<", "<=", ">", ">=", "+", "-"}:
            for varying, constant, texts in (
                (node.left, node.right, (f"({left})", f"(({right}) + 1'b1)")),
                (node.right, node.left, (f"(({left}) + 1'b1)", f"({right})")),
            ):
                if self.varies(varying) and not self.varies(constant) and not _signed(node):
                    self.add(syntax, f"{texts[0]} {operator} {texts[1]}", "a constant is one more")

    def unary(self, node: Any) -> None:
        syntax = _bare(node.syntax)
        if syntax is None or not hasattr(syntax, "operatorToken") or not self.varies(node):
            return
        operator = syntax.operatorToken.valueText
        inner = self.text(syntax.operand)
        if operator in {"~", "-"}:
            self.add(syntax, f"({inner})", f"{operator} is missing")
        if operator == "!":
            self.add(syntax, f"(|({inner}))", f"{operator} is missing")
        if operator in {"&", "|", "^"}:
            wrong = {"&": "|", "|": "&", "^": "|"}[operator]
            self.add(syntax, f"({wrong}({inner}))", f"{operator} of bits is {wrong}")

    def condition(self, node: Any) -> None:
        if node.syntax is not None and self.varies(node):
            self.add(node.syntax, f"(!({self.text(node.syntax)}))", "a condition is negated")

    def assignment(self, node: Any) -> None:
        """A register that keeps its value, and a constant with its last bit changed."""
        syntax = node.syntax
        if syntax is None or not hasattr(syntax, "right") or not hasattr(syntax, "left"):
            return
        if node.right.type.isEnum or node.left.type.isEnum or not node.left.type.isIntegral:
            return
        kept = self.text(syntax.left)
        if node.isNonBlocking and not kept.startswith("{") and not self.resets:
            self.add(syntax.right, f"({kept})", "an assignment is missing")
        if not self.varies(node.right) and type(node.right).__name__ != "ConcatenationExpression":
            self.add(syntax.right, f"(({self.text(syntax.right)}) ^ 1'b1)", "a constant has another last bit")

    def varies(self, node: Any) -> bool:
        """Whether signals decide the value, and not parameters and the variables of loops alone."""
        from pyslang import ast  # noqa: PLC0415

        found = []

        def visit(each: Any) -> Any:
            if isinstance(each, ast.NamedValueExpression):
                symbol = each.symbol
                if isinstance(symbol, (ast.VariableSymbol, ast.NetSymbol)) and symbol.name not in self.loops:
                    found.append(symbol.name)
            return ast.VisitAction.Advance

        node.visit(visit)
        return bool(found)

    def place(self, syntax: Any) -> tuple[str, int, int]:
        """The module, and the characters from and to."""
        tree = syntax.sourceRange
        start, end = tree.start.offset, tree.end.offset
        return self.module_of(syntax), start, end

    def module_of(self, syntax: Any) -> str:
        """The module in whose text a piece of syntax stands."""
        at = syntax
        while type(at).__name__ != "ModuleDeclarationSyntax":
            at = at.parent
        return str(at.header.name.valueText)

    def text(self, syntax: Any) -> str:
        module, start, end = self.place(syntax)
        return self.texts[module][start:end]

    def add(self, syntax: Any, wrong: str, what: str) -> None:
        module, start, end = self.place(syntax)
        text = self.texts[module]
        if RESET.search(text[start:end]) or "//" in wrong:
            return
        self.sites.add(Site(module, start, end, wrong, text.count("\n", 0, start) + 1, what))


def _bare(syntax: Any) -> Any:
    while syntax is not None and type(syntax).__name__ == "ParenthesizedExpressionSyntax":
        syntax = syntax.expression
    return syntax


def _signed(node: Any) -> bool:
    """Whether an operand is signed: one more of one bit would make an unsigned comparison of it."""
    return bool(node.left.type.isSigned and node.right.type.isSigned)


# --- the text with all of them ------------------------------------------------------------------------

_PORTS = re.compile(rf"\bmodule ({PREFIX}\w+)\s*(?:#\s*\()?")
_USED = re.compile(rf"(?<!\bmodule )\b{PREFIX}\w+\s*(?:#\s*\(|\w+\s*(?:\[[^\]]*\]\s*)?\()")


_SOME = re.compile(r"\s*\((?!\s*\))")
"""The bracket of a list of ports that has some; a module without any is a check of parameters."""


def changed(text: str, chosen: Sequence[tuple[int, Site]]) -> str:
    """The text of a module with mutants, each at its number, and with the input that chooses.

    Args:
        chosen: mutants of this text with their numbers.
    """
    marks = [(at, at, more) for at, more in _inputs(text)]
    marks += [(start, end, _choice(text, start, end, chosen)) for start, end in _outermost(chosen)]
    out, at = [], 0
    for start, end, new in sorted(marks):
        out += [text[at:start], new]
        at = end
    return "".join((*out, text[at:]))


def _outermost(chosen: Iterable[tuple[int, Site]]) -> list[tuple[int, int]]:
    """The places of mutants that lie in no other's."""
    places = {(site.start, site.end) for _, site in chosen}
    return sorted(
        one
        for one in places
        if not any(other != one and other[0] <= one[0] and one[1] <= other[1] for other in places)
    )


def _choice(text: str, start: int, end: int, chosen: Sequence[tuple[int, Site]]) -> str:
    """The expression at a place, or one of its mutants."""
    here = [(number, site) for number, site in chosen if (site.start, site.end) == (start, end)]
    inner = [
        (number, site)
        for number, site in chosen
        if start <= site.start and site.end <= end and (site.start, site.end) != (start, end)
    ]
    out, at = [], start
    for a, b in _outermost(inner):
        out += [text[at:a], _choice(text, a, b, inner)]
        at = b
    right = "".join((*out, text[at:end]))
    for number, site in here:
        right = f"({CHOOSER} == {NUMBER_BITS}'d{number} ? {site.wrong} : ({right}))"
    return right


def _inputs(text: str) -> Iterator[tuple[int, str]]:
    """Where the input that chooses comes in: behind the bracket of each list of ports, and of each use of a
    module of the library."""
    plain = re.sub(r"//[^\n]*", lambda comment: " " * len(comment[0]), text)
    for found in _PORTS.finditer(plain):
        at = _closing(plain, found.end() - 1) + 1 if found[0].endswith("(") else found.end()
        if some := _SOME.match(plain, at):
            yield some.end(), f" input wire [{NUMBER_BITS - 1}:0] {CHOOSER}, "
    for found in _USED.finditer(plain):
        at = found.end() - 1
        if "#" in found[0]:
            at = plain.index("(", _closing(plain, at) + 1)
        if some := _SOME.match(plain, at):
            yield some.end(), f" .{CHOOSER}({CHOOSER}), "


def _closing(text: str, opened: int) -> int:
    """The bracket that closes the one at a place."""
    depth = 0
    for at in range(opened, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("a bracket is not closed")


def source(folder: Path, file: Path, chosen: Sequence[tuple[int, Site]]) -> Path:
    """A file of a module with those of the mutants that are its own, in a folder."""
    own = [(number, site) for number, site in chosen if site.module == file.stem]
    written = folder / file.name
    written.write_text(changed(file.read_text(encoding="utf-8"), own), encoding="utf-8")
    return written
