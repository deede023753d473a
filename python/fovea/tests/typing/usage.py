# SPDX-License-Identifier: Apache-2.0
"""A caller's code, for mypy --strict and pyright; never run."""

import io
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import PIL.Image

import fovea


def detect(frame: npt.NDArray[np.uint8]) -> None:
    with fovea.Detector("model.tflite", threshold=0.4, max_objects=50, allow=["cat"], iou=0.5) as detector:
        inputs: list[fovea.ImageLike] = [
            "a.jpg",
            pathlib.Path("a.jpg"),
            b"",
            bytearray(),
            memoryview(b""),
            frame,
        ]
        inputs += [PIL.Image.new("RGB", (1, 1)), io.BytesIO()]
        results: list[fovea.Detections] = detector.batch(inputs, threads=2)
        lazily: Iterator[fovea.Detections] = detector.stream(iter(inputs), progress=True)
        found: fovea.Detections = detector(frame, region=(0, 0, 10, 10), order="bgr", orientation=6)
        boxes: npt.NDArray[np.float64] = found.xyxy
        scores: npt.NDArray[np.float32] = found.scores
        names: list[str] = found.labels
        first: fovea.Detection = found[0]
        best: fovea.Detections = found[found.scores > 0.5]
        some: fovea.Detections = found[1:]
        label: str = first.label
        text: str = first.labels[0].name
        record: dict[str, Any] = found.to_dict()
        outlines: dict[str, Any] = found.to_dict(masks="polygon")
        masks: fovea.Masks | None = found.masks
        corners: npt.NDArray[np.float64] | None = found.corners
        pixels: npt.NDArray[np.bool_] | None = None if masks is None else masks[0].bitmap
        mask: fovea.Mask | None = first.mask
        reason: fovea.FoveaError | None = found.error
        for one in found:
            print(one.score, one.xyxy[0])
        print(results, lazily, boxes, scores, names, best, some, label, text, record, reason)
        print(outlines, masks, corners, pixels, mask)


def follow(detector: fovea.Detector, frames: list[npt.NDArray[np.uint8]]) -> list[int]:
    tracker = fovea.Tracker("bytetrack", frame_rate=25)
    identities = [found.track_id for found in tracker.track(detector, frames)]
    return [int(each[0]) for each in identities if each is not None]


async def wait(detector: fovea.Detector) -> fovea.Detections:
    return await detector.detect_async("a.jpg")


def label() -> list[str]:
    result: fovea.Labels = fovea.Labeler(max_results=3)("a.jpg")
    return result.labels


def smaller(photos: list[pathlib.Path]) -> tuple[float | None, float | None]:
    made: fovea.Quantization = fovea.quantize("float.tflite", photos, "int8.tflite", keep_float=["first"])
    layers: list[fovea.QuantizedLayer] = [layer for layer in made.layers if layer.is_float]
    compared: fovea.Comparison = fovea.compare(b"", "new.tflite", "photos", ground_truth="truth.json")
    cpu: fovea.Figures | None = compared.cpu
    failed: tuple[fovea.FoveaError, ...] = compared.failed
    print(layers, failed)
    return compared.agreement, None if cpu is None else cpu.ratio


def refused(error: fovea.ImageError) -> tuple[str, str | None]:
    as_value_error: ValueError = error
    return str(as_value_error), error.subject
