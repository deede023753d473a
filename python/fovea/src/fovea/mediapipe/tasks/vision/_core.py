# SPDX-License-Identifier: Apache-2.0
"""Code shared by the tasks: running modes, errors, and the thread of a live stream."""

from __future__ import annotations

import dataclasses
import enum
import logging
import math
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ...._errors import FoveaError
from ..._image import Image
from ..._wrong import require, whole
from ..components.containers import Rect

if TYPE_CHECKING:
    from typing_extensions import Self

_R = TypeVar("_R")
#: EXIF's number for a rotation, clockwise in degrees.
_ROTATIONS = {0: 1, 90: 6, 180: 3, 270: 8}
#: MediaPipe's largest timestamp, in milliseconds: it counts microseconds in 64 bits.
_LATEST = (2**63 - 1) // 1000


class RunningMode(enum.Enum):
    """The kind of input: single images, the frames of a video, or those of a camera."""

    IMAGE = "IMAGE"
    VIDEO = "VIDEO"
    LIVE_STREAM = "LIVE_STREAM"

    @property
    def _words(self) -> str:
        return self.value.lower().replace("_", " ") + " mode"


@dataclasses.dataclass
class ImageProcessingOptions:
    """A region of the image, and a clockwise rotation by a multiple of 90 degrees."""

    region_of_interest: Rect | None = None
    rotation_degrees: int = 0


class Task(Generic[_R]):
    """A model in one of the running modes; also a context manager."""

    #: Whether calls accept a region of interest.
    _takes_regions = True

    def __init__(
        self, mode: RunningMode, callback: Callable[[_R, Image, int], None] | None, model: Any
    ) -> None:
        self._mode = mode
        self._model = model
        self._newest: int | None = None
        self._lane = Lane(self._answer, callback) if callback is not None else None

    def _convert(self, found: Any, timestamp_ms: int | None) -> _R:
        raise NotImplementedError

    def _found(self, image: Image, arguments: dict[str, Any], timestamp_ms: int | None) -> Any:
        return self._model(image._given(), **arguments)

    def _answer(self, image: Image, arguments: dict[str, Any], timestamp_ms: int | None) -> _R:
        try:
            return self._convert(self._found(image, arguments, timestamp_ms), timestamp_ms)
        except FoveaError as error:
            raise as_mediapipe(error) from error

    def _run(self, image: Image, how: ImageProcessingOptions | None) -> _R:
        self._require(RunningMode.IMAGE, image)
        return self._answer(image, self._arguments(image, how), None)

    def _run_video(self, image: Image, timestamp_ms: int, how: ImageProcessingOptions | None) -> _R:
        self._require(RunningMode.VIDEO, image)
        arguments = self._arguments(image, how)
        return self._answer(image, arguments, self._advance(timestamp_ms))

    def _send(self, image: Image, timestamp_ms: int, how: ImageProcessingOptions | None) -> None:
        self._require(RunningMode.LIVE_STREAM, image)
        arguments = self._arguments(image, how)
        timestamp_ms = self._advance(timestamp_ms)
        if self._lane is not None:
            self._lane.send(image, timestamp_ms, arguments)

    def _require(self, mode: RunningMode, image: object) -> None:
        require(
            "image",
            image,
            Image,
            "an mp.Image (mp.Image(image_format=mp.ImageFormat.SRGB, data=array), or mp.Image.create_from_file(path))",
        )
        if self._mode is not mode:
            raise ValueError(
                f"Task is not initialized with the {mode._words}. Current running mode:{self._mode._words}. "
                f"Set running_mode=RunningMode.{mode.name} in the options"
            )

    def _arguments(self, image: Image, how: ImageProcessingOptions | None) -> dict[str, Any]:
        arguments = _arguments(image, how)
        if "region" in arguments and not self._takes_regions:
            raise ValueError("This task doesn't support region-of-interest. Omit region_of_interest")
        return arguments

    def _advance(self, timestamp_ms: int) -> int:
        timestamp_ms = whole("timestamp_ms", timestamp_ms)
        if abs(timestamp_ms) > _LATEST:
            raise ValueError(f"timestamp_ms is {timestamp_ms}, ±{_LATEST} expected. Pass milliseconds")
        if self._newest is not None and timestamp_ms <= self._newest:
            raise ValueError(
                f"Input timestamp must be monotonically increasing. {timestamp_ms} came after {self._newest}"
            )
        self._newest = timestamp_ms
        return timestamp_ms

    def close(self) -> None:
        """Closes the task; the frame in progress still gets its callback."""
        if self._lane is not None:
            self._lane.close()
        self._model.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Lane(Generic[_R]):
    """A thread that processes the newest frame and calls back; a waiting frame is replaced by a newer one."""

    def __init__(
        self,
        answer: Callable[[Image, dict[str, Any], int], _R],
        callback: Callable[[_R, Image, int], None],
    ) -> None:
        self._answer = answer
        self._callback = callback
        self._condition = threading.Condition()
        self._waiting: tuple[Image, int, dict[str, Any]] | None = None
        self._ends = False
        self._thread = threading.Thread(target=self._work, name="fovea-live", daemon=True)
        self._thread.start()

    def send(self, image: Image, timestamp_ms: int, arguments: dict[str, Any]) -> None:
        """Queues a frame, replacing a waiting one."""
        with self._condition:
            self._waiting = (image, timestamp_ms, arguments)
            self._condition.notify()

    def close(self) -> None:
        """Stops the thread after its remaining frames."""
        with self._condition:
            self._ends = True
            self._condition.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _work(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._waiting is not None or self._ends)
                frame, self._waiting = self._waiting, None
            if frame is None:
                return
            self._work_on(*frame)

    def _work_on(self, image: Image, timestamp_ms: int, arguments: dict[str, Any]) -> None:
        """Processes a frame; errors are logged, as in MediaPipe, and later frames are still processed."""
        log = logging.getLogger("fovea.mediapipe")
        try:
            result = self._answer(image, arguments, timestamp_ms)
        except Exception as error:
            log.error("the frame at %d ms failed: %s", timestamp_ms, error)
            return
        try:
            self._callback(result, image, timestamp_ms)
        except Exception:
            log.exception("result_callback failed for the frame at %d ms", timestamp_ms)


