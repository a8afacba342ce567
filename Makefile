# `make run` and `make test` are all there is to set up: both make their own virtual environment in .venv.
PYTHON ?= python3
HOST ?= 0.0.0.0
PORT ?= 8000
# HTTPS=1 serves HTTPS, with a certificate that phones trust once.
HTTPS ?=
TESTS ?=

# Every branch of the scoring core is tested by its own tests, or `make test` fails. The others run without being watched:
# that would take them twice as long.
COVER := --cov=scorekeeper.scoring --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100
# Bytecode is kept, whatever the environment says: the tests start hundreds of processes, each of which would compile
# the program, and pytest the tests.
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n 2 --dist worksteal

# What is slow and rarely breaks is left to `make test-all`, which CI runs.
LEFT_OUT := -m "not slow"

BIN := .venv/bin
# Nothing is installed again until one of these is newer than the stamp.
WANTED := pyproject.toml Makefile

.PHONY: run test test-all lint bench lighthouse strings clean

run: .venv/installed
	@exec $(BIN)/scorekeeper run --host "$(HOST)" --port "$(PORT)" $(if $(filter-out 0,$(HTTPS)),--https)

test: .venv/installed-for-tests lint
	@$(BIN)/python -m tests.find_browser
ifeq ($(TESTS),)
	$(PYTEST) tests/scoring $(LEFT_OUT) $(COVER)
	$(PYTEST) tests --ignore=tests/scoring $(LEFT_OUT)
else
	$(PYTEST) $(TESTS)
endif

test-all: LEFT_OUT :=
test-all: test

lint: .venv/installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/installed-for-tests
	$(BIN)/python -m bench
	$(BIN)/python -m bench --database postgresql
	$(BIN)/python -m bench.live
	$(BIN)/python -m bench.live --database postgresql

# Not part of the tests: it needs Node, and a machine that does nothing else meanwhile.
lighthouse: .venv/installed-for-tests
	@$(BIN)/python -m tests.find_browser
	$(BIN)/python -m bench.lighthouse

# Every visible sentence with its place, to be read from top to bottom.
strings: .venv/installed-for-tests
	@$(BIN)/python -m tools.strings

clean:
	rm -rf .venv build dist .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Scorekeeper needs Python 3.11 or newer: make run PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -m venv .venv || { rm -rf .venv; \
		echo "The virtual environment could not be made; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }

.venv/installed: $(WANTED) | $(BIN)/python
	@echo "Installing what the scorekeeper needs (the first time only) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

.venv/installed-for-tests: $(WANTED) | $(BIN)/python
	@echo "Installing what the tests need (the first time only) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1' # knows dependency groups
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group test
	@touch .venv/installed $@
