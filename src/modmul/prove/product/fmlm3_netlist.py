# SPDX-License-Identifier: Apache-2.0
"""A netlist read into terms, and what its registers hold in cycles whose control is known.

:class:`Netlist` reads the text that Yosys writes. :class:`Trace` runs it from a state of which some registers
are known, as constants or as parts of words, and finds what they hold in the cycles behind it. What comes out
is a proposal: every question that uses it is asked of the text of the netlist, in which only the state is
written out (:meth:`Netlist.at`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import Any

from modmul.design import Design
from modmul.measure.synthesis import file_name, run_yosys
from modmul.prove.netlist import SYSTEM, YOSYS_SECONDS, System
from modmul.prove.product.fmlm3_atoms import ANY, Atoms, Value, constant, known, part
from modmul.tools.run import log_file, work_dir

__all__ = ["Netlist", "Trace", "named_in", "parsed", "system"]

COMMANDS = (
    *("proc", "check -assert", "flatten", "opt_expr", "opt_reduce -full", "opt_expr", "opt_clean"),
    *("memory_map", "opt_expr", "async2sync", "dffunmap", "opt_clean"),
)
"""As for other cores; enables of whole words of memories are kept whole, which makes the text shorter."""


def system(design: Design, bench: str, top: str) -> System:
    """A design with a bench around it as a transition system.

    Raises:
        ToolFailure: Yosys failed.
    """
    with work_dir() as folder:
        (folder / "bench").mkdir()
        written = folder / "bench" / f"{top}.sv"
        written.write_text(bench, encoding="utf-8")
        names = sorted(source.name for source in (*design.sources, written))
        commands = (
            *(f"read_verilog -sv -defer {name}" for name in names),
            *(f"hierarchy -check -top {top}", *COMMANDS, f"write_smt2 -stbv -wires {SYSTEM}"),
        )
        log = log_file(f"{file_name(design)}-smt-words-{design.digest[:12]}")
        run_yosys(commands, (*design.sources, written), folder, log, YOSYS_SECONDS)
        text = (folder / SYSTEM).read_text()
    # Comments name files and versions, which decide nothing.
    text = re.sub(r"^;.*\n|[ \t]*;[^|\n]*$", "", text, flags=re.MULTILINE)
    found = re.findall(rf"\(define-fun \|{top}_n ([^|]+)\| \(\(state \S+\)\) (Bool|\(_ BitVec (\d+)\))", text)
    return System(top, text, {name: int(bits or 0) for name, _, bits in found})


Expression = Any
STATE = re.compile(r"\((\|[^|]+\|) state\)")


def parsed(text: str) -> Expression:
    """An expression as nested lists."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"\|[^|]*\||[()]|[^\s()|]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def named_in(expression: Expression) -> Iterator[str]:
    """The functions of the state in an expression."""
    if isinstance(expression, list):
        for each in expression:
            yield from named_in(each)
    elif expression.startswith("|"):
        yield expression


@dataclass(frozen=True)
class Netlist:
    """A transition system in terms.

    Attributes:
        system: as Yosys writes it.
    """

    system: System

    @cached_property
    def lines(self) -> Mapping[str, tuple[str, str]]:
        """By name, sort and body of each function of a state."""
        state = rf"\(\(state \|{self.system.top}_s\|\)\)"
        head = rf"\(define-fun (\|[^|]+\|) {state} (Bool|\(_ BitVec \d+\)) (.*)\)\n"
        found = re.findall(head, self.system.text)
        return {name: (sort, STATE.sub(r"\1", body)) for name, sort, body in found}

    @cached_property
    def leaves(self) -> Mapping[str, int]:
        """The registers and ports, each with its length."""
        leaf = re.compile(r"(?:\(= )?\(\(_ extract (\d+) (\d+)\) state\)(?: #b1\))?")
        found = {name: leaf.fullmatch(body) for name, (_, body) in self.lines.items()}
        return {name: int(m[1]) - int(m[2]) + 1 for name, m in found.items() if m and "#" in name}

    @cached_property
    def nexts(self) -> Mapping[str, str]:
        """By register, what it takes."""
        _, _, text = self.system.text.partition(f"(define-fun |{self.system.top}_t|")
        found = re.findall(r"  \(= (.*) \((\|[^|]+\|) next_state\)\)", text)
        return {name: STATE.sub(r"\1", body) for body, name in found}

    @cached_property
    def bodies(self) -> Mapping[str, Expression]:
        """Every other function of a state, those of which it is made before it."""
        return {
            name: parsed(body)
            for name, (_, body) in self.lines.items()
            if name not in self.leaves and "state" not in body
        }

    @cached_property
    def followers(self) -> Mapping[str, Expression]:
        return {name: parsed(body) for name, body in self.nexts.items()}

    @cached_property
    def needs(self) -> Mapping[str, tuple[str, ...]]:
        """The functions in each."""
        return {name: tuple(dict.fromkeys(named_in(body))) for name, body in self.bodies.items()}

    def pieces(self, signal: str) -> tuple[str, ...]:
        """The registers or ports that a path is made of, the lowest first.

        Raises:
            KeyError: it is something else.
        """
        found, stack = [], [f"|{self.system.top}_n {signal}|"]
        while stack:
            body = stack.pop()
            if not isinstance(body, list):
                if body in self.leaves:
                    found.append(body)
                else:
                    stack.append(self.bodies[body])
            elif body[0] == "=" and body[1][0] == ["_", "extract", "0", "0"] and body[2] == "#b1":
                stack.append(body[1][1])
            elif body[0] == "concat":
                stack.extend(body[1:])
            elif body[0] == "ite" and isinstance(body[3], str) and body[3].startswith("#b"):
                stack.append(body[2])  # what it holds unless it is reset
            else:
                raise KeyError(f"{signal} is no register")
        return tuple(found)

    def leaf(self, signal: str) -> str:
        """The register or port of a path."""
        (found,) = self.pieces(signal)
        return found

    def is_bool(self, name: str) -> bool:
        return self.lines[name][0] == "Bool"

    def at(self, state: Mapping[str, str], wanted: Iterable[str]) -> str:
        """The functions that some need, with each register and port replaced by a bit-vector."""
        done: set[str] = set()
        stack = list(wanted)
        while stack:
            name = stack.pop()
            if name not in done:
                done.add(name)
                stack.extend(self.needs.get(name, ()))
        lines = []
        for name, (sort, body) in self.lines.items():
            if name not in done:
                continue
            if name not in self.leaves:
                lines.append(f"(define-fun {name} () {sort} {body})")
            elif name in state:
                term = f"(= {state[name]} #b1)" if sort == "Bool" else state[name]
                lines.append(f"(define-fun {name} () {sort} {term})")
            else:
                lines.append(f"(declare-const {name} {sort})")
        return "\n".join(lines) + "\n"


