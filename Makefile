# runoff: everything a developer types. `make` alone lists the targets.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

# Bytecode is written here, on all processors, and not by pip, one file after another. It is written even where Python
# is told not to, so that start-up times are real. A file that does not compile is somebody's sample of bad syntax.
COMPILE = $(BIN)/python -m compileall -qq -j 0

# Folders that exist already; a new one joins the checks by itself.
CODE   := $(wildcard src studies tests scripts benchmarks examples setup.py)
TYPED  := $(wildcard src studies tests scripts benchmarks setup.py)
READER := $(wildcard src/runoff/rows/compiled/*.c src/runoff/rows/compiled/*.h)

# pip takes its pins from one file, also for the tools that build the package.
PIP_INSTALL = PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt

# Is there a C compiler, and are there the headers of this Python?
CAN_COMPILE = command -v $(CC) >/dev/null \
	&& test -f "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h"

# A file stays on one processor, so that what it sets up once is set up once. Bytecode of rewritten tests is kept.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist loadfile -q

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv demo serve test test-programs coverage golden check format format-check lint types imports docs site proof bench \
	constraints requirements compiled clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "runoff needs Python 3.11 or newer; choose one with: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml setup.py constraints.txt | $(BIN)/python
	$(PIP_INSTALL) -e '.[dev]'
	-@$(COMPILE) $(VENV)/lib
	@touch $@

# An installation goes on without the compiled reader if it cannot be built. Here it has to build if anything can.
$(VENV)/.reader: $(READER) $(VENV)/.installed
	@if $(CAN_COMPILE); then \
		echo "building the compiled reader"; \
		RUNOFF_READER=required $(PIP_INSTALL) --no-deps -e .; \
	else \
		echo "no C compiler ($(CC)) or no Python.h: runoff will read files with its slower reference implementation"; \
		rm -f src/runoff/rows/_compiled*.so; \
	fi
	@touch $@

$(VENV)/.peers: $(VENV)/.installed
	$(PIP_INSTALL) -e '.[dev,peers]'
	-@$(COMPILE) $(VENV)/lib
	@touch $@

compiled: $(VENV)/.reader
	@$(BIN)/python -m compileall -q $(wildcard src benchmarks)

venv: compiled ## Make the virtual environment in .venv

demo: venv ## Simulate a leaderboard with a known truth and write its report
	$(BIN)/runoff demo

serve: venv ## Serve the demo's leaderboard at http://127.0.0.1:8000
	@test -f runoff-demo/board.toml || $(BIN)/runoff demo --quiet
	$(BIN)/runoff serve --database sqlite:///runoff-demo/server.db --folder runoff-demo/server \
		--board runoff-demo/board.toml

test: venv ## Run the tests that need Python alone, on all processors; warnings are errors
	$(PYTEST)

test-programs: venv ## Run the tests that need PostgreSQL, a browser, a cluster or another program
	@scripts/system-packages
	$(PYTEST) -m '(postgresql or browser or cluster or program) and not proof'

coverage: venv ## Run the first tier of tests and write which lines they reach to htmlcov/
	$(PYTEST) --cov --cov-report=term --cov-report=html

golden: venv ## Renew the golden files and show what changed
	@$(BIN)/python -m scripts.golden

check: venv ## Run exactly what CI runs: format, lint, types, imports, docs, test, test-programs
	.ci/run

format: venv ## Rewrite the code in the agreed form
	$(BIN)/ruff check --select I --fix --quiet $(CODE)
	$(BIN)/ruff format $(CODE)

format-check: venv ## Fail if `make format` would change something
	$(BIN)/ruff format --check --diff $(CODE)

lint: venv ## Look for mistakes, in code and in words
	$(BIN)/ruff check $(CODE)
	$(BIN)/python -m scripts.check_words

types: venv ## Check the types
	$(BIN)/mypy $(TYPED)

imports: venv ## Check the layers: nothing imports upward
	$(BIN)/lint-imports

docs: venv ## Check the links, code blocks and list of pages in the documentation
	$(BIN)/python -m scripts.check_docs

site: venv ## Build the documentation site into site/
	$(BIN)/python -m mkdocs build --strict
	@echo "open site/index.html, or with a search: $(BIN)/python -m http.server --directory site"

proof: $(VENV)/.peers compiled ## Run the slow proofs
	@scripts/system-packages
	$(PYTEST) -m proof --hypothesis-profile=proof

bench: $(VENV)/.peers compiled ## Time runoff beside its peers
	$(BIN)/python -m benchmarks

requirements: ## Write the pins of a server with hashes to deploy/, from constraints.txt
	$(PYTHON) scripts/write_requirements.py

constraints: ## Pin the newest versions of all dependencies in constraints.txt
	$(PYTHON) scripts/write_constraints.py

clean: ## Remove the virtual environment, caches and build results
	rm -rf $(VENV) build dist htmlcov .coverage site src/*.egg-info src/runoff/rows/_compiled*.so .hypothesis \
		.import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
