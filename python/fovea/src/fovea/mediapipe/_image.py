# SPDX-License-Identifier: Apache-2.0
"""`mp.Image`: pixels, or a file that is decoded when needed."""

from __future__ import annotations

import enum
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from ._wrong import require


class ImageFormat(enum.IntEnum):
    """The pixel format of an image, with MediaPipe's numbers."""

    UNKNOWN = 0
    SRGB = 1
    SRGBA = 2
    GRAY8 = 3
    VEC32F1 = 9


#: The data type of a pixel's values; those of other formats are uint8.
_TYPES = {ImageFormat.VEC32F1: np.dtype(np.float32)}
_BYTES = np.dtype(np.uint8)
_CHANNELS = {ImageFormat.SRGB: 3, ImageFormat.SRGBA: 4, ImageFormat.GRAY8: 1, ImageFormat.VEC32F1: 1}
#: The first bytes of image files.
_STARTS = (b"\xff\xd8", b"\x89PNG", b"RIFF", b"GIF8", b"BM", b"II*\0", b"MM\0*")
_BOX = b"ftyp"


class Image:
    """An image, or a mask of a segmenter.

    Args:
        image_format: SRGB, SRGBA or GRAY8; VEC32F1 for one float of each pixel.
        data: (H, W, 3), (H, W, 4), (H, W) or (H, W, 1) uint8, float32 for VEC32F1; copied, as in MediaPipe.

    Raises:
        ValueError: The shape or the data type is not supported.
        WrongTypeError: It is not an array.
    """

    def __init__(self, image_format: ImageFormat, data: npt.NDArray[Any]) -> None:
        require("data", data, (np.ndarray, np.generic), "a NumPy array")
        require("image_format", image_format, int, "a member of mp.ImageFormat")
        if data.ndim not in (2, 3):
            raise ValueError(f"Unsupported number of dimensions: {data.ndim}, (H, W) or (H, W, C) expected")
        channels = _CHANNELS.get(image_format)
        if channels is None:
            raise ValueError(
                f"Unsupported image format: {image_format!r}, SRGB, SRGBA, GRAY8 or VEC32F1 expected"
            )
        self._format = ImageFormat(image_format)
        kind = _TYPES.get(self._format, _BYTES)
        if data.dtype != kind:
            raise ValueError(
                f"Unsupported numpy data type: {data.dtype}, {kind} expected for {self._format.name}"
            )
        if (1 if data.ndim == 2 else data.shape[2]) != channels:
            raise ValueError(
                f"data has the shape {data.shape}; {self._format.name} has {channels} "
                f"{'channel' if channels == 1 else 'channels'}"
            )
        if not data.size:
            raise ValueError(f"data has the shape {data.shape}, at least one pixel expected")
        self._pixels: npt.NDArray[Any] | None = _read_only(np.array(data, order="C"))
        self._path: str | None = None

    @classmethod
    def create_from_file(cls, file_name: str) -> Image:
        """Creates an image from a file; detectors read the file themselves, `numpy_view` needs Pillow.

        Raises:
            FileNotFoundError: There is no such file.
            RuntimeError: It cannot be read, or is not an image.
            WrongTypeError: It is not a path.
        """
        require("file_name", file_name, (str, os.PathLike), "a path")
        path = os.fsdecode(file_name)
        try:
            with open(path, "rb") as file:
                start = file.read(12)
        except (FileNotFoundError, NotADirectoryError, ValueError) as error:  # ValueError: NUL in the path
            raise FileNotFoundError(f"Can't find file: {path!r}. Check the path") from error
        except OSError as error:
            raise RuntimeError(f"Error while reading file: {error}") from error
        if not start.startswith(_STARTS) and start[4:8] != _BOX:
            what = "is empty" if not start else "is not an image"
            raise RuntimeError(f"Failed to load image from file: {path!r} {what}")
        image = cls.__new__(cls)
        image._format = ImageFormat.SRGB
        image._pixels = None
        image._path = path
        return image

    @classmethod
    def _of(cls, image_format: ImageFormat, pixels: npt.NDArray[Any]) -> Image:
        """Creates an image that keeps its pixels without a copy."""
        image = cls.__new__(cls)
        image._format = image_format
        image._pixels = _read_only(pixels)
        image._path = None
        return image

    def _decoded(self) -> npt.NDArray[Any]:
        if self._pixels is None:
            try:
                import PIL.Image
            except ImportError as error:
                raise ImportError("reading the pixels of a file needs Pillow: pip install pillow") from error
            try:
                with PIL.Image.open(self._path or "") as opened:
                    grey = opened.mode == "L"
                    pixels = np.array(opened if grey else opened.convert("RGB"))
            except (OSError, SyntaxError) as error:  # Pillow's errors for damaged files
                raise RuntimeError(
                    f"Failed to load image from file: Pillow cannot read it: {error}"
                ) from error
            self._format = ImageFormat.GRAY8 if grey else ImageFormat.SRGB
            self._pixels = _read_only(pixels)
        return self._pixels

    def numpy_view(self) -> npt.NDArray[Any]:
        """Returns the pixels as (H, W, C), read-only: uint8, or float32 for VEC32F1."""
        return self._decoded()

    def __getitem__(self, key: tuple[int, ...]) -> Any:
        """Returns the value at a row, a column and a channel; the channel is optional if there is one.

        Raises:
            IndexError: There is no such pixel.
            ValueError: The number of indices is wrong.
        """
        require("the index", key, tuple, "a tuple: row, column, channel")
        pixels = self._decoded()
        if len(key) != 3 and (len(key) != 2 or pixels.shape[2] != 1):
            raise ValueError(f"Invalid index dimension: {len(key)}. Pass row, column and channel")
        return pixels[key if len(key) == 3 else (*key, 0)].item()

    def uses_gpu(self) -> bool:
        """Returns False: the pixels are in memory."""
        return False

    def is_contiguous(self) -> bool:
        """Returns True: there are no gaps between rows."""
        return True

    def is_empty(self) -> bool:
        """Returns False: an image has at least one pixel."""
        return False

    @property
    def width(self) -> int:
        """The width in pixels."""
        return int(self._decoded().shape[1])

    @property
    def height(self) -> int:
        """The height in pixels."""
        return int(self._decoded().shape[0])

    @property
    def channels(self) -> int:
        """The number of channels: 1, 3 or 4."""
        return _CHANNELS[self.image_format]

    @property
    def image_format(self) -> ImageFormat:
        """The pixel format."""
        if self._path is not None:
            self._decoded()
        return self._format

    def _given(self) -> Any:
        """Returns the input for a detector: the path or the pixels."""
        return self._path if self._path is not None else self._pixels


def _read_only(pixels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns pixels as (H, W, C) that cannot be written."""
    pixels = pixels.reshape(*pixels.shape[:2], -1)
    pixels.flags.writeable = False
    return pixels
