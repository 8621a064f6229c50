# Everything there is to set up and run. `make` alone lists the targets.
# Stamps in .venv say what is installed; a change of pyproject.toml or constraints.txt installs again.

SHELL := /bin/bash
BIN := .venv/bin
SETUP := pyproject.toml constraints.txt scripts/setup.sh
ARTICLES := speculative-decoding speculative-decoding-pricing

# GiB of KV cache on a CPU (a GPU ignores it); nothing here may ask a model hub or report usage.
export VLLM_CPU_KVCACHE_SPACE ?= 2
export HF_HUB_OFFLINE = 1
export VLLM_NO_USAGE_STATS = 1
# What python3 is called, where it is not python3: make PYTHON=python3.12 article
export PYTHON

.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help setup demo article test test-slow lint format lock site bench clean distclean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/.core .venv/.engine ## install what everything but the tests needs

demo: .venv/.core .venv/.engine ## run the small benchmark on this machine and build its article (10 minutes at most)
	@bash scripts/demo.sh

article: .venv/.core ## build this project's article and pricing document under build/
	@$(BIN)/ledger article build $(ARTICLES) --out build

test: .venv/.core .venv/.dev .venv/.engine ## run every test, the real engine included
	@echo "Running the tests: this takes minutes, the real engine the most of them."
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest $(ARGS)

test-slow: .venv/.core .venv/.dev .venv/.engine ## the tests and the long sweeps
	@PATH="$(CURDIR)/$(BIN):$$PATH" LEDGER_SLOW=1 $(BIN)/python -m pytest $(ARGS)

lint: .venv/.core .venv/.dev ## style, types and the direction of imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: .venv/.core .venv/.dev ## lay the code out and mend what ruff can mend
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

lock: .venv/.core .venv/.dev ## write constraints.txt from what .venv holds
	@$(BIN)/python scripts/lock.py

site: .venv/.core .venv/.dev ## build the documentation under build/docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo build/docs/index.html

bench: .venv/.core .venv/.dev .venv/.engine ## measure the product's own speed and memory against its peers (half an hour)
	@$(BIN)/python -m benchmarks

clean: ## remove what was built; .venv stays
	@rm -rf build dist .ledger .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

distclean: clean ## remove .venv too
	@rm -rf .venv

.venv/.core: $(SETUP)
	@bash scripts/setup.sh core

.venv/.dev: $(SETUP) | .venv/.core
	@bash scripts/setup.sh dev

.venv/.engine: $(SETUP) | .venv/.core
	@bash scripts/setup.sh engine
