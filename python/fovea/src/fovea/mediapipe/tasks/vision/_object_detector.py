# SPDX-License-Identifier: Apache-2.0
"""MediaPipe's `ObjectDetector`."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from ...._detector import Detector
from ...._results import Detections, Label
from ..._image import Image
from .._base_options import BaseOptions
from ..components.containers import BoundingBox, Category, Detection, DetectionResult, NormalizedKeypoint
from ._core import ImageProcessingOptions, RunningMode, Task
from ._options import Settings, opened, read

ObjectDetectorResult = DetectionResult
#: MediaPipe's "all": more results than any model has.
_ALL = 1_000


@dataclasses.dataclass
class ObjectDetectorOptions:
    """The options of the task, with MediaPipe's defaults."""

    base_options: BaseOptions
    running_mode: RunningMode = RunningMode.IMAGE
    display_names_locale: str | None = None
    max_results: int | None = -1
    score_threshold: float | None = 0.0
    category_allowlist: list[str] | None = None
    category_denylist: list[str] | None = None
    result_callback: Callable[[DetectionResult, Image, int], None] | None = None


class ObjectDetector(Task[DetectionResult]):
    """Finds objects; create it with `create_from_options` or `create_from_model_path`."""

    def __init__(self, settings: Settings) -> None:
        self._threshold = settings.threshold
        given = {
            "max_objects": settings.most,
            "threshold": min(settings.threshold, 1),
            "cross_class_iou": 1,  # MediaPipe keeps duplicates of another class
        }
        model, self._names = opened(Detector, settings, given)
        super().__init__(settings.mode, settings.callback, model)

    @classmethod
    def create_from_model_path(cls, model_path: str) -> ObjectDetector:
        """Creates a detector for single images with default options."""
        return cls.create_from_options(ObjectDetectorOptions(BaseOptions(model_asset_path=model_path)))

    @classmethod
    def create_from_options(cls, options: ObjectDetectorOptions) -> ObjectDetector:
        """Creates a detector.

        Raises:
            FileNotFoundError: There is no model at the path.
            ValueError: The model or an option cannot be used.
            RuntimeError: The model cannot be read.
            TypeError: A value has the wrong type.
        """
        return cls(read(options, ObjectDetectorOptions, _ALL))

    def detect(
        self, image: Image, image_processing_options: ImageProcessingOptions | None = None
    ) -> DetectionResult:
        """Returns the objects of an image."""
        return self._run(image, image_processing_options)

    def detect_for_video(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> DetectionResult:
        """Returns the objects of a frame; timestamps must increase."""
        return self._run_video(image, timestamp_ms, image_processing_options)

    def detect_async(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> None:
        """Sends a camera frame; the callback gets its objects, unless a newer frame replaced it."""
        self._send(image, timestamp_ms, image_processing_options)

    def _convert(self, found: Detections, timestamp_ms: int | None) -> DetectionResult:
        return DetectionResult(
            [
                Detection(
                    _box(one.xyxy),
                    [self._category(label) for label in one.labels],
                    [NormalizedKeypoint(x / found.width, y / found.height, "", 0.0) for x, y in one.keypoints]
                    or None,
                )
                for one in found
                if one.score >= self._threshold
            ]
        )

    def _category(self, label: Label) -> Category:
        """Converts a label to its name, or to its index without a name, like MediaPipe's detector."""
        name = self._names[label.index] if label.index < len(self._names) else None
        return Category(label.index if label.text is None else None, label.confidence, name, label.text)


def _box(xyxy: tuple[float, float, float, float]) -> BoundingBox:
    """Rounds each corner to whole pixels."""
    left, top, right, bottom = (math.floor(value + 0.5) for value in xyxy)
    return BoundingBox(left, top, right - left, bottom - top)
