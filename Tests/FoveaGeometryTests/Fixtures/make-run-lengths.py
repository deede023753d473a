#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes run-lengths.json: the masks that pycocotools makes of random polygons, with areas, boxes and overlaps.

    pip install pycocotools==2.0.11
    cd Tests/FoveaGeometryTests/Fixtures
    python3 make-run-lengths.py > run-lengths.json
"""

import json
import random

from pycocotools import mask


def polygon(rng, width, height):
    """Returns the coordinates of a polygon, some of them whole, some outside the image, some closed."""
    margin = rng.choice([0, 0, 0.2])
    points = []
    for _ in range(rng.choice([3, 3, 4, 5, 8, 20])):
        x = rng.uniform(-margin * width, (1 + margin) * width)
        y = rng.uniform(-margin * height, (1 + margin) * height)
        places = 0 if rng.random() < 0.3 else 2
        points += [round(x, places), round(y, places)]
    return points + points[:2] if rng.random() < 0.2 else points


def runs(encoded):
    """Returns the uncompressed run lengths."""
    counts, value, count = [], 0, 0
    for pixel in mask.decode(encoded).flatten(order="F"):
        if pixel != value:
            counts.append(count)
            value, count = pixel, 0
        count += 1
    return counts + [count]


def main():
    rng = random.Random(7)
    cases, masks = [], []
    for number in range(60):
        size = rng.choice([(1, 1), (5, 3), (7, 40), (64, 48), (640, 480), (33, 1)])
        width, height = size if number < 30 else (rng.randint(1, 200), rng.randint(1, 200))
        polygons = [polygon(rng, width, height) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        encoded = mask.merge(mask.frPyObjects(polygons, height, width))
        case = {"width": width, "height": height, "polygons": polygons, "text": encoded["counts"].decode(),
                "area": int(mask.area(encoded)), "box": [float(edge) for edge in mask.toBbox(encoded)]}
        counts = runs(encoded)
        if len(counts) < 60:
            case["counts"] = counts
        cases.append(case)
        masks.append(encoded)
    for number, case in enumerate(cases):
        for other, rival in enumerate(cases):
            if other == number or (rival["width"], rival["height"]) != (case["width"], case["height"]):
                continue
            case["other"] = other
            case["iou"], case["crowd"] = (
                float(mask.iou([masks[number]], [masks[other]], [crowd])[0][0]) for crowd in (0, 1))
            break
    print(json.dumps({"pycocotools": "2.0.11", "cases": cases}, separators=(",", ":")))


main()
