# SPDX-License-Identifier: Apache-2.0
"""The results of a detector or labeler for one image."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from . import _columns, _json
from ._errors import FoveaError
from ._masks import Mask, Masks
from ._types import FloatArray, IdentityArray, IndexArray, MaskForm, ScoreArray

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import supervision as sv


@dataclass(frozen=True, slots=True)
class Label:
    """A class with the model's confidence.

    Attributes:
        text: The model's name of the class; None if it has none.
        index: The class index, from 0.
        confidence: The model's confidence, 0…1.
    """

    text: str | None
    index: int
    confidence: float

    @property
    def name(self) -> str:
        """The text, or for example ``class 7`` without one."""
        return f"class {self.index}" if self.text is None else self.text


@dataclass(frozen=True, slots=True)
class Detection:
    """One object.

    Attributes:
        xyxy: Left, top, right and bottom in pixels of the stored image, the last two exclusive.
        score: The detector's score, 0…1.
        labels: The detector's class first, then the labels of a classifier.
        track_id: The identity assigned by a tracker; None without one.
        keypoints: x and y of the object's keypoints, if the model has them.
        xywh: Left, top, width and height.
        mask: The shape of the object; None without one.
        oriented: The middle x and y, width, height, and the rotation in radians, clockwise as seen on the screen, of
            the rotated box; None without one.
        keypoint_scores: The probability of each keypoint to be visible, 0…1; empty if the model has none.
    """

    xyxy: tuple[float, float, float, float]
    score: float
    labels: tuple[Label, ...]
    track_id: int | None
    keypoints: tuple[tuple[float, float], ...]
    xywh: tuple[float, float, float, float]
    mask: Mask | None = None
    oriented: tuple[float, float, float, float, float] | None = None
    keypoint_scores: tuple[float, ...] = ()

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The four corners of the rotated box, as in `Detections.corners`; empty without one."""
        if self.oriented is None:
            return ()
        return tuple((x, y) for x, y in _columns.corners(np.array([self.oriented]))[0].tolist())

    @property
    def label(self) -> str:
        """The name of the first label; ``object`` without one."""
        return self.labels[0].name if self.labels else "object"

    @property
    def label_index(self) -> int:
        """The class index of the first label; -1 without one."""
        return self.labels[0].index if self.labels else -1


class Source(NamedTuple):
    """The facts about a call that its result stores."""

    path: str | None = None
    #: Returns the array, Pillow image or `_recent.File` while it is alive; the result does not keep it alive.
    shown: Callable[[], object] | None = None
    #: Whether the caller gave the orientation.
    oriented: bool = False
    #: Returns the SHA-256 of the model.
    model: Callable[[], str] | None = None
    #: Whether a tracker assigned identities.
    tracked: bool = False


class Facts(NamedTuple):
    """An image's size, orientation and times."""

    width: int = 0
    height: int = 0
    orientation: int = 1
    milliseconds: dict[str, float] | None = None
    space: str = "stored"


