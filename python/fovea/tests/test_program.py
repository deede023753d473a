# SPDX-License-Identifier: Apache-2.0
"""Results match the program's, byte for byte."""

from __future__ import annotations

import io
import os
import pathlib
import shutil
from typing import Any

import pytest
from conftest import COCO_SSD, MODELS, Program, record, without_times

import fovea

OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"threshold": 0.6, "max_objects": 3}, ["--threshold", "0.6", "--max-objects", "3"]),
    ({"allow": ["cat", "dog"]}, ["--allow", "cat,dog"]),
    ({"deny": "person"}, ["--deny", "person"]),
    ({"slice": True}, ["--slice"]),
    ({"slice": 300, "slice_overlap": 0.1}, ["--slice-size", "300", "--slice-overlap", "0.1"]),
    ({"single": True, "class_agnostic": True}, ["--single", "--class-agnostic"]),
    ({"decode": "full", "iou": 0.4}, ["--decode", "full", "--iou", "0.4"]),
    ({"threads": 1, "cross_class_iou": 1}, ["--threads", "1", "--cross-class-iou", "1"]),
]


@pytest.mark.parametrize(
    ("options", "flags"), OPTIONS, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_options_match_the_program(
    options: dict[str, Any], flags: list[str], program: Program, photos: list[pathlib.Path]
) -> None:
    expected = program.lines("detect", *flags, *photos)
    with fovea.Detector(**options) as detector:
        assert [without_times(found.to_json()) for found in detector.batch(photos)] == expected


def test_all_coco_photos_match_the_program(program: Program, shared: pathlib.Path) -> None:
    images = sorted((shared / "coco/images").glob("*.jpg"))
    expected = program.lines("detect", "--model", COCO_SSD, *images)
    with fovea.Detector(COCO_SSD, sessions=2) as detector:
        found = [without_times(result.to_json()) for result in detector.stream(images, batch_size=50)]
    assert len(found) == 300
    assert [pair for pair in zip(found, expected, strict=True) if pair[0] != pair[1]] == []


def test_paths_bytes_files_and_file_objects_give_the_same(
    detector: fovea.Detector, cat: pathlib.Path
) -> None:
    data = cat.read_bytes()
    with cat.open("rb") as file:
        given = [cat, str(cat), data, bytearray(data), memoryview(data), io.BytesIO(data), file]
        found = [result.to_dict() for result in detector.batch(given)]
    assert all(each["objects"] == found[0]["objects"] != [] for each in found)
    assert [each["image"] for each in found] == [str(cat), str(cat), None, None, None, None, str(cat)]


def test_regions_and_orientations_match_the_program(
    program: Program, detector: fovea.Detector, cat: pathlib.Path
) -> None:
    expected = program.lines("detect", "--roi", "100,20,300,250", cat)
    assert without_times(detector(cat, region=(100, 20, 300, 250)).to_json()) == expected[0]


def test_upright_boxes_match_the_program(
    program: Program, detector: fovea.Detector, shared: pathlib.Path
) -> None:
    images = sorted(path for path in (shared / "exif").rglob("*") if path.suffix in (".jpg", ".webp", ".png"))
    stored, upright = program.lines("detect", *images), program.lines("detect", "--upright", *images)
    found = detector.batch(images)
    assert [without_times(result.to_json()) for result in found] == stored
    assert [without_times(result.upright().to_json()) for result in found] == upright
    assert {result.orientation for result in found} == set(range(1, 9))
    assert found[0].upright().upright().to_json() == found[0].upright().to_json()


@pytest.mark.parametrize("model", ["mediapipe_face.tflite", "mediapipe_palm.tflite", "described_pose.tflite"])
def test_keypoints_match_the_program(model: str, program: Program, photos: list[pathlib.Path]) -> None:
    flags = ["--model", MODELS / model, "--threshold", "0"]
    expected = program.lines("detect", *flags, *photos)
    upright = program.lines("detect", *flags, "--upright", *photos)
    with fovea.Detector(MODELS / model, threshold=0) as detector:
        found = detector.batch(photos)
    assert [without_times(result.to_json()) for result in found] == expected
    assert [without_times(result.upright().to_json()) for result in found] == upright
    assert any("keypoints" in line for line in expected)


def test_labels_match_the_program(program: Program, photos: list[pathlib.Path]) -> None:
    expected = program.lines("label", "--max-results", "3", "--threshold", "0", *photos)
    with fovea.Labeler(max_results=3, threshold=0) as labeler:
        found = labeler.batch(photos)
    assert [without_times(result.to_json()) for result in found] == expected
    assert found[0].labels == [label["text"] for label in record(expected[0])["labels"]]


def test_text_matches_the_program(
    program: Program, detector: fovea.Detector, photos: list[pathlib.Path]
) -> None:
    printed = program.run("detect", "--quiet", *photos)
    assert "".join(f"{result}\n" for result in detector.batch(photos)) == printed


def test_names_that_are_not_plain_text(
    program: Program, detector: fovea.Detector, cat: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    names = [
        b"caf\xe9.jpg",
        b"a b%#=.jpg",
        b'quote"\\.jpg',
        b"line\nend.jpg",
        "\u2028é\U0001f600.jpg".encode(),
        b"base64:x.jpg",
    ]
    images = [tmp_path / os.fsdecode(name) for name in names]
    for image in images:
        shutil.copyfile(cat, image)
    expected = program.lines("detect", *images)
    assert [without_times(result.to_json()) for result in detector.batch(images)] == expected
    assert "imageBytes" in record(expected[0])


CORPORA = ["badimages/pillow", "badimages/image-rs/bad", "badimages/image-rs/regression"]


@pytest.mark.parametrize("corpus", CORPORA)
def test_error_codes_match_the_program(
    corpus: str, program: Program, detector: fovea.Detector, shared: pathlib.Path
) -> None:
    """As path, as bytes and as file object: the program's error, or its objects."""
    images = sorted(path for path in (shared / corpus).rglob("*") if path.is_file() and path.suffix != "")
    if not images:
        pytest.skip(f"no images in {corpus}")
    expected = [record(line) for line in program.lines("detect", *images)]
    for given in (
        images,
        [path.read_bytes() for path in images],
        [io.BytesIO(path.read_bytes()) for path in images],
    ):
        found = [record(without_times(result.to_json())) for result in detector.batch(given)]
        for path, one, other in zip(images, found, expected, strict=True):
            assert one.get("objects") == other.get("objects"), path
            assert one.get("error", {}).get("code") == other.get("error", {}).get("code"), path


def test_inspect_matches_the_program(program: Program) -> None:
    model = MODELS / "ssd.tflite"
    found, expected = fovea.inspect(model), record(program.run("model", "inspect", "--json", model))
    assert len(found.pop("needs")) == len(expected.pop("needs"))  # the same, except the options' names
    assert found == expected
    assert fovea.inspect(model.read_bytes())["sha256"] == found["sha256"]
    assert len(fovea.inspect()["sha256"]) == 64
