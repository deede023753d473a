# SPDX-License-Identifier: Apache-2.0
"""The 738 anchors of a 192 x 192 SSD, its box codes, IoU and suppression."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

CELLS = (12, 6, 3, 2, 1, 1)
PER_CELL = (3, 6, 6, 6, 6, 6)
SCALES = (0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0)
CODE_SCALES = np.array([10, 10, 5, 5], np.float32)


def anchors() -> Array:
    """Returns rows of centre y, centre x, height, width; order: map, row, column, anchor."""
    rows = []
    for level, cells in enumerate(CELLS):
        scale, following = SCALES[level], SCALES[level + 1]
        if level == 0:
            shapes = [(0.1, 1.0), (scale, 2.0), (scale, 0.5)]
        else:
            shapes = [(scale, r) for r in (1, 2, 1 / 2, 3, 1 / 3)] + [((scale * following) ** 0.5, 1.0)]
        for y in range(cells):
            for x in range(cells):
                rows += [((y + 0.5) / cells, (x + 0.5) / cells, s / r**0.5, s * r**0.5) for s, r in shapes]
    return np.array(rows, np.float32)


def mirrored_rows() -> NDArray[np.int64]:
    """Returns, for each anchor, the row of the one at the mirrored column."""
    rows, start = [], 0
    for cells, per_cell in zip(CELLS, PER_CELL, strict=True):
        index = np.arange(cells * cells * per_cell).reshape(cells, cells, per_cell) + start
        rows.append(index[:, ::-1].reshape(-1))
        start += index.size
    return np.concatenate(rows)


def encode(boxes: Array, anchor: Array) -> Array:
    """Encodes boxes (ymin, xmin, ymax, xmax) as ty, tx, th, tw relative to the same number of anchors."""
    size = np.maximum(boxes[:, 2:] - boxes[:, :2], 1e-6)
    centre = (boxes[:, 2:] + boxes[:, :2]) / 2
    codes = np.concatenate([(centre - anchor[:, :2]) / anchor[:, 2:], np.log(size / anchor[:, 2:])], 1)
    return (codes * CODE_SCALES).astype(np.float32)


def decode(codes: Array, anchor: Array) -> Array:
    """Decodes codes to boxes (ymin, xmin, ymax, xmax)."""
    values = codes / CODE_SCALES
    centre = values[:, :2] * anchor[:, 2:] + anchor[:, :2]
    half = np.exp(np.clip(values[:, 2:], -10, 10)) * anchor[:, 2:] / 2
    return np.concatenate([centre - half, centre + half], 1).astype(np.float32)


def iou(a: Array, b: Array) -> Array:
    """Computes the intersection over union of each box of a with each of b."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = np.clip(high - low, 0, None).prod(-1)
    area_a, area_b = (np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) for boxes in (a, b))
    return shared / (area_a[:, None] + area_b[None] - shared + 1e-9)


def suppress(boxes: Array, scores: Array, threshold: float = 0.6, most: int = 5) -> list[int]:
    """Returns the rows that remain of overlapping boxes, best first."""
    keep: list[int] = []
    for row in np.argsort(-scores, kind="stable"):
        if not keep or iou(boxes[row : row + 1], boxes[keep]).max() <= threshold:
            keep.append(int(row))
            if len(keep) == most:
                break
    return keep
