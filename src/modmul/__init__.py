# SPDX-License-Identifier: Apache-2.0
"""modmul: modular-multiplier hardware behind one port list, proven, measured and exported."""

from importlib.metadata import version

__version__ = version("modmul")
