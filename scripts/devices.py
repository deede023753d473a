# SPDX-License-Identifier: Apache-2.0
"""Simulated devices of an experiment: assign variants like a model host, and create the events of an app."""

import hashlib
import itertools

# The number of values of the hash.
COUNT = 100_000_000


class Draw:
    """The assignment of units to variants, from the output of `fovea host experiment show --json`."""

    def __init__(self, shown):
        self.experiment, draw = shown["id"], shown["draw"]
        self.variants = [variant["id"] for variant in shown["variants"]]
        weights = [variant["weight"] for variant in shown["variants"]]
        self.seed, self.start, width = draw["seed"], draw["start"], draw["end"] - draw["start"]
        self.bounds = [self.start + width * part // sum(weights) for part in itertools.accumulate(weights)]

    def variant(self, unit):
        """Returns the number of the unit's variant; None if it does not participate."""
        value = int.from_bytes(hashlib.sha256(f"{self.seed}.{unit}".encode()).digest(), "big") % COUNT
        if value < self.start:
            return None
        return next((index for index, bound in enumerate(self.bounds) if value < bound), None)

    def exposure(self, unit, time):
        """Returns the exposure event of a unit at a time, a datetime in UTC; None if it does not participate."""
        variant = self.variant(unit)
        return None if variant is None else {
            "id": f"exposure-of-{unit}", "kind": "exposure", "experiment": self.experiment, "unit": unit,
            "variant": self.variants[variant], "time": text(time)}


def metric(name, unit, time):
    """Returns the conversion event of a unit."""
    return {"id": f"{name}-of-{unit}", "kind": "metric", "name": name, "unit": unit, "time": text(time)}


def text(time):
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"
