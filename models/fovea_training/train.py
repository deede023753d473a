# SPDX-License-Identifier: Apache-2.0
"""Trains the localizer and the classifier.

python -m fovea_training.train localizer --help
"""

import argparse
import json
import random
import time
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image

from .anchors import anchors, decode, mirrored_rows, suppress
from .augment import AugmentSettings, SampleMaker, colour, random_crop
from .data import CATEGORIES, Sample, TrainingSets
from .loop import Loop, LoopSettings, batches, device, duration, seed_all
from .losses import Hints, classifier_loss, localizer_loss
from .model import Classifier, Detector, normalised
from .teacher import LabelerTeacher, LocalizerTeacher
from .weights import load_backbone, load_network

SHARD = 256


def make_shards(folder: Path, count: int, maker: SampleMaker, teacher: LocalizerTeacher) -> list[Path]:
    """Creates samples with the teacher's outputs once; a complete folder is reused."""
    folder.mkdir(parents=True, exist_ok=True)
    start, paths = time.monotonic(), []
    for first in range(0, count, SHARD):
        path = folder / f"{first:07}.npz"
        paths.append(path)
        if path.exists():
            continue
        maker.rng = random.Random(f"{first}-{maker.side}")
        images = [maker() for _ in range(min(SHARD, count - first))]
        answers = [teacher(image) for image in images]
        parts = {
            name: np.stack([getattr(a, name) for a in answers]).astype(np.float16)
            for name in vars(answers[0])
        }
        part = path.with_suffix(".part.npz")
        np.savez(part, images=np.stack(images), **parts)
        part.rename(path)
        made = first + len(images)
        left = duration((time.monotonic() - start) / made * (count - made))
        print(f"samples {made}/{count}  {left} left", flush=True)
    return paths


class Shards:
    """Teacher-labelled samples; the last read shards are kept in memory."""

    def __init__(self, paths: list[Path]) -> None:
        self._open = [np.load(path) for path in paths]
        self._data = [{name: shard[name] for name in shard.files} for shard in self._open]
        self._where = [(s, row) for s, shard in enumerate(self._data) for row in range(len(shard["images"]))]
        self._mirror = torch.from_numpy(mirrored_rows())

    def __len__(self) -> int:
        return len(self._where)

    def batch(self, rows: list[int], mirror: bool) -> dict[str, torch.Tensor]:
        picked = [self._where[row] for row in rows]
        out = {
            name: torch.from_numpy(np.stack([self._data[s][name][r] for s, r in picked]))
            for name in self._data[0]
        }
        batch = {name: value if name == "images" else value.float() for name, value in out.items()}
        if mirror:
            batch = {
                name: value.flip(2) if value.ndim == 4 else value[:, self._mirror]
                for name, value in batch.items()
            }
            batch["codes"] = batch["codes"] * torch.tensor([1.0, -1.0, 1.0, 1.0])
        return batch


def train_localizer(a: argparse.Namespace) -> bool:
    seed_all(a.seed)
    sets = TrainingSets(a.data, a.limit, a.seed)
    print(sets.summary(), flush=True)
    maker = SampleMaker(sets, Detector.side, AugmentSettings(scene=a.scenes, sharpen=a.sharpen), a.seed)
    shards = Shards(make_shards(Path(a.output) / "samples", a.samples, maker, LocalizerTeacher(a.teacher)))
    fresh = a.start is None
    network, hints = Detector(norm=fresh).to(device()), Hints().to(device())
    load_backbone(network.backbone, a.imagenet) if fresh else load_network(network, a.start)
    settings = loop_settings(a)
    loop = Loop(
        network, settings, a.output, helpers=hints, about={"kind": "localizer", "classes": 1, "norm": fresh}
    )
    loop.resume()
    stream = batches(len(shards), settings.batch, a.seed, loop.step)
    rows = torch.from_numpy(anchors()).to(device())

    def loss(step: int, done: float) -> torch.Tensor:
        batch = {
            name: value.to(device()) for name, value in shards.batch(next(stream), step % 2 == 1).items()
        }
        codes, logits, *maps = network.with_maps(normalised(batch["images"]))
        wanted = tuple(batch[name].permute(0, 3, 1, 2) for name in ("middle", "last"))
        weight = max(0.1, 1 - 0.9 * done * 2)
        value = localizer_loss(codes, logits, (batch["codes"], batch["scores"]), rows)
        return value + weight * hints(tuple(maps), wanted)

    return loop.run(loss)


