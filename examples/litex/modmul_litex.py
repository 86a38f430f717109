# SPDX-License-Identifier: Apache-2.0
"""A core or system of modmul as a peripheral of a LiteX system on chip.

It takes a folder that ``modmul export ... --bus axi -o FOLDER`` has written, and nothing else of modmul.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from litex.gen import LiteXModule
from litex.soc.interconnect.axi import AXILiteInterface
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal

if TYPE_CHECKING:
    from litex.build.generic_platform import GenericPlatform

__all__ = ["SIZE", "Modmul", "sources_of"]

SIZE = 0x2000
"""Bytes of its registers."""


def sources_of(folder: Path) -> tuple[str, list[Path]]:
    """The top module of an exported folder, and its files in the order to read them in.

    Raises:
        ValueError: the folder holds no core on a bus.
    """
    found = sorted((folder / "axi").glob("*_axi.f"))
    if len(found) != 1:
        raise ValueError(f"{folder} holds no core on a bus: modmul export CORE --bus axi -o {folder}")
    names = found[0].read_text(encoding="utf-8").split()
    return found[0].stem, [folder / name for name in names]


class Modmul(LiteXModule):
    """The shell on the system's bus, by its registers; docs/bus.md describes them.

    ``bus`` is its AXI4-Lite slave, for ``soc.bus.add_slave``; ``ev.device`` is its interrupt, a level: the
    program clears it in IRQ_STATUS. Both run with the clock ``sys``. The streams are not used.

    Args:
        platform: gets the sources.
        folder: an exported one, of 32 bits a word of the bus.
    """

    def __init__(self, platform: GenericPlatform, folder: Path) -> None:
        top, files = sources_of(folder)
        for file in files:
            platform.add_source(str(file), language="systemverilog")
        self.bus = bus = AXILiteInterface(data_width=32, address_width=32)
        self.ev = EventManager()
        self.ev.device = EventSourceLevel(description="An answer is there, or a write was refused.")
        self.ev.finalize()
        ports: dict[str, object] = {
            "i_aclk": ClockSignal("sys"),
            "i_aresetn": ~ResetSignal("sys"),
            "o_irq": self.ev.device.trigger,
            "i_s_axis_tvalid": 0,
            "i_s_axis_tdata": 0,
            "i_s_axis_tlast": 0,
            "i_m_axis_tready": 1,
        }
        for channel, signals in {"aw": [], "w": ["data", "strb"], "ar": []}.items():
            side = getattr(bus, channel)
            ports |= {f"i_s_axi_{channel}{name}": getattr(side, name) for name in signals}
            ports |= {f"i_s_axi_{channel}valid": side.valid, f"o_s_axi_{channel}ready": side.ready}
        for channel, signals in {"b": ["resp"], "r": ["data", "resp"]}.items():
            side = getattr(bus, channel)
            ports |= {f"o_s_axi_{channel}{name}": getattr(side, name) for name in signals}
            ports |= {f"o_s_axi_{channel}valid": side.valid, f"i_s_axi_{channel}ready": side.ready}
        for channel in ("aw", "ar"):
            ports[f"i_s_axi_{channel}prot"] = 0
            ports[f"i_s_axi_{channel}addr"] = getattr(bus, channel).addr[: (SIZE - 1).bit_length()]
        self.specials += Instance(top, **ports)
