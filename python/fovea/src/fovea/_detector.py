# SPDX-License-Identifier: Apache-2.0
"""Finds objects in images."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import _options
from ._call import Runner, threads_of
from ._images import images_of
from ._library import lib
from ._model_user import ModelUser
from ._results import Detections
from ._stream import stream
from ._types import Box, ImageLike, ModelLike, Order


class Detector(ModelUser):
    """Finds objects in images: call it with one image, or pass several to `batch` or `stream`.

    Create one detector and reuse it: opening takes 10 to 40 ms.

    Args:
        model: A ``.tflite`` file, an AutoML folder, or the bytes of a model; None is the embedded detector of COCO's 80
            classes. A classifier labels the objects that the embedded localizer finds.
        threshold: The minimum score, 0 to 1; None uses the model's own, or 0.3 if it has none.
        labels: A label file (lines, pbtxt, CSV, JSON or YAML); or the labels themselves.
        max_objects: The maximum number of objects per image; None uses the model's own.
        classifier: A classifier that labels each object; False for boxes only.
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

    def __init__(
        self,
        model: ModelLike | None = None,
        /,
        *,
        threshold: float | None = None,
        labels: ModelLike | Iterable[str] | None = None,
        max_objects: int | None = None,
        classifier: ModelLike | bool | None = None,
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
        self._prepare()

    def _prepare(self) -> None:
        self._runner = Runner(lib.fovea_detect, Detections, self._digest, self._max_pixels)
        self._is_long = any(name in self._recipe[1] for name in ("slice", "slice_size", "slice_overlap"))

    def __call__(
        self,
        image: ImageLike,
        *,
        region: Box | None = None,
        order: Order = "rgb",
        orientation: int | None = None,
    ) -> Detections:
        """The objects of one image.

        Args:
            image: A path, the bytes of a file, a uint8 array of shape (H, W, 3), (H, W, 4), (H, W, 1) or (H, W), a
                ``PIL.Image``, or a file opened in binary mode. Arrays are read without a copy.
            region: Process only this part: x, y, width and height in pixels of the stored image.
            order: The channel order of an array: ``"rgb"``, or ``"bgr"`` for OpenCV's.
            orientation: The rotation that makes the stored image upright, 1…8 as in EXIF; None uses the file's own,
                and 1 for arrays.

        Returns:
            The objects, best score first, in pixels of the stored image.

        Raises:
            ImageError: The image cannot be read, or the array has an unsupported type or shape.
            FileNotFoundError: There is no file at the path.
            ClosedError: The detector was closed.
        """
        return self._runner.one(self._handle, image, order, region, orientation, is_long=self._is_long)

    def batch(
        self, images: Iterable[ImageLike], *, threads: int | None = None, order: Order = "rgb"
    ) -> list[Detections]:
        """Returns the objects of several images, in the same order.

        Args:
            images: Images of the types that a call accepts.
            threads: The number of images processed at the same time; None uses the number of `sessions`.
            order: The channel order of arrays.

        Returns:
            One result for each image. A failed image does not raise; its result has an `error`.
        """
        given = list(images_of(images, "batch()"))
        return self._runner.many(self._handle, given, order, threads_of(threads, self._sessions))

    def stream(
        self,
        images: Iterable[ImageLike],
        *,
        batch_size: int = 32,
        threads: int | None = None,
        progress: bool = False,
        order: Order = "rgb",
    ) -> Iterator[Detections]:
        """Yields the objects of any number of images, one by one in the same order.

        Args:
            images: Images of the types that a call accepts; read when needed.
            batch_size: The number of images read and processed before their results are returned; limits the memory.
            threads: The number of images processed at the same time; None uses the number of `sessions`.
            progress: Whether to show a progress bar, if tqdm is installed.
            order: The channel order of arrays.

        Returns:
            Results like those of `batch`.
        """
        threads = threads_of(threads, self._sessions)
        given = images_of(images, "stream()")
        return stream(
            given, lambda some: self.batch(some, threads=threads, order=order), batch_size, progress
        )

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
        return await self._lanes.run(
            lambda cancel: self._runner.one(self._handle, image, order, region, orientation, cancel)
        )


OPTIONS = _options.Known(
    Detector,
    f"{_options.RARE} single slice_size slice_overlap no_classify label_threshold max_labels family background iou "
    "cross_class_iou fit class_agnostic",
    **_options.ELSEWHERE,
    max_objects=_options.MOST,
    slice="imgsz sahi tile",
    iou="nms iou_thres iou_thresh iou_threshold nms_threshold",
)
