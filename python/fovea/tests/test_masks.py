# SPDX-License-Identifier: Apache-2.0
"""Masks and rotated boxes: arrays, outlines, run lengths, JSON, other tools."""

from __future__ import annotations

import copy
import json
import math
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
from conftest import MODELS, PHOTOS, Program, record, without_times

import fovea
from fovea import _columns, _results, _upright

WIDTH, HEIGHT = 12, 9
NOTHING = math.nan

#: The cells, and the edges of the bounds and of the cells' region; the ring reaches beyond the image.
RING: Any = (
    [[255, 255, 255, 200], [255, 0, 0, 255], [255, 255, 250, 255]],
    [-1, 1.25, 7, 7.25, -2.5, 1.25, 8.5, 7.75],
)
SQUARE: Any = ([[255]], [3, 3, 7, 7, 3, 3, 7, 7])
EMPTY: Any = (np.empty((0, 0)), [0] * 8)
NONE: Any = (np.empty((0, 0)), [NOTHING] * 8)
ROTATED = [4.0, 5.0, 3.0, 2.0, math.pi / 6]


def detections(
    masks: list[Any] | None = None, oriented: list[list[float]] | None = None, orientation: int = 1
) -> fovea.Detections:
    """The result of an image whose objects have these masks and rotated boxes."""
    count = len(masks if masks is not None else oriented or [])
    columns = None
    if masks is not None:
        grids = [np.array(cells, np.uint8) for cells, _ in masks]
        columns = _columns.MaskColumns(
            _columns.offsets_of([grid.size for grid in grids]),
            np.concatenate([np.empty(0, np.uint8), *(grid.ravel() for grid in grids)]),
            np.array([grid.shape[::-1] for grid in grids], np.int32).reshape(-1, 2),
            np.array([places for _, places in masks], np.float64).reshape(-1, 8),
        )
    parts = _columns.Columns(
        np.tile([1.0, 2, 6, 4], (count, 1)),
        np.full(count, 0.9, np.float32),
        None,
        _columns.no_labels(count),
        oriented=None if oriented is None else np.array(oriented, np.float64).reshape(-1, 5),
        masks=columns,
    )
    facts = _results.Facts(WIDTH, HEIGHT, orientation)
    return fovea.Detections(_results.Source(), facts=facts, parts=_results._frozen(parts))


def text(mask: fovea.Mask) -> list[str]:
    """The pixels of a mask."""
    return ["".join(".#"[int(pixel)] for pixel in row) for row in mask.bitmap]


ROWS: list[tuple[str, list[Any]]] = [
    ("no objects", []),
    ("one", [RING]),
    ("many", [SQUARE, NONE, RING, EMPTY]),
    ("none has one", [NONE, NONE]),
]


@pytest.mark.parametrize("masks", [row[1] for row in ROWS], ids=[row[0] for row in ROWS])
def test_arrays_of_masks(masks: list[Any]) -> None:
    result = detections(masks)
    assert result.masks is not None
    array = np.asarray(result.masks)
    assert (array.shape, array.dtype) == ((len(masks), HEIGHT, WIDTH), np.bool_)
    assert result.masks.shape == array.shape
    assert len(result.masks) == len(masks)
    for mask, plane, (_, places), found in zip(result.masks, array, masks, result, strict=True):
        assert np.array_equal(mask.bitmap, plane)
        assert mask.area == plane.sum()
        x, y, width, height = mask.box
        assert np.array_equal(mask.crop, plane[y : y + height, x : x + width])
        assert mask.crop.sum() == plane.sum()
        assert found.mask == (None if math.isnan(places[0]) else mask)
    assert np.asarray(result.masks, np.uint8).tolist() == array.astype(np.uint8).tolist()
    assert result.corners is None
    assert result.angles is None


def test_a_mask() -> None:
    result = detections([SQUARE, RING])
    assert result.masks is not None
    square, ring = result.masks
    assert text(square)[3:7] == ["...####....."] * 4
    assert square.box == (3, 3, 4, 4)
    assert square.area == 16
    assert [outline.tolist() for outline in square.outlines] == [[[3, 3], [7, 3], [7, 7], [3, 7]]]
    assert ring.box == (0, 1, 7, 6)
    assert len(ring.outlines) == 2
    assert repr(ring) == "<fovea.Mask at 0, 1, 7 × 6 pixels>"
    assert repr(result.masks) == "<fovea.Masks (2, 9, 12)>"
    assert repr(result) == "<fovea.Detections image, 12 × 9: 2 objects with masks>"
    assert (square == ring, square == result.masks[0], square == 3) == (False, True, False)
    assert hash(square) == hash(result.masks[-2])
    assert [text(mask) for mask in result.masks[::-1]] == [text(ring), text(square)]
    for key in (2, -3):
        with pytest.raises(IndexError, match=f"mask {key} of 2"):
            result.masks[key]
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        with pytest.raises(ValueError, match="copy=False"):
            np.asarray(result.masks, copy=False)


