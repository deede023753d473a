# SPDX-License-Identifier: Apache-2.0
"""Keypoints and their scores: arrays, selections, other tools."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import fovea
from fovea import _columns, _results


def detections(counts: list[int], *, scores: bool = True) -> fovea.Detections:
    """The result of an image whose objects have these numbers of keypoints."""
    total = sum(counts)
    parts = _columns.Columns(
        np.tile([1.0, 2, 6, 4], (len(counts), 1)),
        np.full(len(counts), 0.9, np.float32),
        None,
        _columns.no_labels(len(counts)),
        _columns.offsets_of(counts),
        np.arange(2.0 * total).reshape(-1, 2),
        keypoint_scores=np.linspace(0, 1, total, dtype=np.float32) if scores else None,
    )
    facts = _results.Facts(12, 9, 1)
    return fovea.Detections(_results.Source(), facts=facts, parts=_results._frozen(parts))


@pytest.mark.parametrize("counts", [[], [3], [3, 3], [2, 0, 3], [0]])
def test_arrays_have_a_row_for_each_object(counts: list[int]) -> None:
    result = detections(counts)
    points, scores = result.keypoints, result.keypoint_scores
    assert points is not None
    assert scores is not None
    width = max(counts, default=0)
    assert (points.shape, scores.shape) == ((len(counts), width, 2), (len(counts), width))
    assert (points.dtype, scores.dtype) == (np.float64, np.float32)
    assert not points.flags.writeable
    for row, found, visible in zip(points, result, scores, strict=True):
        count = len(found.keypoints)
        assert [tuple(point) for point in row[:count].tolist()] == list(found.keypoints)
        assert tuple(visible[:count].tolist()) == found.keypoint_scores
        assert np.isnan(row[count:]).all()


def test_objects_without_scores() -> None:
    result = detections([2, 2], scores=False)
    assert result.keypoint_scores is None
    assert [found.keypoint_scores for found in result] == [(), ()]
    parts = result._rows._replace(keypoint_scores=np.array([0.5, 0.25, math.nan, math.nan], np.float32))
    mixed = fovea.Detections(_results.Source(), facts=_results.Facts(12, 9, 1), parts=parts)
    assert [found.keypoint_scores for found in mixed] == [(0.5, 0.25), ()]


def test_selections_and_copies_keep_the_points() -> None:
    result = detections([3, 3, 3])
    chosen = result[[2, 0]]
    assert [found.keypoints for found in chosen] == [result[2].keypoints, result[0].keypoints]
    assert [found.keypoint_scores for found in chosen] == [
        result[2].keypoint_scores,
        result[0].keypoint_scores,
    ]
    assert pickle.loads(pickle.dumps(result)).to_json() == result.to_json()
    assert result[:0].keypoints is not None


def test_supervision() -> None:
    pytest.importorskip("supervision")
    points = detections([3, 3]).to_supervision_keypoints()
    assert (points.xy.shape, points.xy.dtype) == ((2, 3, 2), np.float32)
    assert list(points.data["class_name"]) == ["object", "object"]
    assert len(detections([]).to_supervision_keypoints()) == 0