@dataclass
class Trace:
    """What registers hold, cycle by cycle.

    Attributes:
        netlist: that runs.
        atoms: of the words.
        held: by age, what each register holds.
    """

    netlist: Netlist
    atoms: Atoms
    held: list[dict[str, Value]] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=dict)
    fresh: set[int] = field(default_factory=set)
    ports: dict[str, Value] = field(default_factory=dict)
    users: dict[str, list[str]] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    order: dict[str, int] = field(default_factory=dict)

    def begin(self, start: Mapping[str, Value], ports: Mapping[str, Value]) -> None:
        """From a state; a register of which nothing is said holds anything, and so does a port always."""
        net = self.netlist
        state = {name: start.get(name, ((bits, ANY, 0),)) for name, bits in net.leaves.items()}
        self.ports = {
            name: ports.get(name, ((net.leaves[name], ANY, 0),))
            for name in net.leaves
            if name not in net.nexts
        }
        state |= self.ports
        self.users = {}
        wanted = {each for body in net.followers.values() for each in named_in(body)}
        for name in reversed(list(net.bodies)):
            if name in wanted:
                wanted.update(net.needs[name])
        self.names = [name for name in net.bodies if name in wanted]
        for name in self.names:
            for each in net.needs[name]:
                self.users.setdefault(each, []).append(name)
        self.order = {name: i for i, name in enumerate(self.names)}
        self.held = [state]
        self.values = {}
        self.fresh = set(self.order.values())
        self._settle(set(state))

    def _settle(self, changed: set[str]) -> None:
        state = self.held[-1]
        for name in changed:
            self.values[name] = state[name]
        # What was made of registers in the cycle before is made again, and is another word then.
        self.atoms.seen.clear()
        first = len(self.atoms.names) + 2
        heap = sorted(
            {self.order[user] for name in changed for user in self.users.get(name, ())} | self.fresh
        )
        pending = set(heap)
        heapify(heap)
        while heap:
            at = heappop(heap)
            pending.discard(at)
            name = self.names[at]
            value = self.value(self.netlist.bodies[name])
            if self.values.get(name) != value:
                self.values[name] = value
                for user in self.users.get(name, ()):
                    place = self.order[user]
                    if place not in pending:
                        pending.add(place)
                        heappush(heap, place)
        self.fresh = {
            at for name, at in self.order.items() if any(atom >= first for _, atom, _ in self.values[name])
        }

    def value(self, expression: Expression) -> Value:
        """What an expression is."""
        if isinstance(expression, str):
            if expression.startswith("|"):
                return self.values[expression]
            if expression.startswith("#b"):
                return constant(len(expression) - 2, int(expression[2:], 2))
            return constant(1, int(expression == "true"))
        head, *rest = expression
        if isinstance(head, list):  # (_ extract high low)
            return part(self.value(rest[0]), int(head[2]), int(head[3]))
        if head == "ite":
            chosen = known(self.value(rest[0]))
            if chosen is not None:
                return self.value(rest[1] if chosen else rest[2])
        return self.atoms.apply(head, [self.value(each) for each in rest])

    def step(self) -> None:
        """One more cycle."""
        before = self.held[-1]
        after = {name: self.value(body) for name, body in self.netlist.followers.items()}
        self.held.append({**after, **self.ports})
        self._settle({name for name, value in self.held[-1].items() if before[name] != value})
