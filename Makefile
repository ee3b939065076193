.DEFAULT_GOAL := help
# agent, tools, code and tests are folders too: without .PHONY make would call them up to date.
.PHONY: help setup chat ask test tests lint check smoke serve
.PHONY: test-long test-faults test-gguf load foreign audit pyright
.PHONY: break
.PHONY: mutants smoke-mutants
.PHONY: eval bench-retrieval cluster-test
.PHONY: bench bench-context bench-offline bench-peers bench-start bench-tools

PYTHON := .venv/bin/python
STAMP := .venv/made
PORT ?= 8090
NAME ?= hotpotqa100
EXAMPLES ?= 20000
Q ?= invoice export steps and permission
# The question reaches the shell through the environment, and := keeps a $ in it as it was typed.
override Q := $(value Q)
export Q

# An environment of another folder, or whose Python has gone, is made anew.
ifneq "$(shell test -x $(PYTHON) && cat $(STAMP) 2>/dev/null)" "$(CURDIR)"
.PHONY: $(STAMP)
endif

# The path that finds this checkout is written relative: Python reads that file in the encoding of the
# locale, and a folder may have a name that it lacks.
define RELATIVE
import os, pathlib, sysconfig
packages = pathlib.Path(sysconfig.get_path("purelib"))
for path in packages.glob("*bareloop*.pth"):
    path.write_text(os.path.relpath(os.getcwd(), packages) + chr(10), "ascii")
endef
export RELATIVE

LATER := Check the connection and the proxy, then try again.

# A program in an environment of its own: $(call fetched,FOLDER,PROGRAM,PACKAGE).
fetched = test -x .venv/$(1)/bin/$(2) \
	|| { $(PYTHON) -m venv .venv/$(1) && .venv/$(1)/bin/pip install --quiet --disable-pip-version-check $(3) 2> .venv/$(1)/errors; } \
	|| { echo "$(2) could not be installed (.venv/$(1)/errors says why). $(LATER)" >&2; exit 1; }

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## make .venv with everything locked in constraints.txt (first step; needs Python 3.11 or later)

chat: $(STAMP) ## talk with the agent
	@.venv/bin/bareloop chat

ask: $(STAMP) ## answer one question: make ask Q="..."
	@.venv/bin/bareloop ask -- "$$Q"

test: $(STAMP) ## run the tests, no key and no network needed: make test ARGS="-k loop"
	@env -u PYTHONWARNINGS PYTHONUTF8=1 $(PYTHON) -m pytest $(ARGS)

test-long: $(STAMP) ## the property tests with many examples: make test-long EXAMPLES=20000
	@env -u PYTHONWARNINGS PYTHONUTF8=1 PROPERTY_EXAMPLES=$(EXAMPLES) $(PYTHON) -m pytest tests/properties $(ARGS)

tests: test ## the same as test

lint: $(STAMP) ## ruff, formatting, types and bandit
	@$(PYTHON) -m ruff check
	@$(PYTHON) -m ruff format --check
	@$(PYTHON) -m mypy
	@$(PYTHON) -m bandit -q -c pyproject.toml -r agent tools

check: lint test ## lint and test

smoke: $(STAMP) ## hold the scripted conversations in tests/smoke: make smoke ARGS="-k invoice"
	@.venv/bin/bareloop smoke tests/smoke $(ARGS)

serve: $(STAMP) ## the offline Gemini on this machine: make serve PORT=8090
	@.venv/bin/bareloop serve --port $(PORT)

break: $(STAMP) ## break a line of the loop: make break lists, make break N=5
	@.venv/bin/bareloop break $(if $(N),"$(N)") $(ARGS)

bench: $(STAMP) ## what a step costs, against the course's loop on the same SDK
	@$(PYTHON) tests/benchmarks/steps.py $(ARGS)

bench-context: $(STAMP) ## tokens of a question with filter_context and without, and its break-even
	@$(PYTHON) tests/benchmarks/context_growth.py

eval: $(STAMP) ## measure single and loop on a question set: make eval DATA=FOLDER NAME=hotpotqa100
	@.venv/bin/bareloop eval "$(NAME)" --data "$(DATA)" $(ARGS)

