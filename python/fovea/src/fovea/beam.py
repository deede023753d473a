# SPDX-License-Identifier: Apache-2.0
"""Fovea as a model handler for Apache Beam's RunInference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ._detector import Detector
from ._results import Detections
from ._types import ImageLike, ModelLike

try:
    from apache_beam.ml.inference.base import (  # pyright: ignore[reportMissingImports]
        ModelHandler,
        PredictionResult,
    )
except ModuleNotFoundError as error:
    raise ImportError("fovea.beam needs apache-beam: install it", name=error.name) from error

__all__ = ["DetectorHandler"]


class DetectorHandler(ModelHandler):  # type: ignore[misc]
    """Finds objects in images, as paths or bytes, in a pipeline.

    Each worker process opens the model once. A failed image does not raise; its result has an `error`.
    ``KeyedModelHandler(DetectorHandler(…))`` keeps the name of each image with its result.

    Args:
        model: A path that exists on every worker, or the bytes of a model; None is the embedded detector.
        max_batch_size: The maximum number of images per call.
        **options: The options of `fovea.Detector`. ``threads`` is 1 by default.
    """

    def __init__(self, model: ModelLike | None = None, *, max_batch_size: int = 64, **options: Any) -> None:
        super().__init__(max_batch_size=max_batch_size)
        self._recipe = (model, {"threads": 1, **options})

    def load_model(self) -> Detector:
        """Opens the model on a worker."""
        model, options = self._recipe
        return Detector(model, **options)

    def run_inference(
        self, batch: Sequence[ImageLike], model: Detector, inference_args: dict[str, Any] | None = None
    ) -> Iterable[PredictionResult]:
        """Returns one `PredictionResult` per image, whose `inference` is a `fovea.Detections`."""
        if inference_args:
            raise TypeError(f"DetectorHandler takes no inference_args, got {sorted(inference_args)}")
        results: list[Detections] = model.batch(batch)
        return [PredictionResult(image, found) for image, found in zip(batch, results, strict=True)]

    def get_metrics_namespace(self) -> str:
        """Returns the namespace of Beam's metrics."""
        return "FoveaDetector"
