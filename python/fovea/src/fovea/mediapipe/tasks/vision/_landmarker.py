# SPDX-License-Identifier: Apache-2.0
"""Code shared by the landmarkers of bodies, faces and hands: their options, bundles and points."""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from ...._call import Stream
from ...._detector import Detector
from ...._errors import ModelError, ModelNotFound, OptionError
from ...._results import Detections
from ...._types import ScoreArray
from ..._image import Image
from ..._wrong import whole
from .._base_options import BaseOptions
from ..components.containers import Landmark, NormalizedLandmark
from ._core import ImageProcessingOptions, RunningMode, Task
from ._options import Base, opening, read_base, threshold

if TYPE_CHECKING:
    from typing_extensions import Self

_R = TypeVar("_R")
_O = TypeVar("_O")
#: More objects than any detector of MediaPipe finds.
_ALL = 1_000


class BundleError(FileNotFoundError, RuntimeError, ValueError):
    """The model is not the bundle that the task needs.

    MediaPipe raises a FileNotFoundError for one without its two models, and a RuntimeError for one that cannot be read;
    code that catches either also catches this.
    """


@dataclasses.dataclass
class Connection:
    """A line between two landmarks, by their numbers."""

    start: int
    end: int


def connections(paths: str) -> list[Connection]:
    """Returns the lines of paths through numbers of landmarks; commas separate paths."""
    lists = [[int(number) for number in path.split()] for path in paths.split(",")]
    return [Connection(start, end) for numbers in lists for start, end in itertools.pairwise(numbers)]


@dataclasses.dataclass
class Kind:
    """The objects of a landmarker.

    Attributes:
        name: The name in the options: "pose".
        many: Its plural there: "poses".
        label: The class of the objects.
        counts: The numbers of landmarks that models may have.
        bundle: MediaPipe's bundle.
        has_world: Whether results need points in metres.
        smooths: Whether MediaPipe smooths the landmarks of one object in a video and a live stream.
        absent: The options that need parts of a bundle which Fovea does not run.
    """

    name: str
    many: str
    label: str
    counts: tuple[int, ...]
    bundle: str
    has_world: bool = True
    smooths: bool = True
    absent: tuple[str, ...] = ()


@dataclasses.dataclass
class Found:
    """One object with its landmarks.

    Attributes:
        landmarks: In the image.
        world: In metres; empty if the results do not have them.
        right_hand: The probability that it is a right hand; NaN for other objects.
    """

    landmarks: list[NormalizedLandmark]
    world: list[Landmark]
    right_hand: float


