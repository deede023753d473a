# SPDX-License-Identifier: Apache-2.0
"""Shared code of the compared programs: arguments, timing, and the printed line of JSON."""

import argparse
import json
import os
import time


def run(make_detector):
    """Measures `make_detector(model, threads)`, a function from a path to the number of objects."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("images", nargs="+")
    options = parser.parse_args()
    detect = make_detector(options.model, options.threads)
    figures = {}
    for image in options.images:
        detect(image)  # warm-up: the first run fills caches
        began = time.process_time()
        for _ in range(options.repetitions):
            detect(image)
        figures[image] = (time.process_time() - began) / options.repetitions if options.repetitions else 0
    print(json.dumps({"cpu_s": figures}))
