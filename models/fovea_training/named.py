# SPDX-License-Identifier: Apache-2.0
"""Continues training the embedded detector of 80 classes, quantised as shipped, against a stronger teacher.

The file itself is the network: its operators run in PyTorch with the file's own scales (quantisation-aware),
and the trained values are written back into the same file. The teacher is the same network without
quantisation, at a larger size, plain and mirrored, and at the file's own size.

python -m fovea_training.named --help
"""

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from torch import Tensor
from torch.nn import functional as F

from .data import TrainingSets
from .loop import Loop, batches, device, seed_all
from .quantised import QuantisedGraph
from .tflite import Graph
from .train import add_loop_options, loop_settings

BINS, SHIFT = 8, 6.0  # bins of the box distribution; the offset that the heads add before their ReLU


@dataclass(frozen=True)
class NamedSettings:
    """Sizes and samples."""

    side: int = 352
    teacher_side: int = 416
    sharpen: float = 0.6
    samples: int = 6400


def heads(graph: QuantisedGraph, images: Tensor, quantised: bool) -> tuple[Tensor, Tensor]:
    """Returns logits [n, cells, 80] and box bins [n, cells, 4, 8], cells of strides 8, 16, 32, 64."""
    maps = graph(images, quantised)
    maps = sorted(maps, key=lambda value: -value.shape[2])
    scores = [value.flatten(2).transpose(1, 2) for value in maps if value.shape[1] != 4 * BINS]
    bins = [value.flatten(2).transpose(1, 2) for value in maps if value.shape[1] == 4 * BINS]
    boxes = torch.cat(bins, 1)
    return torch.cat(scores, 1) - SHIFT, boxes.reshape(*boxes.shape[:2], 4, BINS)


def distances(bins: Tensor) -> Tensor:
    """Computes left, top, right, bottom in strides: the expectation over the bins."""
    return (bins.softmax(-1) * torch.arange(BINS, device=bins.device)).sum(-1)


def teach(teacher: QuantisedGraph, large: Tensor, small: Tensor) -> tuple[Tensor, Tensor]:
    """Returns scores and bins in the cells of `small`; the scores are averaged with those of the large image.

    The large maps are resampled onto the small ones' cells. Boxes stay those of the small image: bins cannot
    be averaged across strides.
    """
    with torch.no_grad():
        own, bins = heads(teacher, small, quantised=False)
        plain = maps_at(teacher, large, small)
        mirrored = maps_at(teacher, large.flip(3), small, flip=True)
        return ((own.sigmoid() * 0.5 + plain.sigmoid() + mirrored.sigmoid()) / 2.5), bins


