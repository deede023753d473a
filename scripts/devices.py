# SPDX-License-Identifier: Apache-2.0
"""Simulated devices of an experiment: they draw variants as a model host does, and make the events that an app sends."""

import hashlib
import itertools

# How many values the hash has.
COUNT = 100_000_000


class Draw:
    """Which variant each unit gets, from what `fovea host experiment show --json` prints."""

    def __init__(self, shown):
        self.experiment, draw = shown["id"], shown["draw"]
        self.variants = [variant["id"] for variant in shown["variants"]]
        weights = [variant["weight"] for variant in shown["variants"]]
        self.seed, self.start, width = draw["seed"], draw["start"], draw["end"] - draw["start"]
        self.bounds = [self.start + width * part // sum(weights) for part in itertools.accumulate(weights)]

    def variant(self, unit):
        """The number of the unit's variant; None for one that takes no part."""
        value = int.from_bytes(hashlib.sha256(f"{self.seed}.{unit}".encode()).digest(), "big") % COUNT
        if value < self.start:
            return None
        return next((index for index, bound in enumerate(self.bounds) if value < bound), None)

    def exposure(self, unit, time):
        """The event of a unit that uses its variant at a time, a datetime in UTC; None for one that takes no part."""
        variant = self.variant(unit)
        return None if variant is None else {
            "id": f"exposure-of-{unit}", "kind": "exposure", "experiment": self.experiment, "unit": unit,
            "variant": self.variants[variant], "time": text(time)}


def metric(name, unit, time):
    """The event of a unit that does what counts."""
    return {"id": f"{name}-of-{unit}", "kind": "metric", "name": name, "unit": unit, "time": text(time)}


def text(time):
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"