class ImageResult:
    """The base class of `Detections` and `Labels`."""

    __slots__ = ("__weakref__", "_error", "_facts", "_index", "_result", "_source")

    def __init__(
        self,
        source: Source,
        result: _columns.Result | None = None,
        index: int = 0,
        *,
        error: FoveaError | None = None,
        facts: Facts | None = None,
    ) -> None:
        self._source = source
        self._result = result
        self._index = index
        self._error = error
        self._facts = facts if result is None else None
        if result is None and facts is None:
            self._facts = Facts()

    @property
    def _known(self) -> Facts:
        if self._facts is None and self._result is not None:
            columns, index = self._result.columns, self._index
            self._facts = Facts(
                _columns.read_int32(columns.widths, index),
                _columns.read_int32(columns.heights, index),
                _columns.read_int32(columns.orientations, index) or 1,
                _columns.read_milliseconds(self._result, index),
            )
        return self._facts or Facts()

    @property
    def path(self) -> str | None:
        """The path, or the name of the file object; None for bytes and arrays."""
        return self._source.path

    @property
    def error(self) -> FoveaError | None:
        """The error of a failed image in a batch or stream; None if it succeeded."""
        return self._error

    @property
    def width(self) -> int:
        """The width of the image in `space`, in pixels."""
        return self._known.width

    @property
    def height(self) -> int:
        """The height of the image in `space`, in pixels."""
        return self._known.height

    @property
    def orientation(self) -> int:
        """The EXIF orientation: the rotation that makes the stored image upright, 1…8."""
        return self._known.orientation

    @property
    def space(self) -> str:
        """The pixels that boxes refer to: ``stored``, or ``upright`` after `upright()`."""
        return self._known.space

    @property
    def milliseconds(self) -> dict[str, float]:
        """The duration of each stage: decode, prepare, detect, classify and total."""
        return dict(self._known.milliseconds or dict.fromkeys(_columns.STAGES, 0.0))

    def to_json(self) -> str:
        """Returns the line of ``fovea detect --format jsonl`` (or ``fovea label``), without a line break."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Returns the program's JSON object, rounded like the program's: two decimals for boxes, six for scores."""
        import json

        found: dict[str, Any] = json.loads(self.to_json())
        return found

    def _outcome(self, count: int, one: str, many: str) -> str:
        name = _json.shown_name(self.path)
        if self._error is not None:
            return f"<fovea.{type(self).__name__} {name}: {self._error.code}>"
        return f"<fovea.{type(self).__name__} {name}, {self.width} × {self.height}: {count} {one if count == 1 else many}>"


