# Two targets for a newcomer: `make demo` and `make test`. Both set up .venv inside the clone first.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -q

.PHONY: demo test lint types floors unit accuracy clean

demo: $(VENV)/.demo
	$(BIN)/citeproof verify examples/references.bib --fail-on never

test: lint types floors unit

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

floors: $(VENV)/.dev
	$(BIN)/lint-imports --cache-dir .import_linter_cache

unit: $(VENV)/.dev
	$(BIN)/pytest -n auto

accuracy: $(VENV)/.dev
	$(BIN)/pytest -m accuracy -s tests/accuracy

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "citeproof needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install 'pip>=25.1'

$(VENV)/.demo: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e .
	touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[online]' --group dev
	touch $@

clean:
	rm -rf $(VENV) build dist artefacts .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
