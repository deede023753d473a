# SPDX-License-Identifier: Apache-2.0
"""The shapes of objects: grids of probabilities, from which pixels, outlines and run lengths are made on request."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from . import _columns
from ._library import check, lib
from ._types import BoolArray, FloatArray

#: The largest number of pixels of an image with run lengths.
_MOST = 2**32 - 1


class Box(NamedTuple):
    """Whole pixels: left, top, width and height."""

    x: int
    y: int
    width: int
    height: int


class Mask:
    """The shape of one object, in pixels of its result's `space`.

    It is a grid of probabilities; a pixel belongs to the object if the probability at its middle is above 0.5.
    Pixels and outlines are made at each access.
    """

    __slots__ = ("_columns", "_index", "_size")

    def __init__(self, columns: _columns.MaskColumns, index: int, size: tuple[int, int]) -> None:
        self._columns = columns
        self._index = index
        self._size = size

    @property
    def bitmap(self) -> BoolArray:
        """The pixels of the whole image: (H, W) bool."""
        width, height = self._size
        pixels = np.empty((height, width), np.bool_)
        self._write(pixels)
        return pixels

    @property
    def box(self) -> Box:
        """The place of `crop` in the image: the part of the object's box inside it."""
        left, top, right, bottom = self._columns.places[self._index, :4].tolist()
        width, height = self._size
        if not left < right or not top < bottom:
            return Box(0, 0, 0, 0)
        # The middle of pixel i is i + 0.5.
        x0, x1 = (min(max(math.ceil(edge - 0.5), 0), width) for edge in (left, right))
        y0, y1 = (min(max(math.ceil(edge - 0.5), 0), height) for edge in (top, bottom))
        return Box(x0, y0, x1 - x0, y1 - y0)

    @property
    def crop(self) -> BoolArray:
        """The pixels inside `box`: (box.height, box.width) bool."""
        x, y, width, height = self.box
        if not width or not height:
            return np.zeros((height, width), np.bool_)
        return self.bitmap[y : y + height, x : x + width].copy()

    @property
    def area(self) -> int:
        """The number of pixels of the object."""
        return int(np.count_nonzero(self.bitmap))

    @property
    def outlines(self) -> list[FloatArray]:
        """The outlines, closed polygons of x and y in pixels: (points, 2) float64 each.

        Outer outlines run clockwise as seen on the screen, those of holes counter-clockwise. The last point is not
        the first one again.
        """
        return _outlines(self._columns, self._index)

    @property
    def rle(self) -> dict[str, Any]:
        """COCO's compressed run lengths, as pycocotools reads them: ``size`` (height, width) and ``counts``."""
        width, height = self._size
        text = ctypes.c_void_p()
        struct, kept = self._columns.struct()
        check(lib.fovea_mask_text(ctypes.byref(struct), self._index, width, height, ctypes.byref(text)))
        del kept
        try:
            counts = ctypes.string_at(text.value or 0).decode("ascii")
        finally:
            lib.fovea_string_free(text)
        return {"size": [height, width], "counts": counts}

    def _write(self, pixels: BoolArray) -> None:
        """Writes the pixels of the whole image into an array of its size."""
        if not pixels.size:
            return
        height, width = pixels.shape
        struct, kept = self._columns.struct()
        address = pixels.__array_interface__["data"][0]
        check(lib.fovea_mask_bits(ctypes.byref(struct), self._index, width, height, address, pixels.size))
        del kept

    def _member(self, form: str) -> tuple[str, Any] | None:
        """Returns the name and the value of the JSON member in `mask`; None if there is none."""
        width, height = self._size
        if form == "none" or not self._columns.has(self._index) or not 0 < width * height <= _MOST:
            return None
        if form == "rle":
            return "counts", self.rle["counts"]
        inside = self._columns.clipped(self._index, width, height)
        outlines = [] if inside is None else _outlines(inside, 0)
        return "polygons", [outline for outline in outlines if _signed_area(outline) > 0]

    def _content(self) -> tuple[Any, ...]:
        own = self._columns.take(np.array([self._index], np.intp))
        return self._size, own.sizes.tobytes(), own.places.tobytes(), own.cells.tobytes()

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, Mask) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._content())

    def __repr__(self) -> str:
        x, y, width, height = self.box
        return f"<fovea.Mask at {x}, {y}, {width} × {height} pixels>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Mask, (self._columns.take(np.array([self._index], np.intp)), 0, self._size)


class Masks(Sequence[Mask]):
    """The masks of a result's objects, in their order.

    ``numpy.asarray(masks)`` is (n, H, W) bool, with a byte for each pixel of the image and each object. An object
    without a mask has no pixels.
    """

    __slots__ = ("_columns", "_size")

    def __init__(self, columns: _columns.MaskColumns, size: tuple[int, int]) -> None:
        self._columns = columns
        self._size = size

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the array: the number of masks, and the height and width of the image."""
        return len(self), self._size[1], self._size[0]

    def __len__(self) -> int:
        return len(self._columns.sizes)

    @overload
    def __getitem__(self, key: int) -> Mask: ...
    @overload
    def __getitem__(self, key: slice) -> Masks: ...
    def __getitem__(self, key: int | slice) -> Mask | Masks:
        if isinstance(key, slice):
            return Masks(self._columns.take(np.arange(len(self))[key]), self._size)
        position = int(key) + (len(self) if key < 0 else 0)
        if not 0 <= position < len(self):
            raise IndexError(f"mask {key} of {len(self)}")
        return Mask(self._columns, position, self._size)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError(
                "the pixels of masks are made for each array, so that copy=False is not possible"
            )
        pixels = np.empty(self.shape, np.bool_)
        for mask, plane in zip(self, pixels, strict=True):
            mask._write(plane)
        return pixels if dtype is None else pixels.astype(dtype, copy=False)

    def __repr__(self) -> str:
        return f"<fovea.Masks {self.shape}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Masks, (self._columns, self._size)


def _outlines(columns: _columns.MaskColumns, index: int) -> list[FloatArray]:
    count = ctypes.c_size_t()
    struct, kept = columns.struct()
    check(lib.fovea_mask_outlines(ctypes.byref(struct), index, None, 0, ctypes.byref(count)))
    points = np.empty((count.value, 2))
    if len(points):
        address = points.__array_interface__["data"][0]
        check(lib.fovea_mask_outlines(ctypes.byref(struct), index, address, len(points), ctypes.byref(count)))
    del kept
    ends = np.flatnonzero(np.isnan(points[:, 0])).tolist()
    starts = [0, *(end + 1 for end in ends)]
    return [points[start:end].copy() for start, end in zip(starts, ends, strict=False)]


def _signed_area(outline: FloatArray) -> float:
    """Returns the area of a polygon, positive if it runs clockwise as seen on the screen."""
    x, y = outline.T
    return float(np.sum(np.roll(x, 1) * y - x * np.roll(y, 1))) / 2
