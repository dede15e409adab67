# Builds, runs, tests and measures; `make` alone lists the targets.

.DEFAULT_GOAL := help
# Steps share one build folder.
.NOTPARALLEL:
.PHONY: help run demo cluster build programs install tests test test-sqlite test-all test-api test-koober-builds measures test-linking test-postgres postgres-suites test-threads \
    fuzz fuzz-forms torture torture-servers torture-clients bench lint format docs clean setup setup-bench bench-catalog \
    bench-checkout bench-import bench-rides bench-sdk torture-rides architecture house check pictures api sdk-package \
    bench-json bench-telemetry bench-web bench-webhooks test-telemetry test-upgrade test-web test-programs test-programs-and-builds browsers test-generated faults simulate \
    simulate-plants scaling package test-package

HOST ?= 127.0.0.1
PORT ?= 8080
METRICS_PORT ?= 9464
PREFIX ?= /usr/local
# Rides of the demo take seconds instead of minutes.
POUCH_CITY_SPEED ?= 60
# Apart from the default database, which must not get the demo's account with its known password.
DEMO_DATABASE = sqlite:$(CURDIR)/.demo/shop.sqlite

PROGRAMS = pouch-server pouch koober
# Built without optimization, and with what the tests use, so that the first `make run` and `make test` share one build.
DEBUG = Tests/.build/debug
RELEASE = Tests/.build/release
CHECKOUT_BENCH = $(RELEASE)/checkout-bench
RIDE_BENCH = $(RELEASE)/ride-bench
WEB_BENCH = $(RELEASE)/web-bench
WEBHOOK_BENCH = $(RELEASE)/webhook-bench
IMPORT_BENCH = $(RELEASE)/import-bench
ARCHITECTURE = Tests/.build-architecture/architecture
DISTRIBUTION = Tests/.build-distribution/distribution
# The folder that receives the repositories of the SDK, and the address under which its own is published.
OUT ?= .sdk
URL ?=
# The folder that receives the packages of the programs.
PACKAGES ?= .package
FUZZ_TOOLS = Tests/.build-fuzz
FUZZ_EXAMPLES ?= 10
FORMS ?= 3500
WEB_TOOLS = Tests/.build-web
# Other programs that the tests talk to.
PEERS = Tests/.build-peers
SHOP_WEB = $(WEB_TOOLS)/bin/python Tests/Web/shop_web.py $(DEBUG)/pouch-server
# Rides take seconds.
RIDES_ON_WEB = POUCH_CITY_SPEED=200 .ci/with-demo $(DEBUG)/pouch-server $(WEB_TOOLS)/bin/python Tests/Web/koober_web.py $(DEBUG)/koober
SCENARIOS_ON_WEB = KOOBER_BROWSER="$(CURDIR)/$(WEB_TOOLS)/bin/python Tests/Web/scenarios.py" $(TEST) --filter ScenarioBrowserTests
ON_WEB = '$(SHOP_WEB) demo' '$(SHOP_WEB) pages' '$(SHOP_WEB) empty' '$(SCENARIOS_ON_WEB)' '$(RIDES_ON_WEB)'
MUTATED_FORMS = .ci/in-memory python3 Tests/Fuzz/forms.py $(DEBUG)/pouch-server $(FORMS) $(SEED)
GENERATED_CLIENT = .ci/with-demo $(DEBUG)/pouch-server $(PEERS)/bin/python Tests/GeneratedClient/generated_client.py
METRICS = $(PEERS)/bin/python Tests/Telemetry/exposition.py $(DEBUG)/pouch-server
RUNNING_PROGRAMS = $(ON_WEB) '$(MUTATED_FORMS)' '$(GENERATED_CLIENT) && $(METRICS)'
LINKING = .ci/with-demo $(DEBUG)/pouch-server .ci/linking && .ci/with-demo $(DEBUG)/pouch-server .ci/distribution
RUNS ?= 20000
ROUNDS ?= 20
# Servers of `make cluster`.
SERVERS ?= 2
RIDERS ?= 500
SHOPPERS ?= 1000
ON_DATABASE = $(if $(filter postgres,$(DATABASE)),.ci/in-memory .ci/with-postgres)
# The commit of the previous release, and the server that is built from it.
PREVIOUS ?= e1a4ac2d
PREVIOUS_SERVER = Tests/.build-previous/pouch-server
SWIFT_SOURCES = Shared Client Server Tests