def maps_at(teacher: QuantisedGraph, large: Tensor, small: Tensor, flip: bool = False) -> Tensor:
    parts = []
    maps = [value for value in teacher(large, False) if value.shape[1] != 4 * BINS]
    for stride, value in zip((8, 16, 32, 64), sorted(maps, key=lambda m: -m.shape[2]), strict=True):
        value = value.flip(3) if flip else value
        cells = -(-small.shape[2] // stride)
        parts.append(
            F.interpolate(value, (cells, cells), mode="bilinear", align_corners=False)
            .flatten(2)
            .transpose(1, 2)
        )
    return torch.cat(parts, 1) - SHIFT


def distillation_loss(student: tuple[Tensor, Tensor], wanted: tuple[Tensor, Tensor]) -> Tensor:
    """4 x scores + 0.5 x KL of bins + 0.25 x L1 of distances + GIoU, weighted by the teacher's best score."""
    (logits, bins), (scores, target) = student, wanted
    scores = scores.clamp(1e-5, 1 - 1e-4)
    entropy = scores * scores.log() + (1 - scores) * (1 - scores).log()
    gap = ((scores - logits.sigmoid()).abs() + 0.25 * scores.sqrt() + 0.02).detach()
    score = ((F.binary_cross_entropy_with_logits(logits, scores, reduction="none") + entropy) * gap).sum()
    best = scores.amax(-1)
    best = torch.where(best > 0.08, best, torch.zeros_like(best))
    divergence = F.kl_div(bins.log_softmax(-1), target.softmax(-1), reduction="none").sum((-1, -2))
    own, other = distances(bins), distances(target)
    apart = (own - other).abs().sum(-1)
    inner, outer = torch.minimum(own, other), torch.maximum(own, other)
    shared, hull = area(inner), area(outer) + 1e-3
    union = area(own) + area(other) - shared + 1e-3
    overlap = 1 - (shared / union - (hull - union) / hull)
    boxes = ((0.5 * divergence + 0.25 * apart + overlap) * best).sum()
    return (4 * score + boxes) / (best.sum() + 1)


def area(sides: Tensor) -> Tensor:
    return (sides[..., 0] + sides[..., 2]) * (sides[..., 1] + sides[..., 3])


class Canvases:
    """Returns one scene, or two to four images next to each other, sharpened according to the settings."""

    def __init__(self, sets: TrainingSets, settings: NamedSettings, seed: int) -> None:
        self.sets, self.settings, self.seed = sets, settings, seed
        self.scenes = sets.scenes or sets.samples
        self.objects = sets.objects or sets.samples

    def __call__(self, number: int) -> NDArray[np.uint8]:
        rng, side = random.Random(f"{self.seed}-{number}"), self.settings.teacher_side
        canvas = Image.new("RGB", (side, side))
        x, y = (int(side * rng.uniform(0.3, 0.7)) for _ in range(2))
        draw = rng.random()
        if draw < 0.28:
            cells = [(0, 0, side, side)]
        elif draw < 0.5:
            cells = (
                [(0, 0, x, side), (x, 0, side, side)] if draw < 0.4 else [(0, 0, side, y), (0, y, side, side)]
            )
        else:
            cells = [(0, 0, x, y), (x, 0, side, y), (0, y, x, side), (x, y, side, side)]
        for cell in cells:
            canvas.paste(self._part(rng, cell[2] - cell[0], cell[3] - cell[1]), cell)
        pixels = np.asarray(canvas, np.float32)
        if rng.random() < 0.5:
            pixels = (pixels - 128) * rng.uniform(0.8, 1.2) + 128 + rng.uniform(-18, 18)
        return np.clip(pixels, 0, 255).astype(np.uint8)

    def _part(self, rng: random.Random, width: int, height: int) -> Image.Image:
        image = self.sets.image(rng.choice(self.scenes if rng.random() < 0.75 else self.objects))
        ratio = min(image.width / width, image.height / height) * rng.uniform(0.75, 1)
        w, h = width * ratio, height * ratio
        x, y = rng.uniform(0, image.width - w), rng.uniform(0, image.height - h)
        image = image.resize((width, height), Image.Resampling.BILINEAR, box=(x, y, x + w, y + h))
        if rng.random() < self.settings.sharpen:
            image = image.filter(ImageFilter.UnsharpMask(rng.uniform(0.8, 2), int(rng.uniform(40, 140)), 0))
        return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if rng.random() < 0.5 else image


def tensors(canvases: list[NDArray[np.uint8]], side: int) -> Tensor:
    resized = [
        np.asarray(Image.fromarray(c).resize((side, side), Image.Resampling.BILINEAR)) for c in canvases
    ]
    return (torch.from_numpy(np.stack(resized)).permute(0, 3, 1, 2).float() / 127.5 - 1).to(device())


def start(path: str) -> Graph:
    graph = Graph.load(path)
    graph.keep_rank_of_last_product()
    return graph


def train(a: argparse.Namespace) -> bool:
    seed_all(a.seed)
    settings = NamedSettings(a.side, a.teacher_side, a.sharpen, a.samples)
    student, teacher = (QuantisedGraph(start(a.start)).to(device()) for _ in range(2))
    if a.weights:
        for graph in (student, teacher):
            graph.load_arrays(np.load(a.weights))
    teacher.requires_grad_(False)
    make = Canvases(TrainingSets(a.data, a.limit, a.seed), settings, a.seed)
    loop_options = loop_settings(a)
    loop = Loop(student, loop_options, a.output, about={"kind": "named", "side": settings.side})
    loop.resume()
    stream = batches(settings.samples, loop_options.batch, a.seed, loop.step)

    def loss(step: int, done: float) -> Tensor:
        canvases = [make(number) for number in next(stream)]
        small = tensors(canvases, settings.side)
        wanted = teach(teacher, tensors(canvases, settings.teacher_side), small)
        return distillation_loss(heads(student, small, quantised=True), wanted)

    if not loop.run(loss):
        return False
    student.load_state_dict(loop.average.state)
    output = Path(a.output) / "detector80_int8.tflite"
    output.write_bytes(student.cpu().written())
    print(f"{output}: {output.stat().st_size:,} bytes")
    return True


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, help="the folder with labels.csv, boxes.csv and the zips")
    parser.add_argument("--start", required=True, help="detector80_int8.tflite")
    parser.add_argument(
        "--weights", help="detector80_352_8968.npz: the kernels before their rounding to int8"
    )
    parser.add_argument("--output", required=True, help="the folder of the checkpoint and of the new file")
    parser.add_argument("--limit", type=int, help="use only this many images")
    for name, value in vars(NamedSettings()).items():
        parser.add_argument(
            f"--{name.replace('_', '-')}", type=type(value), default=value, help="default: %(default)s"
        )
    add_loop_options(
        parser, steps=800, batch=8, rate=2.5e-5, decay=0.0, warmup=40, average=0.98, clip=3.0, save_every=50
    )
    raise SystemExit(0 if train(parser.parse_args()) else 130)


if __name__ == "__main__":
    main()
