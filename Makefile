# mailgm: two commands do everything, `make demo` and `make test`.

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python

GAME     ?= dracula
ROUNDS   ?= 1
PLAYERS  ?=
OUT      ?= demo-out
VARIANT  ?= dracula
N        ?= 1000

.PHONY: demo test lint types services bench fuzz lock example clean help

help:
	@echo "make demo [GAME=dracula] [PLAYERS=13] [ROUNDS=1]   watch a whole game by real mail on this machine"
	@echo "make test                                          run everything: lint, types, tests"
	@echo "make bench                                         measure speed against floors of the same run"
	@echo "make fuzz VARIANT=dracula N=1000                   random games with every invariant checked"
	@echo "make lock [UPGRADE=--upgrade]                      pin the dependencies of pyproject.toml, with their hashes"
	@echo "make example                                       write config.example.toml from mailgm/config.py"

# The environment is made anew when the lock file or the project's metadata changes.
$(VENV)/run.done: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "mailgm needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(RUN):
	$(PYTHON) -m venv $(VENV)

$(VENV)/dev.done: requirements-dev.lock $(VENV)/run.done
	$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

demo: $(VENV)/run.done
	$(RUN) -m mailgm demo --game $(GAME) --rounds $(ROUNDS) $(if $(PLAYERS),--players $(PLAYERS)) --out $(OUT)

services:
	sh scripts/setup-services.sh

lint: $(VENV)/dev.done
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

types: $(VENV)/dev.done
	$(RUN) scripts/check_types.py

test: $(VENV)/dev.done services lint types
	$(RUN) -m pytest -n 2 --dist loadgroup

bench: $(VENV)/dev.done
	$(RUN) -m benchmarks

fuzz: $(VENV)/dev.done
	$(RUN) -m tests.fuzz $(VARIANT) -n $(N)

lock: | $(RUN)
	$(RUN) -m pip install --quiet --disable-pip-version-check uv
	$(RUN) -m uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-annotate --custom-compile-command "make lock" --extra demo --extra build $(UPGRADE) -o requirements.lock
	$(RUN) -m uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-annotate --custom-compile-command "make lock" --all-extras $(UPGRADE) -o requirements-dev.lock

# config.example.toml is written from the declarations in mailgm/config.py.
example: $(VENV)/run.done
	$(RUN) -m mailgm init --example > config.example.toml

clean:
	rm -rf $(VENV) build dist demo-out .pytest_cache .mypy_cache .ruff_cache
