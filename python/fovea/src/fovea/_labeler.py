# SPDX-License-Identifier: Apache-2.0
"""Labels whole images."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import _options
from ._call import Runner, threads_of
from ._images import images_of
from ._library import lib
from ._model_user import ModelUser
from ._results import Labels
from ._stream import stream
from ._types import Box, ImageLike, ModelLike, Order


class Labeler(ModelUser):
    """Labels whole images: call it with one, or give `batch` and `stream` many.

    Args:
        model: A classifier: a ``.tflite`` file, an AutoML folder, or bytes; None is the embedded one of five coarse
            categories.
        threshold: The lowest score, 0 to 1; None takes the model's own, else 0.
        labels: A file of labels: lines, pbtxt, CSV, JSON or YAML; or the labels themselves.
        max_results: The most labels of an image; None takes 10.
        allow: Report only these labels.
        deny: Never report these labels.
        threads: The threads of the model for one image.
        sessions: How many images may be worked on at the same time.
        exact: Run a uint8 model as it is stored, not in int8.
        **options: The rare options of ``fovea label --help-hidden``, with ``_`` for ``-``.

    Raises:
        ModelError: The model cannot be used.
        OptionError: An option is out of its range.
        RuntimeMissing: LiteRT cannot be loaded.
        TypeError: There is no such option.
    """

    _kind = "labeler"
    _embedded = "classifier"

    def __init__(
        self,
        model: ModelLike | None = None,
        /,
        *,
        threshold: float | None = None,
        labels: ModelLike | Iterable[str] | None = None,
        max_results: int | None = None,
        allow: Iterable[str] | None = (),
        deny: Iterable[str] | None = (),
        threads: int | None = None,
        sessions: int = 1,
        exact: bool = False,
        **options: object,
    ) -> None:
        given = {
            "labels": _options.kept_labels(labels),
            "threshold": threshold,
            "max_results": max_results,
            "allow": _options.labels_of("allow", allow),
            "deny": _options.labels_of("deny", deny),
            "threads": threads,
            "sessions": None if sessions == 1 else sessions,
            "exact": exact or None,
        }
        super().__init__(model, OPTIONS.checked({**given, **options}))
        self._prepare()

    def _prepare(self) -> None:
        self._runner = Runner(lib.fovea_label, Labels, self._digest, self._max_pixels)

    def __call__(
        self,
        image: ImageLike,
        *,
        region: Box | None = None,
        order: Order = "rgb",
        orientation: int | None = None,
    ) -> Labels:
        """The labels of one image, most confident first; arguments and errors as those of `Detector`."""
        return self._runner.one(self._handle, image, order, region, orientation)

    def batch(
        self, images: Iterable[ImageLike], *, threads: int | None = None, order: Order = "rgb"
    ) -> list[Labels]:
        """The labels of some images, in their order; as `Detector.batch`."""
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
    ) -> Iterator[Labels]:
        """The labels of any number of images, one by one in their order; as `Detector.stream`."""
        threads = threads_of(threads, self._sessions)
        given = images_of(images, "stream()")
        return stream(
            given, lambda some: self.batch(some, threads=threads, order=order), batch_size, progress
        )

    async def label_async(
        self,
        image: ImageLike,
        *,
        region: Box | None = None,
        order: Order = "rgb",
        orientation: int | None = None,
    ) -> Labels:
        """The labels of one image, without blocking the event loop; cancelling the task ends the run."""
        return await self._lanes.run(
            lambda cancel: self._runner.one(self._handle, image, order, region, orientation, cancel)
        )


OPTIONS = _options.Known(Labeler, _options.RARE, **_options.ELSEWHERE, max_results=_options.MOST)