@dataclass(frozen=True)
class Crop:
    """A crop at 144 px with its hard category (-1 none, -2 unknown) and the teacher's scores."""

    image: NDArray[np.uint8]
    category: int
    soft: NDArray[np.float32]
    labels: NDArray[np.float32]


SHARES = {
    "fashion": 0.12,
    "food": 0.13,
    "home": 0.14,
    "place": 0.05,
    "plant": 0.11,
    "unknown": 0.20,
    "": 0.25,
}
CROP_SIDE = 144


def make_crops(
    sets: TrainingSets, labeler: LabelerTeacher, localizer: LocalizerTeacher
) -> dict[str, list[Crop]]:
    """Whole labelled images, ground-truth boxes, the localizer teacher's best boxes on scenes, by group."""
    groups: dict[str, list[Crop]] = {name: [] for name in SHARES}
    start = time.monotonic()
    for at, sample in enumerate(sets.samples):
        for image, group in crops_of(sample, sets.image(sample), localizer):
            soft, labels = labeler(image)
            small = np.asarray(image.resize((CROP_SIDE, CROP_SIDE), Image.Resampling.BILINEAR))
            category = CATEGORIES.index(group) if group in CATEGORIES else -1 if group == "unknown" else -2
            groups[group].append(Crop(small, category, soft, labels))
        if (at + 1) % 500 == 0:
            left = duration((time.monotonic() - start) / (at + 1) * (len(sets.samples) - at - 1))
            print(f"crops of {at + 1}/{len(sets.samples)} images  {left} left", flush=True)
    return {name: crops for name, crops in groups.items() if crops}


def crops_of(
    sample: Sample, image: Image.Image, localizer: LocalizerTeacher
) -> list[tuple[Image.Image, str]]:
    if sample.category in SHARES and sample.category:
        return [(image, sample.category)]
    found = [
        (cut_box(image, (b.ymin, b.xmin, b.ymax, b.xmax)), b.category)
        for b in sample.boxes
        if b.category in SHARES
    ]
    answer = localizer(np.asarray(image.resize((Detector.side,) * 2, Image.Resampling.BILINEAR)))
    boxes = decode(answer.codes, anchors())
    rows = [row for row in suppress(boxes, answer.scores) if answer.scores[row] >= 0.3]
    return found + [(cut_box(image, tuple(np.clip(boxes[row], 0, 1))), "") for row in rows]


def cut_box(image: Image.Image, box: tuple[float, ...], margin: float = 0.1) -> Image.Image:
    width, height = image.size
    ymin, xmin, ymax, xmax = box
    down, across = margin * (ymax - ymin), margin * (xmax - xmin)
    left, top = round(max(0, (xmin - across) * width)), round(max(0, (ymin - down) * height))
    right, bottom = round(min(width, (xmax + across) * width)), round(min(height, (ymax + down) * height))
    return image.crop((left, top, max(left + 1, right), max(top + 1, bottom)))


def crop_batch(
    groups: dict[str, list[Crop]], count: int, rng: random.Random, sharpen: float
) -> tuple[NDArray, ...]:
    """Augmented crops, mixed targets, weights and the teacher's labels; a batch shares its sharpness."""
    names = list(groups)
    picked = [rng.choice(groups[rng.choices(names, [SHARES[n] for n in names])[0]]) for _ in range(count)]
    shrink = rng.choice((160, 112, 80, 56))
    settings, images, targets, weights = AugmentSettings(sharpen=sharpen), [], [], []
    for crop in picked:
        image = colour(random_crop(Image.fromarray(crop.image), shrink, rng), rng, settings)
        images.append(np.asarray(image.resize((Classifier.side,) * 2, Image.Resampling.BILINEAR)))
        hard = (
            np.eye(len(CATEGORIES), dtype=np.float32)[crop.category]
            if crop.category >= 0
            else np.zeros(len(CATEGORIES), np.float32)
        )
        targets.append(crop.soft if crop.category == -2 else 0.9 * hard + 0.1 * crop.soft)
        weights.append(0.7 if crop.category == -2 else 1.0)
    labels = np.stack([crop.labels for crop in picked])
    return np.stack(images), np.stack(targets).astype(np.float32), np.array(weights, np.float32), labels


