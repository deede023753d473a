# SPDX-License-Identifier: Apache-2.0
"""What the tasks share: options, running modes, and the thread of a live stream."""

from __future__ import annotations

import dataclasses
import enum
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ...._errors import FoveaError
from ..._image import Image
from .._base_options import BaseOptions
from ..components.containers import Rect

if TYPE_CHECKING:
    from typing_extensions import Self

_R = TypeVar("_R")
#: EXIF's number for a rotation, clockwise in degrees.
_ROTATIONS = {0: 1, 90: 6, 180: 3, 270: 8}


class RunningMode(enum.Enum):
    """Single images, the frames of a video, or those of a camera."""

    IMAGE = "IMAGE"
    VIDEO = "VIDEO"
    LIVE_STREAM = "LIVE_STREAM"


@dataclasses.dataclass
class ImageProcessingOptions:
    """A part of the image, and a rotation of a multiple of 90 degrees clockwise."""

    region_of_interest: Rect | None = None
    rotation_degrees: int = 0


class Task(Generic[_R]):
    """A model in one of the running modes; also a context manager."""

    _live_name = ""

    def __init__(
        self, mode: RunningMode, callback: Callable[[_R, Image, int], None] | None, model: Any
    ) -> None:
        if (callback is not None) != (mode is RunningMode.LIVE_STREAM):
            given = "must" if mode is RunningMode.LIVE_STREAM else "must not"
            raise ValueError(f"running_mode is {mode.value}: a result_callback {given} be given")
        self._mode = mode
        self._model = model
        self._newest = -1
        self._lane = Lane(self._answer, callback) if callback is not None else None

    def _convert(self, found: Any) -> _R:
        raise NotImplementedError

    def _answer(self, image: Image, how: ImageProcessingOptions | None) -> _R:
        arguments: dict[str, Any] = {}
        if how is not None:
            if how.rotation_degrees % 90:
                raise ValueError(f"rotation_degrees is {how.rotation_degrees}; a multiple of 90 expected")
            if how.rotation_degrees % 360:
                arguments["orientation"] = _ROTATIONS[how.rotation_degrees % 360]
            if how.region_of_interest is not None:
                arguments["region"] = _region(how.region_of_interest, image)
        try:
            return self._convert(self._model(image._given(), **arguments))
        except FoveaError as error:
            raise _as_mediapipe(error) from error

    def _run(self, image: Image, how: ImageProcessingOptions | None) -> _R:
        self._require(RunningMode.IMAGE)
        return self._answer(image, how)

    def _run_video(self, image: Image, timestamp_ms: int, how: ImageProcessingOptions | None) -> _R:
        self._require(RunningMode.VIDEO)
        self._advance(timestamp_ms)
        return self._answer(image, how)

    def _send(self, image: Image, timestamp_ms: int, how: ImageProcessingOptions | None) -> None:
        self._require(RunningMode.LIVE_STREAM)
        self._advance(timestamp_ms)
        if self._lane is not None:
            self._lane.send(image, timestamp_ms, how)

    def _require(self, mode: RunningMode) -> None:
        if self._mode is not mode:
            raise RuntimeError(f"Task is not initialized with the {mode.value} mode, but {self._mode.value}")

    def _advance(self, timestamp_ms: int) -> None:
        if timestamp_ms <= self._newest:
            raise ValueError(
                f"Input timestamp must be monotonically increasing: {timestamp_ms} after {self._newest}"
            )
        self._newest = timestamp_ms

    def close(self) -> None:
        """Ends the task; the last frame that is worked on still gets its callback."""
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
    """One thread that works on the newest frame and calls back; frames that come meanwhile replace each other."""

    def __init__(
        self,
        answer: Callable[[Image, ImageProcessingOptions | None], _R],
        callback: Callable[[_R, Image, int], None],
    ) -> None:
        self._answer = answer
        self._callback = callback
        self._condition = threading.Condition()
        self._waiting: tuple[Image, int, ImageProcessingOptions | None] | None = None
        self._ends = False
        self._thread = threading.Thread(target=self._work, name="fovea-live", daemon=True)
        self._thread.start()

    def send(self, image: Image, timestamp_ms: int, how: ImageProcessingOptions | None) -> None:
        """Takes a frame in place of one that still waits."""
        with self._condition:
            self._waiting = (image, timestamp_ms, how)
            self._condition.notify()

    def close(self) -> None:
        """Ends the thread, after the frames that it has."""
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
            image, timestamp_ms, how = frame
            self._callback(self._answer(image, how), image, timestamp_ms)


def options_of(
    base: BaseOptions,
    locale: str | None,
    threshold: float | None,
    allow: list[str] | None,
    deny: list[str] | None,
) -> tuple[str | bytes, dict[str, Any]]:
    """The model, and Fovea's options for MediaPipe's.

    Raises:
        ValueError: No model, a GPU, or both lists.
    """
    if base.delegate == BaseOptions.Delegate.GPU:
        raise ValueError("the delegate GPU is not available: leave it out")
    model = base.model_asset_path or base.model_asset_buffer
    if not model:
        raise ValueError("BaseOptions names no model: give model_asset_path or model_asset_buffer")
    if allow and deny:
        raise ValueError("`category_allowlist` and `category_denylist` are mutually exclusive")
    return model, {
        "locale": locale,
        "threshold": threshold or None,
        "allow": tuple(allow or ()),
        "deny": tuple(deny or ()),
    }


def opened(kind: Any, model: str | bytes, options: dict[str, Any]) -> Any:
    """The detector or labeler.

    Raises:
        ValueError: The model or an option cannot be used.
    """
    try:
        return kind(model, **options)
    except FoveaError as error:
        raise _as_mediapipe(error) from error


def _as_mediapipe(error: FoveaError) -> Exception:
    """MediaPipe's kinds of errors: ValueError for what the caller gave, RuntimeError for the rest."""
    return ValueError(str(error)) if isinstance(error, ValueError) else RuntimeError(str(error))


def _region(part: Rect, image: Image) -> tuple[float, float, float, float]:
    if not (0 <= part.left < part.right <= 1 and 0 <= part.top < part.bottom <= 1):
        raise ValueError(
            f"region_of_interest is {part}; 0 ≤ left < right ≤ 1 and 0 ≤ top < bottom ≤ 1 expected"
        )
    width, height = image.width, image.height
    return (
        part.left * width,
        part.top * height,
        (part.right - part.left) * width,
        (part.bottom - part.top) * height,
    )
