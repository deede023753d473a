#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sigmoids for each class, temperatures and thresholds by scikit-learn, as decisions.json.

  pip install scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1
  Tests/Fixtures/learning/decisions.py > Tests/Fixtures/learning/decisions.json
"""

import json

import numpy
from scipy.optimize import minimize_scalar
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, precision_recall_curve

STRENGTHS = (0.1, 0.001)


def sigmoids(random):
    """A logistic regression for each class of photos that have any number of four classes."""
    features = random.normal(size=(40, 6)).round(4)
    directions = random.normal(size=(4, 6))
    truth = (features @ directions.T + random.normal(size=(40, 4)) > [0, 0.5, 1, 2.5]).astype(int)
    points = features.astype(numpy.float32).astype(numpy.float64)
    scaled = points - points.mean(axis=0)
    scaled /= numpy.sqrt((scaled**2).sum(axis=1).mean())
    solutions = []
    for strength in STRENGTHS:
        head = LogisticRegression(C=1 / (strength * 40), tol=1e-12, max_iter=100_000)
        scores = numpy.stack([head.fit(scaled, each).decision_function(scaled) for each in truth.T], axis=1)
        loss = numpy.mean([log_loss(each, expit(score), labels=[0, 1]) for each, score in zip(truth.T, scores.T)])
        solutions.append({"strength": strength, "logLoss": loss, "probabilities": expit(scores).round(9).tolist()})
    return {"features": features.tolist(), "sets": [numpy.flatnonzero(row).tolist() for row in truth], "solutions": solutions}


def temperature(random, count, classes, sharpness):
    """Where the log loss is least: by scipy over the logarithm of the temperature."""
    scores = (random.normal(size=(count, classes)) * sharpness).round(4)
    chances = numpy.exp(scores / sharpness)
    chances /= chances.sum(axis=1, keepdims=True)
    labels = [int(random.choice(classes, p=row)) for row in chances]

    def loss(logarithm):
        scaled = numpy.exp(scores / numpy.exp(logarithm))
        return log_loss(labels, scaled / scaled.sum(axis=1, keepdims=True), labels=range(classes))

    found = minimize_scalar(loss, bounds=(-3, 3), method="bounded", options={"xatol": 1e-10})
    return {"scores": scores.tolist(), "labels": labels, "temperature": float(numpy.exp(found.x)), "logLoss": float(found.fun)}


def curve(truth, scores):
    precision, recall, thresholds = precision_recall_curve(truth, scores)
    return {"precision": precision[:-1].round(12).tolist(), "recall": recall[:-1].round(12).tolist(), "thresholds": thresholds.tolist()}


def thresholds(random, count, classes):
    """The curve of all photos and classes, and that of each class; scores with ties."""
    scores = random.integers(0, 20, size=(count, classes)) / 20
    labels = random.integers(0, classes, size=count)
    truth = numpy.eye(classes, dtype=int)[labels]
    return {"probabilities": scores.tolist(), "labels": labels.tolist(), "all": curve(truth.ravel(), scores.ravel()),
            "classes": [curve(each, score) if each.any() else None for each, score in zip(truth.T, scores.T)]}


def main():
    random = numpy.random.default_rng(20261124)
    found = {"sigmoids": sigmoids(random),
             "temperatures": [temperature(random, 60, 3, 4), temperature(random, 80, 2, 0.5)],
             "thresholds": [thresholds(random, 25, 3), thresholds(random, 6, 5)]}
    print(json.dumps(found, separators=(",", ":")))


if __name__ == "__main__":
    main()
