# Everything that one types here. `make run` and `make test` work from an empty checkout.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell command -v python3.11 || command -v python3)

.PHONY: setup run test lint bench lock

setup: $(VENV)/.development

# What runs and what develops are two locks; a stamp tells that one is installed. pip checks the hash of every file.
$(VENV)/.runtime: requirements.txt | $(VENV)/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $<
	@touch $@

$(VENV)/.development: requirements-dev.txt | $(VENV)/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r $<
	@touch $@ $(VENV)/.runtime

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' \
	  || { echo "Headroom needs Python 3.11. Say where it is: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

# exec: the supervisor itself gets the Ctrl-C.
run: $(VENV)/.runtime
	@exec $(BIN)/python manage.py up

# Tests that start and kill processes share one group, so that they run one after the other. The engine is compiled
# once before, not by each of the test processes. These keep the bytecode of the tests, whatever is wished elsewhere: to
# rewrite all of them takes each process twice as long as to load them.
test: setup
	$(BIN)/python manage.py warm_engine
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest --numprocesses 2 --dist loadgroup

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python scripts/house_limits.py
	$(BIN)/python scripts/compose_check.py

# What it wrote becomes the page of speed by `python -m scripts.speed_snapshot`.
bench: setup
	$(BIN)/python -m pytest tests/bench -m "" --benchmark-only --benchmark-sort=name --benchmark-json=var/bench.json

# The locks hold the hash of every file; --universal so that one lock serves every platform.
lock: setup
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate requirements.in -o requirements.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate requirements-dev.in -c requirements.txt -o requirements-dev.txt
