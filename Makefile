# The one entrance: people and CI run the same targets. `make` alone lists them.

# Some images stop Python from caching bytecode; each of hundreds of processes would compile all of it again.
export PYTHONDONTWRITEBYTECODE :=

PYTHON        ?= python3
GAMES         ?= 1000000
BENCH_SECONDS ?= 10
MUTANTS       ?= 300
CORES          = $(shell getconf _NPROCESSORS_ONLN)
# Most tests of the service wait for a database or a program, so there may be more workers than cores.
WORKERS       ?= $(shell expr 2 '*' $(CORES))
# Idle workers take over what is left of others' shares; long tests come first (scripts/durations.py).
SPREAD         = -n $(WORKERS) --dist worksteal
# The engine's tests never wait.
SPREAD_BUSY    = -n $(CORES) --dist worksteal
NPM           ?= npm
LIGHTHOUSE    ?= lighthouse@12.8.2
RUNS          ?= 5
PRESSES       ?= 500

VENV     := .venv
# On Windows the programs of an environment are in another folder.
SCRIPTS  := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
BIN      := $(VENV)/$(SCRIPTS)
FAST     := .venv-compiled
FAST_BIN := $(FAST)/$(SCRIPTS)
READY    := $(VENV)/.ready
FUZZER   := $(VENV)/.fuzzer
RESEARCH_READY := $(FAST)/.research
BUILT    := $(FAST)/.built
FAST_WHEEL := build/wheel/.built
# Python for browsers has no threads and no processes, and pytest must not open its files anew.
IN_BROWSER  = -p tests.in_browser -p no:faulthandler -p no:cacheprovider --capture=sys
BRIEF       = -m 'not long and not sampled' --hypothesis-profile brief
# The programs that tests call are those of .venv.
FAST_PYTEST = PATH="$$PATH:$(CURDIR)/$(BIN)" $(FAST_BIN)/python -m pytest

BUILD_FILES := pyproject.toml setup.py web/pyproject.toml web/setup.py
SOURCES     := $(shell find src/cartagena -name '*.py' -o -name '*.po' -o -name '*.txt' -o -name '*.sql' -o -name py.typed -o -name "*.ttf")
CODE        := $(wildcard src tests examples harness research scripts benchmarks setup.py conftest.py docs/conf.py)
DOCS        := $(wildcard *.md) docs
# The engine's tests are the only ones that run on both engines, and the only ones whose lines are counted.
ENGINE      := $(addprefix tests/,examples notation properties rules views)
OTHERS      := tests $(patsubst %,--ignore=%,$(ENGINE) tests/research)
# What needs no service, no terminal and no other program, and so runs on every system; OpenSpiel has nothing for Windows.
PORTABLE    := $(ENGINE) src $(addprefix tests/,architecture arena bots cli/test_drawing.py cli/test_play.py \
                 cli/test_records.py envs fairness messages words) \
               $(if $(filter Windows_NT,$(OS)),--ignore=tests/envs/test_openspiel.py)