def train_classifier(a: argparse.Namespace) -> bool:
    seed_all(a.seed)
    sets = TrainingSets(a.data, a.limit, a.seed)
    print(sets.summary(), flush=True)
    mapping = json.loads(Path(a.labels_map).read_text())
    labeler = LabelerTeacher(a.labeler, mapping.get("categories", mapping), CATEGORIES)
    groups = make_crops(sets, labeler, LocalizerTeacher(a.teacher))
    network = Classifier(teacher_labels=labeler.labels).to(device())
    if a.start is None:
        load_backbone(network.backbone, a.imagenet)
    else:
        load_network(network, a.start)
    settings = loop_settings(a)
    loop = Loop(
        network,
        settings,
        a.output,
        about={"kind": "classifier", "classes": 5, "teacher_labels": labeler.labels},
    )
    loop.resume()

    def loss(step: int, done: float) -> torch.Tensor:
        arrays = crop_batch(groups, settings.batch, random.Random(f"{a.seed}-{step}"), a.sharpen)
        images, targets, weights, labels = (torch.from_numpy(array).to(device()) for array in arrays)
        # At first only the head learns: its weights are random, the backbone's are not.
        for parameter in network.backbone.parameters():
            parameter.requires_grad_(done >= a.head_share)
        logits, second = network.with_second(normalised(images))
        return classifier_loss(logits, targets, weights, None if second is None else (second, labels))

    return loop.run(loss)


def loop_settings(a: argparse.Namespace) -> LoopSettings:
    return LoopSettings(**{f.name: getattr(a, f.name) for f in fields(LoopSettings) if hasattr(a, f.name)})


def add_loop_options(parser: argparse.ArgumentParser, **defaults: float) -> None:
    for item in fields(LoopSettings):
        value = defaults.get(item.name, item.default)
        parser.add_argument(
            f"--{item.name.replace('_', '-')}",
            type=type(item.default),
            default=value,
            help="default: %(default)s",
        )


def add_data_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", required=True, help="the folder with labels.csv, boxes.csv and the zips")
    parser.add_argument("--limit", type=int, help="use only this many images")
    parser.add_argument("--output", required=True, help="the folder of the checkpoint")
    parser.add_argument("--start", help="start from this float16 .tflite instead of ImageNet")
    parser.add_argument("--imagenet", help="tfls_mobilenet_v2_1.0_224_quant.tflite")
    parser.add_argument("--teacher", required=True, help="mobile_object_localizer_v1_1_default_1.tflite")
    parser.add_argument(
        "--sharpen", type=float, default=0.3, help="share of sharpened images (default: %(default)s)"
    )


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    localizer = kinds.add_parser("localizer")
    add_data_options(localizer)
    localizer.add_argument(
        "--samples", type=int, default=45000, help="labelled by the teacher ahead (default: %(default)s)"
    )
    localizer.add_argument(
        "--scenes", type=float, default=0.55, help="share of scene crops (default: %(default)s)"
    )
    add_loop_options(localizer)
    classifier = kinds.add_parser("classifier")
    add_data_options(classifier)
    classifier.add_argument("--labeler", required=True, help="mlkit_object_labeler.tflite")
    classifier.add_argument("--labels-map", required=True, help="JSON: category to label numbers")
    classifier.add_argument("--head-share", type=float, default=0.2, help="share of steps for only the head")
    add_loop_options(
        classifier, steps=1125, batch=48, rate=5e-4, backbone_rate=0.24, average=0.995, warmup=50
    )
    a = parser.parse_args(arguments)
    if a.start is None and a.imagenet is None:
        parser.error("pass --imagenet FILE or --start FILE")
    return a


def main() -> None:
    a = parse()
    done = train_localizer(a) if a.kind == "localizer" else train_classifier(a)
    raise SystemExit(0 if done else 130)


if __name__ == "__main__":
    main()
