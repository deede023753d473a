#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes pycocotools.json: what pycocotools says of 200 random cases, and with --goldens of the golden detections.

A case is made from its number alone, here and in Support/RandomCase.swift, with the same steps in the same order: a
change in one of the two needs the same change in the other, and new figures:

    pip install pycocotools==2.0.11
    cd Tests/FoveaEvaluationTests/Fixtures
    python3 make-pycocotools-figures.py > pycocotools.json
    python3 make-pycocotools-figures.py --goldens ../../../../shared/data > goldens.json

All coordinates are quarters of pixels and all scores parts of a power of two, so that both languages have the same
numbers to the last bit.
"""

import contextlib
import importlib.metadata
import io
import json
import pathlib
import sys

import numpy
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

CASES = 200
MASK = (1 << 64) - 1


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


# Sizes whose areas are exactly the borders 32² and 96².
BORDERS = [(32.0, 32.0), (64.0, 16.0), (96.0, 96.0), (128.0, 72.0)]


def size(random):
    kind = random.below(12)
    if kind == 0:
        return 0.0, random.below(100) / 4
    if kind <= 3:
        return BORDERS[random.below(4)]
    if kind <= 6:
        return 1 + random.below(100) / 4, 1 + random.below(100) / 4
    return 1 + random.below(800) / 4, 1 + random.below(800) / 4


def make(number):
    random = SplitMix64(number)
    images = [3 * i + 1 + random.below(3) for i in range(1 + random.below(8))]
    categories = [2 * i + 1 for i in range(1 + random.below(4))]
    # The last category has no objects, if there are more than one.
    used = max(1, len(categories) - random.below(2))
    first_id = 0 if random.below(8) == 0 else 1
    repeats_ids = random.below(8) == 0
    has_ties = random.below(2) == 0
    is_crowded = random.below(10) == 0

    def score():
        return (random.below(8) + 1) / 8 if has_ties else random.below(1 << 20) / (1 << 20)

    annotations, detections = [], []
    for image in images:
        for _ in range(random.below(7)):
            category = categories[random.below(used)]
            x, y = random.below(1200) / 4, random.below(1200) / 4
            w, h = size(random)
            crowd = 1 if random.below(8) == 0 else 0
            ignore = 1 if random.below(10) == 0 else 0
            share = random.below(4)
            area = [w * h, w * h, w * h * 3 / 4, 1024.0][share]
            id = first_id + len(annotations)
            if repeats_ids and annotations and random.below(5) == 0:
                id = annotations[random.below(len(annotations))]["id"]
            annotations.append({"id": id, "image_id": image, "category_id": category, "bbox": [x, y, w, h],
                                "area": area, "iscrowd": crowd, "ignore": ignore})
            # None, one or two detections near it, some of them of another kind.
            for _ in range(random.below(3)):
                near = 1 + random.below(2) * 15
                found = {"image_id": image, "category_id": category}
                if random.below(8) == 0:
                    found["category_id"] = categories[random.below(len(categories))]
                dx, dy = random.below(near) / 4, random.below(near) / 4
                dw, dh = random.below(near) / 4, random.below(near) / 4
                found["bbox"] = [x + dx, y + dy, w + dw, h + dh]
                found["score"] = score()
                detections.append(found)
        for _ in range(random.below(6) + (130 if is_crowded else 0)):
            x, y = random.below(1200) / 4, random.below(1200) / 4
            w, h = size(random)
            detections.append({"image_id": image, "category_id": categories[random.below(len(categories))],
                               "bbox": [x, y, w, h], "score": score()})
    # The order in the file decides ties: mix it.
    for i in range(len(detections) - 1, 0, -1):
        j = random.below(i + 1)
        detections[i], detections[j] = detections[j], detections[i]
    # pycocotools stops at unknown images, which are left out here; it leaves out unknown categories by itself.
    strangers = []
    if random.below(6) == 0:
        strangers.append({"image_id": 9999, "category_id": categories[0], "bbox": [0.0, 0.0, 9.0, 9.0], "score": 1.0})
    if random.below(6) == 0:
        detections.append({"image_id": images[0], "category_id": 9999, "bbox": [0.0, 0.0, 9.0, 9.0], "score": 1.0})
    return images, categories, annotations, detections, strangers


def figure(value):
    return None if value == -1 else round(float(value), 10)


def evaluate(case, use_categories):
    """(the twelve figures, the AP of each category)"""
    images, categories, annotations, detections, _ = case
    truth = COCO()
    truth.dataset = {"images": [{"id": id} for id in images], "annotations": [dict(a) for a in annotations],
                     "categories": [{"id": id, "name": str(id)} for id in categories]}
    truth.createIndex()
    if detections:
        results = truth.loadRes([dict(d) for d in detections])
    else:
        # loadRes stops at an empty list.
        results = COCO()
        results.dataset = {"images": truth.dataset["images"], "annotations": [],
                           "categories": truth.dataset["categories"]}
        results.createIndex()
    return figures(truth, results, use_categories)


def figures(truth, results, use_categories):
    evaluation = COCOeval(truth, results, "bbox")
    evaluation.params.useCats = use_categories
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
    kinds = []
    for kind in range(evaluation.eval["precision"].shape[2]):
        values = evaluation.eval["precision"][:, :, kind, 0, -1]
        values = values[values > -1]
        kinds.append(figure(numpy.mean(values)) if values.size else None)
    return [figure(value) for value in evaluation.stats], kinds


def goldens(folder):
    found = {}
    for path in sorted((folder / "goldens/coco").glob("*.detections.json")):
        with contextlib.redirect_stdout(io.StringIO()):
            truth = COCO(str(folder / "coco/instances.json"))
            metrics, kinds = figures(truth, truth.loadRes(str(path)), 1)
            agnostic, _ = figures(truth, truth.loadRes(str(path)), 0)
        found[path.name.removesuffix(".detections.json")] = {
            "metrics": metrics, "categories": kinds, "agnostic": agnostic}
    return found


def main():
    if sys.argv[1:2] == ["--goldens"]:
        version = importlib.metadata.version("pycocotools")
        print(json.dumps({"pycocotools": version, "goldens": goldens(pathlib.Path(sys.argv[2]))}))
        return
    cases = []
    for number in range(CASES):
        case = make(number)
        with contextlib.redirect_stdout(io.StringIO()):
            metrics, kinds = evaluate(case, 1)
            agnostic, _ = evaluate(case, 0)
        cases.append({"metrics": metrics, "categories": kinds, "agnostic": agnostic,
                      "detections": len(case[3]) + len(case[4]), "annotations": len(case[2])})
    print('{"pycocotools": "' + importlib.metadata.version("pycocotools") + '", "cases": [')
    print(",\n".join(json.dumps(case, separators=(",", ":")) for case in cases))
    print("]}")


if __name__ == "__main__":
    main()
