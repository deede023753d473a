# SPDX-License-Identifier: Apache-2.0
"""The result of a segmenter for one image: the class of each part of it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _columns, _json
from ._errors import FoveaError
from ._library import check, lib
from ._masks import Mask
from ._results import Facts, ImageResult, Source
from ._types import CellArray, MaskForm, ScoreArray

#: The index of cells and pixels without a class.
_NONE = 255


@dataclass(frozen=True, slots=True)
class Share:
    """The part of an image that a class covers.

    Attributes:
        label: The name of the class; None if it has none.
        index: The class index, from 0.
        share: The fraction of the cells, 0…1.
    """

    label: str | None
    index: int
    share: float

    @property
    def name(self) -> str:
        """The label, or for example ``class 7`` without one."""
        return f"class {self.index}" if self.label is None else self.label


class Segmentation(ImageResult):
    """The class of each part of one image.

    A model has one class for each cell of several pixels. Pixels are made at each access: ``numpy.asarray(map)`` is
    (H, W) uint8, the index of each pixel's class, and 255 outside the processed region.
    """

    __slots__ = ("_names", "_parts")

    def __init__(
        self,
        source: Source,
        result: _columns.Result | None = None,
        index: int = 0,
        *,
        error: FoveaError | None = None,
        facts: Facts | None = None,
        parts: _columns.MapColumns | None = None,
        names: tuple[str, ...] = (),
    ) -> None:
        super().__init__(source, result, index, error=error, facts=facts)
        self._parts = parts
        self._names = names

    @property
    def _map(self) -> _columns.MapColumns:
        if self._parts is None:
            if self._result is None or self._error is not None:
                nothing = np.empty((0, 0), np.uint8)
                self._parts = _columns.MapColumns(nothing, None, np.full(8, np.nan), 0)
            else:
                self._parts = _columns.read_map(self._result, self._index)
        return self._parts

    @property
    def names(self) -> list[str]:
        """The names of the model's classes, by index; empty if unknown."""
        return list(self._names)

    @property
    def cells(self) -> CellArray:
        """The index of the class of each cell: (rows, columns) uint8; 255 for none."""
        return self._map.classes

    @property
    def confidences(self) -> ScoreArray | None:
        """The probability of each cell's class, 0…1: (rows, columns) float32; None for models with only classes."""
        confidences = self._map.confidences
        return None if confidences is None else confidences.astype(np.float32) / np.float32(255)

    @property
    def shares(self) -> list[Share]:
        """The classes that the image has, the largest share first."""
        counts = np.bincount(self.cells.ravel(), minlength=_NONE + 1).tolist()
        found = [index for index in range(_NONE) if counts[index]]
        found.sort(key=lambda index: (-counts[index], index))
        return [Share(self._name(index), index, counts[index] / self.cells.size) for index in found]

    def _name(self, index: int) -> str | None:
        return (self._names[index] or None) if index < len(self._names) else None

    def mask(self, which: str | int) -> Mask:
        """Returns the mask of a class over the whole image.

        With two classes a pixel belongs to the class whose interpolated probability is above 0.5.

        Args:
            which: The name or the index of the class.

        Raises:
            KeyError: The model has no class of this name.
            IndexError: The index is outside 0…254, or the model has fewer classes.
        """
        if isinstance(which, str):
            if which not in self._names:
                raise KeyError(
                    f"{which!r} is not a class; the classes are {', '.join(self._names) or 'unnamed'}"
                )
            which = self._names.index(which)
        if not 0 <= which < (len(self._names) or _NONE):
            raise IndexError(f"class {which} of {len(self._names) or _NONE}")
        return Mask(self._map.mask(which), 0, (self.width, self.height))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("the pixels of maps are made for each array, so that copy=False is not possible")
        pixels = np.full((self.height, self.width), _NONE, np.uint8)
        if pixels.size and self.cells.size:
            struct, kept = self._map.struct()
            address = pixels.__array_interface__["data"][0]
            check(
                lib.fovea_map_pixels(ctypes.byref(struct), 0, self.width, self.height, address, pixels.size)
            )
            del kept
        return pixels if dtype is None else pixels.astype(dtype, copy=False)

    def upright(self) -> Segmentation:
        """Returns the same map with cells and size of the upright image, rotated according to EXIF."""
        from . import _upright

        facts = self._known
        if facts.space == "upright" or not self.cells.size:
            return self
        parts = _upright.map_of(self._map, facts.orientation, facts.width, facts.height)
        width, height = _upright.size(facts.orientation, facts.width, facts.height)
        facts = facts._replace(width=width, height=height, space="upright")
        return Segmentation(self._source, facts=facts, parts=parts, names=self._names)

    def to_json(self, *, masks: MaskForm = "rle") -> str:
        """Returns the line of ``fovea segment --format jsonl``, without a line break.

        Args:
            masks: The form of masks: ``"rle"``, COCO's run lengths, ``"polygon"``, outer outlines, or ``"none"``.
        """
        if masks not in ("rle", "polygon", "none"):
            raise ValueError(f"masks is {masks!r}, 'rle', 'polygon' or 'none' expected")
        return _json.line(self, _json.classes(self, masks))

    def __repr__(self) -> str:
        return self._outcome(len(self.shares), "class", "classes")

    def __str__(self) -> str:
        return (_json.heading(self) + _json.class_lines(self)).rstrip("\n")

    def __reduce__(self) -> tuple[Any, ...]:
        own = self._map._replace(classes=self._map.classes.copy(), places=self._map.places.copy())
        if own.confidences is not None:
            own = own._replace(confidences=own.confidences.copy())
        return _restore, (self._source.path, self._error, self._known, own, self._names)


def _restore(
    path: str | None, error: FoveaError | None, facts: Facts, parts: Any, names: tuple[str, ...]
) -> Segmentation:
    return Segmentation(Source(path), error=error, facts=facts, parts=parts, names=names)
