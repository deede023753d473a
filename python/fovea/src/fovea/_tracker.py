# SPDX-License-Identifier: Apache-2.0
"""Follows objects from frame to frame."""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from . import _abi, _options
from ._columns import Columns, Result
from ._errors import OptionError
from ._handle import Handle
from ._images import fill, images_of
from ._library import check, lib
from ._results import Detections, Source
from ._types import Order

if TYPE_CHECKING:
    import numpy.typing as npt
    from typing_extensions import Self

    from ._detector import Detector


class Tracker:
    """Follows objects from frame to frame and gives each an identity.

    Pass frames in order, from one thread at a time. A tracker belongs to its process.

    Args:
        tracker: ``"fovea"``, the default, ``"bytetrack"``, ``"ocsort"`` or ``"sort"``.
        every: Detect on every n-th frame, 1 to 1000; in between, boxes move with the image, which is cheap.
        frame_rate: Frames per second; None if the frames have times.
        config: A JSON file with the tracker's parameters.
        **options: Refused, with a list of similar names.

    Raises:
        OptionError: An option is out of range.
        TypeError: An option is unknown.
    """

    def __init__(
        self,
        tracker: str | None = None,
        *,
        every: int | None = None,
        frame_rate: float | None = None,
        config: str | os.PathLike[str] | None = None,
        **options: object,
    ) -> None:
        given = {"tracker": tracker, "every": every, "frame_rate": frame_rate, "config": config, **options}
        self._given = OPTIONS.checked(given)
        self._every = 1 if every is None else _options.whole("every", every)
        self._rate = None if frame_rate is None else _options.number("frame_rate", frame_rate)
        self._handle = Handle("tracker", self._open, lib.fovea_tracker_close, renews=False)

    def _open(self) -> int:
        out = ctypes.c_void_p()
        with _options.opened(self._given) as options:
            check(lib.fovea_tracker_open(options, ctypes.byref(out)))
        return out.value or 0

    def update(
        self,
        frame: npt.NDArray[np.uint8] | None,
        detections: Detections | None,
        seconds: float | None = None,
        *,
        order: Order = "rgb",
    ) -> Detections:
        """Processes the next frame.

        Args:
            frame: The pixels; may be None if `every` is 1.
            detections: The objects found in it; None moves those of the previous frame, if `every` is above 1.
            seconds: The time of the frame; None if unknown.
            order: The channel order of the frame.

        Returns:
            The objects that have an identity, with `track_id`.

        Raises:
            ClosedError: Another thread is using the tracker, or it is closed or belongs to another process.
            OptionError: The frame or the detections do not match the options.
        """
        struct, held = _abi.Image(), None
        if frame is not None:
            if not hasattr(frame, "__array__"):  # arrays, and the tensors that the detector accepts
                raise TypeError(f"a frame is an array of pixels, not {type(frame).__name__}")
            orientation = detections.orientation if isinstance(detections, Detections) else None
            held = fill(struct, frame, order, None, orientation)
        source, columns, kept = Source(tracked=True), None, None
        moment = math.nan if seconds is None else _options.number("seconds", seconds)
        if detections is not None:
            if not isinstance(detections, Detections):
                raise TypeError(f"detections are those of a Detector, not {type(detections).__name__}")
            if detections.error is not None:
                raise OptionError(
                    "option-invalid",
                    f"the detections are those of a failed image: {detections.error.message}",
                    "Skip that frame",
                )
            if detections.space != "stored":
                raise OptionError(
                    "option-invalid",
                    "the detections are those of the upright image",
                    "Pass them as they were before upright()",
                )
            columns, kept = _columns_of(detections)
            source = detections._source._replace(tracked=True)
        out = ctypes.c_void_p()
        pointer = self._handle.acquire()
        try:
            error = lib.fovea_tracker_update(
                pointer,
                None if frame is None else ctypes.byref(struct),
                None if columns is None else ctypes.byref(columns),
                moment,
                ctypes.byref(out),
            )
        finally:
            self._handle.release()
        del held, kept
        check(error)
        return Detections(source, Result(out.value or 0), 0)

    def track(
        self, detector: Detector, frames: Iterable[npt.NDArray[np.uint8]], *, order: Order = "rgb"
    ) -> Iterator[Detections]:
        """Finds objects in frames and follows them.

        Args:
            detector: The detector to run on every n-th frame.
            frames: Arrays of pixels, in order; read when needed.
            order: The channel order of the frames.

        Returns:
            The objects with an identity of each frame, frame by frame.

        Raises:
            TypeError: It is a single frame or a path; read videos with PyAV or OpenCV.
        """
        given = images_of(frames, "track()")

        def tracked() -> Iterator[Detections]:
            for number, frame in enumerate(given):
                found = detector(frame, order=order) if number % self._every == 0 else None
                time = None if self._rate is None else number / self._rate
                yield self.update(frame, found, time, order=order)

        return tracked()

    def reset(self) -> None:
        """Forgets every object."""
        pointer = self._handle.acquire()
        try:
            lib.fovea_tracker_reset(pointer)
        finally:
            self._handle.release()

    def close(self) -> None:
        """Frees the tracker; does nothing the second time."""
        self._handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Tracker cannot be pickled: it belongs to its process; create one there instead")


OPTIONS = _options.Known(Tracker, frame_rate="fps")


def _columns_of(detections: Detections) -> tuple[_abi.Columns, Any]:
    """Returns the struct of an image's objects, and the objects to keep alive with it."""
    parts: Columns = detections._rows
    labels = parts.labels
    texts = [None if name is None else name.encode() for name in labels.texts]
    pointers = (ctypes.c_char_p * max(len(texts), 1))(*texts)
    facts = np.array([[detections.width], [detections.height], [detections.orientation]], np.int32)
    arrays = {
        "object_offsets": np.array([0, len(parts.scores)], np.int64),
        "boxes": np.ascontiguousarray(parts.xywh),
        "scores": np.ascontiguousarray(parts.scores),
        "label_offsets": np.ascontiguousarray(labels.offsets),
        "label_indexes": np.ascontiguousarray(labels.indexes),
        "label_scores": np.ascontiguousarray(labels.scores),
        "widths": facts[0],
        "heights": facts[1],
        "orientations": facts[2],
    }
    if parts.keypoint_offsets is not None and parts.keypoints is not None:
        arrays["keypoint_offsets"] = np.ascontiguousarray(parts.keypoint_offsets)
        arrays["keypoints"] = np.ascontiguousarray(parts.keypoints)
    if parts.keypoint_scores is not None:
        arrays["keypoint_scores"] = np.ascontiguousarray(parts.keypoint_scores)
    if parts.oriented is not None:
        arrays["oriented_boxes"] = np.ascontiguousarray(parts.oriented)
    columns = _abi.Columns(
        size=ctypes.sizeof(_abi.Columns), images=1, objects=len(parts.scores), labels=len(labels.scores)
    )
    for name, array in arrays.items():
        setattr(columns, name, array.__array_interface__["data"][0])
    columns.label_texts = ctypes.addressof(pointers)
    masks = None if parts.masks is None else parts.masks.write(columns)
    return columns, (arrays, pointers, texts, masks)