# Each test has a shop of its own: with all of them open at once, descriptors run out. Swift 6.2 lacks the option.
WIDTH = $(shell swift test --help-hidden 2>/dev/null | grep -o -m 1 -e '--experimental-maximum-parallelization-width')
# Otherwise SwiftPM writes traits in another order with each plan, and compiles again what has not changed. The tests
# themselves run without it, as servers do.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 swift build --package-path Tests
SWIFT_TEST = .ci/failures swift test --package-path Tests --skip-build
# On Linux the tests are a program that can run by itself. `swift test` would first compile the manifests of all packages
# again, for 10 s, whenever the environment has changed, such as the address of the database.
TEST = $(if $(filter Linux,$(shell uname)),.ci/failures $(DEBUG)/TestsPackageTests.xctest --testing-library swift-testing,$(SWIFT_TEST))
TOGETHER = $(if $(WIDTH),$(WIDTH) 8)
# Crowds of buyers, kills under load: with more at once, some would wait beyond their deadlines.
ATTACKS = RaceTests|ScheduleTests|TortureTests|ChaosTests
# The SQL statements that the last tests executed, by suite.
STATEMENTS = $(CURDIR)/Tests/.build/statements
ON_POSTGRES = ServerTests\.($(shell grep -v '^\#' Tests/postgres-suites | paste -s -d '|' -))\b
# What the builds of other packages compile.
KOOBER_SOURCES = Shared Client Tests/Koober Tests/ClientTesting
LINKED_SOURCES = Shared Client Tests/Distribution Tests/Linking Tests/ClientTests/Articles .ci
# Suites that make check leaves to make test: they start processes of the server, the compiler, or crowds.
LONG = ProcessTests|$(ATTACKS)
THREADS = --scratch-path Tests/.build-threads --sanitize=thread
APART = $(if $(WIDTH),$(WIDTH) 3,--no-parallel) --filter '$(ATTACKS)'

## help: list the targets
help:
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^## \([a-z-]*\): /  \1\t/p' $(MAKEFILE_LIST) | expand -t 21

## run: build, load the demo if there is none, and serve on http://127.0.0.1:8080, with e-mails in .demo/mails and metrics on port 9464 (METRICS_PORT); kangaroos move at 60 times real time (POUCH_CITY_SPEED)
run: programs
	@Server/Demo/load.sh $(DEBUG)/pouch-server --database "$(DEMO_DATABASE)"
	@exec $(DEBUG)/pouch-server serve --database "$(DEMO_DATABASE)" --host $(HOST) --port $(PORT) --client $(DEBUG)/pouch \
		--city-speed $(POUCH_CITY_SPEED) --metrics-port $(METRICS_PORT) --mail folder:.demo/mails \
		--public-url http://$(HOST):$(PORT) --shop-name "Pouch Knitwear" \
		--shop-address "1 Wharf Road, Sydney NSW 2000, Australia"

## demo: run a purchase and a ride unattended with the terminal clients, on a server of their own
demo: programs
	@POUCH_CITY_SPEED=200 .ci/with-demo $(DEBUG)/pouch-server Server/Demo/walk.sh $(DEBUG)/pouch $(DEBUG)/koober

## cluster: SERVERS (2) servers with the demo behind nginx on one temporary PostgreSQL, until Ctrl-C; kangaroos as for run
cluster: build
	@.ci/setup nginx postgresql
	@POUCH_CITY_SPEED=$(POUCH_CITY_SPEED) Server/Demo/cluster.sh $(RELEASE)/pouch-server $(PORT) $(SERVERS)

## build: release builds of the server and the terminal clients
build: setup
	$(foreach program,$(PROGRAMS),$(BUILD) --configuration release --product $(program) &&) true

# programs: debug builds of them
programs: setup
	$(foreach program,$(PROGRAMS),$(BUILD) --product $(program) &&) true

## measures: build the benchmarks, which no test needs
measures: setup
	$(BUILD)

## install: put pouch, koober and pouch-server into PREFIX/bin (default /usr/local)
install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(addprefix $(RELEASE)/,$(PROGRAMS)) $(DESTDIR)$(PREFIX)/bin

## test: run every test on SQLite, the pages and Koober in a browser, mutated forms, a generated client and the metrics; on PostgreSQL the suites that together execute every SQL statement; and builds of other packages whose sources have changed
test: test-sqlite test-programs test-postgres
	@.ci/when-changed api Shared Client/Sources Client/API -- make test-api
	@.ci/when-changed koober-builds $(KOOBER_SOURCES) -- make test-koober-builds
	@.ci/when-changed linking $(LINKED_SOURCES) -- make test-linking

## test-all: test with random seeds, with all runs of Koober's scenarios in a browser, always with the builds of other packages
test-all:
	@seed=$$(od -An -N3 -tu4 /dev/urandom | tr -d ' '); echo "POUCH_SEED=$$seed"; \
		POUCH_SEED=$$seed KOOBER_BROWSER_RUNS=all $(MAKE) SEED=$$seed \
		test-sqlite test-programs-and-builds test-api test-postgres

