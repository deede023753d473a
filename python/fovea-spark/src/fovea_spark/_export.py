# SPDX-License-Identifier: Apache-2.0
"""Converts a table of results to the program's other formats."""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from fovea import _upright
from fovea._json import ORIENTATIONS, number

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Darknet's names of COCO's classes. **Source:** Darknet, ``data/coco.names``.
_DARKNET = {
    "motorbike": "motorcycle",
    "aeroplane": "airplane",
    "sofa": "couch",
    "pottedplant": "potted plant",
    "diningtable": "dining table",
    "tvmonitor": "tv",
}


def coco(df: DataFrame, ids: str | os.PathLike[str], file: str | os.PathLike[str] | None = None) -> DataFrame:
    """Converts to COCO results: a row for each object with the ids of an instances file.

    Images that the file does not list, by path or by file name, and labels without a category are left out, as with
    ``fovea detect --format coco --coco-ids``.

    Args:
        df: A table of `detect` with a column ``path``.
        ids: COCO's ``instances.json``.
        file: The path on the driver to write the list to, like the program; None writes nothing.

    Returns:
        image_id bigint, category_id bigint, bbox array<double> (x, y, width, height), score float; not rounded.
    """
    from pyspark.sql import functions as f

    listed = json.loads(pathlib.Path(ids).read_text(encoding="utf-8"))
    images = [(image["file_name"], int(image["id"])) for image in listed["images"]]
    categories = {category["name"]: int(category["id"]) for category in listed["categories"]}
    for other, name in _DARKNET.items():
        if name in categories:
            categories.setdefault(other, categories[name])
    spark = df.sparkSession
    by_name = f.broadcast(spark.createDataFrame(images, "file_name string, image_id bigint"))
    by_path = by_name.select(f.col("file_name").alias("path"), f.col("image_id").alias("whole_id"))
    named = f.broadcast(spark.createDataFrame(list(categories.items()), "label string, category_id bigint"))
    rows = (
        df.select("path", f.posexplode("objects").alias("rank", "o"))
        .withColumn("file_name", f.element_at(f.split("path", "/"), -1))
        .withColumn("label", f.col("o.label"))
        .join(f.broadcast(by_path), "path", "left")
        .join(by_name, "file_name", "left")
        .withColumn("image_id", f.coalesce("whole_id", "image_id"))
        .filter("image_id is not null")
        .join(named, "label")
        .orderBy("path", "rank")
        .select(
            "image_id", "category_id", f.array("o.x", "o.y", "o.width", "o.height").alias("bbox"), "o.score"
        )
    )
    if file is not None:
        _write_coco(rows, pathlib.Path(file))
    return rows


def _write_coco(rows: DataFrame, file: pathlib.Path) -> None:
    with file.open("w", encoding="utf-8") as out:
        out.write("[")
        start = "\n"
        for row in rows.toLocalIterator():
            box = ", ".join(number(value, 2) for value in row["bbox"])
            out.write(
                f'{start}{{"image_id": {row["image_id"]}, "category_id": {row["category_id"]}, '
                f'"bbox": [{box}], "score": {number(row["score"], 6)}}}'
            )
            start = ",\n"
        out.write("]\n" if start == "\n" else "\n]\n")


def yolo(
    df: DataFrame, folder: str | os.PathLike[str], names: Sequence[str] = (), *, scores: bool = False
) -> int:
    """Writes YOLO labels: ``labels/a.txt`` for ``a.jpg``, with folders as in ``path``, ``classes.txt``, ``data.yaml``.

    Boxes refer to the upright image, in fractions of its sides. Failed images have no file. There are no links to the
    images, which may be in a store.

    Args:
        df: A table of `detect` with a column ``path``.
        folder: A folder on the driver.
        names: The model's classes, such as ``fovea.Detector(model).names``; classes without one are ``class 7``.
        scores: Whether lines end with the score.

    Returns:
        The number of files written.
    """
    target = pathlib.Path(folder)
    labels = target / "labels"
    classes = dict(enumerate(names))
    used: set[pathlib.Path] = set()
    rows = (
        df.filter("error is null").select("path", "width", "height", "orientation", "objects").orderBy("path")
    )
    for row in rows.toLocalIterator():
        place = _free(labels / pathlib.PurePosixPath(row["path"].lstrip("/")).with_suffix(".txt"), used)
        lines = []
        for found in row["objects"]:
            number_ = found["label_index"] if found["label_index"] >= 0 else len(names)
            classes.setdefault(number_, found["label"])
            lines.append(_line(number_, found, row, scores=scores))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(lines), encoding="utf-8")
    target.mkdir(parents=True, exist_ok=True)
    every = [classes.get(at) or f"class {at}" for at in range(max(classes, default=-1) + 1)]
    (target / "classes.txt").write_text("".join(f"{name}\n" for name in every), encoding="utf-8")
    entries = "".join(f"  {at}: {json.dumps(name)}\n" for at, name in enumerate(every))
    text = f"train: images\nval: images\nnc: {len(every)}\nnames:\n{entries}"
    (target / "data.yaml").write_text(text, encoding="utf-8")
    return len(used)


def _free(place: pathlib.Path, used: set[pathlib.Path]) -> pathlib.Path:
    """Returns an unused name: ``a-2.txt`` for the second image."""
    free, count = place, 1
    while free in used:
        count += 1
        free = place.with_name(f"{place.stem}-{count}.txt")
    used.add(free)
    return free


def _line(class_: int, found: Any, row: Any, *, scores: bool) -> str:
    orientation = ORIENTATIONS.index(row["orientation"]) + 1
    width, height = _upright.size(orientation, row["width"], row["height"])
    x, y = found["x"], found["y"]
    box = np.array([[x, y, x + found["width"], y + found["height"]]])
    left, top, right, bottom = _upright.corners(box, orientation, width, height)[0].tolist()
    parts = [
        (left + right) / 2 / width,
        (top + bottom) / 2 / height,
        (right - left) / width,
        (bottom - top) / height,
    ]
    if scores:
        parts.append(found["score"])
    return " ".join([str(class_), *(number(part, 6, padded=True) for part in parts)]) + "\n"
