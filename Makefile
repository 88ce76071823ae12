# `make tour` shows what cpsolve does; `make test` proves it. Both set up .venv by themselves.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MINUTES ?= 30
SAMPLE ?= 300
SEED ?= $(shell date +%s)

.PHONY: tour page test browser fuzz interrupts coverage mutants matrix lock audit lint types kernels pictures docs dist benchmarks clean

tour: $(READY)
	@$(BIN)/cpsolve tour
	@echo "To type cpsolve in this shell: source $(BIN)/activate   (or run $(BIN)/cpsolve)"

page: $(READY)
	@$(BIN)/cpsolve serve --open

# what is compiled once is compiled while lint and types are looked at
test: $(READY)
	@$(MAKE) --no-print-directory --jobs 2 --output-sync lint types kernels
	$(BIN)/python -m pytest -n 2

kernels: $(READY)
	@$(BIN)/cpsolve warm-up

# random trials against something that cannot be fooled, all programs by turns; RESUME=FILE goes on with a run that was stopped
fuzz: kernels
	$(BIN)/python -m fuzz --minutes $(MINUTES) --seed $(SEED) $(if $(RESUME),--resume $(RESUME))

# Ctrl-C 200 times at random moments of every long call
interrupts: $(READY)
	$(BIN)/python -m tests.interrupts --times 200

# in a real browser; what is missing is installed where that can be done, else the tests say why they are skipped
browser: $(READY)
	@tests/browser/install $(BIN)
	$(BIN)/python -m pytest -rs tests/browser

# branches of what decides whether an answer is right: 95% or more must be gone through; `make mutants` starts from what this wrote down
coverage: kernels
	$(BIN)/python -m pip install --quiet --disable-pip-version-check coverage pytest-cov --editable '.[counting]'
	$(BIN)/python -m tests.mutants.record

# small wrong changes of the same code, a sample of them: the tests must notice 90%; the same SEED goes on with a run that was stopped
mutants: kernels
	$(BIN)/python -m pip install --quiet --disable-pip-version-check coverage pytest-cov --editable '.[counting]'
	$(BIN)/python -m tests.mutants --sample $(SAMPLE) --seed $(SEED)

# every interpreter that is here, oldest and newest packages, single extras; ROWS="oldest" for some of it, PYTHONS="FILE …" for interpreters elsewhere
matrix: $(READY)
	$(BIN)/python -m tests.matrix $(ROWS) $(PYTHONS:%=--python %)

# requirements.lock: the versions with which the project was last tested; `make LOCKED=1 …` installs those
lock: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile pyproject.toml --extra test --extra browser --extra docs --extra counting --universal --python-version 3.11 \
		--no-header --no-annotate --upgrade --quiet --output-file requirements.lock

# known weaknesses of the locked versions; needs the network: a package that cannot be looked up is an error (--strict), else nothing would pass for fine
audit: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/pip-audit --strict --requirement requirements.lock --no-deps --disable-pip

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

pictures: $(READY)
	$(BIN)/python docs/pictures.py

# the site, in build/site; a warning or a link that leads nowhere is an error
docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo build/site/index.html

# a release in dist/; with REPOSITORY=https://… the links of the README work on a package index too
dist: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	CPSOLVE_REPOSITORY='$(REPOSITORY)' $(BIN)/python -m build

benchmarks: $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[benchmarks]'
	$(BIN)/python -m benchmarks

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15) and "cpsolve needs Python 3.11 to 3.14; run make PYTHON=python3.11 (or up to 3.14)")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]' $(if $(LOCKED),--constraint requirements.lock)
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