def as_mediapipe(error: FoveaError) -> Exception:
    """Converts an error to the class that MediaPipe raises."""
    if isinstance(error, FileNotFoundError):
        return FileNotFoundError(str(error))
    if error.code == "model-unreadable" or (error.code.startswith("image-") and error.subject):
        return RuntimeError(str(error))  # a file that exists but cannot be read
    return ValueError(str(error)) if isinstance(error, ValueError) else RuntimeError(str(error))


def _arguments(image: Image, how: ImageProcessingOptions | None) -> dict[str, Any]:
    """Converts the options of a call to arguments of a model.

    Raises:
        ValueError: The rotation or the region is invalid.
        WrongTypeError: A value has the wrong type.
    """
    arguments: dict[str, Any] = {}
    if how is None:
        return arguments
    require("image_processing_options", how, ImageProcessingOptions, "ImageProcessingOptions")
    degrees = whole("rotation_degrees", how.rotation_degrees)
    if degrees % 90:
        raise ValueError(f"Expected rotation to be a multiple of 90°. rotation_degrees is {degrees}")
    if degrees % 360:
        arguments["orientation"] = _ROTATIONS[degrees % 360]
    if how.region_of_interest is not None:
        arguments["region"] = _region(how.region_of_interest, image)
    return arguments


def _region(part: Rect, image: Image) -> tuple[float, float, float, float]:
    require("region_of_interest", part, Rect, "mp.tasks.components.containers.Rect")
    sides = (part.left, part.top, part.right, part.bottom)
    for side in sides:
        require("a side of region_of_interest", side, (int, float), "a number from 0 to 1")
    if not (part.left < part.right and part.top < part.bottom):
        raise ValueError(f"Expected RectF with left < right and top < bottom. region_of_interest is {part}")
    if not all(math.isfinite(side) and 0 <= side <= 1 for side in sides):
        raise ValueError(f"Expected RectF values to be in [0,1]. region_of_interest is {part}")
    width, height = image.width, image.height
    return (
        part.left * width,
        part.top * height,
        (part.right - part.left) * width,
        (part.bottom - part.top) * height,
    )
