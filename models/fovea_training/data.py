# SPDX-License-Identifier: Apache-2.0
"""The training sets: images, their licences, and excluded images. Downloads nothing."""

import argparse
import csv
import io
import json
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

CATEGORIES = ("fashion", "food", "home", "place", "plant")
SCENE_SETS = ("openimages", "coco", "rooms")
CORNER = 4  # pixels
CORNER_LIMIT = 20.0  # mean grey value; JPEG leaves a few levels of noise in black


@dataclass(frozen=True)
class Box:
    """A ground-truth box in fractions of the image."""

    name: str
    category: str
    ymin: float
    xmin: float
    ymax: float
    xmax: float


@dataclass(frozen=True)
class Sample:
    """One image of a set; `category` is empty for scenes and '?' if it is unclear."""

    file: str
    set: str
    name: str
    category: str
    licence: str
    boxes: tuple[Box, ...] = field(default=())


def is_rotated_copy(image: NDArray[np.uint8]) -> bool:
    """Returns whether all four corners are black, as in a copy that was rotated inside its frame.

    Its boxes were not rotated with it, so they do not match the objects.
    """
    grey = image.mean(-1) if image.ndim == 3 else image
    k = CORNER
    corners = (grey[:k, :k], grey[:k, -k:], grey[-k:, :k], grey[-k:, -k:])
    return all(float(corner.mean()) < CORNER_LIMIT for corner in corners)


class TrainingSets:
    """The folder with labels.csv, boxes.csv and a zip for each set; held-out images are never samples."""

    def __init__(self, folder: str | Path, limit: int | None = None, seed: int = 0) -> None:
        self.folder = Path(folder)
        self._zips: dict[str, zipfile.ZipFile] = {}
        self.left_out: Counter[str] = Counter()
        rows = self._rows("labels.csv")
        self.left_out["held out"] = sum(row["split"] == "test" for row in rows)
        rows = [row for row in rows if row["split"] != "test"]
        if limit is not None and limit < len(rows):
            rows = self._share(rows, limit, seed)
        boxes = self._boxes()
        self.samples = [self._sample(row, boxes) for row in rows if self._stays(row)]

    @classmethod
    def held_out(cls, folder: str | Path) -> Iterator[tuple[str, Image.Image]]:
        """Yields the category (or 'unknown') and image of the held-out samples."""
        sets = cls(folder, limit=0)
        for row in sets._rows("labels.csv"):
            if row["split"] == "test" and row["coarse"] not in ("", "?"):
                yield row["coarse"], sets._open(row["set"], row["file"])

    @property
    def scenes(self) -> list[Sample]:
        return [sample for sample in self.samples if sample.set in SCENE_SETS]

    @property
    def objects(self) -> list[Sample]:
        return [sample for sample in self.samples if sample.set not in SCENE_SETS]

    def image(self, sample: Sample) -> Image.Image:
        return self._open(sample.set, sample.file)

    def summary(self) -> str:
        lines = [f"{len(self.samples)} images: {len(self.scenes)} scenes, {len(self.objects)} of one object"]
        counts = Counter((sample.set, sample.licence) for sample in self.samples)
        lines += [f"  {name:12} {count:5}  {licence}" for (name, licence), count in sorted(counts.items())]
        lines += [f"left out, {why}: {count}" for why, count in self.left_out.items()]
        return "\n".join(lines)

    def _open(self, name: str, file: str) -> Image.Image:
        if name not in self._zips:
            self._zips[name] = zipfile.ZipFile(self.folder / f"{name}.zip")
        return Image.open(io.BytesIO(self._zips[name].read(file))).convert("RGB")

    def _stays(self, row: dict[str, str]) -> bool:
        if row["set"] != "openimages" or not is_rotated_copy(
            np.asarray(self._open("openimages", row["file"]))
        ):
            return True
        self.left_out["rotated copies of openimages"] += 1
        return False

    def _rows(self, name: str) -> list[dict[str, str]]:
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def _boxes(self) -> dict[str, list[Box]]:
        found: dict[str, list[Box]] = defaultdict(list)
        for row in self._rows("boxes.csv"):
            x, y, w, h = (float(row[key]) for key in "xywh")
            found[row["file"]].append(Box(row["class"], row["coarse"], y, x, y + h, x + w))
        return found

    @staticmethod
    def _share(rows: list[dict[str, str]], limit: int, seed: int) -> list[dict[str, str]]:
        """Returns about as many of each set, in a fixed random order."""
        rng, groups = np.random.default_rng(seed), defaultdict(list)
        for row in rows:
            groups[row["set"]].append(row)
        picked = []
        for group in groups.values():
            picked += [group[i] for i in rng.permutation(len(group))[: -(-limit // len(groups))]]
        return picked[:limit]

    @staticmethod
    def _sample(row: dict[str, str], boxes: dict[str, list[Box]]) -> Sample:
        own = tuple(boxes.get(row["file"], ()))
        return Sample(row["file"], row["set"], row["class"], row["coarse"], row["licence"], own)


class CocoSet:
    """COCO instances with their folder of images, for a detector of your own classes."""

    def __init__(self, annotations: str | Path, images: str | Path, limit: int | None = None) -> None:
        content = json.loads(Path(annotations).read_text())
        categories = sorted(content["categories"], key=lambda category: category["id"])
        if not categories:
            raise ValueError(f"{annotations}: no categories; pass COCO instances with at least one")
        self.names = [category["name"] for category in categories]
        index = {category["id"]: at for at, category in enumerate(categories)}
        owned: dict[int, list[dict]] = defaultdict(list)
        for annotation in content["annotations"]:
            if not annotation.get("iscrowd") and min(annotation["bbox"][2:]) > 0:
                owned[annotation["image_id"]].append(annotation)
        self.folder = Path(images)
        self.entries = [entry for entry in content["images"] if owned[entry["id"]]][:limit]
        if not self.entries:
            raise ValueError(f"{annotations}: no image has a box")
        self._owned, self._index = owned, index

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, at: int) -> tuple[Image.Image, NDArray[np.float32], NDArray[np.int64]]:
        """Returns the image, its boxes (ymin, xmin, ymax, xmax as fractions) and their classes."""
        entry = self.entries[at]
        image = Image.open(self.folder / entry["file_name"]).convert("RGB")
        width, height = image.size
        boxes, classes = [], []
        for annotation in self._owned[entry["id"]]:
            x, y, w, h = annotation["bbox"]
            boxes.append((y / height, x / width, (y + h) / height, (x + w) / width))
            classes.append(self._index[annotation["category_id"]])
        return image, np.clip(np.array(boxes, np.float32), 0, 1), np.array(classes, np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description="Count the training images, and the excluded ones.")
    parser.add_argument("--data", required=True, help="the folder with labels.csv, boxes.csv and the zips")
    print(TrainingSets(parser.parse_args().data).summary())


if __name__ == "__main__":
    main()
