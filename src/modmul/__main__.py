# SPDX-License-Identifier: Apache-2.0
"""``python -m modmul`` is ``modmul``."""

from modmul.cli import main

if __name__ == "__main__":
    main()
