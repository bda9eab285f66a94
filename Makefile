# The one entrance: people and CI run the same targets. `make` alone lists them.

PYTHON        ?= python3
GAMES         ?= 1000000
BENCH_SECONDS ?= 10
MUTANTS       ?= 300
WORKERS       ?= auto
NPM           ?= npm
LIGHTHOUSE    ?= lighthouse@12.8.2

VENV     := .venv
BIN      := $(VENV)/bin
FAST     := .venv-compiled
FAST_BIN := $(FAST)/bin
READY    := $(VENV)/.ready
BUILT    := $(FAST)/.built

BUILD_FILES := pyproject.toml setup.py
SOURCES     := $(shell find src -name '*.py' -o -name '*.po' -o -name py.typed)
CODE        := $(wildcard src tests tools benchmarks setup.py conftest.py)
DOCS        := $(wildcard *.md) docs
# Counting makes tests several times slower, so only those of rules and notation are counted.
COUNTED     := $(addprefix tests/,examples notation properties rules views)
# The browser client: its sources, what is generated for it, and where its built files go (vite.config.ts).
WEB         := web
NODE_READY  := $(WEB)/node_modules/.ready
WEB_WORDS   := $(WEB)/src/words/generated
WEB_TYPES   := $(WEB)/src/api/schema.ts
CATALOGUES  := $(wildcard src/cartagena/words/locale/*/LC_MESSAGES/*.po)

# setuptools packs whatever an earlier build left behind, so each wheel starts from an empty folder.
# Services that `make services` started live there too and stay.
FRESH_BUILD := find build -mindepth 1 -maxdepth 1 ! -name services -exec rm -rf {} + 2>/dev/null || true;

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup words compile clean check format types layers sizes test test-compiled examples coverage \
        docs-check perft soak mutants bench wheel train seats how-strong arena-bars bench-env bench-search \
        services test-server play-over-http faults contract bench-server \
        web web-generated web-types web-check web-budget test-web test-browser screens lighthouse

help:
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Build
setup: $(READY) words ## make .venv with the interpreted engine and every tool
words: $(CATALOGUES:.po=.mo) ## compile the catalogues of words that changed
compile: $(BUILT) ## make .venv-compiled with the engine compiled by mypyc (needs a C compiler)
wheel: web ## build the pages, and the pure and the compiled wheel into dist/
	$(FRESH_BUILD) rm -rf dist
	CARTAGENA_PAGES=1 CARTAGENA_COMPILE=0 $(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .
	$(FRESH_BUILD)
	CARTAGENA_PAGES=1 CARTAGENA_COMPILE=1 $(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .
	ls -l dist
clean: ## remove all that was built, both environments included
	rm -rf $(VENV) $(FAST) build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  .import_linter_cache .coverage htmlcov $(WEB)/node_modules $(WEB)/generated $(WEB)/screens \
	  $(WEB)/test-results src/cartagena/server/pages/files
	find $(WEB)/src -name generated -type d -prune -exec rm -rf {} +
	find $(wildcard src tests tools benchmarks) -name __pycache__ -prune -exec rm -rf {} +
	find src -name '*.so' -delete -o -name '*.pyd' -delete -o -name '*.mo' -delete

##@ Check
check: format types layers sizes ## all four below
format: $(READY) ## layout and lint (ruff)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
types: $(READY) ## types (mypy strict)
	$(BIN)/mypy $(CODE)
layers: $(READY) ## imports go downwards only (import-linter)
	$(BIN)/lint-imports --no-logo
sizes: $(READY) ## no file and no function too long to read
	$(BIN)/python tools/sizes.py $(CODE)

##@ Browser
web: web-generated ## build the pages for browsers into the package (needs Node.js 20)
	cd $(WEB) && $(NPM) run --silent check
	cd $(WEB) && $(NPM) run --silent build
	$(BIN)/python -m tools.browser_budget
web-generated: $(NODE_READY) setup ## write the words, lessons and sheets of icons that the pages are built from
	$(BIN)/python -m tools.browser_words $(WEB_WORDS)
	$(if $(wildcard tools/lessons.py),$(BIN)/python -m tools.lessons $(WEB)/src/learn/generated)
	cd $(WEB) && node scripts/sprite.js
web-types: $(NODE_READY) setup ## the types of messages in web/ are those that the service tells of
	$(BIN)/python -m tools.openapi_document $(WEB)/generated/openapi.json
	cd $(WEB) && TYPES=generated/schema.ts $(NPM) run --silent types
	diff -u $(WEB_TYPES) $(WEB)/generated/schema.ts || { echo 'cd $(WEB) && $(NPM) run types'; exit 1; }
web-check: web-generated ## layout, lint and types of web/ (prettier, eslint, svelte-check)
	cd $(WEB) && $(NPM) run --silent lint
	cd $(WEB) && $(NPM) run --silent check
	cd $(WEB) && npx tsc --project e2e/tsconfig.json
web-budget: setup ## weigh what a browser loads before a table can be played
	$(BIN)/python -m tools.browser_budget
test-web: web test-browser ## build the pages, then test them: without a browser, then whole games in one
test-browser: setup ## the tests of the pages as they are built now (E2E='--grep keyboard')
	cd $(WEB) && $(NPM) run --silent test
	cd $(WEB) && npx playwright test --project games $(E2E)
screens: setup ## pictures of every screen into web/screens: sizes, themes, languages
	cd $(WEB) && npx playwright test --project screens
lighthouse: setup ## measure the pages with Lighthouse (fetched by npx): fast, accessible, well made
	cd $(WEB) && LIGHTHOUSE=$(LIGHTHOUSE) npx playwright test --project lighthouse

##@ Test
services: setup ## find PostgreSQL and NATS for the tests, or start them in build/services
	$(BIN)/python -m tools.services
test-server: setup ## the tests of the service and of its client, on a real PostgreSQL and NATS
	$(BIN)/pytest -n $(WORKERS) tests/server tests/client
play-over-http: $(BUILT) ## play HTTP_GAMES=200 whole games over HTTP, then check records, streams, ratings and secrets
	$(FAST_BIN)/python -m tools.play_over_http --games $(or $(HTTP_GAMES),200)
faults: $(BUILT) ## kill and cut everything during 500 games (FAULTS=--short): nothing lost, nothing twice
	$(FAST_BIN)/python -m tools.faults $(FAULTS)
contract: $(BUILT) ## send REQUESTS=20000 requests of every shape: no 5xx, no answer that is not documented
	$(FAST_BIN)/python -m tools.contract_requests --requests $(or $(REQUESTS),20000)
test: setup ## every test and docstring, interpreted
	$(BIN)/pytest -n $(WORKERS)
test-compiled: $(BUILT) ## the same tests on the compiled engine
	$(FAST_BIN)/python tools/engine.py compiled
	$(FAST_BIN)/pytest -n $(WORKERS) tests
examples: setup ## the worked examples of the rulebooks, step by step
	$(BIN)/pytest -v tests/examples
coverage: setup ## the same, counting the lines of rules and notation: all of them
	$(BIN)/pytest -n $(WORKERS) --cov --cov-report=term-missing $(COUNTED)
	$(BIN)/pytest -n $(WORKERS) $(COUNTED:%=--ignore=%)
docs-check: setup ## run the examples of the README and of docs/
	$(BIN)/pytest $(DOCS)
perft: setup $(BUILT) ## count the trees of play, interpreted and compiled
	$(BIN)/cartagena perft tests/perft/*.perft
	$(FAST_BIN)/cartagena perft tests/perft/*.perft
soak: $(BUILT) ## play GAMES=1000000 random games and check every law (LEDGER=soak resumes)
	$(FAST_BIN)/python -m tools.soak --games $(GAMES) $(if $(LEDGER),--ledger $(LEDGER))
arena-bars: $(BUILT) ## measure what the levels promise (BARS=--short, BARS='--only captain-bosun')
	$(FAST_BIN)/python -m tools.arena_bars $(BARS)
mutants: setup ## break the rules in MUTANTS=300 places and see the tests notice
	$(BIN)/python tools/mutants.py --sample $(MUTANTS)

##@ Measure
bench: setup $(BUILT) ## actions a second: interpreted, compiled and plain C (BENCH_SECONDS=10)
	$(BIN)/python benchmarks/bench.py --seconds $(BENCH_SECONDS) --compiled $(FAST_BIN)/python
bench-server: setup $(BUILT) ## moves a second through the whole service beside bare pgbench (BENCH_SERVER=--short)
	$(BIN)/python -m benchmarks.server --python $(FAST_BIN)/python $(BENCH_SERVER)
bench-env: setup $(BUILT) ## steps a second of the environment beside PettingZoo's connect_four
	$(BIN)/python benchmarks/env_steps.py --compiled $(FAST_BIN)/python $(BENCH_ENV)
bench-search: $(BUILT) ## simulations a second of the captain, and where they go (BENCH_SEARCH=--profile)
	$(FAST_BIN)/python benchmarks/search_speed.py $(BENCH_SEARCH)

##@ Learn
train: $(BUILT) ## learn the weights of the bots again, from the seed of the shipped ones (under an hour)
	$(FAST_BIN)/python -m tools.train
seats: $(BUILT) ## play what the ledger lacks of the games of the sailor with itself
	$(FAST_BIN)/python -m tools.seat_advantage
how-strong: setup ## write what the ledgers know into docs/bots/how-strong.md
	$(BIN)/python -m tools.how_strong

# --- files ------------------------------------------------------------------------------------------

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(READY): $(BIN)/python $(BUILD_FILES)
	CARTAGENA_COMPILE=0 $(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

# Not `npm ci`: it wants the lock to name the binaries of every platform, also of those that nobody asked for.
$(NODE_READY): $(WEB)/package.json $(WEB)/package-lock.json
	cd $(WEB) && $(NPM) install --no-audit --no-fund
	touch $@

%.mo: %.po | $(READY)
	$(BIN)/pybabel --quiet compile --input-file $< --output-file $@

$(FAST_BIN)/python:
	$(PYTHON) -m venv $(FAST)

$(BUILT): $(FAST_BIN)/python $(BUILD_FILES) $(SOURCES)
	$(FRESH_BUILD)
	CARTAGENA_COMPILE=1 $(FAST_BIN)/pip wheel --quiet --no-deps --wheel-dir build/wheel .
	$(FAST_BIN)/pip uninstall --quiet --yes cartagena
	$(FAST_BIN)/pip install --quiet "$$(echo build/wheel/*.whl)[dev]"
	touch $@
