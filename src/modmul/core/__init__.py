# SPDX-License-Identifier: Apache-2.0
"""What a core is: its description as data and small functions, and the port contract.

A room (a folder of :mod:`modmul.cores`) holds ``mm_<slug>.sv``, ``core.py`` with one
:class:`Core` named ``CORE``, and ``README.md``. This package is all a room imports of the project.
The port list itself is described in ``docs/contract.md``; :data:`PORTS` is the same as data.
"""

from modmul.core.algorithm import Algorithm, State, Step
from modmul.core.arithmetic import booth_digit, carry_save, ceil_div, mod_double, to_beats
from modmul.core.builds import Builds
from modmul.core.chance import chance, drawing_from
from modmul.core.config import (
    MAX_WIDTH,
    RUNTIME,
    Config,
    ScalableConfig,
    WordConfig,
    word_configs,
    word_values,
    word_variants,
)
from modmul.core.core import Core
from modmul.core.domain import Domain, montgomery_domain, plain_domain
from modmul.core.fixed_modulus import (
    check_fixed,
    check_parameter,
    check_third,
    fixed_examples,
    fixed_refused,
    modulus_text,
    signed_powers,
)
from modmul.core.function import Function, Memory
from modmul.core.interface import Interface
from modmul.core.legal import (
    TOOL_WIDTHS,
    EvenModulus,
    check_odd,
    check_positive,
    check_tool,
    check_width,
    full_modulus,
)
from modmul.core.origin import Checkout, Origin
from modmul.core.papers import PAPERS, Paper, Reference, Work, resolved, sources
from modmul.core.polynomial import (
    BINARY_FIELD,
    PRIME_FIELD,
    Polynomial,
    bound_name,
    carryless_product,
    field_of,
    operand_length,
    radix_name,
    size_name,
)
from modmul.core.ports import PORTS, SQUARE, Control
from modmul.core.program import PART, EngineProgram, Part, ProgramError, Register, Schedule, Scheduled
from modmul.core.published import Published
from modmul.core.rsa_key import RsaKey, lane, multiple
from modmul.core.stream import Beside, Overlapping, Regular, Standing, Stream
from modmul.core.system import CONTROLS, SOCKET, System, SystemConfig, socket

__all__ = [
    "BINARY_FIELD",
    "CONTROLS",
    "MAX_WIDTH",
    "PAPERS",
    "PART",
    "PORTS",
    "PRIME_FIELD",
    "RUNTIME",
    "SOCKET",
    "SQUARE",
    "TOOL_WIDTHS",
    "Algorithm",
    "Beside",
    "Builds",
    "Checkout",
    "Config",
    "Control",
    "Core",
    "Domain",
    "EngineProgram",
    "EvenModulus",
    "Function",
    "Interface",
    "Memory",
    "Origin",
    "Overlapping",
    "Paper",
    "Part",
    "Polynomial",
    "ProgramError",
    "Published",
    "Reference",
    "Register",
    "Regular",
    "RsaKey",
    "ScalableConfig",
    "Schedule",
    "Scheduled",
    "Standing",
    "State",
    "Step",
    "Stream",
    "System",
    "SystemConfig",
    "WordConfig",
    "Work",
    "booth_digit",
    "bound_name",
    "carry_save",
    "carryless_product",
    "ceil_div",
    "chance",
    "check_fixed",
    "check_odd",
    "check_parameter",
    "check_positive",
    "check_third",
    "check_tool",
    "check_width",
    "drawing_from",
    "field_of",
    "fixed_examples",
    "fixed_refused",
    "full_modulus",
    "lane",
    "mod_double",
    "modulus_text",
    "montgomery_domain",
    "multiple",
    "operand_length",
    "plain_domain",
    "radix_name",
    "resolved",
    "signed_powers",
    "size_name",
    "socket",
    "sources",
    "to_beats",
    "word_configs",
    "word_values",
    "word_variants",
]
