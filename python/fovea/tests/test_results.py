# SPDX-License-Identifier: Apache-2.0
"""Detections: indexing, immutability, numbers as text, pickling."""

from __future__ import annotations

import copy
import gc
import json
import pathlib
import pickle
from typing import Any

import numpy as np
import pytest
from conftest import numbers

import fovea
from fovea import _json


@pytest.fixture(scope="module")
def found(detector: fovea.Detector, photos: list[pathlib.Path]) -> fovea.Detections:
    best = max(detector.batch(photos), key=len)
    assert len(best) >= 3
    return best


def test_columns_match_the_objects(found: fovea.Detections) -> None:
    count = len(found)
    assert (found.xyxy.shape, found.xyxy.dtype) == ((count, 4), np.float64)
    assert (found.xywh.shape, found.xywh.dtype) == ((count, 4), np.float64)
    assert (found.scores.shape, found.scores.dtype) == ((count,), np.float32)
    assert (found.label_index.shape, found.label_index.dtype) == ((count,), np.int32)
    assert found.track_id is None
    for at, one in enumerate(found):
        assert one.xyxy == tuple(found.xyxy[at])
        assert one.xywh == tuple(found.xywh[at])
        assert (one.score, one.label, one.label_index) == (
            found.scores[at],
            found.labels[at],
            found.label_index[at],
        )
        assert one == found[at - count]
    assert set(found.milliseconds) == {"decode", "prepare", "detect", "classify", "total"}
    assert found.milliseconds["total"] > 0
    assert (found.error, found.space) == (None, "stored")


INDEXES: list[tuple[Any, Any]] = [
    (slice(1, None), [1, 2]),
    (slice(None, None, -1), [2, 1, 0]),
    (slice(5, 9), []),
    ([2, 0], [2, 0]),
    ([-1], [2]),
    ([], []),
    (np.array([True, False, True]), [0, 2]),
    ([False, False, False], []),
    (np.array([], np.int64), []),
]


@pytest.mark.parametrize(("key", "expected"), INDEXES, ids=str)
def test_slices_and_masks(key: Any, expected: list[int], found: fovea.Detections) -> None:
    three = found[:3]
    chosen = three[key]
    assert isinstance(chosen, fovea.Detections)
    assert list(chosen) == [three[at] for at in expected]
    assert chosen.xyxy.tolist() == three.xyxy[expected].tolist()
    assert json.loads(chosen.to_json())["objects"] == [three.to_dict()["objects"][at] for at in expected]


@pytest.mark.parametrize("key", [3, -4, [3], [True], np.array([[0]]), 1.5, "a", [0.5]], ids=str)
def test_values_that_are_not_an_index(key: Any, found: fovea.Detections) -> None:
    with pytest.raises(IndexError):
        found[:3][key]


def test_a_mask_of_scores(found: fovea.Detections) -> None:
    limit = float(found.scores[1])
    assert all(one.score > limit for one in found[found.scores > limit])