# The browser client: its sources, what is generated for it, and where its built files go (vite.config.ts).
WEB         := web
NODE_READY  := $(WEB)/node_modules/.ready
PEER        := benchmarks/peer
PEER_READY  := $(PEER)/node_modules/.ready
WEB_WORDS   := $(WEB)/src/words/generated
WEB_TYPES   := $(WEB)/src/api/schema.ts
PAGES_WHEEL := $(WEB)/package
PAGES_FILES := $(PAGES_WHEEL)/cartagena_web/files
PAGES       := $(PAGES_FILES)/.sources
WEB_SOURCES := $(wildcard $(WEB)/*.ts $(WEB)/*.js $(WEB)/*.html $(WEB)/*.txt scripts/browser_*.py scripts/device_*.py scripts/lesson*.py \
                 dist/*_wasm32.whl) \
               $(shell find $(WEB)/src $(WEB)/public $(WEB)/scripts -name generated -prune -o -type f -print)
CATALOGUES  := $(wildcard src/cartagena/words/locale/*/LC_MESSAGES/*.po)

# With the tools already installed here; `make package` builds as an outsider would, with tools of its own.
PACK        := $(BIN)/pip wheel --quiet --no-deps --no-build-isolation
UV          := $(BIN)/uv pip install --quiet

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help $(shell sed -n 's/^\([a-z-]*\):.*## .*/\1/p' $(firstword $(MAKEFILE_LIST)))

help:
	@awk 'BEGIN { FS = ":.*## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Build
setup: $(READY) words ## make .venv with the interpreted engine and every tool
words: $(CATALOGUES:.po=.mo) ## compile the catalogues of words that changed
compile: $(BUILT) ## make .venv-compiled with the engine compiled by mypyc (needs a C compiler)
wheel: web ## build the pure and the compiled wheel, and the one of the pages, into dist/
	$(MAKE) --no-print-directory $(FAST_WHEEL)
	rm -rf dist
	CARTAGENA_COMPILE=0 CARTAGENA_PAGES=1 $(PACK) --wheel-dir dist . ./$(WEB)
	cp build/wheel/*.whl dist
	ls -l dist
smoke: ## install each wheel of dist/ into a fresh environment and start it
	$(BIN)/python -m scripts.smoke dist/*.whl
package: setup ## check the package: equal builds, licences, every extra in a fresh environment (PACKAGE=--write)
	$(BIN)/python -m scripts.package_check $(PACKAGE)
docs: setup ## build the docs site into build/docs; a warning is an error
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --jobs auto docs build/docs
picture: setup ## take the picture of the terminal client that the README shows
	$(BIN)/python -m scripts.terminal_picture docs/pictures/terminal.svg
pictures: setup ## write every kind of picture of the library into build/pictures, on one page to be looked at
	$(BIN)/python -m scripts.contact_sheet build/pictures
clean: ## remove everything that was built, including both environments
	rm -rf $(VENV) $(FAST) build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  .import_linter_cache .coverage htmlcov $(WEB)/node_modules $(WEB)/generated $(WEB)/screens \
	  $(WEB)/test-results $(PAGES_FILES)
	find $(WEB)/src -name generated -type d -prune -exec rm -rf {} +
	find $(wildcard src tests harness research scripts benchmarks) -name __pycache__ -prune -exec rm -rf {} +
	find src -name '*.so' -delete -o -name '*.pyd' -delete -o -name '*.mo' -delete

##@ Check
check: format types layers sizes vocabulary history ## the six checks below
format: $(READY) ## layout and lint (ruff)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
types: $(READY) ## types (mypy strict)
	$(BIN)/mypy $(CODE)
layers: $(READY) ## imports go downwards only (import-linter)
	$(BIN)/lint-imports --no-logo
sizes: $(READY) ## no file and no function too long to read
	$(BIN)/python scripts/sizes.py $(CODE)
vocabulary: $(READY) ## no phrase in code or docs that readers stumbled over
	$(BIN)/python scripts/vocabulary.py
history: $(READY) ## commit subjects since origin/main are short imperatives, none used more than twice
	$(BIN)/python scripts/commit_history.py
deploy-check: setup ## check deploy/ with hadolint, caddy, nginx, systemd, promtool etc. (DEPLOY=--all: require all)
	$(BIN)/python -m scripts.deploy_check $(DEPLOY)

workflows: setup ## check .github/ with zizmor, check-jsonschema and actionlint (WORKFLOWS=--all: require all)
	$(BIN)/python -m scripts.workflow_check $(WORKFLOWS)
sbom: setup ## write build/cartagena.cdx.json (CycloneDX), to go with the wheel: every package of an installed service, by hash
	$(BIN)/uv tool run --from cyclonedx-bom==7.5.0 cyclonedx-py requirements deploy/image/requirements.txt \
		--pyproject pyproject.toml --output-reproducible --output-file build/cartagena.cdx.json
lock: setup ## write the hashes of everything in the image except our wheel (deploy/image/requirements.txt)
	echo '# What the image holds beside our own wheel, each by its hash: make lock' > deploy/image/requirements.txt
	$(BIN)/uv pip compile pyproject.toml --quiet --extra server --no-emit-package cartagena-web \
	  --generate-hashes --python-version 3.11 --python-platform linux --no-annotate --no-header >> deploy/image/requirements.txt
audit: setup ## known holes in packages (pip-audit, npm audit), secrets in sources (AUDIT=--write: accept findings)
	$(BIN)/python -m scripts.audit $(AUDIT)

##@ Browser
web: $(PAGES) web-budget ## build the pages for browsers into their package, if they changed (needs Node.js 20.19)
static: $(PAGES) ## write the site for a host that only sends files, under any path, into build/static
	$(BIN)/python -m scripts.static_site build/static
web-generated: $(NODE_READY) setup ## write the words, lessons and icon sheets that the pages are built from
	$(BIN)/python -m scripts.browser_words $(WEB_WORDS)
	$(BIN)/python -m scripts.lessons $(WEB)/src/learn/generated
	cd $(WEB) && node scripts/sprite.js
web-types: $(NODE_READY) setup ## check that the message types in web/ match the service
	$(BIN)/python -m scripts.openapi_document $(WEB)/generated/openapi.json
	cd $(WEB) && TYPES=generated/schema.ts $(NPM) run --silent types
	diff -u $(WEB_TYPES) $(WEB)/generated/schema.ts || { echo 'cd $(WEB) && $(NPM) run types'; exit 1; }
web-check: web-generated ## layout, lint and types of web/ (prettier, eslint, svelte-check)
	cd $(WEB) && $(NPM) run --silent lint
	cd $(WEB) && $(NPM) run --silent check
	cd $(WEB) && npx tsc --project e2e/tsconfig.json
board-art: web-generated ## take the art of the library's pictures from the client (needs Chromium; ART=--check compares)
	cd $(WEB) && node scripts/boardArt.js $(ART)
picture-fonts: $(NODE_READY) setup ## unpack the fonts of the pages for the pictures of links
	$(BIN)/uv run --quiet --no-project --with 'fonttools[woff]==4.68.0' python -m scripts.picture_fonts
web-budget: setup ## weigh what a browser loads before a table can be played
	$(BIN)/python -m scripts.browser_budget
test-web: web test-browser ## build the pages, then test them: without a browser, then whole games in one
test-browser: setup $(PAGES) $(BUILT) static ## test the pages as built (E2E='--grep keyboard'; @long are the longest)
	cd $(WEB) && $(NPM) run --silent test
	cd $(WEB) && node scripts/boardArt.js --check
	cd $(WEB) && PYTHON=$(CURDIR)/$(FAST_BIN)/python npx playwright test --project games $(E2E)
screens: setup ## write pictures of every screen to web/screens: sizes, themes, languages
	cd $(WEB) && npx playwright test --project screens
monkey: setup $(PAGES) $(BUILT) ## press random things in a game, PRESSES=500 times for each ruleset (SEED=1 repeats an order)
	cd $(WEB) && PYTHON=$(CURDIR)/$(FAST_BIN)/python PRESSES=$(PRESSES) SEED=$(SEED) \
		npx playwright test --project monkey
bench-web: setup $(PAGES) $(BUILT) ## from a click to its picture over whole games, and the cost of a step of a long replay
	cd $(WEB) && PYTHON=$(CURDIR)/$(FAST_BIN)/python npx playwright test --project speed
lighthouse: setup ## measure home and table with Lighthouse (fetched by npx), the median of RUNS=5
	cd $(WEB) && LIGHTHOUSE=$(LIGHTHOUSE) LIGHTHOUSE_RUNS=$(RUNS) npx playwright test --project lighthouse

##@ Test
quick: setup ## lint, types and the nearest tests for what changed, in a minute (QUICK='--since main')
	$(BIN)/python -m scripts.quick $(QUICK)
test: test-engine test-others ## every test once: the engine's interpreted, the others on the compiled engine
ci: ## everything that CI runs, step by step, each with its budget (.ci/steps.toml)
	.ci/run
nightly: ## what is too long for CI; outcomes and dates go into benchmarks/results/nightly.jsonl (NIGHTLY='--only mutants')
	$(PYTHON) -m scripts.ci --steps .ci/nightly.toml --keep-going --ledger nightly $(NIGHTLY)
services: setup ## find PostgreSQL and NATS for the tests, or start them in build/services
	$(BIN)/python -m harness.services
test-engine: setup ## the tests of rules, notation and views, and all docstrings, interpreted
	$(BIN)/pytest $(SPREAD_BUSY) $(ENGINE) src
coverage: setup ## run these tests without those of many samples and require every line of rules and notation
	$(BIN)/pytest $(SPREAD_BUSY) --hypothesis-profile counted -m 'not long and not sampled' \
	  --cov --cov-report=term-missing $(ENGINE) src
test-compiled: $(BUILT) ## the tests of the engine, compiled
	$(FAST_BIN)/python scripts/engine.py compiled
	$(FAST_PYTEST) $(SPREAD_BUSY) $(ENGINE)
test-others: $(BUILT) ## all other tests, on the compiled engine, a real PostgreSQL and NATS
	$(FAST_PYTEST) $(SPREAD) $(OTHERS)
test-device: setup $(NODE_READY) ## the tests of rules, notation, fairness and bots in Python for browsers (DEVICE=brief: the short ones)
	$(BIN)/python -m scripts.browser_python pytest $(IN_BROWSER) $(if $(filter brief,$(DEVICE)),$(BRIEF),$(DEVICE)) \
	  $(addprefix tests/,rules notation fairness bots)
same-engine: $(BUILT) $(NODE_READY) ## play SAME='--sailors 300 --bosuns 30' here and in Python for browsers: every choice alike (LEDGER=same-engine resumes)
	$(FAST_BIN)/python -m scripts.same_engine $(SAME) $(if $(LEDGER),--ledger $(LEDGER))
test-long: $(BUILT) ## tests that are too long for every run: whole games in a real terminal, whole drills
	$(FAST_PYTEST) $(SPREAD) -m long $(OTHERS)
test-interpreted: setup ## all other tests again, on the interpreted engine
	$(BIN)/pytest $(SPREAD) $(OTHERS)
test-portable: setup ## tests that need no service and no other program, on any system
	$(BIN)/pytest $(SPREAD) $(PORTABLE)
test-server: $(BUILT) ## only the tests of the service and of its client
	$(FAST_PYTEST) $(SPREAD) tests/server tests/client tests/attacks
test-terminal: setup ## only the terminal client: whole games by keys, pictures, tmux, a real service
	$(BIN)/pytest $(SPREAD) tests/terminal
durations: $(BUILT) ## measure every test again; the order of the tests depends on it (tests/durations.json)
	$(BIN)/pytest $(SPREAD_BUSY) --write-durations $(ENGINE) src
	$(FAST_PYTEST) $(SPREAD) --write-durations $(OTHERS)
examples: setup ## the worked examples of the rulebooks, step by step
	$(BIN)/pytest -v tests/examples
docs-check: setup ## run the examples of the README and of docs/, Python and terminal
	$(BIN)/pytest $(DOCS)
perft: setup $(BUILT) ## count the trees of play, interpreted and compiled
	$(BIN)/cartagena perft tests/perft/*.perft
	$(FAST_BIN)/cartagena perft tests/perft/*.perft
soak: $(BUILT) ## play GAMES=1000000 random games and check every law (LEDGER=soak resumes)
	$(FAST_BIN)/python -m research.soak --games $(GAMES) $(if $(LEDGER),--ledger $(LEDGER))
test-research: $(RESEARCH_READY) ## only the tests of long runs and training, on a Ray cluster of their own and with PyTorch
	$(FAST_PYTEST) tests/research
mutants: setup ## break the rules in MUTANTS=300 places and see whether the tests notice
	$(BIN)/python -m scripts.mutants rules --sample $(MUTANTS)
mutants-server: setup services ## break tables, store and guards of the service in MUTANTS=200 places: do tests notice?
	$(BIN)/python -m scripts.mutants server --sample $(if $(filter file,$(origin MUTANTS)),200,$(MUTANTS))

##@ Drill
play-over-http: $(BUILT) ## play HTTP_GAMES=200 whole games over HTTP, then check records, streams, ratings and secrets
	$(FAST_BIN)/python -m harness.play.command --games $(or $(HTTP_GAMES),200)
contract: $(BUILT) ## send REQUESTS=20000 requests of every shape: no 5xx, no undocumented answer
	$(FAST_BIN)/python -m harness.contract.requests --requests $(or $(REQUESTS),20000)
fuzz: setup $(FUZZER) ## fuzz each reader of foreign bytes for SECONDS=3600 (FUZZ='records codes': only those; LEDGER=fuzz resumes)
	$(BIN)/python -m harness.fuzz.command $(FUZZ) --seconds $(or $(SECONDS),3600) $(if $(LEDGER),--ledger $(LEDGER))
model-check: setup ## search the models of commits, moves and timers for errors (needs spin; MODEL='move': only that)
	$(BIN)/python -m scripts.model_check $(MODEL)
attacks: $(BUILT) services ## repeat every attack that once succeeded against the service: none may succeed
	$(FAST_PYTEST) $(SPREAD) tests/attacks
noninterference: $(BUILT) services ## ask twins with other hidden cards REQUESTS=200000 times: no byte differs (LEDGER=noninterference resumes)
	$(FAST_BIN)/python -m harness.noninterference.command --requests $(or $(REQUESTS),200000) \
		$(if $(LEDGER),--ledger $(LEDGER))
simulate: $(BUILT) ## simulate the service under misfortune with SEEDS=300 seeds (LEDGER=simulate resumes, POSTGRESQL=1 checks the model)
	$(FAST_BIN)/python -m harness.simulation.command --seeds $(or $(SEEDS),$(if $(POSTGRESQL),1000,300)) \
		$(if $(LEDGER),--ledger $(LEDGER)) $(if $(POSTGRESQL),--postgresql)
upgrade-check: $(PAGES) $(BUILT) ## replace a running service of RELEASE=e4212e1, process by process, during games: nothing lost
	$(FAST_BIN)/python -m harness.upgrade_check $(RELEASE:%=--from %)
	before="$$($(FAST_BIN)/python -m harness.upgrade_check $(RELEASE:%=--from %) --python)" && cd $(WEB) && \
	  PYTHON=$(CURDIR)/$(FAST_BIN)/python E2E_BEFORE="$$before" npx playwright test --project upgrade
faults: $(BUILT) ## kill and cut everything during 500 games (FAULTS=--short): nothing lost, nothing twice
	$(FAST_BIN)/python -m harness.faults.drill $(FAULTS)
faults-long: $(BUILT) ## half an hour of faults on a cluster with 5,000 games (FAULTS_LONG='--games 200 --seconds 120')
	$(FAST_BIN)/python -m harness.faults.long_drill $(FAULTS_LONG)
flood: setup ## flood from one address, one account and at one table: the others play on (FLOOD='--seconds 30')
	$(BIN)/python -m harness.flood $(FLOOD)
restore-drill: setup ## lose a cluster while games run and restore it to a moment, in both ways (DRILL=--short)
	$(BIN)/python -m harness.restore.drill $(DRILL)
	$(BIN)/python -m harness.restore.drill --apart $(DRILL)
cluster: $(BUILT) ## start a cluster here: three primaries, NATS servers and web nodes, two workers, nginx
	$(FAST_BIN)/python -m harness.cluster.command up
cluster-check: $(BUILT) ## play on it while buckets move and nodes come and go (CLUSTER='--games 60')
	$(FAST_BIN)/python -m harness.cluster.check $(CLUSTER)
cluster-stop: ## stop that cluster
	$(FAST_BIN)/python -m harness.cluster.command down
cluster-drill: ## the three above, one after the other; the cluster is stopped even if the check fails
	$(MAKE) --no-print-directory cluster
	status=0; $(MAKE) --no-print-directory cluster-check || status=$$?; \
	  $(MAKE) --no-print-directory cluster-stop && exit $$status

##@ Measure
bench: setup $(BUILT) ## actions a second: interpreted, compiled and plain C (BENCH_SECONDS=10)
	$(BIN)/python benchmarks/bench.py --seconds $(BENCH_SECONDS) --compiled $(FAST_BIN)/python
bench-server: setup $(BUILT) ## moves a second through the whole service beside bare pgbench (BENCH_SERVER=--short)
	$(BIN)/python -m benchmarks.server_load --python $(FAST_BIN)/python $(BENCH_SERVER)
bench-peer: setup $(BUILT) $(PEER_READY) ## moves a second and their delays beside boardgame.io, at full load and below (BENCH_PEER='--rounds 3')
	$(BIN)/python -m benchmarks.peer_load --python $(FAST_BIN)/python $(BENCH_PEER)
scale: setup $(BUILT) ## how cost grows with stored games, spectators, shards and bots; writes docs/scale.md (SCALE=--short)
	$(FAST_BIN)/python -m benchmarks.scale $(SCALE)
	$(FAST_BIN)/python -m benchmarks.bill_figures
	$(BIN)/python -m benchmarks.scale_page
bench-bots: $(BUILT) ## how long a captain's turn takes with 200 games at once, people taking 20 s (BENCH_BOTS=--short)
	$(FAST_BIN)/python -m benchmarks.bot_turns $(BENCH_BOTS)
bench-game: $(BUILT) ## what `Game.moves` and `Game.push` cost beside the bare calls
	$(FAST_BIN)/python benchmarks/game_calls.py
bench-wire: $(BUILT) ## bytes of a move by form, audience and field; compressed; and the time of patches (BENCH_WIRE='--only fields')
	$(FAST_BIN)/python -m benchmarks.wire $(BENCH_WIRE)
bench-pictures: $(BUILT) ## how long the picture of a link takes: the first, a new one, one that was kept
	$(FAST_BIN)/python -m benchmarks.pictures
bench-env: setup $(BUILT) ## steps a second of the environment beside PettingZoo's connect_four
	$(BIN)/python benchmarks/env_steps.py --compiled $(FAST_BIN)/python $(BENCH_ENV)
bench-search: $(BUILT) ## the captain's simulations a second, and where the time goes (BENCH_SEARCH=--profile)
	$(FAST_BIN)/python -m benchmarks.search_speed $(BENCH_SEARCH)

##@ Research
research: $(RESEARCH_READY) ## play the games that research/results lacks (RUN=league, RUN='bars --only captain-bosun', RUN=--help)
	$(FAST_BIN)/python -m research.run $(or $(RUN),bars league confidence calibration seats openspiel)
train: $(RESEARCH_READY) ## learn the weights of the bots again, on all cores
	$(FAST_BIN)/python -m research.training.train $(TRAIN)
	$(FAST_BIN)/python -m research.training.train --insight $(TRAIN)
how-strong: setup ## write what research/results says into docs/bots/how-strong.md
	$(BIN)/python -m research.how_strong

# --- files ------------------------------------------------------------------------------------------

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# uv resolves and installs in a third of pip's time (docs/decisions/0027).
$(READY): $(BIN)/python $(BUILD_FILES)
	$(BIN)/pip install --quiet uv
	CARTAGENA_COMPILE=0 CARTAGENA_PAGES=0 $(UV) --no-sources --python $(BIN)/python --editable '.[dev]' --editable ./$(WEB)
	touch $@

# Of PyTorch, pip takes whichever build is at hand; the one for the CPU is small and enough.
$(RESEARCH_READY): $(BUILT)
	$(BIN)/pip install --quiet 'torch==2.13.0'
	CARTAGENA_COMPILE=0 $(UV) --no-sources --python $(BIN)/python --editable '.[research]'
	touch $@

$(FUZZER): $(READY)
	$(UV) --python $(BIN)/python --group fuzz
	touch $@

# Not `npm ci`: it wants the lock to name the binaries of every platform, and ours names those of one.
# Without --no-save the lock would be written anew on each machine.
$(NODE_READY): $(WEB)/package.json $(WEB)/package-lock.json
	cd $(WEB) && $(NPM) install --no-save --no-audit --no-fund
	touch $@

$(PEER_READY): $(PEER)/package.json $(PEER)/package-lock.json
	cd $(PEER) && $(NPM) install --no-save --no-audit --no-fund --ignore-scripts
	touch $@

# Words and lessons are made from the Python sources, so a change there may make the pages out of date; the
# program itself finds out whether it does.
$(PAGES): $(NODE_READY) $(WEB_SOURCES) $(SOURCES) | $(READY)
	$(BIN)/python -m scripts.browser_device
	$(BIN)/python -m scripts.browser_pages

%.mo: %.po | $(READY)
	$(BIN)/pybabel --quiet compile --input-file $< --output-file $@

# The tools and libraries are those of .venv; only the engine differs.
$(FAST_BIN)/python: | $(READY)
	$(PYTHON) -m venv --without-pip $(FAST)
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  > "$$($@ -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/libraries.pth"

$(FAST_WHEEL): $(BUILD_FILES) $(SOURCES) | $(READY)
	rm -rf build/wheel
	CARTAGENA_COMPILE=1 $(PACK) --wheel-dir build/wheel .
	touch $@

$(BUILT): $(FAST_BIN)/python $(FAST_WHEEL)
	$(UV) --python $(FAST_BIN)/python --no-deps --reinstall build/wheel/*.whl
	# The pages are editable in .venv, and what is editable there is not found from here.
	echo '$(CURDIR)/$(PAGES_WHEEL)' \
	  > "$$($(FAST_BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/pages.pth"
	touch $@
