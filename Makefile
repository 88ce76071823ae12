# `make tour` shows what cpsolve does; `make test` proves it. Both set up .venv by themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MINUTES ?= 30
SEED ?= $(shell date +%s)

.PHONY: tour test fuzz lint types pictures benchmarks clean

tour: $(READY)
	@$(BIN)/cpsolve tour

test: lint types
	$(BIN)/python -m pytest -n 2

fuzz: $(READY)
	$(BIN)/python -m fuzz models --minutes $(MINUTES) --seed $(SEED)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

pictures: $(READY)
	$(BIN)/python docs/pictures.py

benchmarks: $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[benchmarks]'
	$(BIN)/python -m benchmarks

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cpsolve needs Python 3.11 or newer; run make PYTHON=python3.11 (or newer)")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
