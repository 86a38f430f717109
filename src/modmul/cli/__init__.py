# SPDX-License-Identifier: Apache-2.0
"""The command line. It asks the library and prints; nothing is computed here."""

from modmul.cli.app import app, main

__all__ = ["app", "main"]
