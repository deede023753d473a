# SPDX-License-Identifier: Apache-2.0
# `make` prints what there is.

PREFIX ?= /usr/local
DESTDIR ?=
# The photos of `make demo`: a file or a folder.
IMAGE ?= Examples/photos
OUT ?= demo-out
# Where `make demo-live` listens.
LISTEN ?= 127.0.0.1:8080

release := .build/release/fovea
server := .build/release/fovea-server
bench := swift run --package-path Benchmarks --configuration release FoveaBenchmarks
FILTER ?=
MODEL ?=
ROUNDS ?=
ONLY ?=
SELECT ?=

.DEFAULT_GOAL := help
.PHONY: help setup build capi program demo demo-live test check lint format docs bench bench-check bench-update bench-tracking bench-peers bench-host bench-serving bench-python bench-spark bench-training python python-test spark spark-test install uninstall deb clean

help: ## print this list; times are those of a first build on two cores
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install what is missing: system packages, the LiteRT library (nothing when all is there)
	@scripts/setup

build: setup ## build the release programs .build/release/fovea and fovea-server, with the Swift runtime inside (15 minutes)
	swift build --configuration release --product fovea --static-swift-stdlib
	scripts/with-traits build --configuration release --product fovea-server --static-swift-stdlib --scratch-path .build/server
	@cp -f .build/server/release/fovea-server $(server)

capi: setup ## build the C library .build/capi/libfovea.so.1 with fovea.h and fovea.pc (1 minute after make demo)
	@scripts/build-capi

program: setup
	swift build --configuration release --product fovea --static-swift-stdlib

demo: program ## find objects on the bundled photos, or on IMAGE=path, and draw them into demo-out (5 minutes)
	@mkdir -p "$(OUT)"
	@$(release) detect "$(IMAGE)" --annotate "$(OUT)/" --report "$(OUT)/report.html"
	@echo "The images with boxes and labels are in $(abspath $(OUT)); report.html shows them all."
	@echo "Next: your photos with 'make demo IMAGE=folder', your model with '$(release) detect --model file', your camera with 'make demo-live'."

demo-live: build ## serve the page that finds and follows objects live, and print its address; Ctrl-C ends it (LISTEN=host:port; 15 minutes)
	@echo "Open http://$(LISTEN) in a browser of this machine and start the camera, or drop photos on the page. Ctrl-C ends it."
	@exec $(release) serve --listen "$(LISTEN)"

test: setup ## run every test (20 minutes, 10 after that)
	@scripts/test

check: setup ## run the gate: format, layers, build, tests, documentation, examples (scripts/check; 70 minutes)
	@scripts/check

lint: ## check layout, layers, words, links and commits alone, in seconds
	@scripts/check --only format,layers,texts

bench: setup ## measure the stages: time, allocations, memory; FILTER=decode measures some
	@$(bench) $(if $(FILTER),--filter "$(FILTER)")

bench-check: setup ## fail where a stage allocates or holds more than Benchmarks/Thresholds says
	@$(bench) --check

bench-update: setup ## store the present allocations and memory in Benchmarks/Thresholds
	@$(bench) --update

bench-tracking: build ## track MOT17 and MOT15 with every tracker and print a table (needs the sequences, see scripts/bench-tracking)
	@scripts/bench-tracking

bench-peers: build ## compare the CPU time per photo with MediaPipe and with LiteRT + Pillow (installs them into .build/peers)
	@Benchmarks/Peers/compare $(if $(MODEL),--model "$(MODEL)")

bench-host: build ## measure the model host: files next to nginx, model information, start, slow crowds, downloads (needs wrk, nginx, curl)
	@Benchmarks/Host/measure $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(ONLY),--only "$(ONLY)")

bench-serving: build ## measure fovea serve next to FastAPI + LiteRT, in overload, with clients that leave, at its end (needs wrk)
	@Benchmarks/Serving/measure $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(ONLY),--only "$(ONLY)") $(if $(MODEL),--model "$(MODEL)")

python: ## build the Python wheel into dist and install it into .build/venv
	@scripts/build-python

python-test: ## test the Python package that `make python` installed (SELECT="-k arrays" runs some)
	@scripts/test-python $(SELECT)

spark: ## install the Spark package into .build/venv-spark (after make python; needs Java 17)
	@scripts/build-spark

spark-test: ## test the Spark package that `make spark` installed, and the examples of Ray and Beam (SELECT="-k resume" runs some)
	@scripts/test-spark $(SELECT)

bench-python: ## measure the Python package next to fovea bench and MediaPipe (after make python and make program)
	@Benchmarks/Python/measure $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(ONLY),--only "$(ONLY)")

bench-spark: ## measure the CPU of an image on Spark next to the program's (after make spark and make program)
	@.build/venv-spark/bin/python Benchmarks/Spark/measure $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(ONLY),--only "$(ONLY)")

bench-training: program ## train classifiers on the shared photos: how right, how honest, time and memory
	@Benchmarks/Training/measure $(if $(ONLY),--only "$(ONLY)")

format: ## lay out the source as .swift-format says
	swift format --in-place --recursive --parallel Package.swift Sources Tests Snippets Examples Benchmarks/Package.swift Benchmarks/Sources

docs: setup ## build the DocC pages of every module into .build/docs
	@scripts/build-docs

install: build ## install both programs, the C library where `make capi` has built it, manual pages, completions and units into PREFIX (default /usr/local)
	@scripts/install --programs .build/release --destdir "$(DESTDIR)" --prefix "$(PREFIX)" $(if $(wildcard .build/capi/libfovea.so.1),--library .build/capi)

uninstall: ## remove what `make install` put into PREFIX
	@scripts/install --remove --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

deb: build ## build a Debian package of both programs into .build/deb, for the release of this machine
	@scripts/build-deb

clean: ## remove what was built and drawn (the LiteRT library stays)
	rm -rf .build demo-out Benchmarks/.build
