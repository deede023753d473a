# SPDX-License-Identifier: Apache-2.0
"""Computes the model card's figures of a localizer or classifier; fails if one is two standard errors worse.

python -m fovea_training.evaluate --help
"""

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .anchors import Array, anchors, decode, iou, suppress
from .data import CATEGORIES, TrainingSets
from .tflite import Runner
from .train import cut_box

TRAINING_LICENCES = (4, 5, 7)  # COCO images with these are training images
FOOD = "banana,apple,sandwich,orange,broccoli,carrot,hot dog,pizza,donut,cake"
HOME = (
    "chair,couch,bed,dining table,toilet,tv,microwave,oven,toaster,sink,refrigerator,clock,vase,cup,fork,"
    "knife,spoon,bowl,wine glass,bottle,scissors"
)
UNCLEAR = "umbrella,laptop,mouse,remote,keyboard,cell phone,book,teddy bear,hair drier,toothbrush"
CATEGORY_OF = {
    **dict.fromkeys(FOOD.split(","), "food"),
    **dict.fromkeys(HOME.split(","), "home"),
    **dict.fromkeys(["backpack", "handbag", "tie", "suitcase"], "fashion"),
    **dict.fromkeys(UNCLEAR.split(","), "?"),
    "potted plant": "plant",
}
CARD = {
    "localizer": {"recall5": 0.183, "recall5_prominent": 0.415},
    "classifier": {"sets_top1": 0.991, "coco_top1": 0.724},
}


@dataclass(frozen=True)
class Share:
    """A share with its standard error."""

    hits: float
    total: int

    @property
    def value(self) -> float:
        return self.hits / max(1, self.total)

    @property
    def error(self) -> float:
        p = self.value
        return math.sqrt(max(p * (1 - p), 1e-9) / max(1, self.total))


def held_out(coco: str | Path) -> Iterator[tuple[Image.Image, list[tuple[str, tuple[float, ...]]]]]:
    """Yields COCO images that are never trained on, and their boxes (ymin, xmin, ymax, xmax as fractions)."""
    folder = Path(coco)
    content = json.loads((folder / "instances.json").read_text())
    names = {category["id"]: category["name"] for category in content["categories"]}
    for entry in content["images"]:
        if entry.get("license") in TRAINING_LICENCES:
            continue
        image = Image.open(folder / "images" / entry["file_name"]).convert("RGB")
        width, height = image.size
        own = [a for a in content["annotations"] if a["image_id"] == entry["id"] and not a.get("iscrowd")]
        boxes = [(names[a["category_id"]], a["bbox"]) for a in own]
        yield (
            image,
            [(n, (y / height, x / width, (y + h) / height, (x + w) / width)) for n, (x, y, w, h) in boxes],
        )


def best_boxes(runner: Runner, image: Image.Image, most: int = 5) -> Array:
    size = (runner.width, runner.height)
    out = runner(np.asarray(image.resize(size, Image.Resampling.BILINEAR))).values()
    codes = next(value for value in out if value.ndim == 3 and value.shape[-1] == 4)[0]
    scores = next(value for value in out if value is not codes and value.size == len(codes)).reshape(-1)
    boxes = decode(codes, anchors())
    return np.clip(boxes[suppress(boxes, scores, 0.6, most)], 0, 1)


def matches(truth: Array, found: Array, threshold: float) -> int:
    """Returns which ground-truth boxes are matched, each by one found box, best first."""
    overlap, used = iou(truth, found), set()
    for column in range(len(found)):
        free = [row for row in range(len(truth)) if row not in used]
        row = max(free, key=lambda r: overlap[r, column], default=None)
        if row is not None and overlap[row, column] >= threshold:
            used.add(row)
    return len(used)


