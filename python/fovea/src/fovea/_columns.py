# SPDX-License-Identifier: Apache-2.0
"""The columns of a C result as NumPy arrays that keep it alive."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _abi
from ._errors import FoveaError
from ._library import error_of, lib
from ._types import CellArray, FloatArray, IdentityArray, IndexArray, ScoreArray

if TYPE_CHECKING:
    import numpy.typing as npt

_WIDTH = {"<f8": 8, "<f4": 4, "<i8": 8, "<i4": 4, "|u1": 1}
STAGES = ("decode", "prepare", "detect", "classify", "total")


class _Memory:
    """A read-only part of a result's memory; arrays made from it keep the result alive."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, owner: object, address: int, shape: tuple[int, ...], kind: str) -> None:
        self.owner = owner
        self.__array_interface__ = {"shape": shape, "typestr": kind, "data": (address, True), "version": 3}


class Result:
    """A `fovea_result`, freed when it is no longer referenced."""

    __slots__ = ("_free", "columns", "pointer")

    def __init__(self, pointer: int) -> None:
        self.pointer = pointer
        self._free = lib.fovea_result_free
        self.columns = _abi.Columns(size=ctypes.sizeof(_abi.Columns))
        lib.fovea_result_columns(pointer, ctypes.byref(self.columns))

    def __del__(self) -> None:
        self._free(self.pointer)

    def error(self, image: int) -> FoveaError | None:
        """Returns the error of an image; None if it succeeded."""
        pointer = lib.fovea_result_error(self.pointer, image)
        return error_of(pointer) if pointer else None

    def array(self, address: int | None, start: int, shape: tuple[int, ...], kind: str) -> npt.NDArray[Any]:
        """Returns a column's elements from `start` on, without a copy."""
        if not address or not shape[0]:
            array = np.empty(shape, kind)
            array.flags.writeable = False
            return array
        step = _WIDTH[kind] * (shape[1] if len(shape) > 1 else 1)
        return np.asarray(_Memory(self, address + start * step, shape, kind))

    def texts(self, start: int, count: int) -> list[str | None]:
        """Returns the texts of labels; None for a label without text."""
        if not count:
            return []
        pointers = (ctypes.c_char_p * count).from_address((self.columns.label_texts or 0) + start * 8)
        return [None if text is None else text.decode("utf-8", "replace") for text in pointers]


def read_int32(address: int | None, index: int) -> int:
    """Reads one element of an `int32_t` column."""
    return ctypes.c_int32.from_address((address or 0) + 4 * index).value


def read_int64(address: int | None, index: int) -> int:
    """Reads one element of an `int64_t` column."""
    return ctypes.c_int64.from_address((address or 0) + 8 * index).value


class Labelled(NamedTuple):
    """The labels of all items; those of item i are at `offsets[i]` up to `offsets[i + 1]`."""

    offsets: IdentityArray
    indexes: IndexArray
    scores: ScoreArray
    texts: list[str | None]

    def take(self, chosen: npt.NDArray[np.intp]) -> Labelled:
        """Returns the labels of the chosen items, in that order."""
        spans = [range(self.offsets[at], self.offsets[at + 1]) for at in chosen.tolist()]
        flat = [place for span in spans for place in span]
        offsets = offsets_of([len(span) for span in spans])
        return Labelled(offsets, self.indexes[flat], self.scores[flat], [self.texts[place] for place in flat])


class MaskColumns(NamedTuple):
    """The masks of all objects; the cells of object i are at `offsets[i]` up to `offsets[i + 1]`."""

    offsets: IdentityArray
    cells: CellArray
    #: The number of cells in a row and of rows: (n, 2).
    sizes: IndexArray
    #: The edges of the bounds and of the cells' region: (n, 8); NaN for an object without a mask.
    places: FloatArray

    def has(self, index: int) -> bool:
        """Whether an object has a mask."""
        return bool(self.places[index, 0] == self.places[index, 0])

    def take(self, chosen: npt.NDArray[np.intp]) -> MaskColumns:
        """Returns the masks of the chosen objects, in that order."""
        cells = [self.cells[self.offsets[at] : self.offsets[at + 1]] for at in chosen.tolist()]
        return MaskColumns(
            offsets_of([len(part) for part in cells]),
            np.concatenate([np.empty(0, np.uint8), *cells]),
            self.sizes[chosen],
            self.places[chosen],
        )

    def clipped(self, index: int, width: int, height: int) -> MaskColumns | None:
        """Returns one mask without its part outside the image; None if no part is inside."""
        own = self.take(np.array([index], np.intp))
        left, top, right, bottom = own.places[0, :4].tolist()
        left, top, right, bottom = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
        if not left < right or not top < bottom:
            return None
        own.places[0, :4] = left, top, right, bottom
        return own

    def struct(self) -> tuple[_abi.Columns, Any]:
        """Returns the struct of these masks, and the objects to keep alive with it."""
        struct = _abi.Columns(size=ctypes.sizeof(_abi.Columns), objects=len(self.sizes))
        return struct, self.write(struct)

    def write(self, struct: _abi.Columns) -> Any:
        """Sets a struct's columns of masks, and returns the objects to keep alive with it."""
        arrays = {f"mask_{name}": np.ascontiguousarray(array) for name, array in self._asdict().items()}
        for name, array in arrays.items():
            setattr(struct, name, array.__array_interface__["data"][0])
        return arrays


