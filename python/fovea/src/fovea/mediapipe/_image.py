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


_CHANNELS = {ImageFormat.SRGB: 3, ImageFormat.SRGBA: 4, ImageFormat.GRAY8: 1}
#: The first bytes of image files.
_STARTS = (b"\xff\xd8", b"\x89PNG", b"RIFF", b"GIF8", b"BM", b"II*\0", b"MM\0*")
_BOX = b"ftyp"


class Image:
    """An image.

    Args:
        image_format: SRGB, SRGBA or GRAY8.
        data: (H, W, 3), (H, W, 4), (H, W) or (H, W, 1) uint8; copied, as in MediaPipe.

    Raises:
        ValueError: The shape or the data type is not supported.
        WrongTypeError: It is not an array.
    """

    def __init__(self, image_format: ImageFormat, data: npt.NDArray[np.uint8]) -> None:
        require("data", data, (np.ndarray, np.generic), "a NumPy array")
        require("image_format", image_format, int, "a member of mp.ImageFormat")
        if data.ndim not in (2, 3):
            raise ValueError(f"Unsupported number of dimensions: {data.ndim}, (H, W) or (H, W, C) expected")
        if data.dtype != np.uint8:
            raise ValueError(f"Unsupported numpy data type: {data.dtype}, uint8 expected")
        channels = _CHANNELS.get(image_format)
        if channels is None:
            raise ValueError(f"Unsupported image format: {image_format!r}, SRGB, SRGBA or GRAY8 expected")
        self._format = ImageFormat(image_format)
        if (1 if data.ndim == 2 else data.shape[2]) != channels:
            raise ValueError(
                f"data has the shape {data.shape}; {self._format.name} has {channels} "
                f"{'channel' if channels == 1 else 'channels'}"
            )
        if not data.size:
            raise ValueError(f"data has the shape {data.shape}, at least one pixel expected")
        self._pixels: npt.NDArray[np.uint8] | None = np.array(data, order="C").reshape(*data.shape[:2], -1)
        self._pixels.flags.writeable = False
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

    def _decoded(self) -> npt.NDArray[np.uint8]:
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
            self._pixels = pixels.reshape(*pixels.shape[:2], -1)
            self._pixels.flags.writeable = False
        return self._pixels

    def numpy_view(self) -> npt.NDArray[np.uint8]:
        """Returns the pixels as (H, W, C), read-only."""
        return self._decoded()

    def __getitem__(self, key: tuple[int, ...]) -> int:
        """Returns the value at a row, a column and a channel; the channel is optional for a grey image.

        Raises:
            IndexError: There is no such pixel.
            ValueError: The number of indices is wrong.
        """
        require("the index", key, tuple, "a tuple: row, column, channel")
        pixels = self._decoded()
        if len(key) != 3 and (len(key) != 2 or pixels.shape[2] != 1):
            raise ValueError(f"Invalid index dimension: {len(key)}. Pass row, column and channel")
        return int(pixels[key if len(key) == 3 else (*key, 0)])

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