def localizer(model: str | Path, coco: str | Path, limit: int | None = None) -> dict[str, Share]:
    """recall5: boxes met at IoU 0.5 by the best five; ar5: over IoU 0.5 ... 0.95; prominent: 2 % and more."""
    runner, thresholds = Runner(model), np.arange(0.5, 0.96, 0.05)
    hits, totals = np.zeros((2, len(thresholds))), [0, 0]
    for at, (image, truth) in enumerate(held_out(coco)):
        if limit is not None and at >= limit:
            break
        found = best_boxes(runner, image)
        boxes = np.array([box for _, box in truth], np.float32).reshape(-1, 4)
        large = boxes[np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) >= 0.02]
        for kind, some in enumerate((boxes, large)):
            if len(some):
                totals[kind] += len(some)
                hits[kind] += [matches(some, found, t) for t in thresholds]
    figures = {}
    for kind, suffix in enumerate(("", "_prominent")):
        figures[f"recall5{suffix}"] = Share(float(hits[kind, 0]), totals[kind])
        figures[f"ar5{suffix}"] = Share(float(hits[kind].mean()), totals[kind])
    return figures


def classifier_crops(data: str | Path, coco: str | Path) -> Iterator[tuple[str, str, Image.Image]]:
    """Yields held-out images and COCO crops of at least 40 px: source, category or 'unknown', image."""
    yield from (("sets", category, image) for category, image in TrainingSets.held_out(data))
    for image, truth in held_out(coco):
        width, height = image.size
        for name, box in truth:
            category = CATEGORY_OF.get(name, "unknown")
            shorter = min((box[2] - box[0]) * height, (box[3] - box[1]) * width)
            if shorter >= 40 and category != "?":
                yield "coco", category, cut_box(image, box)


def auroc(positive: NDArray, negative: NDArray) -> float:
    """Computes the probability that a positive scores above a negative; ties count half."""
    above = (positive[:, None] > negative[None]).mean()
    return float(above + 0.5 * (positive[:, None] == negative[None]).mean())


def classifier(
    model: str | Path, data: str | Path, coco: str | Path, limit: int | None = None
) -> dict[str, Share | float]:
    """top1 of objects in a category; false: objects of none that get one at 0.5; AUROC of the best score."""
    runner, rows = Runner(model), {"sets": [], "coco": []}
    for source, category, image in classifier_crops(data, coco):
        if limit is None or len(rows[source]) < limit:
            pixels = np.asarray(image.resize((runner.width, runner.height), Image.Resampling.BILINEAR))
            (scores,) = runner(pixels).values()
            rows[source].append((category, scores.reshape(-1)))
    figures: dict[str, Share | float] = {}
    for source, found in rows.items():
        known = [(CATEGORIES.index(c), s) for c, s in found if c in CATEGORIES]
        best = np.array([s.max() for c, s in found if c == "unknown"])
        figures[f"{source}_top1"] = Share(sum(int(s.argmax()) == c for c, s in known), len(known))
        figures[f"{source}_false"] = Share(float((best >= 0.5).sum()), len(best))
        if known and len(best):
            figures[f"{source}_auroc"] = auroc(np.array([s.max() for _, s in known]), best)
    return figures


def failures(kind: str, figures: dict[str, Share | float], card: dict[str, float] | None = None) -> list[str]:
    """Returns the figures below the model card's by more than two standard errors."""
    found = []
    for name, wanted in (card or CARD[kind]).items():
        share = figures[name]
        if isinstance(share, Share) and share.value < wanted - 2 * share.error:
            found.append(f"{name} is {share.value:.3f} +- {share.error:.3f}, the model card has {wanted:.3f}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("localizer", "classifier"))
    parser.add_argument("model")
    parser.add_argument("--coco", required=True, help="the folder with instances.json and images/")
    parser.add_argument("--data", help="the training sets, for the classifier's held-out images")
    parser.add_argument("--limit", type=int, help="only this many images (of each source)")
    parser.add_argument("--no-card", action="store_true", help="only print, do not compare")
    a = parser.parse_args()
    if a.kind == "classifier" and a.data is None:
        parser.error("the classifier needs --data")
    figures = (
        localizer(a.model, a.coco, a.limit)
        if a.kind == "localizer"
        else classifier(a.model, a.data, a.coco, a.limit)
    )
    for name, figure in figures.items():
        line = (
            f"{figure.value:.4f} +- {figure.error:.4f} of {figure.total}"
            if isinstance(figure, Share)
            else f"{figure:.4f}"
        )
        print(f"{name:20} {line}")
    worse = [] if a.no_card else failures(a.kind, figures)
    print("\n".join(worse))
    raise SystemExit(1 if worse else 0)


if __name__ == "__main__":
    main()
