# SPDX-License-Identifier: Apache-2.0
# `make` prints the list of targets.

PREFIX ?= /usr/local
DESTDIR ?=
# The photos of `make demo`: a file or a folder.
IMAGE ?= Examples/photos
OUT ?= demo-out
# The address of `make demo-live`.
LISTEN ?= 127.0.0.1:8080

release := .build/release/fovea
server := .build/release/fovea-server
bench := swift run --package-path Benchmarks --configuration release FoveaBenchmarks
FILTER ?=
MODEL ?=
ROUNDS ?=
ONLY ?=
RECORD ?=
SELECT ?=

.DEFAULT_GOAL := help
.PHONY: help setup build capi program server-program demo demo-live test check lint format docs bench bench-check bench-update bench-tracking bench-peers bench-host bench-host-scale bench-serving bench-cameras bench-python bench-spark bench-training python python-test spark spark-test install uninstall deb clean

help: ## print this list; times are for a first build on two cores
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install missing system packages and the LiteRT library
	@scripts/setup

build: program server-program ## build the release programs .build/release/fovea and fovea-server, with the Swift runtime (15 minutes)
	@cp -f .build/server/release/fovea-server $(server)

capi: setup ## build the C library .build/capi/libfovea.so.1 with fovea.h and fovea.pc (1 minute after make demo)
	@scripts/build-capi

program: setup
	swift build --product fovea --configuration release --static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -function-sections

# In a folder of its own: its packages and traits would make SwiftPM build the program anew.
server-program: setup
	scripts/with-traits build --configuration release --product fovea-server --static-swift-stdlib --scratch-path .build/server

demo: program ## find objects on the bundled photos, or on IMAGE=path, and draw them into demo-out (5 minutes)
	@mkdir -p "$(OUT)"
	@$(release) detect "$(IMAGE)" --annotate "$(OUT)/" --report "$(OUT)/report.html"
	@echo "The images with boxes and labels are in $(abspath $(OUT)); report.html shows them all."
	@echo "Next: your photos with 'make demo IMAGE=folder', your model with '$(release) detect --model file', your camera with 'make demo-live'."

demo-live: build ## serve the live page and print its address; stop with Ctrl-C (LISTEN=host:port; 15 minutes)
	@echo "Open http://$(LISTEN) in a browser of this machine and start the camera, or drop photos on the page. Ctrl-C ends it."
	@exec $(release) serve --listen "$(LISTEN)"

test: setup ## run every test (20 minutes, 10 after that)
	@scripts/test

check: setup ## run the gate: format, layers, build, tests, documentation, examples (scripts/check; 70 minutes)
	@scripts/check

lint: ## check only layout, layers, words, links and commits, in seconds
	@scripts/check --only format,layers,texts

bench: setup ## measure time, allocations and memory of the stages (FILTER=decode selects some)
	@$(bench) $(if $(FILTER),--filter "$(FILTER)")

bench-check: setup ## fail if a stage allocates more, or uses more memory, than in Benchmarks/Thresholds
	@$(bench) --check

bench-update: setup ## store the current allocations and memory in Benchmarks/Thresholds
	@$(bench) --update

bench-tracking: build ## track MOT17 and MOT15 with every tracker and print a table (needs the sequences, see scripts/bench-tracking)
	@scripts/bench-tracking $(if $(RECORD),--record)

bench-peers: build ## compare with MediaPipe and LiteRT + Pillow, and networks with OpenVINO and ONNX Runtime (installs them into .build/peers)
	@Benchmarks/Peers/compare $(if $(MODEL),--model "$(MODEL)") $(if $(RECORD),--record)
	@Benchmarks/Peers/networks $(if $(RECORD),--record)

bench-host: build ## measure the model host: files against nginx, start, slow crowds, downloads (needs wrk, nginx, curl)
	@Benchmarks/Host/measure $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(ONLY),--only "$(ONLY)") $(if $(RECORD),--record)

bench-host-scale: build ## measure four model hosts on PostgreSQL and SeaweedFS behind haproxy (needs wrk, postgresql, haproxy)
	@Benchmarks/Host/scale $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(ONLY),--only "$(ONLY)") $(if $(RECORD),--record)

bench-serving: build ## measure fovea serve against FastAPI + LiteRT, in overload, with disconnects, at shutdown (needs wrk)
	@Benchmarks/Serving/measure $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(ONLY),--only "$(ONLY)") $(if $(MODEL),--model "$(MODEL)") $(if $(RECORD),--record)

bench-cameras: build ## measure eight cameras with events: CPU, frames/s, events kept (needs ffmpeg and the shared clips)
	@Benchmarks/Cameras/measure $(if $(ONLY),--only "$(ONLY)") $(if $(RECORD),--record)

python: ## build the Python wheel into dist and install it into .build/venv
	@scripts/build-python

python-test: ## test the Python package installed by `make python` (SELECT="-k arrays" runs some)
	@scripts/test-python $(SELECT)

spark: ## install the Spark package into .build/venv-spark (after make python; needs Java 17)
	@scripts/build-spark

spark-test: ## test the Spark package installed by `make spark`, and the Ray and Beam examples (SELECT="-k resume" runs some)
	@scripts/test-spark $(SELECT)

bench-python: ## measure the Python package against fovea bench and MediaPipe (after make python and make program)
	@Benchmarks/Python/measure $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(ONLY),--only "$(ONLY)") $(if $(RECORD),--record)

bench-spark: ## measure the CPU time per image on Spark against the program's (after make spark and make program)
	@.build/venv-spark/bin/python Benchmarks/Spark/measure $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(ONLY),--only "$(ONLY)") $(if $(RECORD),--record)

bench-training: program ## train classifiers on the shared photos: accuracy, calibration, time and memory
	@Benchmarks/Training/measure $(if $(ONLY),--only "$(ONLY)") $(if $(RECORD),--record)

format: ## format the source according to .swift-format
	swift format --in-place --recursive --parallel Package.swift Sources Tests Snippets Examples Benchmarks/Package.swift Benchmarks/Sources

docs: setup ## build the DocC pages of every module into .build/docs
	@scripts/build-docs

install: build ## install programs, C library (after make capi), manual pages, completions and units into PREFIX (/usr/local)
	@scripts/install --programs .build/release --destdir "$(DESTDIR)" --prefix "$(PREFIX)" $(if $(wildcard .build/capi/libfovea.so.1),--library .build/capi)

uninstall: ## remove the files of `make install` from PREFIX
	@scripts/install --remove --destdir "$(DESTDIR)" --prefix "$(PREFIX)"

deb: build ## build a Debian package of both programs into .build/deb, for the release of this machine
	@scripts/build-deb

clean: ## remove build results and drawn images (the LiteRT library stays)
	rm -rf .build demo-out Benchmarks/.build
