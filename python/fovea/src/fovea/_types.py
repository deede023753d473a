# SPDX-License-Identifier: Apache-2.0
"""Types shared by signatures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt
    import PIL.Image

#: The channel order of an array: "rgb", as in Pillow and torchvision, or "bgr", as in OpenCV.
Order: TypeAlias = Literal["rgb", "bgr"]
#: x, y, width and height in pixels of the stored image.
Box: TypeAlias = Sequence[float]
#: A path, the bytes of a file, an array of pixels, a Pillow image, or a file opened in binary mode.
ImageLike: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | npt.NDArray[np.uint8] | PIL.Image.Image | BinaryIO"
#: The form of masks in JSON: COCO's run lengths, outer outlines, or none.
MaskForm: TypeAlias = Literal["rle", "polygon", "none"]
#: A path, or the bytes of a model.
ModelLike: TypeAlias = "str | os.PathLike[str] | bytes"

# Like numpy.typing.NDArray, but without the milliseconds of importing its module.
FloatArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float64]]
ScoreArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.float32]]
BoolArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
CellArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.uint8]]
IndexArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int32]]
IdentityArray: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int64]]
