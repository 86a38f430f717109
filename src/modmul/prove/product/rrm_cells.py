# SPDX-License-Identifier: Apache-2.0
"""What is in the cells of ``rrm``: entries of the table while it is filled, and the sum in the loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from modmul.prove.product.rrm_where import AGE, CORE, ENTRIES, FILL, PRE, At, K, Places, either
from modmul.prove.terms import all_of, any_of, const, equal, extract, implies, negation, zero_extend

__all__ = ["Cells"]


class Cells(Places):
    """The invariant over bits, of the cells too."""

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def sum_bits(self) -> int:
        return int(self.config.digits) * K

    def cell(self, i: int) -> str:
        return f"{CORE}gen_cell[{i}].u_cell."

    def bits_of(self, i: int) -> tuple[int, int]:
        """The highest and the lowest bit of the sum in a cell."""
        digits = self.config.cells[i]
        return digits[-1] * K + K - 1, digits[0] * K

    def slice(self, term: str, i: int) -> str:
        return extract(term, *self.bits_of(i))

    # --- terms ------------------------------------------------------------------------------------

    def residue(self, at: At, s: int) -> str:
        """T[s], as it was shown."""
        if s == 0:
            return const(0, self.sum_bits)
        return zero_extend(at.g(f"T{s}"), self.sum_bits - self.width)

    def entry(self, at: At, address: str, y: str) -> str:
        """What belongs to an address: x·y + T[s]."""
        residue = self.residue(at, 0)
        for s in range(1, 1 << K):
            residue = (
                f"(ite {equal(extract(address, K - 1, 0), const(s, K))} {self.residue(at, s)} {residue})"
            )
        return f"(F {extract(address, 2 * K - 1, K)} {y} {residue})"

    def entry_of(self, at: At, n: int, y: str) -> str:
        x, s = divmod(n, 1 << K)
        return f"(F {const(x, K)} {y} {self.residue(at, s)})"

    def spread(self, at: At, name: str, i: int) -> str:
        """Saved carries of a cell, each at the lowest bit of its digit."""
        carries = at(f"{self.cell(i)}{name}")
        digits = len(self.config.cells[i])
        return f"(concat {' '.join(f'#b0 {extract(carries, j, j)}' for j in reversed(range(digits)))})"

    def summed(self) -> str:
        """F(x, y, t) = x·y + t."""
        bits, width = self.sum_bits, self.width
        y, zero = zero_extend("y", bits - width), const(0, bits)
        once = f"(ite {equal(extract('x', 0, 0), '#b1')} {y} {zero})"
        twice = f"(ite {equal(extract('x', 1, 1), '#b1')} (bvshl {y} {const(1, bits)}) {zero})"
        words = f"((x (_ BitVec {K})) (y (_ BitVec {width})) (t (_ BitVec {bits})))"
        return f"(define-fun F {words} (_ BitVec {bits}) (bvadd t (bvadd {once} {twice})))\n"

    def unknown(self) -> str:
        """F as any function with F(0, y, t) = t."""
        bits = self.sum_bits
        return (
            f"(declare-fun F ((_ BitVec {K}) (_ BitVec {self.width}) (_ BitVec {bits})) (_ BitVec {bits}))\n"
        )

    def begins(self) -> Iterator[str]:
        """F(0, y, t) = t, for what it is asked of."""
        for state in "sn":
            at = At(self, self.system.state(state))
            for y in (at.g("YN"), at.g("YO"), at("m")):
                for s in range(1 << K):
                    yield equal(self.entry_of(at, s, y), self.residue(at, s))

    def goes_on(self, e: int) -> Iterator[str]:
        """F(x + 1, y, t) = F(x, y, t) + y, for entry e."""
        at = At(self, self.system.state("s"))
        y = at.g("YN")
        more = f"(bvadd {self.entry_of(at, e, y)} {zero_extend(y, self.sum_bits - self.width)})"
        yield equal(self.entry_of(at, e + (1 << K), y), more)

    def numbers(self) -> str:
        """A step of the loop: what S, C and an entry become."""
        bits, found = self.sum_bits, []
        even = const(sum(1 << j for j in range(0, bits, K)), bits)
        words = " ".join(f"({name} (_ BitVec {bits}))" for name in "SCe")

        def major(a: str, b: str, c: str) -> str:
            return f"(bvor (bvand {a} {b}) (bvand {a} {c}) (bvand {b} {c}))"

        one = const(1, bits)
        down = f"(bvlshr S {const(K, bits)})"
        inner = f"(bvshl (bvand {even} {major('d', 'e', 'C')}) {one})"
        for name, term in (
            ("fS", "(bvxor d e C k)"),
            ("fC", f"(bvand {even} (bvlshr {major('d', 'e', 'k')} {one}))"),
        ):
            found.append(
                f"(define-fun {name} ({words}) (_ BitVec {bits}) "
                f"(let ((d {down})) (let ((k {inner})) {term})))"
            )
        return "\n".join(found) + "\n"

    def definitions(self) -> str:
        return self.unknown() + self.numbers() + super().definitions()

    # --- what is remembered -------------------------------------------------------------------------

    def remembered(self) -> Mapping[str, tuple[int, str]]:
        """Also ``nf``, tables that were filled; ``YN`` and ``YO``, y of the last one and the one before.

        ``wc`` is the column of row 0 that was written last, ``T1`` ... are the residues; ``ra`` counts
        cycles since a run began. ``EV0``, ``HS0`` and ``HC0`` are the entry and the sum, digits and
        carries, in the lowest cell, if all cells were in that; behind them those of the cycles before.
        ``ZS``, ``ZC``, ``ZP`` are the sum that was taken, and the digit that was pending.
        """
        at = At(self, self.system.state("s"))
        found = dict(super().remembered())
        bits = self.sum_bits
        entry = all_of(at.high("reading"), at.is_("entry_q", 0))
        begins = all_of(entry, at.low("pre_q"))
        first = all_of(entry, at.high("pre_q"), at.low("row_0_q"))
        live = any_of(at.gate("whole_q"), at.high("pre_q"))
        none = equal(at.g("nf"), "#b00")
        count = f"(ite {begins} (ite {none} #b01 #b10) (ite {first} #b01 {at.g('nf')}))"
        found["nf"] = (2, f"(ite {live} {count} #b00)")
        found["YN"] = (
            self.width,
            f"(ite {begins} {at.waiting('y')} (ite {first} {at('m')} {at.g('YN')}))",
        )
        found["YO"] = (self.width, f"(ite {begins} {at.g('YN')} {at.g('YO')})")
        writes = all_of(entry, at.high("row_0_q"))
        found["wc"] = (K, f"(ite {writes} {at.c('col_q')} {at.g('wc')})")
        for column in range(1, 1 << K):
            own = all_of(writes, at.is_("col_q", column))
            found[f"T{column}"] = (self.width, f"(ite {own} {at(f'{CORE}y_q')} {at.g(f'T{column}')})")
        reset = at.state.is_("rst_ni", 0)
        most = const(self.started, AGE)
        more = f"(ite {at.aged('ra', 'bvuge', self.started)} {most} (bvadd {at.g('ra')} {const(1, AGE)}))"
        found["ra"] = (AGE, f"(ite {reset} {most} (ite {at.high('go_q')} {const(0, AGE)} {more}))")
        zero = const(0, bits)
        found["EV0"] = (bits, self.entry(at, at(f"{self.cell(0)}addr_q"), at.g("YN")))
        start = at.high("start_q")
        step = f"{at.g('HS0')} {at.g('HC0')} {at.g('EV0')}"
        begin = f"(concat {const(0, bits - 2 * K)} {at.c('col_q')} {const(0, K)})"
        found["HS0"] = (bits, f"(ite {start} {begin} (fS {step}))")
        found["HC0"] = (bits, f"(ite {start} {zero} (fC {step}))")
        for i in range(1, self.cells):
            for name in ("EV", "HS", "HC"):
                found[f"{name}{i}"] = (bits, at.g(f"{name}{i - 1}"))
        take = at.high("take_q")
        found["ZS"] = (bits, f"(ite {take} {at.g('HS0')} {at.g('ZS')})")
        found["ZC"] = (bits, f"(ite {take} {at.g('HC0')} {at.g('ZC')})")
        found["ZP"] = (K, f"(ite {take} {extract(at.g('HS1'), K - 1, 0)} {at.g('ZP')})")
        return found

    @property
    def started(self) -> int:
        """Cycles of a run until all cells are in the loop."""
        return self.cells + 4

    # --- the invariant ----------------------------------------------------------------------------

    def filled_in(self, at: At, count: int) -> str:
        """So many tables have been filled: since the context came 1, or 2 or more; before, the one with M."""
        live = any_of(at.gate("whole_q"), at.high("pre_q"))
        return all_of(live, f"(bvuge {at.g('nf')} {const(count, 2)})")

    def later(self, at: At) -> str:
        """A context has come, and T[0] is being written or is there."""
        begun = any_of(at.gate("whole_q"), at.state.is_("ctx_at", self.beats))
        return all_of(begun, at.low("zero_q", "modulus_q"))

    def odd(self, at: At) -> str:
        """M is odd."""
        return equal(extract(at("m"), 0, 0), "#b1")

    def chains(self, at: At) -> Iterator[tuple[str, str]]:
        """What goes from cell to cell."""
        whole = at.gate("whole_q")
        one, many = at.writing, negation(at.writing)
        low = f"{CORE}gen_write_later."

        def said(flag: str, low: int, high: int) -> str:
            return equal(
                flag, any_of(all_of(many, at.within("fa", low, high)), all_of(one, at.aged("fa", "=", low)))
            )

        is_ = at.state.is_
        for name, lag in ((f"{low}fill_q", 1), (f"{CORE}write_q", 2)):
            yield "write", implies(at.aged("sr", "bvuge", lag), said(is_(name, 1), lag, FILL - 1 + lag))
        address = extract(at.g("fa"), 2 * K - 1, 0)
        here = all_of(many, at.within("fa", 1, FILL))
        yield "fill addr", implies(here, equal(at(f"{low}fill_addr_q"), f"(bvsub {address} {const(1, 4)})"))
        yield "fill row 0", implies(at.within("fa", 1, 1), equal(is_(f"{low}row_0_q", 1), one))
        yield "fill rows", implies(here, is_(f"{low}row_0_q", 0))
        column = zero_extend(at.g("wc"), K)
        here = all_of(many, at.within("fa", 2, FILL + 1))
        yield (
            "write addr",
            implies(here, equal(at(f"{CORE}write_addr_q"), f"(bvadd {address} {const(2, 4)})")),
        )
        here = all_of(one, at.aged("fa", "=", 2))
        yield "write column", implies(here, equal(at(f"{CORE}write_addr_q"), column))
        yield "column", implies(all_of(one, at.aged("fa", "=", 1)), equal(at.c("col_q"), at.g("wc")))
        later = self.later(at)
        for i in range(self.cells):
            cell = self.cell(i)
            yield (
                "cell fill",
                implies(at.aged("sr", "bvuge", 1 + i), said(is_(f"{cell}fill_q", 1), 1 + i, FILL + i)),
            )
            yield (
                "cell write",
                implies(at.aged("sr", "bvuge", 3 + i), said(is_(f"{cell}write_q", 1), 3 + i, FILL + 2 + i)),
            )
            here = all_of(many, at.within("fa", 3 + i, FILL + 2 + i))
            written = f"(bvsub {address} {const((i - 1) % 16, 4)})"
            yield "cell write addr", implies(here, equal(at(f"{cell}write_addr_q"), written))
            here = all_of(one, at.aged("fa", "=", 3 + i))
            yield "cell write column", implies(here, equal(at(f"{cell}write_addr_q"), column))
            here = all_of(later, one, at.aged("fa", "=", 1 + i), self.filled_in(at, 1))
            yield "cell addr 0", implies(here, equal(at(f"{cell}addr_q"), const(0, 2 * K)))
            here = all_of(later, many, at.within("fa", 1 + i, FILL + 1 + i))
            # the last one is 0 again
            counted = f"(bvsub {address} {const((1 + i) % ENTRIES, 2 * K)})"
            read = either(at.aged("fa", "=", FILL + 1 + i), const(0, 2 * K), counted)
            yield "cell addr", implies(here, equal(at(f"{cell}addr_q"), read))
            here = all_of(later, many, at.aged("fa", "=", FILL + 2 + i))
            yield "first address", implies(here, equal(extract(at(f"{cell}addr_q"), K - 1, 0), const(0, K)))
            adder = said(is_(f"{cell}u_adder.fill_q", 1), 2 + i, FILL + 1 + i)
            yield "cell adder", implies(at.aged("sr", "bvuge", 2 + i), adder)
        # In the first phase of a context the sum starts anew in every cycle.
        zero = any_of(at.high("modulus_q"), at.high("zero_q"), all_of(at.high("latch_q"), self.bare(at)))
        begun = negation(at.state.is_("ctx_at", self.beats))
        later = negation(any_of(zero, all_of(negation(whole), begun)))
        for i in range(-1, self.cells - 1):  # what the last one passes on nobody takes
            start = at.high("start_q") if i < 0 else is_(f"{self.cell(i)}start_q", 1)
            blank = at.high("start_q") if i < 0 else is_(f"{self.cell(i)}blank_q", 1)
            blank = any_of(start, at.high("go_q2")) if i < 0 else blank
            take = is_(f"{self.cell(i)}take_q", 1) if i >= 0 else "false"
            yield "start", implies(later, equal(start, at.aged("ra", "=", 2 + i)))
            yield "blank", implies(later, equal(blank, at.within("ra", 1 + i, 2 + i)))
            gone = all_of(at.high("latch_q"), self.bare(at), at.aged("fa", "bvuge", self.cells + 3 + i))
            yield "start gone", implies(gone, negation(any_of(start, blank)))
            if i >= 0:
                yield "take", implies(at.aged("sr", "bvuge", 3 + i), equal(take, at.aged("tk", "=", 1 + i)))
        yield "go 2", implies(at.aged("sr", "bvuge", 1), equal(at.high("go_q2"), at.aged("ra", "=", 0)))
        yield (
            "ra zero",
            implies(any_of(zero, all_of(negation(whole), begun)), at.aged("ra", "=", self.started)),
        )
        take = all_of(at.high("take_q"), at.aged("sr", "bvuge", 2))
        ready = at.aged("tk", "=", self.cells)
        tail = any_of(take, at.high("run_last_q2"), all_of(at.high("run_last_q3"), at.aged("sr", "bvuge", 1)))
        yield "tk tail", implies(tail, ready)
        early = f"(bvuge (bvadd {at.g('tk')} {const(1, AGE)}) {at.g('sr')})"
        yield "tk rest", implies(all_of(at.high("rest_q"), at.low("unread_q")), any_of(ready, early))
        shows = all_of(any_of(at.high("show_q"), at.high("last_q")), at.low("unread_q"))
        yield "tk show", implies(shows, any_of(ready, early))
        yield "tk some", at.aged("tk", "bvuge", 1)
        read = at.high("read_q")
        yield "read unread", implies(read, at.low("unread_q"))
        for r in range(self.read):
            yield "read run", implies(all_of(at.r(r), read), at.aged("c", "bvuge", r + 1))
        none = all_of(at.high("run_q"), *(negation(at.r(r)) for r in range(self.read)))
        yield "read runs", implies(none, negation(read))
        waits = all_of(at.high("unread_q"), negation(tail))
        yield "tk unread", implies(waits, at.aged("tk", "bvuge", 1))
        yield (
            "tk read",
            implies(
                read, any_of(all_of(take, at.aged("c", "=", 0)), ready, f"(bvuge {at.g('tk')} {at.g('c')})")
            ),
        )
        yield "tk read 0", implies(all_of(read, negation(take)), at.aged("tk", "bvuge", 1))
        yield "tk go", implies(at.high("go_q"), at.aged("tk", "bvuge", 1))
        for r in range(self.cells):
            yield "tk run", implies(at.r(r), at.aged("tk", "bvuge", r + 1))
        yield (
            "tk runs",
            implies(all_of(at.high("run_q"), *(negation(at.r(r)) for r in range(self.cells))), ready),
        )
        for r in range(self.steps):
            yield "ra", implies(at.r(r), at.aged("ra", "=", min(r, self.started)))
        started = at.aged("ra", "=", self.started)
        yield "ra idle", implies(at.low("run_q", "latch_q"), started)
        shows = all_of(
            at.high("latch_q"), any_of(*(at.high(name) for name in ("show_q", "last_q", "y_there_q")))
        )
        yield "ra show", implies(shows, started)
        least = f"(bvuge {at.g('ra')} (bvadd {at.g('c')} {const(PRE + 2, AGE)}))"
        yield "ra read", implies(all_of(at.high("latch_q"), read), any_of(started, least))
        latch = all_of(at.high("latch_q"), at.high("unread_q"))
        first = all_of(at.high("run_last_q2"), at.aged("ra", "=", PRE))
        yield "ra unread", implies(latch, any_of(first, at.aged("ra", "bvuge", PRE + 1)))
        yield "ra most", at.aged("ra", "bvule", self.started)

    def bare(self, at: At) -> str:
        """The converter shows M."""
        return all_of(at.high("bare_q"), at.low("rest_q"))

    def tables(self, at: At) -> Iterator[tuple[str, str]]:
        """Entries of the table, and how they are made."""
        whole, many, pre = at.gate("whole_q"), negation(at.writing), at.high("pre_q")
        first, second = self.filled_in(at, 1), self.filled_in(at, 2)
        yield "nf", f"(bvule {at.g('nf')} #b10)"
        begin = all_of(pre, at.high("reading_q"), at.is_("entry_q", 0), at.low("row_0_q"))
        yield "nf of M", implies(begin, negation(first))
        zero = all_of(pre, negation(first), negation(at.high("zero_q", "reading_q")))
        yield "nf writing", implies(zero, at.writing)
        since = any_of(at.aged("sr", "=", self.clean), f"(bvule {at.g('fa')} {at.g('sr')})")
        yield "since a writing", implies(at.writing, since)
        yield "nf zero", implies(at.high("zero_q"), equal(at.g("nf"), "#b00"))
        moves = any_of(*(at.high(name) for name in ("run_q", "go_q", "wait_q", "unread_q", "done_q")))
        residue = all_of(at.high("reading_q", "row_0_q"), at.low("zero_q"))
        shows = all_of(at.high("latch_q"), at.low("rest_q", "bare_q"))
        entries = all_of(at.high("reading_q"), negation(at.is_("entry_q", 0)))
        yield "nf moves", implies(all_of(pre, any_of(moves, residue, shows, entries)), first)
        lag = f"(ite {at.writing} {const(2, AGE)} {const(FILL + 1, AGE)})"
        ran = f"(bvuge {at.g('fa')} (bvadd {at.g('ra')} {lag}))"
        runs = any_of(at.high("run_q"), at.high("latch_q"))
        yield "ra fa", implies(all_of(pre, first, runs), any_of(at.aged("fa", "=", self.filled), ran))
        yield "nf pre", implies(pre, f"(bvule {at.g('nf')} #b01)")
        started = any_of(
            all_of(at.high("reading_q"), negation(at.is_("entry_q", 0))), at.high("wait_q"), at.high("go_q")
        )
        yield "nf many", implies(all_of(whole, first), many)
        yield (
            "nf none",
            implies(all_of(whole, negation(first)), any_of(at.writing, at.aged("fa", "=", self.filled))),
        )
        begun = all_of(at.full, started)
        yield "begun", implies(all_of(begun, whole), all_of(first, equal(at.g("YN"), at.waiting("y"))))
        yield "nf odd", implies(all_of(whole, first), self.odd(at))
        yield "nf loop", implies(any_of(at.loop, at.out), first)
        run = all_of(any_of(at.high("run_q"), at.high("run_last_q2")), at.low("pre_q"))
        yield "looped", implies(run, equal(at.g("YN"), at.looped("y")))
        fills = all_of(whole, at.high("filling_q"))
        yield "y", implies(fills, all_of(equal(at(f"{CORE}y_q"), at.g("YN")), at.low("loaded_q")))
        yield "y is M", implies(all_of(pre, first), equal(at.g("YN"), at("m")))
        new, old = at.g("YN"), at.g("YO")
        operand = zero_extend(new, self.sum_bits - self.width)
        for i in range(self.cells):
            cell = self.cell(i)
            # Before the residues are there, nothing is said of their columns.
            for n in range(1 << K, ENTRIES):
                word = at(f"{cell}u_table.words[{n}]")
                there = at.aged("fa", "bvuge", n + i)
                made = all_of(many, there)
                known = all_of(whole, made) if n % (1 << K) else any_of(made, at.writing)
                entry = self.slice(self.entry_of(at, n, new), i)
                yield "new entry", implies(all_of(first, known), equal(word, entry))
                entry = self.slice(self.entry_of(at, n, old), i)
                yield "old entry", implies(all_of(second, negation(there)), equal(word, entry))
            for e in range(FILL):
                known = whole if e % (1 << K) else first
                here = all_of(first, known, many, at.aged("fa", "=", e + 2 + i))
                entry = self.slice(self.entry_of(at, e, new), i)
                yield "read entry", implies(here, equal(at(f"{cell}gen_later.a_q"), entry))
                here = all_of(first, known, many, at.aged("fa", "=", e + 3 + i))
                entry = self.entry_of(at, e + (1 << K), new)
                facts = [equal(at(f"{cell}s_q"), self.slice(entry, i))]
                facts += self.carried(at, i, entry, self.entry_of(at, e, new), operand)
                yield f"made entry {e}", implies(here, all_of(*facts))
            here = all_of(first, many, at.within("fa", 2 + i, FILL + 1 + i))
            yield "adder y", implies(here, equal(at(f"{cell}u_adder.y_q"), self.slice(operand, i)))

    def carried(self, at: At, i: int, total: str, left: str, right: str) -> Iterator[str]:
        """The carry out of a cell, of an addition; there is a cell above it."""
        if i < self.cells - 1:
            high, last = self.bits_of(i)[0] + 1, len(self.config.cells[i]) - 1
            ripple = f"(bvxor {total} {left} {right})"
            yield equal(extract(at(f"{self.cell(i)}c_q"), last, last), extract(ripple, high, high))

    def sums(self, at: At) -> Iterator[tuple[str, str]]:
        """The sum, in each cell a cycle later."""
        first, second = self.filled_in(at, 1), self.filled_in(at, 2)
        odd = self.odd(at)
        new, old = at.g("YN"), at.g("YO")
        one, many, pre = at.writing, negation(at.writing), at.high("pre_q")
        later = self.later(at)
        yield (
            "ra 0",
            implies(all_of(later, at.aged("ra", "=", 0)), equal(at(f"{self.cell(0)}addr_q"), const(0, 4))),
        )
        for i in range(self.cells):
            cell = self.cell(i)
            before, after = at.aged("fa", "bvule", i), any_of(one, at.aged("fa", "bvuge", FILL + 1 + i))
            low = equal(extract(at(f"{cell}addr_q"), K - 1, 0), const(0, K))
            yield "address of M", implies(all_of(first, pre, after), low)
            yield (
                "ra EV",
                implies(
                    all_of(first, at.aged("ra", "=", 1 + i)), equal(at.g(f"EV{i}"), self.entry_of(at, 0, new))
                ),
            )
            if i:
                address = at(f"{cell}addr_q")
                yield (
                    "EV",
                    implies(all_of(first, after), equal(at.g(f"EV{i - 1}"), self.entry(at, address, new))),
                )
                yield (
                    "old EV",
                    implies(all_of(second, before), equal(at.g(f"EV{i - 1}"), self.entry(at, address, old))),
                )
                follows = f"{at.g(f'HS{i}')} {at.g(f'HC{i}')} {at.g(f'EV{i}')}"
                start = at.state.is_(f"{self.cell(i - 1)}start_q", 1)
                high, low_bit = self.sum_bits - 1, self.bits_of(i)[1]
                zero = const(0, high - low_bit + 1)
                link = all_of(
                    *(
                        equal(
                            extract(at.g(f"H{name}{i - 1}"), high, low_bit),
                            f"(ite {start} {zero} {extract(f'(f{name} {follows})', high, low_bit)})",
                        )
                        for name in "SC"
                    )
                )
                yield "link", implies(at.aged("sr", "bvuge", i), link)
            soon = all_of(second, at.aged("fa", "bvule", 1 + i))
            late = any_of(all_of(pre, one), all_of(many, any_of(at.aged("fa", "bvuge", FILL + 2 + i), soon)))
            yield (
                "a",
                implies(
                    all_of(first, late), equal(at(f"{cell}gen_later.a_q"), self.slice(at.g(f"EV{i}"), i))
                ),
            )
            loop = self.looping(at, i)
            yield "S", implies(all_of(loop, odd), equal(at(f"{cell}s_q"), self.slice(at.g(f"HS{i}"), i)))
            yield (
                "C",
                implies(all_of(loop, odd), equal(self.spread(at, "c_q", i), self.slice(at.g(f"HC{i}"), i))),
            )
            if i:
                s, c = at(f"{cell}s_q"), at(f"{cell}c_q")
                digit = f"(bvadd {extract(s, 2 * K - 1, K)} {zero_extend(extract(c, 0, 0), K - 1)})"
                yield "low", implies(loop, equal(at(f"{cell}low_q"), digit))
                clear = all_of(first, at.aged("ra", "=", 1 + i))
                yield "low start", implies(clear, equal(at(f"{cell}low_q"), const(0, K)))

    def looping(self, at: At, i: int) -> str:
        """Cell i has a sum."""
        first, second = self.filled_in(at, 1), self.filled_in(at, 2)
        residue = any_of(at.high("run_q"), at.high("latch_q"))
        ran = either(at.high("pre_q"), residue, at.low("wait_q", "go_q"))
        written, filled = (at.aged("fa", "bvuge", lag + i) for lag in (4, FILL + 3))
        filled = either(at.writing, written, filled)
        begun = all_of(first, at.aged("ra", "bvuge", 2 + i), filled, ran)
        return any_of(begun, all_of(second, at.aged("fa", "bvule", 2 + i)))