# tests: debug builds of all tests and of the programs that they start; once for all targets of one make
tests: programs $(PEERS)
	$(BUILD) --product TestsPackageTests

test-sqlite: tests
	@.ci/setup nginx
	POUCH_STATEMENTS=$(STATEMENTS)-sqlite .ci/in-memory $(TEST) $(TOGETHER) --skip '$(ATTACKS)'
	.ci/in-memory $(TEST) $(APART)

## test-koober-builds: build Koober with the conditions that no other build uses, and test what they change
test-koober-builds: setup
	@.ci/koober-builds

## check: lint, and run the tests of the contract, the client and the server that need no server process and no PostgreSQL
check: lint tests
	.ci/in-memory $(TEST) $(TOGETHER) --filter SharedTests --filter ClientTests --filter KooberTests --filter ServerTests --skip '$(LONG)'

## test-api: compare the SDK's public API with its digest
test-api: tests $(DISTRIBUTION)
	@.ci/api

## test-linking: link the SDK by path and by URL, and buy something with it
test-linking: programs $(DISTRIBUTION)
	$(LINKING)

## test-postgres: run the suites of Tests/postgres-suites on a temporary PostgreSQL, with races and kills; ALL=1 for all suites of the server
test-postgres: tests
	@.ci/setup nginx postgresql
	POUCH_STATEMENTS=$(STATEMENTS)-postgres .ci/in-memory .ci/with-postgres $(TEST) $(TOGETHER) \
		$(if $(ALL),--filter ServerTests --filter EndToEndTests,--filter '$(ON_POSTGRES)') --skip '$(ATTACKS)'
	.ci/in-memory .ci/with-postgres $(TEST) $(APART)
	@if [ -s $(STATEMENTS)-sqlite ]; then .ci/statements check $(STATEMENTS)-sqlite $(STATEMENTS)-postgres; fi

## postgres-suites: choose the suites for Tests/postgres-suites again
postgres-suites: tests
	@.ci/setup nginx postgresql
	POUCH_STATEMENTS=$(STATEMENTS)-all .ci/in-memory .ci/with-postgres $(TEST) $(TOGETHER) --filter ServerTests --skip '$(ATTACKS)'
	.ci/statements choose $(STATEMENTS)-all

## test-web: in a headless Chromium, buy in the shop's pages, run a shop in its administration, and check every page with axe, the Nu HTML checker and rules of Lighthouse; then ride to Bondi in each architecture, by keyboard and without scripts; each scenario of Koober (KOOBER_BROWSER_RUNS=all: in each architecture and language)
test-web: tests browsers
	@.ci/at-once $(ON_WEB)

# test-programs: tests of the running programs, at once, because each alone leaves processors idle
test-programs: tests browsers
	@.ci/setup prometheus
	@.ci/at-once $(RUNNING_PROGRAMS)

# test-programs-and-builds: the same, together with the builds of other packages
test-programs-and-builds: tests browsers $(DISTRIBUTION)
	@.ci/setup prometheus
	@.ci/at-once $(RUNNING_PROGRAMS) '$(LINKING)' .ci/koober-builds

browsers: $(WEB_TOOLS)
	@.ci/setup chromium-headless-shell $(if $(shell command -v java),,default-jre-headless)

## test-generated: run a purchase, and a refused one, with a Python client that is generated from the OpenAPI document
test-generated: tests
	$(GENERATED_CLIENT)

## test-telemetry: check the metrics of a running server with the parser of Prometheus' library and with promtool
test-telemetry: programs $(PEERS)
	@.ci/setup prometheus
	$(METRICS)

## test-upgrade: run servers of the release PREVIOUS and of this one on one database, on SQLite and on PostgreSQL
test-upgrade: tests
	@.ci/setup postgresql
	@.ci/previous $(PREVIOUS)
	PREVIOUS_SERVER=$(CURDIR)/$(PREVIOUS_SERVER) .ci/in-memory $(TEST) --filter UpgradeProcessTests
	PREVIOUS_SERVER=$(CURDIR)/$(PREVIOUS_SERVER) .ci/in-memory .ci/with-postgres $(TEST) --filter UpgradeProcessTests

## faults: fill the disk of a server, take its descriptors, stop it for a minute, and compare the books
faults: tests
	.ci/with-small-disk $(TEST) --filter FaultProcessTests