def test_nothing_changes(found: fovea.Detections) -> None:
    for array in (
        found.xyxy,
        found.xywh,
        found.scores,
        found.label_index,
        found[1:].xywh,
        found.upright().xywh,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
            found.scores.flags.writeable = True
    for name in ("width", "error", "path", "nothing"):
        with pytest.raises(AttributeError):
            setattr(found, name, 1)
    found.labels.append("x")
    found.milliseconds["total"] = -1
    assert "x" not in found.labels
    assert found.milliseconds["total"] > 0


def test_arrays_outlive_their_result(detector: fovea.Detector, cat: pathlib.Path) -> None:
    scores, boxes = detector(cat).scores, detector(cat).xywh
    expected = (scores.copy(), boxes.copy())
    for _ in range(50):
        detector(cat)
    gc.collect()
    assert np.array_equal(scores, expected[0])
    assert np.array_equal(boxes, expected[1])


def test_pickle_and_copy(found: fovea.Detections, detector: fovea.Detector) -> None:
    failed = detector.batch(["nothere.jpg"])[0]
    for result in (found, found[1:], found[:0], failed, found.upright()):
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert again.to_json() == result.to_json()
            assert again.path == result.path
            assert not again.xywh.flags.writeable
    assert isinstance(pickle.loads(pickle.dumps(failed)).error, FileNotFoundError)
    labels = fovea.Labeler()(np.zeros((9, 9, 3), np.uint8))
    assert pickle.loads(pickle.dumps(labels)).to_json() == labels.to_json()


NUMBERS = [
    (0.0, 2, "0"),
    (-0.0, 2, "0"),
    (-0.001, 2, "0"),
    (1.005, 2, "1"),
    (1.125, 2, "1.13"),
    (-1.125, 2, "-1.13"),
    (0.125, 2, "0.13"),
    (10.0, 2, "10"),
    (399.9, 2, "399.9"),
    (0.49999999999999994, 2, "0.5"),
    (1e300, 2, "1e+300"),
    (2.0**53, 3, "9007199254740992.0"),
    (float("nan"), 2, "null"),
    (float("-inf"), 2, "null"),
    (0.7333600000000001, 6, "0.73336"),
]


@pytest.mark.parametrize(("value", "places", "text"), NUMBERS)
def test_numbers_as_the_program_writes_them(value: float, places: int, text: str) -> None:
    assert _json.number(value, places) == text


def test_padded_numbers() -> None:
    assert [_json.number(value, 2, padded=True) for value in (0, 0.005, 12.3, -0.05)] == [
        "0.00",
        "0.01",
        "12.30",
        "-0.05",
    ]


def test_text_that_json_escapes() -> None:
    assert _json.quoted('a"\\\n\r\t\x00\x1f\x7f\x9f\u2028é\U0001f600') == (
        '"a\\"\\\\\\n\\r\\t\\u0000\\u001f\\u007f\\u009f\\u2028é\U0001f600"'
    )
    assert _json.quoted(None) == "null"
    assert _json.printable("a\n\x1b\u202eb") == "a\\n\\u{1b}\\u{202e}b"


def test_upright_round_trip(detector: fovea.Detector, pixels: np.ndarray[Any, Any]) -> None:
    """The upright boxes of a rotated copy match the upright image's geometry."""
    for orientation in range(1, 9):
        result = detector(pixels, orientation=orientation)
        upright = result.upright()
        swapped = orientation >= 5
        assert (upright.width, upright.height) == ((300, 451) if swapped else (451, 300))
        assert upright.space == "upright"
        assert np.all(upright.xyxy >= 0)
        assert np.all(upright.xyxy[:, 2] <= upright.width)
        sizes = upright.xywh[:, 2:][:, ::-1] if swapped else upright.xywh[:, 2:]
        assert np.allclose(sizes, result.xywh[:, 2:])


def test_empty_results(detector: fovea.Detector) -> None:
    black = detector(np.zeros((40, 50, 3), np.uint8))
    assert len(black) == 0
    assert str(black) == "image  50 × 40\n  no objects"
    assert black.to_dict()["objects"] == []
    assert (black.xyxy.shape, black.label_index.shape, black.labels) == ((0, 4), (0,), [])
    assert numbers(black.upright())[3] == []
    assert repr(black) == "<fovea.Detections image, 50 × 40: 0 objects>"
    assert detector.batch([]) == []
    assert list(detector.stream([])) == []


def test_batches_keep_their_order_and_do_not_raise(
    detector: fovea.Detector, photos: list[pathlib.Path]
) -> None:
    mixed: list[Any] = [photos[0], "nothere.jpg", photos[1].read_bytes(), 3, np.zeros(3), photos[2]]
    found = detector.batch(mixed)
    assert [result.error.code if result.error else None for result in found] == [
        None,
        "image-not-found",
        None,
        "image-unreadable",
        "image-invalid-buffer",
        None,
    ]
    assert numbers(found[0]) == numbers(detector(photos[0]))
    assert numbers(found[5]) == numbers(detector(photos[2]))
    assert str(found[1]).startswith("nothere.jpg: ")
    assert list(found[1].to_dict()) == ["image", "error"]


def test_streams_are_lazy_ordered_and_bounded(detector: fovea.Detector, photos: list[pathlib.Path]) -> None:
    taken: list[pathlib.Path] = []

    def given() -> Any:
        for _ in range(3):
            for photo in photos:
                taken.append(photo)
                yield photo

    stream = detector.stream(given(), batch_size=5)
    assert taken == []
    first = next(stream)
    assert first.path == str(photos[0])
    assert len(taken) == 5
    assert [result.path for result in stream] == [str(photo) for photo in (photos * 3)[1:]]
    with pytest.raises(fovea.OptionError, match="batch_size"):
        detector.stream([], batch_size=0)
    assert len(list(detector.stream(photos[:2], progress=True))) == 2
