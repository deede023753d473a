# SPDX-License-Identifier: Apache-2.0
"""The masks of an image, made of a segmenter's map."""

from __future__ import annotations

import math

import numpy as np

from ...._maps import Segmentation
from ...._types import FloatArray, IdentityArray, ScoreArray


def class_count(found: Segmentation) -> int:
    """Returns the number of classes; that of the map if the model does not show its own."""
    known = found._map.class_count or len(found.names)
    return known or 1 + max((part.index for part in found.shares), default=0)


def probabilities(found: Segmentation, number: int) -> ScoreArray:
    """Returns a class's probability 0…1 of each pixel, interpolated between cells: (H, W) float32.

    Pixels outside the processed part have 0.
    """
    pixels = np.zeros((found.height, found.width), np.float32)
    cells = found._map.probabilities(number)
    if not pixels.size or not cells.any():
        return pixels
    left, top, right, bottom, *region = found._map.places.tolist()
    grid = cells.astype(np.float32) / np.float32(255)
    down = _Axis(top, bottom, found.height, region[1], region[3], cells.shape[0])
    across = _Axis(left, right, found.width, region[0], region[2], cells.shape[1])
    pixels[down.pixels, across.pixels] = across.between(down.between(grid).T).T
    return pixels


class _Axis:
    """The pixels of one axis, and the cells between which the middle of each lies.

    Args:
        start: The edge of the first pixel.
        end: The edge behind the last one.
        limit: The number of pixels of the image.
        first: The edge of the first cell.
        last: The edge behind the last one.
        count: The number of cells.
    """

    def __init__(self, start: float, end: float, limit: int, first: float, last: float, count: int) -> None:
        # The middle of pixel i is i + 0.5.
        low = min(max(math.ceil(start - 0.5), 0), limit)
        high = min(max(math.ceil(end - 0.5), low), limit)
        self.pixels = slice(low, high)
        middles: FloatArray = np.arange(low, high, dtype=np.float64) + 0.5
        places = ((middles - first) * (count / (last - first)) - 0.5).clip(0, count - 1)
        self._cells: IdentityArray = places.astype(np.int64).clip(0, max(count - 2, 0))
        self._next: IdentityArray = (self._cells + 1).clip(0, count - 1)
        self._shares: ScoreArray = (places - self._cells).astype(np.float32)[:, None]

    def between(self, rows: ScoreArray) -> ScoreArray:
        """Interpolates rows of cells: a row for each pixel."""
        first, second = rows[self._cells], rows[self._next]
        return (first + (second - first) * self._shares).astype(np.float32, copy=False)


def stretched(found: Segmentation) -> Segmentation:
    """Returns the map of the upright image, stretched to the size of the stored image."""
    upright, stored = found.upright(), found._known
    parts = upright._map
    if not parts.classes.size or upright is found:
        return found
    scale = np.tile([stored.width / upright.width, stored.height / upright.height], 4)
    return Segmentation(
        found._source,
        facts=stored,
        parts=parts._replace(places=parts.places * scale),
        names=tuple(found.names),
    )
