# Partwise: `make run` starts it, `make test` checks it, `make` lists the rest.

VENV_PYTHON := .venv/bin/python
# Run through the interpreter, not through .venv/bin/*: those scripts hold the absolute
# path they were made with, which breaks when the folder is moved or has spaces in it.
RUN := $(VENV_PYTHON) -m

# Optional: make run PORT=9000, make test PYTEST="-k nmf", make run PYTHON=/path/to/python3
# With PYTEST, whose tests are to answer at once, `make test` leaves out what `make lint` does.
PORT ?=
PYTEST ?=
PYTHON ?=
export PYTHON
# The tests start hundreds of processes, each of which would compile all of this anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run test lint checks bench screenshots docs lock clean runtime dev node chromium postgres nginx

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 22

run: runtime ## install what is needed and start Partwise (PORT=... to choose the port)
	@$(RUN) streamlit run app.py $(if $(strip $(PORT)),--server.port $(PORT))

# The checks run beside the tests and fill the gaps in which these wait.
test: dev node chromium postgres nginx ## check style, types and layers, and run every test (PYTEST="-k nmf": these tests alone)
ifeq ($(strip $(PYTEST)),)
	@$(RUN) scripts.side_by_side $(VENV_PYTHON) -m scripts.second_look -n auto -- $(MAKE) --no-print-directory checks
else
	@$(RUN) pytest $(PYTEST)
endif

lint: dev node checks ## check style, types and layers only

checks:
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(VENV_PYTHON) -c "from importlinter.cli import lint_imports_command; lint_imports_command()" --no-logo
	@node_modules/.bin/tsc
	@node_modules/.bin/eslint ui/static tests/static
	@node --test --test-reporter=dot tests/static/*.test.js
	@$(RUN) mypy

bench: dev ## measure speed, memory and load
	@$(RUN) benchmarks

screenshots: dev chromium ## take the screenshots anew
	@$(RUN) benchmarks.screenshots

docs: dev ## write the method and data tables into README.md, and draw the layers
	@$(RUN) experiments list --write-readme README.md
	@$(RUN) scripts.layers

lock: dev ## make the lock files anew after a requirements file has changed
	@$(RUN) scripts.lock

clean: ## remove .venv, node_modules and every cache; runs and uploads stay
	@rm -rf .venv node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

runtime:
	@scripts/venv.sh requirements.lock
	@$(RUN) scripts.compile_kernels

dev:
	@scripts/venv.sh requirements-dev.lock

node: dev
	@$(RUN) scripts.node --install

chromium: dev
	@$(RUN) scripts.chromium --install

postgres: dev
	@$(RUN) scripts.postgres --install

nginx: dev
	@$(RUN) scripts.nginx --install
