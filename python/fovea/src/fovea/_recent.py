# SPDX-License-Identifier: Apache-2.0
"""The images of the last calls in a notebook, which a cell may show; results do not keep images alive."""

from __future__ import annotations

import collections
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

#: The number of images that a notebook keeps.
COUNT = 4
#: The maximum size of a kept image, in bytes.
BYTES = 64 * 1024 * 1024


class File:
    """The bytes of an image file."""

    def __init__(self, data: bytes) -> None:
        self.data = data


_kept: collections.deque[object] = collections.deque(maxlen=COUNT)


def reference(image: object) -> Callable[[], object]:
    """Returns a weak reference to the image; a notebook keeps the last images that are not huge."""
    if "ipykernel" in sys.modules and _size(image) <= BYTES:
        _kept.append(image)
    return weakref.ref(image)


def in_rgb(found: Callable[[], object]) -> Callable[[], object]:
    """Wraps a reference to BGR or BGRA pixels so that it returns RGB or RGBA."""

    def turned() -> object:
        pixels: Any = found()
        return None if pixels is None else pixels[:, :, [2, 1, 0, 3][: pixels.shape[2]]]

    return turned


def _size(image: Any) -> int:
    """Returns the size of an image in bytes; that of a Pillow image is computed, since it may not be decoded yet."""
    if isinstance(image, File):
        return len(image.data)
    if isinstance(image, np.ndarray):
        return int(image.nbytes)
    return int(image.width * image.height * len(image.getbands()))
