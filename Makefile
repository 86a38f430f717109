# SPDX-License-Identifier: Apache-2.0
# Works from a fresh clone: each target first installs what it needs, once (tools/bootstrap.sh).

# The interpreter to make .venv with: make PYTHON=python3.13 test. More for pytest: make test ARGS="-k doctor".
PYTHON ?=
ARGS ?=
# The folder with checkouts of others' cores.
PEERS ?= ../peers
export PYTHON

BIN := .venv/bin
UV := uv==0.13.8
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal --durations 10

.PHONY: help venv formal coverage leakage mutation netlists vectors faults soak system-run system-test system-long docs test long bench powers demo measurements peers waves readme orders tutorial manifests registers lint lock clean
.NOTPARALLEL:

help:
	@echo "make test    the test suite           make long    the tests that take minutes"
	@echo "make demo    see it work              make lint    ruff and mypy"
	@echo "make docs    the documentation as a site, in build/site"
	@echo "make venv    only install             make lock    renew requirements.lock"
	@echo "make formal  prove what docs/proofs.md says, and write its tables"
	@echo "make coverage   what the checks reach, and the tables of docs/coverage.md"
	@echo "make leakage    what simulated power tells of secrets, and the tables of docs/leakage.md"
	@echo "make mutation   whether the checks find mutants of every module, and the tables of docs/mutation.md"
	@echo "make soak    10^8 multiplications on random builds of every core (ARGS=\"--minutes 10\"), docs/verification.md"
	@echo "make netlists   check what synthesis makes, and the table of docs/verification.md"
	@echo "make vectors    published vectors on simulated hardware, and the tables of docs/verification.md"
	@echo "make faults  10,000 flipped bits in RSA with CRT, and the tables of docs/verification.md"
	@echo "make bench   speeds, printed          (LOCK_ARGS=--upgrade: newest versions)"
	@echo "make powers  exponentiation on every core, beside the papers (ARGS=\"--width 512\": of 512 bits)"
	@echo "make clean   remove build products    make manifests: renew modmul.core and Bender.yml"
	@echo "make measurements   renew those that come with the package (ARGS=--check: say which are stale)"
	@echo "make peers PEERS=DIR   measure others' cores from checkouts of theirs (examples/peers)"
	@echo "make waves   record anew the small multiplications that the page shows, where they are stale"
	@echo "make registers   what comes from src/modmul/bus/registers.rdl; HTML in build/registers"
	@echo "make readme  write the README's tables and picture from them"
	@echo "make tutorial   write what the commands of docs/engine-tutorial.md print"

system-run system-test system-long: system-%:
	@tools/bootstrap.sh system $*

venv:
	@tools/bootstrap.sh venv

test: system-test venv
	$(PYTEST) -m "not long" $(ARGS)

long: system-long venv
	$(PYTEST) -m long $(ARGS)

powers: system-run venv
	$(BIN)/python benchmarks/powers.py $(ARGS)

bench: system-run venv
	$(BIN)/python benchmarks/speed.py

demo: system-run venv
	$(BIN)/modmul demo

measurements: system-run venv
	$(BIN)/python tools/measurements.py $(ARGS)

peers: system-run venv
	$(BIN)/python examples/peers/measure.py "$(PEERS)" $(ARGS)

waves: system-run venv
	$(BIN)/python tools/waves.py $(ARGS)

# Unbounded proofs, docs/proofs.md; what is known is not proven again (ARGS="CORE …": of some cores).
formal: venv
	$(BIN)/python tools/proofs.py $(ARGS)

# What the checks reach, docs/coverage.md; what is known is not run again (ARGS="CORE …": of some cores).
coverage: system-run venv
	$(BIN)/python tools/coverage.py $(ARGS)

# Fixed against random, docs/leakage.md; what is known is not run again (ARGS="TEXT": runs with this in their command).
leakage: system-run venv
	$(BIN)/python tools/leakage.py $(ARGS)

# Mutants of every module, docs/mutation.md; what is known is not run again (ARGS="CORE …": of some cores).
mutation: system-run venv
	$(BIN)/python tools/mutation.py $(ARGS)

# Random builds of every core for hours, docs/verification.md; what was done before counts (ARGS="CORE …").
soak: system-run venv
	$(BIN)/python tools/soak.py $(ARGS)

# The netlists of cores for chip families; what is known is not run again (ARGS="--chip CHIP CORE …": of some).
netlists: system-run venv
	$(BIN)/python tools/netlists.py $(ARGS)

# Published vectors on simulated hardware, docs/verification.md; what is known is not run again (ARGS=--every: more).
vectors: system-run venv
	$(BIN)/python tools/vectors.py $(ARGS)

# Flipped bits in RSA with CRT, docs/verification.md; what is known is not run again (ARGS="TEXT": runs with this).
faults: system-run venv
	$(BIN)/python tools/faults.py $(ARGS)

readme: venv
	$(BIN)/python tools/readme.py

tutorial: system-run venv
	$(BIN)/python tools/tutorial.py

orders: venv
	$(BIN)/python tools/orders.py $(ARGS)

registers: venv
	$(BIN)/python tools/registers.py

docs: venv
	$(BIN)/python tools/site.py

lint: venv
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# One lock for every Python from 3.11 on; what builds the package is pinned too.
lock:
	$$(tools/bootstrap.sh python) -m venv --clear build/uv
	build/uv/bin/python -m pip --disable-pip-version-check install --quiet $(UV)
	build/uv/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	  >build/build-system.in
	build/uv/bin/python -m uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	  --generate-hashes --no-emit-index-url --custom-compile-command "make lock" --extra dev $(LOCK_ARGS) \
	  --output-file requirements.lock pyproject.toml build/build-system.in

# The cores for FuseSoC and Bender.
manifests: venv
	$(BIN)/python tools/manifests.py

clean:
	rm -rf build .pytest_cache .mypy_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
