# SPDX-License-Identifier: Apache-2.0
"""The types that signatures share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt
    import PIL.Image

#: Pixels of the array: "rgb", as Pillow and torchvision have them, or "bgr", as OpenCV has them.
Order: TypeAlias = Literal["rgb", "bgr"]
#: x, y, width and height in pixels of the stored image.
Box: TypeAlias = Sequence[float]
#: A path, the bytes of a file, an array of pixels, a Pillow image, or a file that is open for reading bytes.
ImageLike: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | npt.NDArray[np.uint8] | PIL.Image.Image | BinaryIO"
#: A path, or the bytes of a model.
ModelLike: TypeAlias = "str | os.PathLike[str] | bytes"

# As numpy.typing.NDArray, whose module takes milliseconds to import.
FloatArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
ScoreArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float32]]
IndexArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int32]]
IdentityArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
