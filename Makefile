# The menu. Every target sets up what it needs in .venv first.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
WORKERS ?= 2

.PHONY: help install train demo test check laws certificates docs playground wheel bench clean

help:
	@echo "make install | train | demo | test | check | laws | docs | playground | wheel | bench | clean"

install: $(VENV)/installed

$(VENV)/installed: pyproject.toml setup.py
	$(PYTHON) scripts/python_version.py
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

# What the trainer stands on, with a torch for CPUs.
train: $(VENV)/trains

$(VENV)/trains: $(VENV)/installed
	$(BIN)/python -m pip install --quiet 'torch==2.13.0'
	$(BIN)/python -m pip install --quiet --editable '.[train]'
	touch $@

demo: install
	$(BIN)/rlgym demo

test: install
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy rlgym scripts

laws: install
	$(BIN)/rlgym check --all --workers $(WORKERS)

certificates: install
	$(BIN)/rlgym check --all --workers $(WORKERS) --seconds 20 --json > docs/certificates.json.new
	mv docs/certificates.json.new docs/certificates.json

docs: install
	$(BIN)/python scripts/catalogue.py
	$(BIN)/python scripts/adapters_table.py
	$(BIN)/mkdocs build --strict --quiet

# The catalogue with its page as files, for any host of static files.
playground: install
	$(BIN)/rlgym playground build --out build/playground --workers $(WORKERS)

wheel: install
	$(BIN)/python scripts/wheel_test.py

bench: install
	$(BIN)/rlgym bench

clean:
	rm -rf build dist site docs/catalogue demo *.egg-info