def test_run_lengths_are_those_of_pycocotools() -> None:
    """The text of 16 pixels in columns of nine: 30 outside, 4 inside, 5 outside, and so on."""
    masks = detections([SQUARE, NONE]).masks
    assert masks is not None
    runs, counts = [30, 4, 5, 4, 5, 4, 5, 4, 47], masks[0].rle["counts"]
    assert counts == encoded(runs)
    assert masks[1].rle == {"size": [9, 12], "counts": encoded([108])}
    assert sum(runs) == WIDTH * HEIGHT


def encoded(runs: list[int]) -> str:
    """**Source:** `rleToString` of `maskApi.c`, pycocotools 2.0.11."""
    written = ""
    for index, run in enumerate(runs):
        value = run - runs[index - 2] if index > 2 else run
        more = True
        while more:
            bits = value & 0x1F
            value >>= 5
            more = value != (-1 if bits & 0x10 else 0)
            written += chr(48 + (bits | 0x20 if more else bits))
    return written


@pytest.mark.parametrize("orientation", range(1, 9))
def test_upright(orientation: int) -> None:
    result = detections([RING, NONE, SQUARE], [ROTATED, [NOTHING] * 5, ROTATED], orientation)
    upright = result.upright()
    assert result.masks is not None
    assert upright.masks is not None
    for mask, turned in zip(result.masks, upright.masks, strict=True):
        assert np.array_equal(_upright.turned(mask.bitmap, orientation), turned.bitmap)
        assert turned.area == mask.area
    assert result.corners is not None
    assert upright.corners is not None
    width, height = upright.width, upright.height
    points = result.corners[0]
    expected = _upright.corners(np.hstack([points, points]), orientation, width, height)[:, :2]
    assert sorted(upright.corners[0].round(9).tolist()) == sorted(expected.round(9).tolist())
    assert np.isnan(upright.corners[1]).all()
    assert upright.angles is not None
    assert -math.pi / 4 <= upright.angles[0] < 3 * math.pi / 4


@pytest.mark.parametrize("oriented", [[], [ROTATED], [[NOTHING] * 5, ROTATED, [4, 5, 3, 2, 0]]], ids=len)
def test_rotated_boxes(oriented: list[list[float]]) -> None:
    result = detections(oriented=oriented)
    assert result.masks is None
    assert result.corners is not None
    assert result.angles is not None
    assert result.corners.shape == (len(oriented), 4, 2)
    for found, corners, angle, given in zip(result, result.corners, result.angles, oriented, strict=True):
        if math.isnan(given[0]):
            assert (found.oriented, found.corners) == (None, ())
            assert np.isnan(corners).all()
            continue
        assert found.oriented == tuple(given)
        assert np.array_equal(found.corners, corners)
        assert angle == given[4]
        assert np.allclose(corners.mean(axis=0), given[:2])
        along, across = corners[1] - corners[0], corners[3] - corners[0]
        assert np.allclose([np.hypot(*along), np.hypot(*across)], given[2:4])
        assert math.isclose(math.atan2(along[1], along[0]), angle, abs_tol=1e-12)
    for array in (result.corners, result.angles):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert repr(result).endswith("with rotated boxes>")


def test_json() -> None:
    result = detections([SQUARE, NONE, RING], [ROTATED, [NOTHING] * 5, [NOTHING] * 5])
    first, without, ring = result.to_dict()["objects"]
    assert first["mask"] == {"size": [9, 12], "counts": encoded([30, 4, 5, 4, 5, 4, 5, 4, 47])}
    assert first["orientedBox"] == {"x": 4, "y": 5, "width": 3, "height": 2, "degrees": 30}
    assert list(first)[-2:] == ["mask", "orientedBox"]
    assert list(without) == ["box", "score", "trackingID", "labels"]
    assert list(ring)[-1] == "mask"
    polygons = [one.get("mask") for one in result.to_dict(masks="polygon")["objects"]]
    assert polygons[0] == {"size": [9, 12], "polygons": [[3, 3, 7, 3, 7, 7, 3, 7]]}
    assert [len(polygons[2]["polygons"]), min(polygons[2]["polygons"][0])] == [1, 0]
    assert not any("mask" in one for one in result.to_dict(masks="none")["objects"])
    assert json.loads(result.to_json()) == result.to_dict()
    with pytest.raises(ValueError, match="masks is 'png', 'rle', 'polygon' or 'none' expected"):
        result.to_json(masks="png")  # type: ignore[arg-type]


