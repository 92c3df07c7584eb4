# The doors into the project. `make` alone lists them; every target sets up .venv in this folder first.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -q
PORT   ?= 8092

SCHEMA := src/citeproof/report/results.schema.json

# Tests of what a process writes or how long it lives, which coverage changes by its own files and its slowness.
UNMEASURED := not a_full_disk and not a_reader_that_leaves and not costs_itself_and_is_listed and not killed_again

# Tests on all cores. What fails runs once more, one at a time: a fault fails again, a time limit on a busy machine does not.
tested = $(BIN)/pytest -n auto $(1) || { echo 'Once more, one at a time:'; $(BIN)/pytest --last-failed --last-failed-no-failures=none $(1); }

.PHONY: help demo serve test quick browser fix schema picture cover accuracy board replay lint types floors slow mutate release clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

demo: $(VENV)/.demo ## check examples/references.bib against the built-in sample
	$(BIN)/citeproof verify examples/references.bib --fail-on never

serve: $(VENV)/.demo ## run the search page on http://127.0.0.1:8092 (PORT=... for another)
	$(BIN)/citeproof serve --port $(PORT)

test: lint types floors quick ## style, types, floors and the tests without the slow ones; under five minutes

quick: $(VENV)/.dev ## the tests without the slow ones; PKG=validation for those of one package
	$(call tested,-m 'not slow and not accuracy' $(if $(PKG),$(or $(shell find tests -type d -name '$(PKG)'),$(error no tests of the package $(PKG)))))

browser: $(VENV)/.dev ## the pages in Debian's chromium
	$(call tested,-m browser)

fix: $(VENV)/.dev ## mend style and order of imports as far as ruff can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schema: $(VENV)/.demo ## write the JSON report's schema from its declaration in report/serialization.py
	$(BIN)/python -m citeproof.report.schema > $(SCHEMA).new
	mv $(SCHEMA).new $(SCHEMA)

picture: $(VENV)/.demo ## draw docs/picture.svg, the report that the README shows
	$(BIN)/python -m tools.picture

cover: $(VENV)/.dev ## the tests with coverage; fails below the floor in pyproject.toml
	$(BIN)/coverage erase
	COVERAGE_FILE=$(CURDIR)/.coverage $(BIN)/coverage run -m pytest -n auto -m 'not slow and not accuracy' -k '$(UNMEASURED)'
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --skip-covered --sort=cover

accuracy: $(VENV)/.dev ## how often verdicts are right; fails below the pinned floors
	$(BIN)/pytest -m accuracy -s -rs tests/accuracy

board: $(VENV)/.dev ## every labelled set at hand in one table; docs/board.md has the last one
	$(BIN)/python -m tests.accuracy.board

replay: $(VENV)/.demo ## decide the kept evidence again; shows what a changed rule does
	$(BIN)/citeproof replay $(sort $(wildcard tests/data/evidence/*/*.jsonl))

lint: $(VENV)/.dev ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev ## types, strictly, for Linux, macOS and Windows
	$(BIN)/mypy
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin src
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 src

floors: $(VENV)/.dev ## who may import whom
	$(BIN)/lint-imports --cache-dir .import_linter_cache

slow: $(VENV)/.dev ## the slow tests: browser, crashes, floods, growth; the workflow runs them after `make test`
	$(BIN)/pytest -n auto -m 'slow and not accuracy'

mutate: $(VENV)/.dev ## change a package at random, and list what its tests do not notice; PKG=readers/strings COUNT=100 SEED=1
	$(BIN)/python -m tools.mutate $(PKG) --count $(or $(COUNT),100) --seed $(or $(SEED),1)

release: $(VENV)/.dev ## check, build and tag a release; VERSION=0.2.0 URL=https://host/owner/citeproof
	$(BIN)/python -m tools.release $(VERSION) $(URL)

clean: ## remove .venv and everything that tools left behind
	rm -rf $(VENV) build dist artefacts .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -f .coverage .coverage.*

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "citeproof needs Python 3.11 or newer; make PYTHON=python3.12 names another one")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install 'pip>=25.1'

$(VENV)/.demo: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[bulk,lsp,mcp,postgres]' --group dev
	@touch $@
