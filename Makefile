# The menu. Every target sets up what it needs in .venv first.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
WORKERS ?= 2
# Compiled modules are kept: otherwise every worker and every process that a test starts compiles them again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install package train demo test test-all test-slow check laws certificates docs playground wheel bench clean

help:
	@echo "make demo      play three episodes and build a small dataset (installs the package alone)"
	@echo "make test      unit tests, and every law on every environment with its least sample"
	@echo "make test-all  everything: slow tests and the further families of tasks too"
	@echo "make check | docs | laws | certificates | train | playground | wheel | bench | install | clean"

$(VENV)/bin/python:
	@command -v $(PYTHON) >/dev/null || { echo "rlgym needs Python 3.11 or newer, and there is no '$(PYTHON)'; try 'make PYTHON=python3.12 ...'"; exit 1; }
	@$(PYTHON) scripts/python_version.py
	$(PYTHON) -m venv $(VENV)

# The package and nothing else.
package: $(VENV)/package

$(VENV)/package: pyproject.toml setup.py | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# What the tests need, with a torch for CPUs. Modules are compiled when they are first imported: most of those of torch and transformers never are.
$(VENV)/tests: pyproject.toml setup.py | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile 'torch==2.13.0' --editable '.[test,train,lora]'
	touch $@

# Everything for development.
install: $(VENV)/installed

$(VENV)/installed: pyproject.toml setup.py | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

# What the trainer needs, with a torch for CPUs.
train: $(VENV)/trains

$(VENV)/trains: $(VENV)/installed
	$(BIN)/python -m pip install --quiet 'torch==2.13.0'
	$(BIN)/python -m pip install --quiet --editable '.[train,lora]'
	touch $@

demo: package
	$(BIN)/rlgym demo

# One thread for each worker: more of them wait for each other on the cores that the workers share.
test test-all test-slow: export OMP_NUM_THREADS ?= 1

# Samples are counts with fixed seeds: the same commit gets the same verdict on any machine.
test: $(VENV)/tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow"

test-all: $(VENV)/tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# What `make test` leaves out.
test-slow: $(VENV)/tests
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m slow

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy rlgym scripts

laws: install
	$(BIN)/rlgym check --all --workers $(WORKERS)

# The certificates that are not of the present version, with the largest samples; an interrupted run goes on where it stopped.
certificates: install
	$(BIN)/python scripts/certificates.py --workers $(WORKERS)

docs: install
	$(BIN)/python scripts/catalogue.py
	$(BIN)/python scripts/adapters_table.py
	$(BIN)/python scripts/systems.py
	$(BIN)/python scripts/readings.py
	$(BIN)/zensical build --strict --clean

# The catalogue with its page as files, for any host of static files.
playground: install
	$(BIN)/rlgym playground build --out build/playground --workers $(WORKERS)

wheel: install
	$(BIN)/python scripts/wheel_test.py

bench: install
	$(BIN)/rlgym bench

clean:
	rm -rf build dist site docs/catalogue demo *.egg-info
