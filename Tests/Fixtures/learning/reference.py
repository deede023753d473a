#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Softmax regression by scikit-learn on six small sets, as regression.json.

  pip install scikit-learn==1.9.1 numpy==2.4.6
  Tests/Fixtures/learning/reference.py > Tests/Fixtures/learning/regression.json
"""

import json

import numpy
from sklearn.linear_model import LogisticRegression

STRENGTHS = (0.1, 0.001)


def clusters(random, counts, width, spread):
    """Points around a centre for each class, so many of each, with four decimals."""
    centres = random.normal(size=(len(counts), width)) * 2
    points = [centre + random.normal(size=(count, width)) * spread for centre, count in zip(centres, counts)]
    labels = numpy.repeat(numpy.arange(len(counts)), counts)
    return numpy.concatenate(points).round(4), labels


def sets():
    random = numpy.random.default_rng(20261123)
    yield "two classes", *clusters(random, [15, 15], 6, 3)
    yield "thirty classes", *clusters(random, [3] * 30, 8, 1)
    yield "classes that a line parts", *clusters(random, [12, 12, 12], 5, 0.2)
    points, labels = clusters(random, [10, 10, 10], 6, 2)
    points[:, 2] = 1.5
    yield "a constant feature", points, labels
    yield "fewer photos than features", *clusters(random, [4, 4, 4], 40, 3)
    yield "unbalanced classes", *clusters(random, [40, 5, 3], 6, 3)


def solve(points, labels, strength):
    """The least of J over the scaled features, in double precision."""
    points = points.astype(numpy.float32).astype(numpy.float64)
    mean = points.mean(axis=0)
    scale = numpy.sqrt(((points - mean) ** 2).sum(axis=1).mean())
    scaled = (points - mean) / scale
    count = len(labels)
    # With two classes scikit-learn fits one logistic; both heads are told apart by their difference, which costs half as much.
    head = LogisticRegression(C=1 / (strength * count) * (2 if labels.max() == 1 else 1), tol=1e-12, max_iter=100_000).fit(scaled, labels)
    weights, biases = head.coef_, head.intercept_
    if labels.max() == 1:
        weights, biases = numpy.concatenate([-weights, weights]) / 2, numpy.concatenate([-biases, biases]) / 2
    scores = scaled @ weights.T + biases
    scores -= scores.max(axis=1, keepdims=True)
    logarithms = scores - numpy.log(numpy.exp(scores).sum(axis=1, keepdims=True))
    loss = -logarithms[numpy.arange(count), labels].mean() + strength / 2 * (weights**2).sum()
    return {"strength": strength, "loss": loss, "probabilities": numpy.exp(logarithms).round(9).tolist()}


def main():
    found = [{"name": name, "labels": labels.tolist(), "features": points.tolist(),
              "solutions": [solve(points, labels, strength) for strength in STRENGTHS]} for name, points, labels in sets()]
    lines = ",\n".join(json.dumps(each, separators=(",", ":")) for each in found)
    print(f"[\n{lines}\n]")


if __name__ == "__main__":
    main()