## test-threads: run the tests of the client and the contract under the Thread Sanitizer
test-threads: setup
	$(BUILD) --build-tests $(THREADS)
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/ThreadSanitizer/suppressions.txt \
		$(SWIFT_TEST) $(THREADS) $(TOGETHER) --filter ClientTests --filter KooberTests --filter SharedTests

## fuzz: check a running server against its OpenAPI document, behind a proxy and for web pages; FUZZ_EXAMPLES cases for each operation
fuzz: build $(FUZZ_TOOLS)
	$(FUZZ_TOOLS)/bin/python Tests/Fuzz/boundaries.py $(RELEASE)/pouch-server
	$(FUZZ_TOOLS)/bin/python Tests/Fuzz/fuzz.py $(RELEASE)/pouch-server Server/Demo $(FUZZ_EXAMPLES)

## fuzz-forms: send FORMS (3500) mutated forms of guests, a customer and each role of the staff to a server; SEED=n sends others
fuzz-forms: programs
	$(MUTATED_FORMS)

$(FUZZ_TOOLS): Tests/Fuzz/requirements.txt
$(WEB_TOOLS): Tests/Web/requirements.txt
$(PEERS): Tests/requirements.txt
# The files have the hash of every package, from `uv pip compile` on requirements.in, as their first lines show. pip
# refuses other contents.
$(FUZZ_TOOLS) $(WEB_TOOLS) $(PEERS):
	python3 -m venv $@
	$@/bin/pip install --quiet --require-hashes --requirement $<
	@touch $@

## simulate: RUNS runs of the services in random orders with faults, in virtual time, and compare the books; SEED=n RUNS=1 prints the steps of one
simulate: simulate-program
	$(RELEASE)/simulate $(RUNS) $(SEED) $(if $(PLANT),--plant $(PLANT))

## simulate-plants: plant a hold not released, a refund paid twice, a key not kept and a message lost, each to be found within 10000 runs
simulate-plants: simulate-program
	@for plant in hold refund key message; do \
		$(RELEASE)/simulate 10000 $(SEED) --plant $$plant --finds || exit 1; done

simulate-program: setup
	$(BUILD) --configuration release --product simulate

## torture: kill servers under load for ROUNDS rounds and under RIDERS, then SHOPPERS over bad networks, and compare the books; DATABASE=postgres
torture: torture-servers torture-rides torture-clients

torture-servers: setup
	$(BUILD) --configuration release --product torture
	$(ON_DATABASE) $(RELEASE)/torture $(ROUNDS) $(SEED)

torture-rides: setup
	$(BUILD) --configuration release --product torture
	$(ON_DATABASE) $(RELEASE)/torture rides $(RIDERS) $(SEED)

torture-clients: setup
	$(BUILD) --configuration release --product chaos
	$(ON_DATABASE) $(RELEASE)/chaos $(SHOPPERS) $(SEED)

## bench: measure catalogue reads, checkouts, cart writes, pages, imports, rides, webhooks, the SDK, JSON, and metrics with traces, next to what they are compared with
bench: bench-catalog bench-checkout bench-web bench-import bench-rides bench-webhooks bench-sdk bench-json bench-telemetry

bench-catalog: setup-bench
	@.ci/setup nginx
	$(BUILD) --configuration release --product catalog-bench
	$(RELEASE)/catalog-bench

bench-checkout: setup-bench
	$(BUILD) --configuration release --product checkout-bench
	$(CHECKOUT_BENCH)
	.ci/with-postgres --durable $(CHECKOUT_BENCH)

# Pages that are the same for all visitors do not ask the database, and all pages have the same bytes on both.
bench-web: setup-bench
	$(BUILD) --configuration release --product web-bench
	$(WEB_BENCH)
	.ci/with-postgres --durable $(WEB_BENCH) statements visitors checkouts

bench-import: setup-bench
	$(BUILD) --configuration release --product import-bench
	$(IMPORT_BENCH)
	.ci/with-postgres --durable $(IMPORT_BENCH)

bench-rides: setup-bench
	$(BUILD) --configuration release --product ride-bench
	$(RIDE_BENCH)
	.ci/with-postgres --durable $(RIDE_BENCH)

bench-webhooks: setup-bench
	$(BUILD) --configuration release --product webhook-bench
	$(WEBHOOK_BENCH)
	.ci/with-postgres --durable $(WEBHOOK_BENCH)

bench-sdk: setup-bench
	$(BUILD) --configuration release --product sdk-bench
	$(RELEASE)/sdk-bench

bench-json: setup-bench
	$(BUILD) --configuration release --product json-bench
	$(RELEASE)/json-bench

