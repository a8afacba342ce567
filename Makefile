# `make run` and `make test` are all there is to set up: both make their own virtual environment in .venv.
PYTHON ?= python3
HOST ?= 0.0.0.0
PORT ?= 8000
# HTTPS=1 serves HTTPS, with a certificate that phones trust once.
HTTPS ?=
TESTS ?=

# Every branch of the scoring core is tested by its own tests, or `make test-all` fails. Others run without being watched:
# that takes twice as long.
COVER := --cov=scorekeeper.scoring --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100
# Bytecode is kept, whatever the environment says: the tests start hundreds of processes, each of which would compile
# the program, and pytest the tests.
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n 2 --dist worksteal

BIN := .venv/bin
# Nothing is installed again until one of these is newer than the stamp.
WANTED := pyproject.toml Makefile
LOCK := tests/requirements.txt

.PHONY: run test test-all lint lock bench lighthouse strings clean

run: .venv/installed
	@exec $(BIN)/scorekeeper run --host "$(HOST)" --port "$(PORT)" $(if $(filter-out 0,$(HTTPS)),--https)

test test-all: .venv/installed-for-tests lint

test:
	@$(BIN)/python -m tests.find_browser
ifeq ($(TESTS),)
	$(PYTEST) tests -m "not slow"
else
	$(PYTEST) $(TESTS)
endif

test-all: export HYPOTHESIS_PROFILE ?= ci
test-all:
	@$(BIN)/python -m tests.find_browser
	$(PYTEST) tests/scoring $(COVER)
	$(PYTEST) tests --ignore=tests/scoring
	PATH="$(BIN):$$PATH" $(BIN)/python -m tests.ranges lowest
	PATH="$(BIN):$$PATH" $(BIN)/python -m tests.ranges newest

lint: .venv/installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# What the tests and lint are run with, written down anew: the newest versions that pyproject.toml allows.
lock: $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --group test --no-annotate --no-emit-index-url \
		--no-emit-find-links --custom-compile-command "make lock" --output-file $(LOCK) pyproject.toml

# All of it, also after a goal is missed; that fails at the end.
bench: .venv/installed-for-tests
	@missed=0; for module in bench bench.live; do for database in sqlite postgresql; do \
		echo "$$module, $$database"; $(BIN)/python -m $$module --database $$database || missed=1; \
	done; done; exit $$missed

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

.venv/installed-for-tests: $(WANTED) $(LOCK) | $(BIN)/python
	@echo "Installing what the tests need (the first time only) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement $(LOCK)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch .venv/installed $@
