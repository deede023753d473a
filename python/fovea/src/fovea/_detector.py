# SPDX-License-Identifier: Apache-2.0
"""Finds objects in images."""

from __future__ import annotations

from collections.abc import Iterable

from . import _options
from ._call import Frame
from ._model_user import ModelUser
from ._results import Detections
from ._types import Box, ImageLike, ModelLike, Order


class Detector(ModelUser[Detections]):
    """Finds objects in images: call it with one image, or pass several to `batch` or `stream`.

    Create one detector and reuse it: opening takes 10 to 40 ms.

    Args:
        model: A ``.tflite`` file, an AutoML folder, or the bytes of a model; None is the embedded detector of COCO's 80
            classes. A classifier labels the objects that the embedded localizer finds.
        threshold: The minimum score, 0 to 1; None uses the model's own, or 0.3 if it has none.
        labels: A label file (lines, pbtxt, CSV, JSON or YAML); or the labels themselves.
        max_objects: The maximum number of objects per image; None uses the model's own.
        classifier: A classifier that labels each object; False for boxes only.
        landmarks: A model that finds the points of each body, face or hand in a crop that the detector places.
        allow: Report only these labels.
        deny: Never report these labels.
        slice: Also detect in overlapping tiles, for small objects; a number sets the longer side of a tile in pixels.
        threads: Threads per image; None uses up to 4 cores with one session, and 1 with several.
        sessions: The number of images processed at the same time; each session needs its own memory.
        exact: Run a uint8 model as stored instead of converting it to int8.
        **options: The advanced options of ``fovea detect --help-hidden``, with ``_`` for ``-``: ``iou=0.5``.

    Raises:
        ModelError: The model cannot be used.
        OptionError: An option is out of range.
        RuntimeMissing: LiteRT cannot be loaded.
        TypeError: An option is unknown.
    """

    _kind = "detector"
    _result = Detections
    _function = "fovea_detect"

    def __init__(
        self,
        model: ModelLike | None = None,
        /,
        *,
        threshold: float | None = None,
        labels: ModelLike | Iterable[str] | None = None,
        max_objects: int | None = None,
        classifier: ModelLike | bool | None = None,
        landmarks: ModelLike | None = None,
        allow: Iterable[str] | None = (),
        deny: Iterable[str] | None = (),
        slice: bool | int = False,
        threads: int | None = None,
        sessions: int = 1,
        exact: bool = False,
        **options: object,
    ) -> None:
        given = {
            "classifier": None if classifier is True else classifier,
            "landmarks": landmarks,
            "labels": _options.kept_labels(labels),
            "threshold": threshold,
            "max_objects": max_objects,
            "allow": _options.labels_of("allow", allow),
            "deny": _options.labels_of("deny", deny),
            "slice": slice or None,
            "threads": threads,
            "sessions": None if sessions == 1 else sessions,
            "exact": exact or None,
        }
        super().__init__(model, OPTIONS.checked({**given, **options}))

    def _next(self, image: ImageLike, frame: Frame, *, orientation: int | None = None) -> Detections:
        """Returns the objects of the next frame of a stream."""
        return self._runner.one(self._handle, image, "rgb", None, orientation, frame=frame)

    async def detect_async(
        self,
        image: ImageLike,
        *,
        region: Box | None = None,
        order: Order = "rgb",
        orientation: int | None = None,
    ) -> Detections:
        """Returns the objects of one image without blocking the event loop; otherwise like a call.

        Cancelling the task stops the run at the model's next operator.
        """
        return await self._one_async(image, region, order, orientation)


OPTIONS = _options.Known(
    Detector,
    f"{_options.RARE} single slice_size slice_overlap no_classify landmark_threshold landmark_iou "
    "smooth_landmarks label_threshold max_labels family background iou cross_class_iou fit class_agnostic",
    **_options.ELSEWHERE,
    max_objects=_options.MOST,
    slice="imgsz sahi tile",
    iou="nms iou_thres iou_thresh iou_threshold nms_threshold",
)