class Landmarker(Task[_R], Generic[_O, _R]):
    """A detector and a landmark model in one bundle; create it with `create_from_options` or `create_from_model_path`.

    In a video and a live stream, an object is looked for where its landmarks were in the frame before; the detector runs
    if one is lost, and every half a second while there are fewer than the maximum. Crops whose IoU is above
    `min_tracking_confidence` show one object. If the maximum is 1, the landmarks of a body or a face are smoothed from
    frame to frame. It takes no region of interest.
    """

    _takes_regions = False
    _kind: Kind
    _options: type[Any]

    def __init__(self, base: Base, most: int, detection: float, presence: float, tracking: float) -> None:
        self._threshold = detection
        given: dict[str, Any] = {
            "max_objects": most,
            "threshold": min(detection, 1),
            "landmark_threshold": presence,
            "threads": 1,  # as in MediaPipe; more take more CPU time
        }
        if base.mode is not RunningMode.IMAGE:
            given["landmark_iou"] = min(tracking, 1)
            given["smooth_landmarks"] = (most == 1 and self._kind.smooths) or None
        self._stream = Stream()
        super().__init__(base.mode, base.callback, self._opened(base, given))

    def _found(self, image: Image, arguments: dict[str, Any], timestamp_ms: int | None) -> Any:
        if timestamp_ms is None:
            return super()._found(image, arguments, None)
        return self._model._next(image._given(), (self._stream, timestamp_ms / 1000), **arguments)

    def _opened(self, base: Base, given: dict[str, Any]) -> Detector:
        with opening(base):
            try:
                model = Detector(base.model, **given)
            except OptionError as error:
                # Perhaps other landmarks, which cannot be smoothed or followed, as those of a hand.
                for name in ("smooth_landmarks", "landmark_iou"):
                    if given.get(name) is not None:
                        return self._opened(base, {**given, name: None})
                # A landmark threshold without a landmark model.
                raise self._refusal("is a single model") from error
            except ModelNotFound:
                raise
            except ModelError as error:
                if isinstance(base.model, str) and os.path.isdir(base.model):
                    raise
                raise BundleError(str(error)) from error
        if model.names != [self._kind.label]:
            found = ", ".join(model.names) or "objects without names"
            model.close()
            raise self._refusal(f"finds {found}")
        return model

    def _refusal(self, what: str) -> BundleError:
        return BundleError(
            f"{type(self).__name__} needs a bundle of two models, such as MediaPipe's {self._kind.bundle}, but this "
            f"file {what}. Use such a bundle"
        )

    @classmethod
    def create_from_model_path(cls, model_path: str) -> Self:
        """Creates a landmarker for single images with default options."""
        return cls.create_from_options(cls._options(BaseOptions(model_asset_path=model_path)))

    @classmethod
    def create_from_options(cls, options: _O) -> Self:
        """Creates a landmarker.

        Raises:
            FileNotFoundError: There is no bundle at the path, or it has other models.
            ValueError: The bundle or an option cannot be used.
            RuntimeError: The bundle cannot be read, or the number of objects is below 1.
            TypeError: A value has the wrong type.
        """
        base, kind, given = read_base(options, cls._options), cls._kind, vars(options)
        most = whole(f"num_{kind.many}", given[f"num_{kind.many}"])
        if most < 1:
            raise RuntimeError(f"num_{kind.many} is {most}. Pass 1 or more")
        limits = [
            threshold(name, given[name])
            for name in (
                f"min_{kind.name}_detection_confidence",
                f"min_{kind.name}_presence_confidence",
                "min_tracking_confidence",
            )
        ]
        tracking = given["min_tracking_confidence"]
        if base.mode is not RunningMode.IMAGE and not float(tracking) >= 0:  # ends the process in MediaPipe
            raise ValueError(f"min_tracking_confidence is {tracking}. Pass 0 or more")
        name = f"min_{kind.name}_presence_confidence"
        if not 0 <= given[name] <= 1:
            raise ValueError(
                f"Invalid `{name}` option: value must be in the range [0.0, 1.0]. It is {given[name]}"
            )
        for name in kind.absent:
            if given[name]:
                raise ValueError(f"{name} is not available. Omit it, or use MediaPipe itself")
        return cls(base, min(most, _ALL), *limits)

    def detect(self, image: Image, image_processing_options: ImageProcessingOptions | None = None) -> _R:
        """Returns the landmarks of an image."""
        return self._run(image, image_processing_options)

    def detect_for_video(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> _R:
        """Returns the landmarks of a frame; timestamps must increase."""
        return self._run_video(image, timestamp_ms, image_processing_options)

    def detect_async(
        self, image: Image, timestamp_ms: int, image_processing_options: ImageProcessingOptions | None = None
    ) -> None:
        """Sends a camera frame; the callback gets its landmarks, unless a newer frame replaced it."""
        self._send(image, timestamp_ms, image_processing_options)

    def _objects(self, found: Detections) -> list[Found]:
        """Returns the objects that the landmark model sees.

        Raises:
            RuntimeError: The landmark model does not output what the results need.
        """
        rows, details = found._rows, found._rows.landmarks
        if rows.keypoint_offsets is None or rows.keypoints is None or details is None:
            return []  # it sees none
        places = (rows.keypoints / [found.width, found.height]).tolist()
        depths = (details.depths / found.width).tolist()
        visible = _numbers(rows.keypoint_scores, len(depths))
        present = _numbers(details.presences, len(depths))
        worlds, hands = details.worlds.tolist(), details.right_hands.tolist()
        answer: list[Found] = []
        for at, (start, end) in enumerate(itertools.pairwise(rows.keypoint_offsets.tolist())):
            if start == end or rows.scores[at] < self._threshold:
                continue
            self._check(details.worlds[start:end])
            own = slice(start, end)
            shown = list(zip(visible[own], present[own], strict=True))
            landmarks = [
                NormalizedLandmark(x, y, z, *shares)
                for (x, y), z, shares in zip(places[own], depths[own], shown, strict=True)
            ]
            world: list[Landmark] = []
            if self._kind.has_world:
                world = [
                    Landmark(x, y, z, *shares) for (x, y, z), shares in zip(worlds[own], shown, strict=True)
                ]
            answer.append(Found(landmarks, world, hands[at]))
        return answer

    def _check(self, world: ScoreArray) -> None:
        """Checks the points of an object, given those in metres."""
        what = None
        if len(world) not in self._kind.counts:
            what = f"found {len(world)} points, {' or '.join(map(str, self._kind.counts))} expected"
        elif self._kind.has_world and np.isnan(world).any():
            what = "has no points in metres"
        if what is not None:
            raise RuntimeError(f"The landmark model {what}. Use MediaPipe's {self._kind.bundle}")


def _numbers(values: Any, count: int) -> list[float | None]:
    """Returns the values of a column; None for NaN, and without a column."""
    if values is None or np.isnan(values).all():
        return [None] * count
    return [None if math.isnan(value) else value for value in values.tolist()]


def landmarks_of(found: Iterable[Found]) -> list[list[NormalizedLandmark]]:
    """Returns the landmarks of each object."""
    return [each.landmarks for each in found]


def worlds_of(found: Iterable[Found]) -> list[list[Landmark]]:
    """Returns the landmarks of each object in metres."""
    return [each.world for each in found]
