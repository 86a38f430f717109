# SPDX-License-Identifier: Apache-2.0
"""Which machine the tools run on: this one, or the workers of a scheduler."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from modmul.tools.extras import need
from modmul.tools.machine import LOCAL, AddressError, Machine

__all__ = ["machine_at"]


@contextmanager
def machine_at(address: str | None, tell: Callable[[str], None] = lambda _: None) -> Iterator[Machine]:
    """The workers of the Dask scheduler at ``tcp://host:port``; this machine for ``None``.

    Args:
        tell: gets a line when there is no worker yet.

    Raises:
        AddressError: this is no address, or no scheduler answers there.
        MissingExtra: ``distributed`` is not installed.
        MachineError: a worker has other versions than this machine.
    """
    if address is None:
        yield LOCAL
        return
    if "://" not in address:
        raise AddressError(f"a Dask scheduler has an address like tcp://host:8786, got {address!r}")
    need("cluster")
    from modmul.tools.cluster import Cluster  # noqa: PLC0415 (distributed is an extra, and slow to import)

    with Cluster(address) as cluster:
        if not cluster.threads:
            tell(f"{address} has no workers yet; waiting for the first")
        yield cluster
