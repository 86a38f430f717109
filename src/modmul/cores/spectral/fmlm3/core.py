# SPDX-License-Identifier: Apache-2.0
"""fmlm3: FFT-based Montgomery multiplication under McLaughlin's framework, Dai et al.."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import accumulate, chain, repeat
from math import gcd, inf

from modmul.core import (
    RUNTIME,
    SQUARE,
    Algorithm,
    Builds,
    Config,
    Control,
    Core,
    Domain,
    Function,
    Interface,
    Origin,
    Published,
    Step,
    ceil_div,
    check_width,
    to_beats,
)

# --- parameter sets: Sections 3.2 and 4.4 of the paper -------------------------------------------


@dataclass(frozen=True)
class ParameterSet:
    """What follows from a transform length, a digit length and an algorithm (Table 1 of the paper).

    Attributes:
        p: transform length P, a power of two, the number of digits of a number.
        u: bits of a digit; the radix is B = 2^u.
        algorithm: 2 or 3.
    """

    p: int
    u: int
    algorithm: int

    @property
    def v(self) -> int:
        """log2 P."""
        return self.p.bit_length() - 1

    @property
    def l(self) -> int:  # noqa: E743 (the paper's name)
        """Bits of the longest operand: R = 2^l - 1."""
        return self.p * self.u

    @property
    def needed(self) -> int:
        """Bits that M must have: equation 15 for Algorithm 2, equation 20 for Algorithm 3."""
        return 2 * self.v + 3 * self.u if self.algorithm == 3 else self.v + 2 * self.u + 1

    @property
    def c2(self) -> int:
        """Twice c, the factor of P in the exponent of M: 1 where c is a half."""
        return 1 if 2 * self.needed <= self.p else 2 * ceil_div(self.needed, self.p)

    @property
    def k(self) -> int:
        """The exponent cP of M."""
        return self.c2 * self.p // 2

    @property
    def m(self) -> int:
        """The ring: M = 2^(cP) + 1."""
        return (1 << self.k) + 1

    @property
    def root(self) -> int:
        """A, a P-th root of -1: 2^c, or for c = 1/2 the square root of 2, 2^(3P/8) - 2^(P/8) mod M."""
        if self.c2 > 1:
            return 1 << (self.c2 // 2)
        return (1 << (3 * self.p // 8)) - (1 << (self.p // 8))

    def __str__(self) -> str:
        c = "1/2" if self.c2 == 1 else str(self.c2 // 2)
        root = f"2^{3 * self.p // 8} - 2^{self.p // 8}" if self.c2 == 1 else f"2^{self.c2 // 2}"
        return (
            f"l = {self.l}, P = {self.p}, u = {self.u}, Algorithm {self.algorithm}, "
            f"c = {c}, M = 2^{self.k} + 1, w = 2^{self.c2}, A = {root}"
        )


def sets_by_length(width: int) -> Iterator[ParameterSet]:
    """The parameter sets for operands of ``width`` bits, one for each transform length from 2 on (Fig. 2).

    With the shortest digits; Algorithm 3 where it needs no larger M than Algorithm 2.
    """
    p = 2
    while p <= max(width, 2):
        second, third = (ParameterSet(p, ceil_div(width, p), algorithm) for algorithm in (2, 3))
        yield third if third.k == second.k else second
        p *= 2


def parameter_sets(width: int) -> list[ParameterSet]:
    """Algorithm 4: the parameter sets worth considering for operands of ``width`` bits.

    The last is the first with c = 1/2, behind which both P and M only grow.
    """
    found: list[ParameterSet] = []
    for entry in sets_by_length(width):
        found.append(entry)
        if entry.c2 == 1:
            break
    return found


# --- a build -------------------------------------------------------------------------------------

TRANSFORMS = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
BUTTERFLIES = (1, 2, 4, 8)


def shortest_transform(butterflies: int) -> int:
    """The shortest transform length P whose digits go to different banks in every stage."""
    return 4 if butterflies == 1 else 8 * butterflies


def half_fits(entry: ParameterSet) -> bool:
    """The carry above half of an inverse transform is shorter than half a number."""
    carry = 2 * entry.u + 2 * entry.v + 2 if entry.algorithm == 3 else entry.u + entry.v + 3
    return entry.l // 2 >= carry


def karatsuba_levels(k: int) -> int:
    """Recursions of the multiplier, down to parts of 20 bits or fewer."""
    levels = 0
    while k > 20 << levels:
        levels += 1
    return levels


@dataclass(frozen=True)
class Fmlm3Config(Config):
    """A build for one transform length and digit length.

    Attributes:
        transform: transform length P, a power of two from 4 to 1024; 0 chooses one.
        digit: bits u of a digit, and of the data ports; 0 takes the fewest that ``width`` needs.
        algorithm: 2 or 3; 0 takes 3 where it needs no larger M.
        butterflies: 1, 2, 4 or 8 in the FFT unit, and P at least :func:`shortest_transform`; 0 takes 2
            where possible.
        spectral: 1: operands and results cross the ports as T and T', a residue a beat.
        square: control ``square_i``.
        chain: control ``chain_i``.
        keep: control ``keep_i``.
    """

    transform: int = 0
    digit: int = 0
    algorithm: int = 0
    butterflies: int = 0
    spectral: int = 0
    square: bool = field(default=False, metadata=RUNTIME)
    chain: bool = field(default=False, metadata=RUNTIME)
    keep: bool = field(default=False, metadata=RUNTIME)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.algorithm not in (0, 2, 3):
            raise ValueError(f"algorithm must be 2 or 3, got {self.algorithm}")
        if self.butterflies not in (0, *BUTTERFLIES):
            raise ValueError(f"butterflies must be 1, 2, 4 or 8, got {self.butterflies}")
        if self.transform not in (0, *TRANSFORMS):
            raise ValueError(f"transform must be a power of two from 4 to 1024, got {self.transform}")
        if self.spectral not in (0, 1):
            raise ValueError(f"spectral must be 0 or 1, got {self.spectral}")
        chosen = choose(self.width, self.transform, self.digit, self.algorithm, self.butterflies)
        for name, value in zip(("transform", "digit", "algorithm", "butterflies"), chosen, strict=True):
            object.__setattr__(self, name, value)

    @property
    def set(self) -> ParameterSet:
        """The parameter set of this build."""
        return ParameterSet(self.transform, self.digit, self.algorithm)

    @property
    def word(self) -> int:
        """A beat is a digit, or a residue."""
        return self.set.k + 1 if self.spectral else self.digit

    @property
    def bits(self) -> int:
        """Those of a number, or of its transforms."""
        return 2 * self.transform * self.word if self.spectral else self.width

    @property
    def segment(self) -> int:
        """Digits of a segment, 2 or 4, of the additions and subtractions (Section 5.3)."""
        return 4 if self.butterflies > 1 and 4 * self.digit <= self.set.k + 2 else 2

    @property
    def multiplier_blocks(self) -> bool:
        return True

    @property
    def trace_bits(self) -> int:
        return max(self.set.k + 2, self.segment * self.digit)


@cache
def choose(
    width: int, transform: int, digit: int, algorithm: int, butterflies: int
) -> tuple[int, int, int, int]:
    """The parameters of a build, those that are 0 chosen: the smallest estimated area times cycles.

    Raises:
        ValueError: those that are given are illegal together.
    """
    found = {}
    # R = 2^l - 1 has fewer small factors with l = 16 than with the 20 bits of four digits.
    for p in (transform,) if transform else TRANSFORMS[1:]:
        n = butterflies or (2 if p >= 16 else 1)
        for wanted in (algorithm,) if algorithm else (2, 3):
            entry = shortest(width, p, digit, wanted)
            # Without a wish, Algorithm 3 only if it needs no larger M.
            larger = entry and not algorithm and wanted == 3 and entry.k > ParameterSet(p, entry.u, 2).k
            if entry and not larger and p >= shortest_transform(n):
                # Each bit of M: the multiplier, and what every butterfly has.
                luts = 500 + entry.k * (25 + 9 * n + 9 * (1.5 ** karatsuba_levels(entry.k) - 1))
                found[p, entry.u, wanted, n] = luts * square_cycles(entry, n)
    if found:
        return min(found, key=lambda build: found[build])
    n = butterflies or 1
    if transform and transform < (least := shortest_transform(n)):
        raise ValueError(f"transform must be at least {least} for {n} butterflies, got {transform}")
    raise ValueError(
        f"digit must be from 2 to 1024, all digits together must have {width} bits, and half of them "
        "as many as the carry above a half; "
        f"got transform = {transform}, digit = {digit}, algorithm = {algorithm}"
    )


def shortest(width: int, p: int, digit: int, algorithm: int) -> ParameterSet | None:
    """The legal set of a transform length with this digit, or with the shortest digit if it is 0."""
    for u in (digit,) if digit else range(max(ceil_div(width, p), 2), 1025):
        entry = ParameterSet(p, u, algorithm)
        if 2 <= u <= 1024 and entry.l >= width and half_fits(entry):
            return entry
    return None


# --- cycles --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Durations:
    """Cycles of each unit's work.

    Attributes:
        entry: the parameter set.
        n: butterflies.
        segment: digits of a segment.
    """

    entry: ParameterSet
    n: int
    segment: int

    @property
    def delay(self) -> int:
        """From the read of a digit until its successor can be read; the paper's is 11."""
        return 9 if self.entry.c2 == 1 else 7

    @property
    def stage(self) -> int:
        """A stage but the last: equation 28."""
        p = self.entry.p
        return max(p // (2 * self.n), p // (4 * self.n) + self.delay)

    @property
    def forward(self) -> int:
        """CT or NCT."""
        return (self.entry.v - 1) * self.stage + self.entry.p // (2 * self.n) + self.delay - 1

    @property
    def inverse(self) -> int:
        """CT^-1 or NCT^-1, with the accumulation."""
        return (self.entry.v - 1) * self.stage + self.entry.p // 2 + self.delay + 3

    @property
    def multiply(self) -> int:
        """A component-wise multiplication whose product goes into an inverse transform."""
        return self.entry.p + 10 + 4 * karatsuba_levels(self.entry.k)

    @property
    def beside(self) -> int:
        """One whose product is stored beside a transform: T'(z2), and T(z0) of Algorithm 3."""
        return self.multiply - 2

    @property
    def load(self) -> int:
        """Segments into the transforms' memory, through the Ripple Carry Adder."""
        return self.entry.p // self.segment + 5

    @property
    def reduce(self) -> int:
        """S = z4 mod Q'."""
        return self.entry.p // self.segment + 3

    @property
    def subtract(self) -> int:
        """Steps 15 to 17."""
        return self.entry.p // self.segment + 5

    @property
    def forward_beside(self) -> int:
        return max(self.forward, self.beside)

    @property
    def inverse_beside(self) -> int:
        return max(self.inverse, self.beside)


def durations(config: Fmlm3Config) -> Durations:
    """Of a build."""
    return Durations(config.set, config.butterflies, config.segment)


def operation(d: Durations, *, square: bool, keep: bool, spectral: bool = False) -> list[tuple[str, int]]:
    """The states of the control unit in an operation, in order, with their cycles behind the last operand."""
    three = d.entry.algorithm == 3
    one = square or keep  # one operand is transformed
    early = d.forward_beside if three and not spectral else d.forward
    of_x = [("LX", d.load), ("CTX", d.forward), ("NCTX", early if one else d.forward)]
    of_y = [("LY", d.load), ("CTY", d.forward), ("NCTY", early)]
    states = [] if spectral else of_x if one else of_x + of_y
    began = d.entry.p if spectral else 0  # cycles of P1 that run while T'(x), T'(y) come
    if three and spectral:
        states += [("P1", d.beside - began)]
    elif not three and not (keep and not square):
        states += [("P1", d.multiply - began), ("ICT1", d.inverse), ("RZ", d.load), ("CTZ", d.forward)]
    states += [("P2", d.multiply), ("ICT2", d.inverse_beside), ("RM", d.load), ("NCTM", d.forward)]
    states += [("P4", d.multiply), ("INCT", d.inverse), ("RQ", d.reduce), ("SUB", d.subtract)]
    # The result takes the place of x: steps 18 and 19.
    ending = [("LX", d.load), ("CTX", d.forward), ("NCTX", d.forward)] if spectral else []
    return states + ending


def states(config: Fmlm3Config) -> list[tuple[str, int]]:
    """Those of an operation with the controls of the configuration."""
    controls = {"square": config.square, "keep": config.keep, "spectral": bool(config.spectral)}
    return operation(durations(config), **controls)


def work(config: Fmlm3Config) -> Mapping[str, int]:
    """Of an operation, from the states of the control unit: transforms and component-wise products.

    Digit products are as Table 2 counts them: P log2 P a transform, P a component-wise product.
    """
    entry = config.set
    names = [name for name, _ in states(config)]
    transforms = sum("CT" in name for name in names)
    # Step 9 is beside a transform, and so is step 1 of Algorithm 3 where it has no state.
    beside = 2 if entry.algorithm == 3 and "P1" not in names else 1
    products = sum(name in ("P1", "P2", "P4") for name in names) + beside
    return {
        "transforms": transforms,
        "products": products,
        "digit_products": entry.p * (transforms * entry.v + products),
    }


def factors(config: Fmlm3Config, x: int, y: int, memory: dict[str, int]) -> tuple[int, int]:
    """Operands of their own, the last result, or the y that was kept."""
    if not config.square and not config.keep:
        memory["y"] = y
    first = memory["z"] if config.chain else x
    return first, first if config.square else memory["y"]


def square_cycles(entry: ParameterSet, butterflies: int) -> int:
    """Cycles of an operation that transforms one operand, as each of a chain of squarings."""
    segment = 4 if butterflies > 1 and 4 * entry.u <= entry.k + 2 else 2
    return sum(time for _, time in operation(Durations(entry, butterflies, segment), square=True, keep=False))


def cycles(config: Fmlm3Config) -> int:
    """From the operands in memory to the result in memory."""
    return sum(time for _, time in states(config))


def filled(config: Fmlm3Config) -> int:
    """Cycles for zeros in the digits above the operands."""
    return 0 if config.spectral else config.transform - config.beats


def latency(config: Fmlm3Config) -> int:
    """Besides zeros three cycles before the first state, and two behind the last."""
    return filled(config) + cycles(config) + 5


def interval(config: Fmlm3Config) -> int:
    """A multiplication is loaded and unloaded between two others."""
    return latency(config) + 2 * config.beats - 1


# --- the context ---------------------------------------------------------------------------------


def digits(entry: ParameterSet, value: int) -> list[int]:
    """The P digits of a number below 2^l, the lowest first."""
    return to_beats(value, entry.l, entry.u)


def number(entry: ParameterSet, values: Sequence[int]) -> int:
    """The number of signed digits of any size."""
    return sum(value << (entry.u * i) for i, value in enumerate(values))


def transform(entry: ParameterSet, values: Sequence[int], root: int) -> list[int]:
    """Sums of values[k] * root^(k n) for n = 0 … P-1, modulo M."""
    m = entry.m
    if len(values) == 1:
        return list(values)
    even, odd = (transform(entry, values[i::2], root * root % m) for i in (0, 1))
    powers = accumulate(repeat(root, len(odd) - 1), lambda a, b: a * b % m, initial=1)
    turned = [value * power % m for value, power in zip(odd, powers, strict=True)]
    pairs = list(zip(even, turned, strict=True))
    return [*((a + b) % m for a, b in pairs), *((a - b) % m for a, b in pairs)]


def _powers(entry: ParameterSet, base: int) -> Iterator[int]:
    return accumulate(repeat(base, entry.p - 1), lambda a, b: a * b % entry.m, initial=1)


def forward_transform(entry: ParameterSet, values: Sequence[int], *, nega: bool) -> list[int]:
    """CT, or NCT: digit k times A^k first (equations 5 and 6)."""
    weights = _powers(entry, entry.root) if nega else repeat(1, entry.p)
    weighted = [value * weight % entry.m for value, weight in zip(values, weights, strict=True)]
    return transform(entry, weighted, pow(entry.root, -2, entry.m))


def inverse_transform(entry: ParameterSet, values: Sequence[int], *, nega: bool) -> list[int]:
    """CT^-1, or NCT^-1: component n times A^-n / P afterwards."""
    back = pow(entry.root, -1, entry.m) if nega else 1
    weights = zip(transform(entry, values, entry.root**2 % entry.m), _powers(entry, back), strict=True)
    scale = pow(entry.p, -1, entry.m)
    return [value * weight * scale % entry.m for value, weight in weights]


def radix(config: Fmlm3Config) -> int:
    """R = 2^l - 1."""
    return (1 << config.set.l) - 1


@cache
def _context(entry: ParameterSet, word: int, modulus: int) -> tuple[int, ...]:
    r = (1 << entry.l) - 1
    inverse = -pow(modulus, -1, r) % r
    # Algorithm 3 multiplies by T(N') once more than it transforms back, and each product is divided by P.
    scale = entry.p if entry.algorithm == 3 else 1
    cyclic = forward_transform(entry, digits(entry, inverse), nega=False)
    nega = forward_transform(entry, digits(entry, modulus), nega=True)
    scaled = (value * scale % entry.m for value in cyclic)
    residues = [beat for value in (*scaled, *nega) for beat in to_beats(value, entry.k + 1, word)]
    return (*digits(entry, modulus), *residues)


def context(config: Fmlm3Config, modulus: int) -> Sequence[int]:
    """N, T(N') and T'(N)."""
    return _context(config.set, config.word, modulus)


# --- what crosses the ports ----------------------------------------------------------------------


def encode(config: Fmlm3Config, value: int) -> int:
    """The number, or with ``spectral`` its residues T and T', each of cP + 1 bits, as one number."""
    return _encode(config.set, value) if config.spectral else value


@lru_cache(maxsize=4096)
def _encode(entry: ParameterSet, value: int) -> int:
    transforms = (forward_transform(entry, digits(entry, value), nega=nega) for nega in (False, True))
    bits = entry.k + 1
    return sum(residue << (bits * i) for i, residue in enumerate(chain.from_iterable(transforms)))


def decode(config: Fmlm3Config, value: int) -> int:
    """The number behind what crosses the ports; -1 where these are not the transforms of a number."""
    return _decode(config.set, value) if config.spectral else value


@lru_cache(maxsize=4096)
def _decode(entry: ParameterSet, value: int) -> int:
    bits = entry.k + 1
    cyclic = [(value >> (bits * i)) % (1 << bits) for i in range(entry.p)]
    found = inverse_transform(entry, cyclic, nega=False)
    if max(found) >> entry.u:
        return -1
    back = number(entry, found)
    return back if _encode(entry, back) == value else -1


def refused(config: Fmlm3Config) -> list[list[int]]:
    """N = 0; a common factor with R is not seen."""
    return [[0] * len(context(config, 1))]


def check(config: Fmlm3Config, modulus: int) -> None:
    """Raise ValueError unless the modulus fits and has no factor in common with R = 2^l - 1."""
    check_width(config, modulus)
    common = gcd(modulus, radix(config))
    if common > 1:
        raise ValueError(
            f"the modulus has the factor {common} in common with R = 2^{config.set.l} - 1, and R no inverse; "
            f"take {'montgomery_csa2 or a scalable core' if modulus % 2 else 'an interleaved core'}"
        )


# --- the model -----------------------------------------------------------------------------------


def trace(_config: Fmlm3Config) -> dict[str, str]:
    """Registers of the time domain: the halves' accumulators, S's top, the factor k of Q', t ≥ N."""
    return {
        "low": "u_transform.u_fft.u_final_low.r_q",
        "high": "u_transform.u_fft.u_final_high.r_q",
        "top": "u_segments.top_q",
        "k": "u_segments.u_result.k_q",
        "less": "u_segments.u_result.is_less_o",
    }


def halves(config: Fmlm3Config, values: Sequence[int]) -> tuple[dict[str, int], int, int, int]:
    """What the Final Stage Operators leave: their registers, the digits' number and both carries."""
    entry = config.set
    registers, whole, carries = {}, 0, []
    for place, name in enumerate(("low", "high")):
        r = 0
        for i, value in enumerate(values[place * entry.p // 2 : (place + 1) * entry.p // 2]):
            r = (r >> entry.u) + value
            whole |= (r & ((1 << entry.u) - 1)) << (entry.u * (i + place * entry.p // 2))
        registers[name] = r % (1 << (entry.k + 2))
        carries.append(r >> entry.u)
    return registers, whole, carries[0], carries[1]


def model(config: Fmlm3Config, n: int, x: int, y: int) -> Iterator[Step]:
    """Algorithm 2 or 3 by its line numbers, with the registers at the end of each state."""
    entry, m = config.set, config.set.m
    p, u, size = entry.p, entry.u, 1 << entry.l
    r, q = size - 1, size + 1
    left = iter(states(config))

    def until(name: str, label: str, end: Mapping[str, int]) -> Iterator[Step]:
        """The cycles of states up to and with one, with the registers after its last."""
        for state, time in left:
            yield from repeat(Step(label, {}), time - 1)
            yield Step(label, end if state == name else {})
            if state == name:
                return

    def product(a: Sequence[int], b: Sequence[int]) -> list[int]:
        return [i * j % m for i, j in zip(a, b, strict=True)]

    def fold(whole: int, low: int, high: int) -> tuple[int, int]:
        """The Ripple Carry Adder modulo R: digits and top."""
        total = whole + (low << (u * p // 2)) + high
        return total % size, total // size

    for _ in range(filled(config) + 3):
        yield Step("load", {})
    tx, ty = (forward_transform(entry, digits(entry, value), nega=False) for value in (x, y))
    inverse = forward_transform(entry, digits(entry, -pow(n, -1, r) % r), nega=False)
    z0 = product(ty, inverse)
    if entry.algorithm == 2:
        registers, whole, low, high = halves(config, inverse_transform(entry, z0, nega=False))
        part, top = fold(whole, low, high)
        if config.square or not config.keep:  # otherwise T(z0) was kept as well
            yield from until("ICT1", "1-2", registers)
            yield from until("RZ", "3", {"top": top})
        redundant = digits(entry, part)
        redundant[0] += top
        z0 = forward_transform(entry, redundant, nega=False)
    registers, whole, low, high = halves(config, inverse_transform(entry, product(tx, z0), nega=False))
    yield from until("ICT2", "4-6" if entry.algorithm == 2 else "1-3", registers)
    part, top = fold(whole, low, high)
    yield from until("RM", "7", {"top": top})
    redundant = digits(entry, part)
    redundant[0] += top
    multiple = part + top
    sums = [
        a * b + c * d
        for a, b, c, d in zip(
            *(forward_transform(entry, digits(entry, value), nega=True) for value in (x, y)),
            forward_transform(entry, redundant, nega=True),
            forward_transform(entry, digits(entry, n), nega=True),
            strict=True,
        )
    ]
    z4 = [
        value - m if value > 2 * (i + 1) * ((1 << u) - 1) ** 2 + (1 << u) else value
        for i, value in enumerate(inverse_transform(entry, sums, nega=True))
    ]
    registers, whole, low, high = halves(config, z4)
    yield from until("INCT", "8-13", registers)
    total = whole + (low << (u * p // 2)) - high
    yield from until("RQ", "14", {})
    s = (total % size) - (total // size)
    # Steps 15 and 16: t = (k * Q' - S) / 2.
    parity = (x & y ^ multiple & n) & 1
    t = (x * y + multiple * n) // r
    factor = (2 * t + s) // q
    assert (2 * t + s) % q == 0 and t % 2 == parity
    final = {"top": (total // size) % 4, "k": factor, "less": int(t >= n)}
    yield from until("SUB", "15-17", final)
    yield from until("", "18-19", {})
    yield Step("unload", {})
    yield Step("unload", {})


def explore(width: int) -> Sequence[Fmlm3Config]:
    """The default, and where it has more than one butterfly the same with one."""
    default = Fmlm3Config(width)
    if default.butterflies == 1:
        return (default,)
    return (default, Fmlm3Config(width, default.transform, default.digit, default.algorithm, 1))


def variants(width: int) -> Sequence[Fmlm3Config]:
    """Both algorithms, c = 1/2, one to four butterflies, long digits, both kinds of ports: two a width."""
    if width <= 6:
        return (Fmlm3Config(width, 4, 5, 2, 1, 1 - width % 2),)
    kinds = (
        *((8, 0, 3, 1, 0), (16, 0, 2, 2, 0), (32, 0, 3, 4, 0), (32, width // 32 + 5, 0, 1, 0)),
        *((128, 0, 0, 2, 0), (8, 0, 3, 1, 1), (16, 0, 2, 2, 1)),
    )
    chosen = (kinds[(width + k) % len(kinds)] for k in (0, 2))
    return tuple(Fmlm3Config(width, p, u, alg, n, spectral) for p, u, alg, n, spectral in chosen)


def notes(config: Fmlm3Config) -> Mapping[str, Sequence[str]]:
    """The sets of Algorithm 4 at this width, with that of the default and that of this build."""
    default = Fmlm3Config(config.width).set
    marks = {default: " (default)"}
    if config.set != default:
        marks[config.set] = " (this build)"
    # The default may have longer digits than Algorithm 4 asks for.
    sets = sorted({*parameter_sets(config.width), *marks}, key=lambda entry: (entry.p, entry.u))
    kinds = {"x * y": {}, "square of the last result": {"square": True, "chain": True}}
    kinds["last result * kept operand"] = {"chain": True, "keep": True}
    told = []
    for kind, controls in kinds.items():
        found = work(config.at(1, **controls))
        told.append(
            f"{kind}: {found['transforms']} transforms, {found['products']} component-wise products, "
            f"{found['digit_products']} products of digits"
        )
    return {
        "parameter sets, Algorithm 4": [f"{entry}{marks.get(entry, '')}" for entry in sets],
        "an operation, counted as in Table 2": told,
    }


def transform_cycles(config: Fmlm3Config) -> Mapping[str, int]:
    """Cycles of each transform, those of A = sqrt(2) where some length of digits leads to it (Table 5)."""
    whole = durations(config)
    forward, inverse = whole.forward, whole.inverse
    found = {"ct": forward, "ct_inverse": inverse, "nct": forward, "nct_inverse": inverse}
    sets = (ParameterSet(config.transform, digit, 3) for digit in range(config.digit, 1, -1))
    half = next((entry for entry in sets if entry.c2 == 1), None)
    if half:
        halved = replace(whole, entry=half)
        found |= {"nct_half": halved.forward, "nct_inverse_half": halved.inverse}
    return found


# --- the paper's tables ---------------------------------------------------------------------------

# Table 2: products of digits as multiples of P log2 P, of P^2 and of P.
TABLE_2 = {"[20]": (10, 0, 13), "[26]": (0, 18, 15), "[18]": (12, 0, 18), "FMLM3": (7, 0, 4)}
# Table 5: P, u of our build, butterflies; CT, CT^-1, NCT^-1.
TABLE_5 = (
    *((32, 32, 1, 104, 107, 109), (64, 16, 1, 203, 206, 208), (128, 16, 1, 459, 462, 464)),
    *((32, 32, 2, 79, 90, 92), (64, 16, 2, 122, 141, 143), (128, 16, 2, 235, 270, 272)),
)
ESTIMATES = (
    *((32, 32, 4, 67), (64, 16, 4, 94), (128, 16, 4, 141)),
    *((32, 32, 16, 60), (64, 16, 32, 72), (128, 16, 64, 84)),
)
"""Its estimates: CT with four butterflies and with P/2."""

# Table 6: l, Algorithm, P, u, butterflies; LUTs, slices, DSP48E1, RAMB36, RAMB18; cycles, ns, us, LUTs * us.
TABLE_6 = (
    (1024, 3, 32, 32, 2, 13811, 3923, 27, 26, 1, 657, 5.48, 3.60, 49725),
    (1024, 2, 32, 32, 2, 7845, 2225, 27, 16, 9, 905, 4.78, 4.33, 33937),
    (1024, 3, 64, 16, 2, 6047, 1757, 9, 16, 1, 1052, 3.80, 4.00, 24173),
    (1024, 3, 64, 16, 1, 5003, 1509, 9, 16, 1, 1372, 4.10, 5.63, 28143),
    (2048, 3, 32, 64, 2, 21975, 6525, 90, 38, 11, 728, 7.58, 5.52, 121263),
    (2048, 2, 32, 64, 2, 15621, 4687, 45, 26, 11, 905, 6.12, 5.54, 86518),
    (2048, 3, 64, 32, 2, 13975, 3928, 27, 28, 1, 1061, 5.34, 5.67, 79179),
    (2048, 3, 128, 16, 2, 7337, 2083, 9, 17, 1, 2036, 3.88, 7.90, 57960),
    (2048, 3, 128, 16, 1, 5964, 1720, 9, 22, 0, 2945, 4.07, 11.99, 71485),
    (3072, 2, 32, 96, 2, 23460, 6909, 90, 38, 11, 918, 7.72, 7.09, 166260),
    (3072, 2, 64, 48, 2, 13684, 3931, 27, 28, 1, 1462, 5.24, 7.66, 104831),
    (3072, 2, 128, 24, 2, 7351, 2103, 9, 22, 1, 2770, 3.84, 10.64, 78191),
    (3072, 2, 128, 24, 1, 5838, 1696, 9, 35, 1, 4131, 3.98, 16.44, 95985),
    (4096, 2, 32, 128, 2, 34995, 10257, 135, 50, 11, 917, 9.47, 8.68, 303575),
    (4096, 2, 64, 64, 2, 19005, 5525, 81, 39, 2, 1474, 6.88, 10.14, 192723),
    (4096, 3, 128, 32, 2, 14243, 3898, 27, 29, 0, 2040, 5.41, 11.04, 157191),
    (4096, 3, 128, 32, 1, 11898, 3529, 27, 34, 0, 2945, 5.71, 16.82, 200076),
    (7680, 2, 128, 60, 2, 14683, 4248, 27, 34, 0, 2774, 5.38, 14.92, 219131),
)
# Table 7: l, butterflies, DSP48E1, RAMB36, LUTs, us, LUTs * us, gain.
TABLE_7 = (
    *((1024, 1, 9, 16.5, 5003, 5.63, 28143, 16.4), (1024, 2, 9, 16.5, 6047, 4.00, 24172, None)),
    *((2048, 1, 9, 22, 5964, 11.99, 79179, 36.6), (2048, 2, 9, 17.5, 7337, 7.90, 57960, None)),
    *((3072, 1, 9, 35.5, 5838, 16.44, 95985, 22.8), (3072, 2, 9, 22.5, 7351, 10.64, 78191, None)),
    *((4096, 1, 27, 34, 11898, 16.82, 200076, 27.3), (4096, 2, 27, 29, 14243, 11.04, 157191, None)),
    (7680, 2, 27, 34, 14683, 14.92, 219131, None),
)
DEVICE = "Virtex-6 (xc6vlx130t-1)"
FEWER = "cycles: fewer in a stage and in the time domain (Cycles, in the README)"
CHAIN = {"square": True, "chain": True}


def _published() -> Iterator[Published]:
    """Tables 5 to 7."""
    for p, u, n, ct, ct_inverse, nct_inverse in TABLE_5:
        yield Published(
            *("5", f"FMLM3, P = {p}, {n} BFS", "", None),
            ct=ct,
            ct_inverse=ct_inverse,
            nct=ct,
            nct_inverse=nct_inverse,
            nct_half=ct + 2,
            nct_inverse_half=nct_inverse + 2,
            note="cycles: delays of 7 here and of 11 there, and one of 4 less in the inverse ones"
            + ("; all are one more than equations 28 and 29 give" if (p, n) == (32, 1) else ""),
            options={"Transform": p, "Digit": u, "Butterflies": n},
        )
    for p, u, n, ct in ESTIMATES:
        yield Published(
            *("5", f"FMLM3, P = {p}, {n} BFS", "", None),
            ct=ct,
            note="estimated there, not built there; cycles: delays of 7 here and of 11 there",
            options={"Transform": p, "Digit": u, "Butterflies": n},
        )
    builds: dict[tuple[int, int], Mapping[str, int]] = {}
    for (
        width,
        algorithm,
        p,
        u,
        n,
        luts,
        slices,
        dsp,
        ram36,
        ram18,
        printed,
        period,
        time,
        area_time,
    ) in TABLE_6:
        options = {"Transform": p, "Digit": u, "Algorithm": algorithm, "Butterflies": n}
        builds[width, luts] = options
        yield Published(
            *("6", f"FMLM3, Algorithm {algorithm}, {n} BFS", DEVICE, width),
            slices=slices,
            luts=luts,
            period_ns=period,
            fmax_mhz=round(1000 / period, 1),
            cycles=printed,
            time_us=time,
            luts_us=area_time,
            dsp=dsp,
            bram=2 * ram36 + ram18,
            note=f"M = 2^{ParameterSet(p, u, algorithm).k} + 1; an operation of a chain; MHz: from the period"
            f"; RAM18: two for a RAMB36; {FEWER}"
            + ("; LUT x us: 303,896 follow" if area_time == 303575 else ""),
            derived=("fmax_mhz", "bram"),
            options=options,
            runtime=CHAIN,
        )
    products = {(row[0], row[5]): row[-1] for row in TABLE_6}
    chosen = {width: products[width, luts] for width, n, _, _, luts, *_ in TABLE_7 if n == 2}
    for width, n, dsp, blocks, luts, time, area_time, gain in TABLE_7:
        misprint = "; LUT x us: 71,485 in Table 6, and so the gain is 23.3" if area_time == 79179 else ""
        yield Published(
            *("7", f"FMLM3, {n} BFS", DEVICE, width),
            luts=luts,
            time_us=time,
            luts_us=area_time,
            gain_percent=gain,
            dsp=dsp,
            bram=round(2 * blocks),
            note=f"the row of Table 6; RAM18: two for a RAMB36{misprint}",
            derived=("bram",),
            recomputed={"gain_percent": 100 * (products[width, luts] / chosen[width] - 1)} if gain else {},
            options=builds[width, luts],
            runtime=CHAIN,
        )


def most_efficient() -> dict[tuple[int, int], tuple[Fmlm3Config, float]]:
    """Fig. 9: by operand length and butterflies the build of Table 6 with the least area times latency.

    Each with the printed LUTs times microseconds.
    """
    found: dict[tuple[int, int], tuple[Fmlm3Config, float]] = {}
    for width, algorithm, p, u, n, *_, product in TABLE_6:
        if product < found.get((width, n), (None, inf))[1]:
            found[width, n] = Fmlm3Config(width, p, u, algorithm, n), product
    return found


CORE = Core(
    slug="fmlm3",
    title="FFT-based Montgomery multiplier under McLaughlin's framework",
    interface=Interface(
        latency=latency,
        interval=interval,
        context=context,
        encode=encode,
        decode=decode,
        refused=refused,
        controls=(
            SQUARE,
            Control("chain_i", "x is the last result; x_i is ignored", depends=True),
            Control(
                "keep_i",
                "y is that of the last operation with neither square_i nor keep_i; y_i is ignored",
                depends=True,
            ),
        ),
    ),
    function=Function(
        check=check,
        moduli="1 <= M < 2^n with gcd(M, R) = 1, R = 2^l - 1, l = Transform * Digit",
        domain=lambda config: Domain("montgomery", radix(config)),
        factors=factors,
    ),
    algorithm=Algorithm(
        steps="the sum of the states' durations, in the README: transforms, products, passes over the number",
        cycles=cycles,
        model=model,
        trace=trace,
        work=work,
    ),
    builds=Builds(
        config=Fmlm3Config,
        explore=explore,
        variants=variants,
        values=lambda _width: {"Spectral": (0,)},  # with 1 operands are of another kind
    ),
    origin=Origin(
        paper="dai2017",
        section="Sections 3 to 5, Algorithms 2 and 3, Figs. 3 to 8: FMLM3",
        counts=transform_cycles,
        published=tuple(_published()),
    ),
    notes=notes,
)
