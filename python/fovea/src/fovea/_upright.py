# SPDX-License-Identifier: Apache-2.0
"""Converts boxes of the stored image to pixels of the upright image."""

from __future__ import annotations

import numpy as np

from ._columns import Columns
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
        points = corners(np.hstack([points, points]), orientation, *upright)[:, :2].copy()
    return stored._replace(xywh=boxes, keypoints=points)