bench-peers: $(STAMP) ## the same with the loops of langchain, google-adk and pydantic-ai (downloads them)
	@for peer in "langchain langchain langchain-google-genai" "adk google-adk" "pydantic-ai pydantic-ai-slim[google]"; do \
	  set -- $$peer; name=$$1; shift; \
	  test -f .peers/$$name/made && continue; \
	  python3 -m venv --clear .peers/$$name && .peers/$$name/bin/pip install --quiet --disable-pip-version-check "$$@" \
	    2> .peers/$$name/errors && touch .peers/$$name/made \
	    || { echo "$$name could not be installed (.peers/$$name/errors says why). $(LATER)" >&2; exit 1; }; \
	done
	@$(PYTHON) tests/benchmarks/steps.py --peers .peers $(ARGS)

bench-tools: $(STAMP) ## slow tools of one turn side by side, and Ctrl-C while they wait
	@$(PYTHON) tests/benchmarks/side_by_side.py

bench-offline: $(STAMP) ## the offline Gemini in process and over HTTP
	@$(PYTHON) tests/benchmarks/offline_protocol.py

bench-start: $(STAMP) ## seconds of --help, of ask and to the first prompt, against python -c pass
	@$(PYTHON) tests/benchmarks/start.py

cluster-test: $(STAMP) ## the search server for real: two nodes of OpenSearch (needs Java 17 and Maven)
	@env -u PYTHONWARNINGS PYTHONUTF8=1 $(PYTHON) -m pytest -s --show-capture=no tests/cluster/on_two_nodes.py $(ARGS)

test-faults: $(STAMP) ## over 1,000 questions over a line that resets, delays, truncates, corrupts
	@env -u PYTHONWARNINGS PYTHONUTF8=1 $(PYTHON) -m pytest -s --show-capture=no tests/faults/thousand_questions.py $(ARGS)

audit: $(STAMP) ## known faults of the locked packages (asks the package index; pip-audit in .venv/audit)
	@$(call fetched,audit,pip-audit,pip-audit)
	@.venv/audit/bin/pip-audit --strict --no-deps --disable-pip -r constraints.txt 2> .venv/audit/errors; status=$$?; \
	if grep -q '^Traceback' .venv/audit/errors; then \
	  echo "Not audited: the package index did not answer (.venv/audit/errors says why). $(LATER)" >&2; \
	else cat .venv/audit/errors >&2; fi; exit $$status

pyright: $(STAMP) ## types once more, by pyright strict (basedpyright in .venv/pyright, which brings its node)
	@$(call fetched,pyright,basedpyright,basedpyright==1.40.2)
	@.venv/pyright/bin/basedpyright --pythonpath $(PYTHON) $(ARGS)

smoke-mutants: $(STAMP) ## each script of tests/smoke fails when what it pins is broken
	@$(PYTHON) tests/smoke_mutants.py $(ARGS)

test-gguf: $(STAMP) ## 20 questions to a real small model: make test-gguf ARGS=FILE (extra gguf)
	@$(PYTHON) tests/offline/with_a_real_model.py $(ARGS)

mutants: $(STAMP) ## small faults in the core, and whether a test notices: make mutants ARGS="--sample 60"
	@$(PYTHON) tests/mutants.py $(ARGS)

load: $(STAMP) ## 200 conversations at once for a minute, and 10,000 questions in one process
	@$(PYTHON) tests/benchmarks/load.py $(ARGS)

foreign: $(STAMP) ## the official SDKs for JavaScript, Go and Java against bareloop serve
	@$(PYTHON) tests/foreign/run.py $(ARGS)

bench-retrieval: $(STAMP) ## speed of the index, and its quality on question sets: DATA=FOLDER
	@$(PYTHON) tests/benchmarks/retrieval.py $(if $(DATA),--data "$(DATA)") $(ARGS)

$(STAMP): pyproject.toml constraints.txt
	@if test -x $(PYTHON) && test "$$(cat $@ 2>/dev/null)" = "$$(pwd -P)"; then exit 0; fi; \
	for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	  if $$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "Making .venv with $$($$python --version) ..."; \
	    $$python -m venv --clear .venv; exit $$?; \
	  fi; \
	done; \
	echo "bareloop needs Python 3.11 or later with its venv module (on Debian and Ubuntu: apt install python3-venv)." >&2; \
	exit 1
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r constraints.txt
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(PYTHON) -c "$$RELATIVE"
	@pwd -P > $@
	@echo 'Ready. Try: make ask'
