# SPDX-License-Identifier: Apache-2.0
"""Converts boxes of the stored image to pixels of the upright image."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import Columns, MapColumns, MaskColumns
from ._types import FloatArray


def size(orientation: int, width: int, height: int) -> tuple[int, int]:
    """Returns the size of the upright image."""
    return (height, width) if orientation >= 5 else (width, height)


def corners(xyxy: FloatArray, orientation: int, width: int, height: int) -> FloatArray:
    """Converts boxes to the upright image, whose size is `width` × `height`.

    **Source:** Exif 2.32, section 4.6.4, tag 0x0112.
    """
    left, top, right, bottom = xyxy.T
    x0, y0, x1, y1 = {
        1: (left, top, right, bottom),
        2: (width - right, top, width - left, bottom),
        3: (width - right, height - bottom, width - left, height - top),
        4: (left, height - bottom, right, height - top),
        5: (top, left, bottom, right),
        6: (width - bottom, left, width - top, right),
        7: (width - bottom, height - right, width - top, height - left),
        8: (top, height - right, bottom, height - left),
    }[orientation]
    return np.stack([x0, y0, x1, y1], axis=1)


def columns(stored: Columns, orientation: int, width: int, height: int) -> Columns:
    """Converts objects to the upright image; `width` and `height` are those of the stored image."""
    upright = size(orientation, width, height)
    boxes = stored.xywh.copy()
    boxes[:, 2:] += boxes[:, :2]
    boxes = corners(boxes, orientation, *upright)
    boxes[:, 2:] -= boxes[:, :2]
    points = stored.keypoints
    if points is not None:
        points = _points(points, orientation, *upright)
    oriented, masks = stored.oriented, stored.masks
    if orientation != 1 and oriented is not None:
        oriented = _oriented(oriented, orientation, *upright)
    if orientation != 1 and masks is not None:
        masks = _masks(masks, orientation, *upright)
    landmarks = (
        stored.landmarks if orientation == 1 else None
    )  # their metres have the axes of the stored image
    return stored._replace(xywh=boxes, keypoints=points, oriented=oriented, masks=masks, landmarks=landmarks)


def _points(points: FloatArray, orientation: int, width: int, height: int) -> FloatArray:
    return corners(np.hstack([points, points]), orientation, width, height)[:, :2].copy()


def _oriented(boxes: FloatArray, orientation: int, width: int, height: int) -> FloatArray:
    """Converts rotated boxes; angles are from -π/4 to below 3π/4."""
    middle, angles = boxes[:, :2], boxes[:, 4]
    ahead = middle + np.stack([np.cos(angles), np.sin(angles)], axis=1)
    middle, ahead = (_points(points, orientation, width, height) for points in (middle, ahead))
    x, y = (ahead - middle).T
    angles = np.mod(np.arctan2(y, x) + np.pi / 4, np.pi) - np.pi / 4
    return np.column_stack([middle, boxes[:, 2:4], angles])


def _masks(masks: MaskColumns, orientation: int, width: int, height: int) -> MaskColumns:
    """Converts masks: the place and the order of their cells."""
    cells = [np.empty(0, np.uint8)]
    for index, (across, down) in enumerate(masks.sizes.tolist()):
        grid = masks.cells[masks.offsets[index] : masks.offsets[index + 1]].reshape(down, across)
        cells.append(turned(grid, orientation).ravel())
    places = [corners(masks.places[:, part], orientation, width, height) for part in (slice(4), slice(4, 8))]
    sizes = masks.sizes[:, ::-1].copy() if orientation >= 5 else masks.sizes
    return MaskColumns(masks.offsets, np.concatenate(cells), sizes, np.hstack(places))


def map_of(stored: MapColumns, orientation: int, width: int, height: int) -> MapColumns:
    """Converts a map to the upright image; `width` and `height` are those of the stored image."""
    upright = size(orientation, width, height)
    places = [corners(stored.places[None, part], orientation, *upright) for part in (slice(4), slice(4, 8))]
    confidences = stored.confidences
    return stored._replace(
        classes=turned(stored.classes, orientation).copy(),
        confidences=None if confidences is None else turned(confidences, orientation).copy(),
        places=np.hstack(places).ravel(),
    )


def turned(pixels: np.ndarray[Any, Any], orientation: int) -> np.ndarray[Any, Any]:
    """Rotates rows of pixels upright."""
    if orientation >= 5:
        pixels = pixels.swapaxes(0, 1)
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return pixels[:, ::-1] if orientation in (2, 3, 6, 7) else pixels