class Detections(ImageResult, Sequence[Detection]):
    """The objects of one image, best score first.

    Immutable. An integer index returns one `Detection`; a slice, a mask or an array of indices returns `Detections`.
    Arrays are read-only and have one row per object; boxes are in pixels of the stored image, before any rotation
    by EXIF (see `upright`).
    """

    __slots__ = ("_parts",)

    def __init__(
        self,
        source: Source,
        result: _columns.Result | None = None,
        index: int = 0,
        *,
        error: FoveaError | None = None,
        facts: Facts | None = None,
        parts: _columns.Columns | None = None,
    ) -> None:
        super().__init__(source, result, index, error=error, facts=facts)
        self._parts = parts

    @property
    def _rows(self) -> _columns.Columns:
        if self._parts is None:
            if self._result is None or self._error is not None:
                parts = _columns.empty()
            else:
                parts = _columns.read_objects(self._result, self._index, tracked=self._source.tracked)
            self._parts = _frozen(parts)
        return self._parts

    @property
    def xywh(self) -> FloatArray:
        """Left, top, width and height: (n, 4) float64."""
        return self._rows.xywh

    @property
    def xyxy(self) -> FloatArray:
        """Left, top, right and bottom: (n, 4) float64, the last two exclusive."""
        corners = self._rows.xywh.copy()
        corners[:, 2:] += corners[:, :2]
        corners.flags.writeable = False
        return corners

    @property
    def scores(self) -> ScoreArray:
        """The score of each object, 0…1: (n,) float32."""
        return self._rows.scores

    @property
    def labels(self) -> list[str]:
        """The name of each object's first label; ``object`` without one."""
        parts = self._rows.labels
        texts, starts = parts.texts, parts.offsets[:-1].tolist()
        ends, indexes = parts.offsets[1:].tolist(), parts.indexes.tolist()
        return [
            _name(texts[at], indexes[at]) if at < end else "object"
            for at, end in zip(starts, ends, strict=True)
        ]

    @property
    def label_index(self) -> IndexArray:
        """The class index of each object's first label, -1 without one: (n,) int32."""
        parts = self._rows.labels
        starts, ends = parts.offsets[:-1], parts.offsets[1:]
        indexes = np.full(len(starts), -1, np.int32)
        labelled = starts < ends
        indexes[labelled] = parts.indexes[starts[labelled]]
        indexes.flags.writeable = False
        return indexes

    @property
    def track_id(self) -> IdentityArray | None:
        """The identity of each object: (n,) int64; None without a tracker."""
        return self._rows.track_ids

    @property
    def masks(self) -> Masks | None:
        """The shape of each object; None for models without masks. ``numpy.asarray(masks)`` is (n, H, W) bool."""
        parts, facts = self._rows.masks, self._known
        return None if parts is None else Masks(parts, (facts.width, facts.height))

    @property
    def corners(self) -> FloatArray | None:
        """The corners of rotated boxes: (n, 4, 2) float64; None for models without.

        They run clockwise as seen on the screen, from the one that is at the top left at an angle of 0; NaN for an
        object without a rotated box.
        """
        boxes = self._rows.oriented
        if boxes is None:
            return None
        corners = _columns.corners(boxes)
        corners.flags.writeable = False
        return corners

    @property
    def angles(self) -> FloatArray | None:
        """The rotation of rotated boxes in radians, clockwise as seen on the screen: (n,) float64; None without."""
        boxes = self._rows.oriented
        return None if boxes is None else boxes[:, 4]

    @property
    def keypoints(self) -> FloatArray | None:
        """x and y of the keypoints of each object: (n, K, 2) float64; None without objects.

        K is 0 if the model finds no keypoints. NaN for points that an object lacks.
        """
        parts = self._rows
        if parts.keypoints is None or parts.keypoint_offsets is None:
            return None
        points: FloatArray = _columns.rows_of(parts.keypoints, parts.keypoint_offsets)
        return points

    @property
    def keypoint_scores(self) -> ScoreArray | None:
        """The probability of each keypoint to be visible, 0…1: (n, K) float32; None if the model has none."""
        parts = self._rows
        if parts.keypoint_scores is None or parts.keypoint_offsets is None:
            return None
        scores: ScoreArray = _columns.rows_of(parts.keypoint_scores, parts.keypoint_offsets)
        return scores

    def __len__(self) -> int:
        return len(self._rows.scores)

    def __iter__(self) -> Iterator[Detection]:
        parts = self._rows
        labels, offsets = parts.labels, parts.labels.offsets.tolist()
        confidences, indexes = labels.scores.tolist(), labels.indexes.tolist()
        identities = [None] * len(self) if parts.track_ids is None else parts.track_ids.tolist()
        places = None if parts.keypoint_offsets is None else parts.keypoint_offsets.tolist()
        masks = self.masks
        rotated: list[Any] = [(math.nan,)] * len(self) if parts.oriented is None else parts.oriented.tolist()
        for at, (box, score) in enumerate(zip(parts.xywh.tolist(), parts.scores.tolist(), strict=True)):
            x, y, width, height = box
            span = range(offsets[at], offsets[at + 1])
            points: tuple[tuple[float, float], ...] = ()
            visible: list[float] = []
            if places is not None and parts.keypoints is not None:
                rows = parts.keypoints[places[at] : places[at + 1]].tolist()
                points = tuple((row[0], row[1]) for row in rows)
                if parts.keypoint_scores is not None:
                    visible = parts.keypoint_scores[places[at] : places[at + 1]].tolist()
            yield Detection(
                (x, y, x + width, y + height),
                score,
                tuple(Label(labels.texts[place], indexes[place], confidences[place]) for place in span),
                identities[at] or None,
                points,
                (x, y, width, height),
                masks[at] if masks is not None and masks._columns.has(at) else None,
                None if math.isnan(rotated[at][0]) else tuple(rotated[at]),
                () if any(map(math.isnan, visible)) else tuple(visible),
            )

    @overload
    def __getitem__(self, key: int) -> Detection: ...
    @overload
    def __getitem__(
        self, key: slice | Sequence[int] | Sequence[bool] | np.ndarray[Any, Any]
    ) -> Detections: ...
    def __getitem__(
        self, key: int | slice | Sequence[int] | Sequence[bool] | np.ndarray[Any, Any]
    ) -> Detection | Detections:
        if isinstance(key, (int, np.integer)):
            position = int(key) + (len(self) if key < 0 else 0)
            if not 0 <= position < len(self):
                raise IndexError(f"object {key} of {len(self)}")
            return next(iter(self._take(np.array([position], np.intp))))
        if isinstance(key, slice):
            return self._take(np.arange(len(self))[key])
        chosen = np.asarray(key)
        if not chosen.size:
            chosen = chosen.astype(np.intp)
        if chosen.dtype == bool and chosen.shape != (len(self),):
            raise IndexError(f"the mask has the shape {chosen.shape}, ({len(self)},) expected")
        if chosen.dtype.kind not in "biu" or chosen.ndim != 1:
            raise IndexError(
                f"an index of {chosen.dtype} {chosen.shape}: pass a number, a slice, a mask or indices"
            )
        return self._take(np.arange(len(self))[chosen])

    def _take(self, chosen: np.ndarray[Any, Any]) -> Detections:
        return self._with(self._rows.take(chosen), self._known)

    def _with(self, parts: _columns.Columns, facts: Facts) -> Detections:
        return Detections(self._source, error=self._error, facts=facts, parts=_frozen(parts))

    def upright(self) -> Detections:
        """Returns the same objects with boxes and size in pixels of the upright image, rotated according to EXIF."""
        from . import _upright

        facts = self._known
        if facts.space == "upright":
            return self
        parts = _upright.columns(self._rows, facts.orientation, facts.width, facts.height)
        width, height = _upright.size(facts.orientation, facts.width, facts.height)
        return self._with(parts, facts._replace(width=width, height=height, space="upright"))

    def to_json(self, *, masks: MaskForm = "rle") -> str:
        """Returns the line of ``fovea detect --format jsonl``, without a line break.

        Args:
            masks: The form of masks: ``"rle"``, COCO's run lengths, ``"polygon"``, outer outlines, or ``"none"``.
        """
        if masks not in ("rle", "polygon", "none"):
            raise ValueError(f"masks is {masks!r}, 'rle', 'polygon' or 'none' expected")
        return _json.line(self, _json.objects(self, masks))

    def to_dict(self, *, masks: MaskForm = "rle") -> dict[str, Any]:
        """Returns the program's JSON object, rounded like the program's: two decimals for boxes, six for scores.

        Args:
            masks: The form of masks, as in `to_json`.
        """
        import json

        found: dict[str, Any] = json.loads(self.to_json(masks=masks))
        return found

    def to_pandas(self) -> pd.DataFrame:
        """Returns one row per object, with the columns of the program's CSV; numbers are not rounded."""
        from . import _table

        return _table.to_pandas(self)

    def to_arrow(self) -> pa.Table:
        """Returns a table of one row; `fovea.table` converts many results and describes the columns."""
        from . import _table

        return _table.table([self])

    def to_supervision(self) -> sv.Detections:
        """Converts to `supervision.Detections`, with float32 boxes and the names in ``data["class_name"]``.

        `mask` has the pixels of masks, and ``data["xyxyxyxy"]`` the corners of rotated boxes, if the model has them.
        """
        import supervision as sv

        parts, masks, corners = self._rows, self.masks, self.corners
        data: dict[str, Any] = {"class_name": np.array(self.labels, dtype=str)}
        if corners is not None:
            data["xyxyxyxy"] = corners.astype(np.float32)
        return sv.Detections(
            xyxy=self.xyxy.astype(np.float32),
            mask=None if masks is None else np.asarray(masks),
            confidence=parts.scores.copy(),
            class_id=self.label_index.astype(int),
            tracker_id=None if parts.track_ids is None else parts.track_ids.astype(int),
            data=data,
            metadata={"path": self.path, "width": self.width, "height": self.height},
        )

    def to_supervision_keypoints(self) -> sv.KeyPoints:
        """Converts to `supervision.KeyPoints`, with the names in ``data["class_name"]``; empty without keypoints."""
        import inspect

        import supervision as sv

        points, scores = self.keypoints, self.keypoint_scores
        if points is None:
            return sv.KeyPoints.empty()
        # supervision 0.29 renamed the parameter.
        known = inspect.signature(sv.KeyPoints).parameters
        name = "keypoint_confidence" if "keypoint_confidence" in known else "confidence"
        arguments: dict[str, Any] = {
            "xy": points.astype(np.float32),
            "class_id": self.label_index.astype(int),
            "data": {"class_name": np.array(self.labels, dtype=str)},
            name: None if scores is None else scores.copy(),
        }
        return sv.KeyPoints(**arguments)

    def __repr__(self) -> str:
        parts = self._rows
        extra = " with masks" if parts.masks is not None else ""
        extra += " and rotated boxes" if extra and parts.oriented is not None else ""
        extra = extra or (" with rotated boxes" if parts.oriented is not None else "")
        return self._outcome(len(self), f"object{extra}", f"objects{extra}")

    def __str__(self) -> str:
        return (_json.heading(self) + _json.object_lines(self)).rstrip("\n")

    def _repr_html_(self) -> str:
        from . import _html

        return _html.html(self)

    def _repr_png_(self) -> bytes | None:
        from . import _html

        return _html.png(self)

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self._rows
        own = parts._replace(xywh=parts.xywh.copy(), scores=parts.scores.copy())
        return _restore, (Detections, self._source.path, self._error, self._known, own)


