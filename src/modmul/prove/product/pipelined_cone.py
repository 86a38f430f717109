# SPDX-License-Identifier: Apache-2.0
"""Of a netlist as a transition system, those parts on which a question depends.

A netlist of a long pipeline takes longer to read than most questions take to answer. What is left away of it
are definitions that nothing names, and next states of registers of which nothing is said. So less is known
than in the whole netlist, and what is proven of less is proven of all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from modmul.prove.netlist import System

__all__ = ["Cone"]

NAME = re.compile(r"\|[^|]*\|")


@dataclass(frozen=True)
class Cone:
    """The text of a system, line by line.

    Attributes:
        top: the module.
        defined: by name, each definition, behind those that it names.
        uses: by name, what that names.
        next_of: by the name of a register, what says of its next state.
    """

    top: str
    defined: Mapping[str, str]
    uses: Mapping[str, tuple[str, ...]]
    next_of: Mapping[str, str]

    @classmethod
    def of(cls, system: System) -> Self:
        """That of a system."""
        before, found, after = system.text.partition(f"(define-fun |{system.top}_t| ")
        if not found:
            raise ValueError(f"{system.top} has no transition")
        defined, uses, next_of = {}, {}, {}
        for line in before.splitlines():
            name, *others = NAME.findall(line) or [""]
            if name:
                defined[name] = line
                uses[name] = tuple(dict.fromkeys(others))
        for line in after.splitlines()[1:]:
            if line.startswith("  ("):
                next_of[NAME.findall(line)[-1]] = line
        return cls(system.top, defined, uses, next_of)

    def closed(self, names: Iterable[str], known: set[str]) -> set[str]:
        """Names, and all that those depend on, but for what is known."""
        left = [name for name in names if name in self.defined and name not in known]
        found = set(left)
        while left:
            for name in self.uses[left.pop()]:
                if name in self.defined and name not in found and name not in known:
                    found.add(name)
                    left.append(name)
        return found

    def driven(self, signal: str) -> bool:
        """Whether the netlist says what a signal is next, or of what it is made; of a register that nothing
        reads Yosys may leave a name, and no more."""
        name, state = f"|{self.top}_n {signal}|", f"|{self.top}_s|"
        roots = {each for each in self.closed([name], set()) if set(self.uses[each]) <= {state}}
        return bool(roots & self.next_of.keys())

    def lines(self, said: str) -> Iterator[str]:
        """What a text depends on, of a state ``s`` and its successor ``n``."""
        step = f"(|{self.top}_t| s n)"
        used = self.closed(NAME.findall(said), set())
        after: list[str] = []
        if step in said:
            of_next = self.closed(re.findall(r"\((\|[^|]*\|) n\)", said), set())
            after = [self.next_of[name] for name in self.defined if name in of_next & self.next_of.keys()]
            used |= self.closed((name for line in after for name in NAME.findall(line)), used)
        yield from (line for name, line in self.defined.items() if name in used or name == f"|{self.top}_s|")
        if step in said:
            state = f"|{self.top}_s|"
            yield f"(define-fun |{self.top}_t| ((state {state}) (next_state {state})) Bool (and true"
            yield from after
            yield "))"
        yield from (f"(declare-const {name} |{self.top}_s|)" for name in "sn")
