# SPDX-License-Identifier: Apache-2.0
"""Trains a whole detector of your own classes: COCO instances in, a checkpoint for fovea_training.export out.

python -m fovea_training.detector --help
"""

import argparse
import random
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from .anchors import Array, anchors, encode, iou
from .augment import crop_with_boxes
from .data import CocoSet
from .loop import Loop, batches, device, seed_all
from .losses import detector_loss
from .model import Detector, normalised
from .tflite import Graph, layers
from .train import add_loop_options, loop_settings
from .weights import assign, load_backbone

MATCH, IGNORE = 0.5, 0.4


def load_localizer(network: Detector, path: str | Path) -> None:
    """Returns the localizer's layers without the scoring ones: its single class initializes every class."""
    found = list(layers(Graph.load(path)))
    scoring = {id(head.score) for head in network.heads}
    modules = network.convolutions()
    if len(found) != len(modules):
        raise ValueError(f"{path} has {len(found)} layers, the localizer has {len(modules)}")
    for module, layer in zip(modules, found, strict=True):
        if id(module) in scoring:
            repeats = module.weight.shape[0] // len(layer.kernel)
            layer.kernel = np.repeat(layer.kernel, repeats, 0)
            layer.bias = np.repeat(layer.bias, repeats, 0)
    assign(modules, found)


def targets(boxes: Array, classes: NDArray[np.int64], anchor: Array) -> tuple[Array, NDArray[np.int64]]:
    """Returns codes and class of each anchor: -1 background, -2 ignored; a box always has its best anchor."""
    edges = np.concatenate([anchor[:, :2] - anchor[:, 2:] / 2, anchor[:, :2] + anchor[:, 2:] / 2], 1)
    codes, labels = np.zeros_like(anchor), np.full(len(anchor), -1, np.int64)
    if len(boxes) == 0:
        return codes, labels
    overlap = iou(edges, boxes)
    best, owner = overlap.max(1), overlap.argmax(1)
    labels[best >= IGNORE] = -2
    labels[best >= MATCH] = classes[owner[best >= MATCH]]
    for box, row in enumerate(overlap.argmax(0)):
        if overlap[row, box] > 0:
            owner[row], labels[row] = box, classes[box]
    matched = labels >= 0
    codes[matched] = encode(boxes[owner[matched]], anchor[matched])
    return codes, labels


def make_batch(dataset: CocoSet, rows: list[int], rng: random.Random, anchor: Array) -> tuple[NDArray, ...]:
    parts = []
    for row in rows:
        image, boxes, classes = dataset[row]
        pixels, moved, stays = crop_with_boxes(image, boxes, Detector.side, rng)
        parts.append((pixels, *targets(moved[stays], classes[stays], anchor)))
    images, codes, labels = (np.stack(column) for column in zip(*parts, strict=True))
    return images, codes, labels


def train(a: argparse.Namespace) -> bool:
    seed_all(a.seed)
    dataset = CocoSet(a.annotations, a.images, a.limit)
    print(f"{len(dataset)} images, {len(dataset.names)} classes: {', '.join(dataset.names)}", flush=True)
    fresh = a.start is None
    network = Detector(len(dataset.names), norm=fresh).to(device())
    load_backbone(network.backbone, a.imagenet) if fresh else load_localizer(network, a.start)
    settings = loop_settings(a)
    about = {"kind": "detector", "classes": len(dataset.names), "norm": fresh, "names": dataset.names}
    loop = Loop(network, settings, a.output, about=about)
    loop.resume()
    anchor = anchors()
    rows = torch.from_numpy(anchor).to(device())
    stream = batches(len(dataset), settings.batch, a.seed, loop.step)

    def loss(step: int, done: float) -> torch.Tensor:
        arrays = make_batch(dataset, next(stream), random.Random(f"{a.seed}-{step}"), anchor)
        images, codes, labels = (torch.from_numpy(array).to(device()) for array in arrays)
        return detector_loss(*network(normalised(images)), codes, labels, rows)

    return loop.run(loss)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotations", required=True, help="COCO instances (JSON)")
    parser.add_argument("--images", required=True, help="the folder of their images")
    parser.add_argument("--output", required=True, help="the folder of the checkpoint")
    parser.add_argument("--start", help="the localizer's float16 .tflite: better weights than ImageNet's")
    parser.add_argument("--imagenet", help="tfls_mobilenet_v2_1.0_224_quant.tflite")
    parser.add_argument("--limit", type=int, help="use only this many images")
    add_loop_options(parser, rate=1e-3, warmup=100)
    a = parser.parse_args()
    if a.start is None and a.imagenet is None:
        parser.error("pass --start FILE or --imagenet FILE")
    raise SystemExit(0 if train(a) else 130)


if __name__ == "__main__":
    main()