class Labels(ImageResult, Sequence[Label]):
    """The labels of one image, most confident first."""

    __slots__ = ("_parts",)

    def __init__(
        self,
        source: Source,
        result: _columns.Result | None = None,
        index: int = 0,
        *,
        error: FoveaError | None = None,
        facts: Facts | None = None,
        parts: tuple[Label, ...] | None = None,
    ) -> None:
        super().__init__(source, result, index, error=error, facts=facts)
        self._parts = parts

    @property
    def _labels(self) -> tuple[Label, ...]:
        if self._parts is None:
            read = _columns.no_labels()
            if self._result is not None and self._error is None:
                read = _columns.read_labels(self._result, self._index, 1)
            self._parts = tuple(map(Label, read.texts, read.indexes.tolist(), read.scores.tolist()))
        return self._parts

    @property
    def labels(self) -> list[str]:
        """The name of each label."""
        return [label.name for label in self._labels]

    @property
    def label_index(self) -> IndexArray:
        """The class index of each label: (n,) int32."""
        return np.array([label.index for label in self._labels], np.int32)

    @property
    def confidences(self) -> ScoreArray:
        """The confidence of each label, 0…1: (n,) float32."""
        return np.array([label.confidence for label in self._labels], np.float32)

    def __len__(self) -> int:
        return len(self._labels)

    def __iter__(self) -> Iterator[Label]:
        return iter(self._labels)

    @overload
    def __getitem__(self, key: int) -> Label: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Label, ...]: ...
    def __getitem__(self, key: int | slice) -> Label | tuple[Label, ...]:
        return self._labels[key]

    def to_json(self) -> str:
        """Returns the line of ``fovea label --format jsonl``, without a line break."""
        return _json.line(self, _json.labels(self))

    def to_pandas(self) -> pd.DataFrame:
        """Returns one row per label, with the columns of the program's CSV; numbers are not rounded."""
        from . import _table

        return _table.labels_to_pandas(self)

    def to_arrow(self) -> pa.Table:
        """Returns a table of one row; `fovea.table` converts many results."""
        from . import _table

        return _table.table([self])

    def __repr__(self) -> str:
        return self._outcome(len(self), "label", "labels")

    def __str__(self) -> str:
        return (_json.heading(self) + _json.label_lines(self)).rstrip("\n")

    def _repr_html_(self) -> str:
        from . import _html

        return _html.plain(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (Labels, self._source.path, self._error, self._known, self._labels)


def _restore(kind: Any, path: str | None, error: FoveaError | None, facts: Facts, parts: Any) -> Any:
    restored = _frozen(parts) if kind is Detections else parts
    return kind(Source(path), error=error, facts=facts, parts=restored)


def _name(text: str | None, index: int) -> str:
    return f"class {index}" if text is None else text


def _frozen(parts: _columns.Columns) -> _columns.Columns:
    """Makes the arrays of the columns read-only."""
    for array in (
        parts.xywh,
        parts.scores,
        parts.track_ids,
        parts.keypoints,
        parts.keypoint_scores,
        parts.oriented,
        *(parts.masks or ()),
        *(parts.landmarks or ()),
    ):
        if array is not None:
            array.flags.writeable = False
    return parts