class LandmarkColumns(NamedTuple):
    """What a landmark model says of the keypoints of all objects, besides their places; NaN for what it does not say."""

    #: z in pixels of the image, smaller for points nearer to the camera: (K,).
    depths: ScoreArray
    #: The probability to be in the image: (K,).
    presences: ScoreArray
    #: x, y and z in metres: (K, 3).
    worlds: ScoreArray
    #: The probability that an object is a right hand: (n,).
    right_hands: ScoreArray

    def take(self, chosen: npt.NDArray[np.intp], points: npt.NDArray[np.intp]) -> LandmarkColumns:
        """Returns the rows of the chosen objects, whose keypoints are `points`."""
        return LandmarkColumns(
            self.depths[points], self.presences[points], self.worlds[points], self.right_hands[chosen]
        )


class MapColumns(NamedTuple):
    """The map of one image."""

    #: The class of each cell: (rows, columns); 255 for none.
    classes: CellArray
    #: The probability of each cell's class, 0…255 for 0…1: (rows, columns); None if the model has none.
    confidences: CellArray | None
    #: The edges of the processed part and of the cells' region: (8,).
    places: FloatArray
    #: The number of classes of the model; 0 if unknown.
    class_count: int

    def struct(self) -> tuple[_abi.Columns, Any]:
        """Returns the struct of this map, and the objects to keep alive with it."""
        rows, across = self.classes.shape
        kept: dict[str, np.ndarray[Any, Any]] = {
            "map_offsets": np.array([0, rows * across], np.int64),
            "map_classes": np.ascontiguousarray(self.classes),
            "map_sizes": np.array([across, rows], np.int32),
            "map_places": np.ascontiguousarray(self.places),
        }
        if self.confidences is not None:
            kept["map_confidences"] = np.ascontiguousarray(self.confidences)
        struct = _abi.Columns(size=ctypes.sizeof(_abi.Columns), images=1, map_class_count=self.class_count)
        for name, array in kept.items():
            setattr(struct, name, array.__array_interface__["data"][0])
        return struct, kept

    def probabilities(self, number: int) -> CellArray:
        """Returns the probability of a class in each cell, 0…255 for 0…1; with three or more, 0 for all but the best."""
        is_class = self.classes == number
        if self.confidences is None:
            return np.where(is_class, np.uint8(255), np.uint8(0))
        others = 255 - self.confidences if self.class_count == 2 else np.uint8(0)
        return np.where(is_class, self.confidences, others)

    def mask(self, number: int) -> MaskColumns:
        """Returns the mask of a class, as `SegmentationMap.mask(ofClass:)` in Swift makes it."""
        if self.class_count == 2:
            cells = self.probabilities(number)
        else:
            cells = np.where(self.classes == number, np.uint8(255), np.uint8(0))
        rows, across = cells.shape
        return MaskColumns(
            np.array([0, cells.size], np.int64),
            cells.ravel(),
            np.array([[across, rows]], np.int32),
            self.places.reshape(1, 8),
        )


class Columns(NamedTuple):
    """The objects of one image."""

    xywh: FloatArray
    scores: ScoreArray
    track_ids: IdentityArray | None
    labels: Labelled
    keypoint_offsets: IdentityArray | None = None
    keypoints: FloatArray | None = None
    #: The middle, size and angle of rotated boxes: (n, 5); NaN for an object without one.
    oriented: FloatArray | None = None
    masks: MaskColumns | None = None
    #: The probability of each keypoint to be visible; NaN for an object whose keypoints have none.
    keypoint_scores: ScoreArray | None = None
    landmarks: LandmarkColumns | None = None

    def take(self, chosen: npt.NDArray[np.intp]) -> Columns:
        """Returns the chosen objects, in that order."""
        offsets = points = scores = landmarks = None
        if self.keypoint_offsets is not None and self.keypoints is not None:
            spans = [
                range(self.keypoint_offsets[at], self.keypoint_offsets[at + 1]) for at in chosen.tolist()
            ]
            offsets = offsets_of([len(span) for span in spans])
            places = np.array([place for span in spans for place in span], np.intp)
            points = self.keypoints[places]
            scores = None if self.keypoint_scores is None else self.keypoint_scores[places]
            landmarks = None if self.landmarks is None else self.landmarks.take(chosen, places)
        return Columns(
            self.xywh[chosen],
            self.scores[chosen],
            None if self.track_ids is None else self.track_ids[chosen],
            self.labels.take(chosen),
            offsets,
            points,
            None if self.oriented is None else self.oriented[chosen],
            None if self.masks is None else self.masks.take(chosen),
            scores,
            landmarks,
        )


