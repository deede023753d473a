# SPDX-License-Identifier: Apache-2.0
"""`mp.Image`: pixels, or a file that is decoded when it is needed."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import numpy.typing as npt


class ImageFormat(enum.IntEnum):
    """What the pixels of an image are, with MediaPipe's numbers."""

    UNKNOWN = 0
    SRGB = 1
    SRGBA = 2
    GRAY8 = 3


_CHANNELS = {ImageFormat.SRGB: 3, ImageFormat.SRGBA: 4, ImageFormat.GRAY8: 1}


class Image:
    """An image.

    Args:
        image_format: SRGB, SRGBA or GRAY8.
        data: (H, W, 3), (H, W, 4), (H, W) or (H, W, 1) uint8; copied, as MediaPipe does.

    Raises:
        ValueError: Another type or shape.
    """

    def __init__(self, image_format: ImageFormat, data: npt.NDArray[np.uint8]) -> None:
        channels = _CHANNELS.get(ImageFormat(image_format))
        if channels is None:
            raise ValueError(f"image_format is {image_format!r}; SRGB, SRGBA and GRAY8 are there")
        if data.dtype != np.uint8:
            raise ValueError(f"Unsupported numpy data type: {data.dtype}, uint8 expected")
        if (1 if data.ndim == 2 else data.shape[2] if data.ndim == 3 else 0) != channels:
            raise ValueError(f"an array of the shape {data.shape} is no {ImageFormat(image_format).name}")
        self._format = ImageFormat(image_format)
        self._pixels: npt.NDArray[np.uint8] | None = np.array(data, order="C")
        self._pixels.flags.writeable = False
        self._path: str | None = None

    @classmethod
    def create_from_file(cls, file_name: str) -> Image:
        """An image of a file; detectors read the file themselves, `numpy_view` needs Pillow.

        Raises:
            RuntimeError: There is no such file.
        """
        try:
            with open(file_name, "rb"):
                pass
        except OSError as error:
            raise RuntimeError(f"{file_name} cannot be read: {error}") from error
        image = cls.__new__(cls)
        image._format = ImageFormat.SRGB
        image._pixels = None
        image._path = str(file_name)
        return image

    def _decoded(self) -> npt.NDArray[np.uint8]:
        if self._pixels is None:
            try:
                import PIL.Image
            except ImportError as error:
                raise ImportError("the pixels of a file need Pillow: pip install pillow") from error
            with PIL.Image.open(self._path or "") as opened:
                grey = opened.mode == "L"
                self._format = ImageFormat.GRAY8 if grey else ImageFormat.SRGB
                self._pixels = np.array(opened if grey else opened.convert("RGB"))
            self._pixels.flags.writeable = False
        return self._pixels

    def numpy_view(self) -> npt.NDArray[np.uint8]:
        """The pixels, read-only."""
        return self._decoded()

    @property
    def width(self) -> int:
        """In pixels."""
        return int(self._decoded().shape[1])

    @property
    def height(self) -> int:
        """In pixels."""
        return int(self._decoded().shape[0])

    @property
    def channels(self) -> int:
        """1, 3 or 4."""
        return _CHANNELS[self.image_format]

    @property
    def image_format(self) -> ImageFormat:
        """What the pixels are."""
        if self._path is not None:
            self._decoded()
        return self._format

    def _given(self) -> Any:
        """What a detector takes: the path, or the pixels."""
        return self._path if self._path is not None else self._pixels