## bench-telemetry: measure what metrics, traces and the log in JSON cost, with many pairs of servers
bench-telemetry: setup-bench
	$(BUILD) --configuration release --product pouch-server
	python3 Tests/Telemetry/cost.py $(RELEASE)/pouch-server

## scaling: measure what requests cost, compare a simulation of queues with make cluster, and print the tables of Server/Scaling.md
scaling: build
	@.ci/setup nginx postgresql wrk
	python3 Tests/Scaling/costs.py $(RELEASE)/pouch-server
	python3 Tests/Scaling/check.py $(RELEASE)/pouch-server
	python3 Tests/Scaling/simulation.py
	python3 Tests/Scaling/report.py

## architecture: compare the three architectures of Koober: figures, and three changes tried in each; FIGURES=1 without the changes, MARKDOWN=1 for a document
architecture: $(ARCHITECTURE)
	@$(ARCHITECTURE) $(if $(FIGURES),--no-builds) $(if $(MARKDOWN),--markdown)

# These need nothing but Foundation: compiled alone, no package has to be resolved for them.
$(ARCHITECTURE): $(shell find Tests/Koober/Architecture Tests/Tools -name '*.swift')
$(DISTRIBUTION): $(shell find Tests/Distribution Tests/Tools -name '*.swift')
$(ARCHITECTURE) $(DISTRIBUTION):
	@mkdir -p $(@D)
	@swiftc -swift-version 6 -parse-as-library -o $@ $^

## lint: check formatting, settings, imports, types of the adapters for Apple's systems, wording, file sizes, names of suites, and the rules of Koober's architectures
lint: $(ARCHITECTURE)
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	@.ci/same-settings
	@.ci/resolve --check
	@.ci/imports
	@.ci/apple
	@.ci/process-tests '$(LONG)'
	@.ci/language
	@.ci/subscripts
	@.ci/house --check
	@.ci/shown-code
	@! git grep -nE '^(<{7} |>{7} )' || { echo "These lines are left of a merge." >&2; exit 1; }
	@$(ARCHITECTURE) --rules

## house: count the Swift files of each part
house:
	@.ci/house

## format: format all sources in place
format:
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

## docs: build the SDK's documentation into .build-docs
docs: setup
	$(foreach module,PouchApp PouchModels PouchTesting,$(BUILD) --product $(module) &&) .ci/docs .build-docs

## api: write the digest of the SDK's public API into Client/API, and name what has changed
api: tests $(DISTRIBUTION)
	@.ci/api --write

## sdk-package: release VERSION=1.2.0 of the SDK into git repositories in OUT (.sdk), to be linked by URL; extras with URL=https://…/pouch-sdk
sdk-package: $(DISTRIBUTION)
	@if [ -z "$(VERSION)" ]; then \
		echo "usage: make sdk-package VERSION=1.2.0 [OUT=folder] [URL=https://…/pouch-sdk]" >&2; exit 64; fi
	@$(DISTRIBUTION) package --version "$(VERSION)" --out "$(OUT)" $(if $(URL),--url "$(URL)")

## package: release VERSION=1.2.0 of the programs for other machines, into PACKAGES (.package): .deb, tarball, Containerfile, list of contents, checksums
package: setup
	@.ci/setup zlib1g-dev libcurl4
	@if [ -z "$(VERSION)" ]; then echo "usage: make package VERSION=1.2.0 [PACKAGES=folder]" >&2; exit 64; fi
	@.ci/package "$(VERSION)" "$(PACKAGES)"

## test-package: install the package VERSION on a clean Debian without Swift, serve, buy, stop, remove and purge; needs root
test-package:
	@.ci/package-test "$(firstword $(wildcard $(PACKAGES)/pouch_$(VERSION)_*.deb))"

## pictures: take the pictures in the documents again: terminal programs, koober --web and the shop's pages
pictures: programs $(WEB_TOOLS)
	@.ci/setup chromium-headless-shell
	$(BUILD) --product pictures
	.ci/with-demo $(DEBUG)/pouch-server $(DEBUG)/pictures $(DEBUG) Client/Pictures Client/Koober/Pictures
	$(ON_WEB) Client/Koober/Pictures/koober-web.png
	$(WEB_TOOLS)/bin/python Tests/Web/screenshots.py $(DEBUG)/pouch-server Server/Pictures

## clean: remove everything that was built
clean:
	rm -rf .build* $(addsuffix /.build*,$(SWIFT_SOURCES) Tests/Linking Tests/Koober/Builds)

setup:
	@.ci/setup libsqlite3-dev libpq5 libssl-dev
	@.ci/resolve

setup-bench:
	@.ci/setup libsqlite3-dev libpq5 libssl-dev wrk postgresql
	@.ci/resolve
