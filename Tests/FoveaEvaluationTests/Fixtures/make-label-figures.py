#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes labels.json: what scikit-learn says of 200 random cases of labelled photos.

A case is made from its number alone, here and in Support/RandomLabels.swift, with the same steps in the same order: a change
in one of the two needs the same change in the other, and new figures:

    pip install scikit-learn==1.9.1 numpy==2.4.6
    cd Tests/FoveaEvaluationTests/Fixtures
    python3 make-label-figures.py > labels.json

All scores are parts of a power of two, so that both languages have the same numbers to the last bit. Two rules are Fovea's:
a class without a score is never among the first five, and a photo without an answer is answered with a class of its
own, which no mean counts.
"""

import importlib.metadata
import json
import warnings

import numpy
from sklearn.metrics import (accuracy_score, average_precision_score, balanced_accuracy_score, log_loss, precision_recall_curve,
                             precision_recall_fscore_support, top_k_accuracy_score)

CASES = 200
MASK = (1 << 64) - 1
FIRST = 5
BINS = 15


class SplitMix64:
    """Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, bound):
        return self.next() % bound


def scores(random, kind, classes):
    """The scores of a photo: whole probabilities, ties, lists that were cut, or any."""
    if kind == 0:
        row = [0] * classes
        for _ in range(64):
            row[random.below(classes)] += 1
        return [each / 64 for each in row]
    if random.below(8) == 0:
        return [0] * classes
    if kind == 1:
        return [random.below(9) / 8 for _ in range(classes)]
    if kind == 2:
        return [max(0, random.below(48) - 31) / 256 for _ in range(classes)]
    return [random.below(1 << 20) / (1 << 20) for _ in range(classes)]


def make(number):
    random = SplitMix64(number)
    classes = 2 + random.below(11)
    # The last classes have no photos.
    used = max(1, classes - random.below(3))
    count = 1 + random.below(30)
    kind = random.below(4)
    has_several = random.below(4) == 0
    threshold = random.below(4) / (16, 4, 64, 4)[kind]
    given, rows = [], []
    for _ in range(count):
        labels = [index for index in range(used) if has_several and random.below(3) == 0]
        given.append(labels or [random.below(used)])
        rows.append(scores(random, kind, classes))
    truth = numpy.zeros((count, classes), dtype=int)
    for row, labels in zip(truth, given):
        row[labels] = 1
    return kind, has_several, threshold, truth, numpy.array(rows)


def first_answers(truth, values, has_several):
    """The share of photos with one of their classes among the first scores, whatever the threshold."""
    count, classes = truth.shape
    if has_several:
        order = numpy.argsort(values, axis=1, kind="mergesort")[:, ::-1][:, :FIRST]
        return float(numpy.mean([any(row[i] and score[i] > 0 for i in places) for row, score, places in zip(truth, values, order)]))
    labels = truth.argmax(axis=1)
    rows = numpy.flatnonzero(values[numpy.arange(count), labels] > 0)
    if classes <= FIRST or not len(rows):
        return len(rows) / count
    return float(top_k_accuracy_score(labels[rows], values[rows], k=FIRST, labels=range(classes), normalize=False)) / count


def calibration(truth, values):
    """The expected calibration error; Naeini, Cooper, Hauskrecht, AAAI 2015."""
    best = values.max(axis=1)
    right = truth[numpy.arange(len(truth)), values.argmax(axis=1)] * (best > 0)
    bins = numpy.clip(numpy.ceil(best * BINS).astype(int) - 1, 0, BINS - 1)
    return float(sum(abs(best[bins == each].sum() - right[bins == each].sum()) for each in range(BINS)) / len(truth))


def plain(value):
    """A number with nine decimals; None for none."""
    return None if value is None or numpy.isnan(value) else round(float(value), 9)


def figures(number):
    kind, has_several, threshold, truth, values = make(number)
    count, classes = truth.shape
    answers = numpy.where(values >= threshold, values, 0)
    best, first = answers.max(axis=1), answers.argmax(axis=1)
    labels, predicted = truth.argmax(axis=1), numpy.where(best > 0, first, classes)
    if has_several:
        asked, given = (answers > 0).astype(int), truth
        present = numpy.flatnonzero(asked.any(axis=0) | truth.any(axis=0))
        is_right = truth[numpy.arange(count), first] * (best > 0)
        accuracy, answer_count = is_right.mean(), asked.sum()
    else:
        asked, given = predicted, labels
        present = sorted(set(labels.tolist() + predicted.tolist()) - {classes})
        accuracy, answer_count = accuracy_score(labels, predicted), (predicted < classes).sum()
    macro = precision_recall_fscore_support(given, asked, labels=present, average="macro", zero_division=0)[:3]
    micro = precision_recall_fscore_support(given, asked, labels=range(classes), average="micro", zero_division=numpy.nan)[:3]
    each = precision_recall_fscore_support(given, asked, labels=range(classes), average=None, zero_division=numpy.nan)[:3]
    precisions = [average_precision_score(truth[:, i], values[:, i]) if truth[:, i].any() else None for i in range(classes)]
    curve = precision_recall_curve(truth.ravel(), values.ravel())
    is_probable = not has_several and (values.sum(axis=1) <= 1.1).all()
    is_whole = is_probable and (values.sum(axis=1) >= 0.9).all()
    return {
        "photos": count, "missing": int((best == 0).sum()),
        "figures": [plain(value) for value in (
            accuracy, first_answers(truth, values, has_several),
            None if has_several else balanced_accuracy_score(labels, predicted),
            *macro, numpy.mean([value for value in precisions if value is not None]),
            None if answer_count == 0 else micro[0], *micro[1:], average_precision_score(truth.ravel(), values.ravel()),
            log_loss(labels, values, labels=range(classes)) if is_whole else None,
            calibration(truth, values) if is_probable else None,
            curve[0][:-1].sum(), curve[1][:-1].sum(), curve[2].sum())],
        "classes": [[plain(value) for value in row] for row in zip(*each, precisions)]}


def main():
    warnings.simplefilter("ignore")
    version = importlib.metadata.version("scikit-learn")
    lines = ",\n".join(json.dumps(figures(number), separators=(",", ":")) for number in range(CASES))
    print(f'{{"scikitLearn":"{version}","cases":[\n{lines}\n]}}')


if __name__ == "__main__":
    main()
