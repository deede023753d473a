# SPDX-License-Identifier: Apache-2.0
"""The images of the last calls in a notebook, which a cell may show; results keep no image alive."""

from __future__ import annotations

import collections
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

#: How many images a notebook keeps.
COUNT = 4
#: The largest image that is kept, in bytes.
BYTES = 64 * 1024 * 1024


class File:
    """The bytes of an image file."""

    def __init__(self, data: bytes) -> None:
        self.data = data


_kept: collections.deque[object] = collections.deque(maxlen=COUNT)


def reference(image: object) -> Callable[[], object]:
    """Answers the image while it is alive; a notebook keeps the last ones that are not huge."""
    if "ipykernel" in sys.modules and _size(image) <= BYTES:
        _kept.append(image)
    return weakref.ref(image)


def in_rgb(found: Callable[[], object]) -> Callable[[], object]:
    """Answers an array of BGR or BGRA pixels as RGB or RGBA."""

    def turned() -> object:
        pixels: Any = found()
        return None if pixels is None else pixels[:, :, [2, 1, 0, 3][: pixels.shape[2]]]

    return turned


def _size(image: Any) -> int:
    """The bytes of an image; a Pillow image has its own, as it may not be decoded yet."""
    if isinstance(image, File):
        return len(image.data)
    if isinstance(image, np.ndarray):
        return int(image.nbytes)
    return int(image.width * image.height * len(image.getbands()))
