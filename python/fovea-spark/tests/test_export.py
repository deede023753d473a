# SPDX-License-Identifier: Apache-2.0
"""COCO and YOLO match the program's."""

from __future__ import annotations

import json
import pathlib
from typing import TYPE_CHECKING

import fovea
from conftest import COCO_SSD, PHOTOS, SHARED, Program, job
from fovea.spark import coco, yolo

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_coco_matches_the_program(
    spark: SparkSession, program: Program, coco_images: list[pathlib.Path], tmp_path: pathlib.Path
) -> None:
    ids = SHARED / "coco/instances.json"
    folder = tmp_path / "some"
    folder.mkdir()
    for image in coco_images[:40]:
        (folder / image.name).symlink_to(image)
    job(spark, folder, tmp_path / "out", model=str(COCO_SSD), buckets=1)
    table = spark.read.parquet(str(tmp_path / "out"))
    frame = coco(table, ids, tmp_path / "own.json")
    wanted = tmp_path / "program.json"
    program.run(
        "detect",
        folder,
        "--model",
        COCO_SSD,
        "--format",
        "coco",
        "--coco-ids",
        ids,
        "--output",
        wanted,
        "--quiet",
    )

    def ordered(path: pathlib.Path) -> list[str]:
        return sorted(json.dumps(each, sort_keys=True) for each in json.loads(path.read_text()))

    assert ordered(tmp_path / "own.json") == ordered(wanted)
    assert frame.count() == len(ordered(wanted)) > 50
    figures = [
        program.run("evaluate", "detection", "--ground-truth", ids, "--detections", path)
        for path in (tmp_path / "own.json", wanted)
    ]
    assert figures[0] == figures[1]


def test_yolo_matches_the_program(spark: SparkSession, program: Program, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    photo = (PHOTOS / "dog.jpg").read_bytes()
    for orientation in range(1, 9):
        exif = (
            b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"
            + bytes([orientation])
            + b"\0\0\0\0\0\0"
        )
        marker = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
        (folder / f"{orientation}.jpg").write_bytes(photo[:2] + marker + photo[2:])
    job(spark, folder, tmp_path / "out", buckets=1)
    table = spark.read.parquet(str(tmp_path / "out"))
    with fovea.Detector() as detector:
        assert yolo(table, tmp_path / "own", detector.names) == 8
    program.run("detect", folder, "--format", "yolo", "--output", tmp_path / "program", "--quiet")
    for name in ["classes.txt", "data.yaml", *(f"labels/{number}.txt" for number in range(1, 9))]:
        assert (tmp_path / "own" / name).read_text() == (tmp_path / "program" / name).read_text(), name
