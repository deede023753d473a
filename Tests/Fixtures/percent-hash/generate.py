#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the rows of PercentHashTests: the values of 1,000,000 ids by hashlib, folded into one number for each seed."""
import hashlib

SEEDS = ["", "a", "model_ab", "seed_1", "A-b.c_9", "x" * 32, "0", "rollout-2026", "bird", "Bird"]

for seed in SEEDS:
    fold = below = 0
    for number in range(100_000):
        text = f"user-{number}" if not seed else f"{seed}.user-{number}"
        value = int(hashlib.sha256(text.encode()).hexdigest(), 16) % 100_000_000
        fold = (fold * 31 + value) % 2**64
        below += value < 10_000_000
    print(f'    FoldCase(seed: "{seed}", fold: {fold}, tenth: {below}),')