def test_text() -> None:
    result = detections([SQUARE, NONE, RING], [ROTATED, [4, 5, 3, 2, -0.5], [NOTHING] * 5])
    shown = [line.partition("size")[2] for line in str(result).splitlines()[1:]]
    assert shown[0].endswith("  mask 67 %  rotated 30°")
    assert shown[1].endswith("4.0  rotated -29°")
    assert shown[2].endswith("4.0  mask 100 %")


def test_slices_pickles_and_copies() -> None:
    result = detections([SQUARE, NONE, RING, EMPTY], [ROTATED, [NOTHING] * 5, ROTATED, ROTATED])
    for part, chosen in ((result[::-1], [3, 2, 1, 0]), (result[[2]], [2]), (result[:0], [])):
        assert list(part) == [result[at] for at in chosen]
        assert part.masks is not None
        assert [text(mask) for mask in part.masks] == [text(result.masks[at]) for at in chosen]  # type: ignore[index]
        for again in (pickle.loads(pickle.dumps(part)), copy.deepcopy(part)):
            assert again.to_json() == part.to_json()
            assert list(again) == list(part)
    for value in (result[0], result.masks, result[0].mask):
        again = pickle.loads(pickle.dumps(value))
        assert repr(again) == repr(value)
    assert pickle.loads(pickle.dumps(result[2])) == result[2]


def test_supervision_has_masks_and_corners() -> None:
    supervision = pytest.importorskip("supervision")
    result = detections([SQUARE, RING], [ROTATED, ROTATED])
    given = result.to_supervision()
    assert np.array_equal(given.mask, np.asarray(result.masks))
    corners = given.data[supervision.config.ORIENTED_BOX_COORDINATES]
    assert np.array_equal(corners, np.asarray(result.corners, np.float32))
    assert given.area.tolist() == [mask.area for mask in result.masks]  # type: ignore[union-attr]
    assert len(given[given.class_id == -1]) == 2
    plain = detections([SQUARE])[:0].to_supervision()
    assert len(plain) == 0


def test_a_tracker_keeps_masks_and_rotated_boxes() -> None:
    result = detections([RING, NONE], [ROTATED, [NOTHING] * 5])[:1]
    tracker = fovea.Tracker(frame_rate=10)
    for _ in range(4):
        tracked = tracker.update(None, result)
    assert len(tracked) == 1
    assert tracked[0].track_id == 1
    assert (tracked[0].mask, tracked[0].oriented) == (result[0].mask, result[0].oriented)


@pytest.fixture(scope="module")
def segmented() -> fovea.Detections:
    """A photo with a model of masks."""
    with fovea.Detector(MODELS / "yolov8_seg.tflite") as detector:
        return detector(PHOTOS / "cake.jpg")


def test_a_model_with_masks(segmented: fovea.Detections) -> None:
    assert segmented.masks is not None
    assert len(segmented) == 1
    for found, mask in zip(segmented, segmented.masks, strict=True):
        assert found.mask == mask
        assert 0 < mask.area <= mask.crop.size
        x, y, width, height = mask.box
        assert x >= math.floor(found.xyxy[0])
        assert y >= math.floor(found.xyxy[1])
        assert x + width <= math.ceil(found.xyxy[2])
        assert y + height <= math.ceil(found.xyxy[3])


@pytest.mark.parametrize("form", ["rle", "polygon", "none"])
@pytest.mark.parametrize("model", ["yolov8_seg", "described_obb"])
def test_results_equal_the_programs(model: str, form: fovea.MaskForm, program: Program) -> None:
    with fovea.Detector(MODELS / f"{model}.tflite") as detector:
        found = detector(PHOTOS / "cake.jpg")
    arguments = ("--model", MODELS / f"{model}.tflite", PHOTOS / "cake.jpg")
    lines = program.lines("detect", "--masks", form, *arguments)
    assert lines == [without_times(found.to_json(masks=form))]
    first = record(lines[0])["objects"][0]
    assert ("mask" in first) == (form != "none" and model == "yolov8_seg")
    assert ("orientedBox" in first) == (model == "described_obb")
    if form == "rle":
        assert program.run("detect", "--quiet", *arguments).rstrip() == str(found)


def test_a_model_of_the_shared_data(shared: pathlib.Path) -> None:
    with fovea.Detector(shared / "tasks/agpl_yolo11n-seg_int8_320.tflite") as detector:
        found = detector(PHOTOS / "dog.jpg")
    assert found.labels[0] == "dog"
    assert found.masks is not None
    covered = found.masks[0].area / np.prod(found.xywh[0, 2:])
    assert 0.6 < covered < 0.9
