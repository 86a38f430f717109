# SPDX-License-Identifier: Apache-2.0
"""The FPGA families a core is measured on, each with its one synthesis flow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

__all__ = ["TARGETS", "Target", "UnknownTarget", "target"]


class UnknownTarget(ValueError):
    """No target of that name; the message names the near matches."""


@dataclass(frozen=True)
class Target:
    """One FPGA family and its flow.

    Attributes:
        name: what it is called on the command line.
        title: one line for people.
        lut_inputs: inputs of the fabric's LUT, 4 or 6.
        synthesis: the Yosys command that maps a design to it, multiplications to LUTs.
        route: the device options of nextpnr; empty where there is no open place and route.
        family: whose twins of modules are taken, by the name of Yosys; empty for none.
        shipped: whether the package brings measurements of it.
        silenced: further commands of Yosys, for warnings of its own cells that are no errors.
    """

    name: str
    title: str
    lut_inputs: int
    synthesis: str
    route: tuple[str, ...] = ()
    family: str = ""
    shipped: bool = True
    silenced: tuple[str, ...] = ()

    def command(self, dsp: bool) -> str:
        """The Yosys command for a core, with multiplier blocks or without."""
        return self.synthesis.replace(" -nodsp", "") if dsp else self.synthesis


_XILINX = "-flatten -noiopad -noclkbuf -nodsp -nowidelut"

TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        t.name: t
        for t in (
            Target(
                "ecp5",
                "Lattice ECP5-85k, speed grade 6",
                4,
                "synth_ecp5 -nodsp -nowidelut",
                ("--85k", "--package", "CABGA381", "--speed", "6"),
                family="ecp5",
            ),
            Target("artix7", "Xilinx 7 series", 6, f"synth_xilinx -family xc7 {_XILINX}", family="xilinx"),
            Target("virtex6", "Xilinx Virtex-6", 6, f"synth_xilinx -family xc6v {_XILINX}", family="xilinx"),
            Target(
                "virtex2",
                "Xilinx Virtex-II, the 4-input fabric of Virtex-E",
                4,
                f"synth_xilinx -family xc2v {_XILINX}",
            ),
            Target(
                "ultrascaleplus",
                "Xilinx UltraScale+",
                6,
                f"synth_xilinx -family xcup {_XILINX}",
                shipped=False,
                # Its own block RAM cells have ports of other widths.
                silenced=('logger -nowarn "Resizing cell port .*[.](ADDR|DIN|DOUT)[A-Z]* from"',),
            ),
        )
    }
)
"""Every target by name."""


def target(name: str) -> Target:
    """The target of that name.

    Raises:
        UnknownTarget: no such target; the message names the near matches.
    """
    if name in TARGETS:
        return TARGETS[name]
    near = get_close_matches(name, TARGETS, n=2, cutoff=0.6)
    hint = f"did you mean {', '.join(near)}?" if near else f"there are {', '.join(TARGETS)}"
    raise UnknownTarget(f"no target named {name!r}; {hint}")