def offsets_of(counts: list[int]) -> IdentityArray:
    """Returns the offsets of items with these numbers of elements."""
    offsets = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def rows_of(values: Any, offsets: IdentityArray) -> Any:
    """Returns a row for each object with its values, padded with NaN to the longest."""
    counts = np.diff(offsets)
    width = int(counts.max(initial=0))
    rows = np.full((len(counts), width, *values.shape[1:]), np.nan, values.dtype)
    rows[np.arange(width) < counts[:, None]] = values
    rows.flags.writeable = False
    return rows


def corners(oriented: FloatArray) -> FloatArray:
    """Returns the corners of rotated boxes: (n, 4, 2)."""
    middle_x, middle_y, width, height, angle = (oriented[:, column, None] for column in range(5))
    cosine, sine = np.cos(angle), np.sin(angle)
    x = width * np.array([-0.5, 0.5, 0.5, -0.5])
    y = height * np.array([-0.5, -0.5, 0.5, 0.5])
    return np.stack([middle_x + x * cosine - y * sine, middle_y + x * sine + y * cosine], axis=2)


def empty() -> Columns:
    """Returns columns without objects."""
    return Columns(np.empty((0, 4)), np.empty(0, np.float32), None, no_labels())


def no_labels(things: int = 0) -> Labelled:
    """Returns labels of that many items, all without a label."""
    return Labelled(np.zeros(things + 1, np.int64), np.empty(0, np.int32), np.empty(0, np.float32), [])


def read_objects(result: Result, image: int, *, tracked: bool) -> Columns:
    """Reads the objects of one image of a result, with a tracker's identities if `tracked`."""
    c = result.columns
    first, last = read_int64(c.object_offsets, image), read_int64(c.object_offsets, image + 1)
    count = last - first
    track_ids = result.array(c.track_ids, first, (count,), "<i8") if tracked else None
    offsets = points = scores = landmarks = None
    if getattr(c, "keypoint_offsets", None) and count:
        offsets, start, total = _offsets(result, c.keypoint_offsets, first, count)
        points = result.array(c.keypoints, start, (total, 2), "<f8")
        if c.keypoint_scores:
            scores = result.array(c.keypoint_scores, start, (total,), "<f4")
        if c.keypoint_depths:
            landmarks = LandmarkColumns(
                result.array(c.keypoint_depths, start, (total,), "<f4"),
                result.array(c.keypoint_presences, start, (total,), "<f4"),
                result.array(c.keypoint_worlds, start, (total, 3), "<f4"),
                result.array(c.right_hands, first, (count,), "<f4"),
            )
    return Columns(
        result.array(c.boxes, first, (count, 4), "<f8"),
        result.array(c.scores, first, (count,), "<f4"),
        track_ids,
        read_labels(result, first, count),
        offsets,
        points,
        result.array(c.oriented_boxes, first, (count, 5), "<f8") if c.oriented_boxes else None,
        _read_masks(result, first, count) if c.mask_offsets else None,
        scores,
        landmarks,
    )


def _read_masks(result: Result, first: int, count: int) -> MaskColumns:
    c = result.columns
    offsets, start, total = _offsets(result, c.mask_offsets, first, count)
    return MaskColumns(
        offsets,
        result.array(c.mask_cells, start, (total,), "|u1"),
        result.array(c.mask_sizes, first, (count, 2), "<i4"),
        result.array(c.mask_places, first, (count, 8), "<f8"),
    )


def read_map(result: Result, image: int) -> MapColumns:
    """Reads the map of one image."""
    c = result.columns
    across, rows = result.array(c.map_sizes, 2 * image, (2,), "<i4").tolist()
    start = read_int64(c.map_offsets, image)

    def cells(column: int | None) -> CellArray:
        return result.array(column, start, (rows * across,), "|u1").reshape(rows, across)

    return MapColumns(
        cells(c.map_classes),
        cells(c.map_confidences) if c.map_confidences else None,
        result.array(c.map_places, 8 * image, (8,), "<f8"),
        c.map_class_count,
    )


def read_features(result: Result, image: int) -> ScoreArray:
    """Reads the features of one image."""
    count = result.columns.feature_count
    return result.array(result.columns.features, count * image, (count,), "<f4")


def read_labels(result: Result, first: int, count: int) -> Labelled:
    """Reads the labels of `count` items, starting at `first`."""
    c = result.columns
    if not count:
        return no_labels()
    offsets, start, total = _offsets(result, c.label_offsets, first, count)
    return Labelled(
        offsets,
        result.array(c.label_indexes, start, (total,), "<i4"),
        result.array(c.label_scores, start, (total,), "<f4"),
        result.texts(start, total),
    )


def _offsets(result: Result, address: int | None, first: int, count: int) -> tuple[IdentityArray, int, int]:
    """Returns the offsets, shifted to start at 0, the index of the first element, and the number of elements."""
    offsets = result.array(address, first, (count + 1,), "<i8")
    start = int(offsets[0])
    total = int(offsets[-1]) - start
    return (offsets - start if start else offsets), start, total


def read_milliseconds(result: Result, image: int) -> dict[str, float]:
    """Reads the duration of each stage of an image."""
    address = result.columns.milliseconds
    if not address:
        return dict.fromkeys(STAGES, 0.0)
    values = (ctypes.c_double * 5).from_address(address + 40 * image)
    return dict(zip(STAGES, values, strict=True))
