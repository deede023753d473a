# SPDX-License-Identifier: Apache-2.0
"""Makes int8 models of float models and photos, and compares two models on photos."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from . import _abi, _options, _words
from ._call import CALL_SIZE, Cancel, interruptible
from ._errors import FoveaError, make_error
from ._handle import process
from ._images import MOST_PIXELS, conversion_error, fill, images_of
from ._library import check, lib, text
from ._types import ImageLike, ModelLike, Order

#: The endings of photos in a folder.
_ENDINGS = frozenset(
    ".jpg .jpeg .jpe .jfif .png .apng .webp .heic .heif .hif .avif .gif .bmp .dib .tif .tiff".split()
)


@dataclass(frozen=True, slots=True)
class Figures:
    """A figure of two models.

    Attributes:
        first: The first model's, or the float model's; None if it is not defined.
        second: The second model's, or the int8 model's; None if it is not defined.
    """

    first: float | None
    second: float | None

    @property
    def ratio(self) -> float | None:
        """The second figure divided by the first; None if either is not defined, or the first is 0."""
        return self.second / self.first if self.first and self.second is not None else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The figures of two models on the same photos.

    Attributes:
        task: ``"detection"``, ``"labeling"``, ``"segmentation"``, ``"embedding"`` or ``"numbers"``.
        agreement: F1 of the boxes, the share of equal first labels, the mean IoU of classes, or the mean cosine; None if
            there is nothing to compare.
        measure: Which of these: ``"f1"``, ``"firstLabels"``, ``"meanIoU"`` or ``"meanCosine"``.
        accuracy: COCO's average precision, or the share of right first labels; None without ground truth.
        cpu: The milliseconds of processor time of a run, with one thread; None if no photo could be read.
        size: The bytes of the files.
        photos: The number of compared photos.
        failed: The errors of the photos that could not be read; `subject` is the photo.
    """

    task: str
    agreement: float | None
    measure: str
    accuracy: Figures | None
    cpu: Figures | None
    size: Figures
    photos: int
    failed: tuple[FoveaError, ...] = ()


@dataclass(frozen=True, slots=True)
class QuantizedLayer:
    """A layer of a quantised model.

    Attributes:
        name: The name of its output, as `keep_float` expects it.
        share: Its share of the error of all layers, 0…1.
        is_float: Whether it stays float.
    """

    name: str
    share: float
    is_float: bool


@dataclass(frozen=True, slots=True)
class Quantization:
    """An int8 model that was written, with its figures.

    Attributes:
        path: The int8 model.
        layers: The layers, those with the most error first.
        comparison: The figures of the float model and the int8 model.
        failed: The errors of the photos that could not be read; `subject` is the photo.
    """

    path: str
    layers: tuple[QuantizedLayer, ...]
    comparison: Comparison
    failed: tuple[FoveaError, ...] = ()


def quantize(
    model: ModelLike,
    photos: str | os.PathLike[str] | Iterable[ImageLike],
    output: str | os.PathLike[str],
    /,
    *,
    at_least: float = 0.9,
    keep_float: Iterable[str] = (),
    float_layers: int = 20,
    ground_truth: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    labels: ModelLike | Iterable[str] | None = None,
    normalize: str | Iterable[float] | None = None,
    family: str | None = None,
    activation: str | None = None,
    background: str | None = None,
    threads: int | None = None,
    max_pixels: int | None = None,
    order: Order = "rgb",
) -> Quantization:
    """Writes an int8 model of a float model, if both agree on the photos.

    It takes seconds to minutes. After an error, and after Ctrl-C, nothing is written.

    Args:
        model: A ``.tflite`` file or an AutoML folder of a float model, or its bytes.
        photos: A folder, or images of the types that a detector accepts, like those that the model will see; at most 100
            are used. Photos of one colour and copies of other photos are left out.
        output: The int8 model to write.
        at_least: The least agreement with the float model, 0 to 1.
        keep_float: Layers that stay float in any case, by the name of their output.
        float_layers: The most layers that may stay float besides.
        ground_truth: COCO's instances of some of the photos (``.json``), or labelled photos: adds the accuracy.
        overwrite: Whether to replace an existing file.
        labels: A label file, or the labels themselves.
        normalize: The mean and deviation of the pixels.
        family: The family of the detector.
        activation: ``"none"``, ``"sigmoid"`` or ``"softmax"``: what turns the model's outputs into scores.
        background: ``"first"`` if the first class is the background, else ``"none"``.
        threads: Threads per photo.
        max_pixels: The largest number of pixels of a photo.
        order: The channel order of arrays.

    Returns:
        The figures of the file.

    Raises:
        ModelError: The model cannot be quantised, or the int8 model agrees too little (``agreement-too-low``).
        OptionError: An option is out of range.
        FoveaError: No photo can be used (``calibration-empty``), or the file cannot be written (``output-unwritable``).
    """
    path = os.fsdecode(output)
    _check_output(path, overwrite)
    given = {
        "at_least": at_least,
        "keep_float": tuple(keep_float),
        "float_layers": float_layers,
        "ground_truth": ground_truth,
        **_facts(labels, normalize, family, activation, background, threads, max_pixels),
    }
    data, length = ctypes.c_void_p(), ctypes.c_size_t()

    def call(*rest: Any) -> int | None:
        *taken, report = rest
        error: int | None = lib.fovea_quantize(*taken, ctypes.byref(data), ctypes.byref(length), report)
        return error

    try:
        report = _reported(call, [model], photos, given, "quantize()", order)
        made = ctypes.string_at(data.value or 0, length.value)
    finally:
        lib.fovea_string_free(data)
    comparison = _comparison(report, ())
    layers = tuple(
        QuantizedLayer(layer["layer"], layer["share"], layer["float"]) for layer in report["noise"]
    )
    _write(path, made)
    return Quantization(path, layers, comparison, report["errors"])


def compare(
    first: ModelLike,
    second: ModelLike,
    photos: str | os.PathLike[str] | Iterable[ImageLike],
    /,
    *,
    ground_truth: str | os.PathLike[str] | None = None,
    threshold: float | None = None,
    labels: ModelLike | Iterable[str] | None = None,
    normalize: str | Iterable[float] | None = None,
    family: str | None = None,
    activation: str | None = None,
    background: str | None = None,
    threads: int | None = None,
    max_pixels: int | None = None,
    order: Order = "rgb",
) -> Comparison:
    """Compares two models of one task and the same classes on the photos; Ctrl-C ends it.

    Args:
        first: A ``.tflite`` file or an AutoML folder, or its bytes: the measure of the second model.
        second: The model to judge.
        photos: A folder, or images of the types that a detector accepts.
        ground_truth: COCO's instances of some of the photos, or labelled photos: adds the accuracy.
        threshold: The minimum score of boxes; None uses the first model's.
        labels: A label file, or the labels themselves, of both models.
        normalize: The mean and deviation of the pixels.
        family: The family of the detectors.
        activation: ``"none"``, ``"sigmoid"`` or ``"softmax"``: what turns the models' outputs into scores.
        background: ``"first"`` if the first class is the background, else ``"none"``.
        threads: Threads per photo.
        max_pixels: The largest number of pixels of a photo.
        order: The channel order of arrays.

    Returns:
        The agreement, accuracy, processor time and size of both.

    Raises:
        ModelError: A model cannot be used, or the models differ in task (``tasks-differ``) or classes (``labels-differ``).
        OptionError: An option is out of range.
    """
    given = {
        "ground_truth": ground_truth,
        "threshold": threshold,
        **_facts(labels, normalize, family, activation, background, threads, max_pixels),
    }
    report = _reported(lib.fovea_compare, [first, second], photos, given, "compare()", order)
    return _comparison(report, report["errors"])


def _facts(
    labels: object,
    normalize: object,
    family: str | None,
    activation: str | None,
    background: str | None,
    threads: int | None,
    max_pixels: int | None,
) -> dict[str, object]:
    """Returns the options that describe a model and its runs."""
    return {
        "labels": _options.kept_labels(labels),
        "normalize": normalize,
        "family": family,
        "activation": activation,
        "background": background,
        "threads": threads,
        "max_pixels": max_pixels,
    }


def _reported(
    function: Callable[..., int | None],
    models: list[ModelLike],
    photos: object,
    given: dict[str, object],
    name: str,
    order: Order,
) -> dict[str, Any]:
    """Calls the library; returns its report, whose errors are exceptions.

    Raises:
        FoveaError: The call failed.
    """
    images = _photos(photos, name)
    structs = (_abi.Image * max(len(images), 1))()
    kept: list[object] = []
    failed: list[FoveaError] = []
    limit = given["max_pixels"] or MOST_PIXELS
    for at, image in enumerate(images):
        struct = structs[len(kept)]
        try:
            taken = fill(struct, image, order, max_pixels=_options.whole("max_pixels", limit))
        except Exception as error:
            failure = conversion_error(error)
            if failure is None:
                raise
            ctypes.memset(ctypes.byref(struct), 0, ctypes.sizeof(struct))
            failure.subject = failure.subject or f"image {at}"
            failed.append(failure)
            continue
        if taken.path is None:
            struct.name = b"image %d" % at
        kept.append(taken)
    sources = [_options.Model(model) for model in models]
    out = ctypes.c_void_p()

    def work(stop: Cancel) -> None:
        call = _abi.Call(size=CALL_SIZE, cancel=stop.pointer)
        taken = [source.reference for source in sources]
        process.enter()
        try:
            with _options.opened(set_options) as options:
                check(function(*taken, options, structs, len(kept), ctypes.byref(call), ctypes.byref(out)))
        finally:
            process.leave()

    set_options = {name: value for name, value in given.items() if value is not None and value != ()}
    try:
        interruptible(work)
        report: dict[str, Any] = json.loads(text(ctypes.string_at(out.value or 0)))
    finally:
        lib.fovea_string_free(out)
    report["errors"] = (
        *failed,
        *(
            make_error(
                each["code"], _words.python(each["message"]), _words.python(each["remedy"]), each["subject"]
            )
            for each in report["errors"]
        ),
    )
    return report


def _photos(photos: object, name: str) -> list[object]:
    """Returns the images: those of a folder by name, or the given ones.

    Raises:
        TypeError: They are not several images.
    """
    if isinstance(photos, (str, os.PathLike)) and os.path.isdir(photos):
        with os.scandir(os.fsdecode(photos)) as entries:
            found = [
                entry.path
                for entry in entries
                if os.path.splitext(entry.name)[1].lower() in _ENDINGS and entry.is_file()
            ]
        return [*sorted(found, key=os.fsencode)]
    return list(images_of(photos, name))


def _comparison(report: dict[str, Any], failed: tuple[FoveaError, ...]) -> Comparison:
    accuracy, cpu, size = report["accuracy"], report["cpu"], report["bytes"]
    return Comparison(
        report["task"],
        report["agreement"]["value"],
        report["agreement"]["measure"],
        accuracy and Figures(accuracy["first"], accuracy["second"]),
        cpu and Figures(cpu["firstMilliseconds"], cpu["secondMilliseconds"]),
        Figures(size["first"], size["second"]),
        report["photos"]["compared"],
        failed,
    )


def _check_output(path: str, overwrite: bool) -> None:
    """Refuses an output before the work starts.

    Raises:
        FoveaError: The file exists, or its folder does not.
    """
    if os.path.lexists(path) and not overwrite:
        raise FoveaError(
            "output-unwritable", "the file exists", "Name another file, or pass overwrite=True", path
        )
    if os.path.isdir(path) or not os.path.isdir(os.path.dirname(path) or "."):
        raise FoveaError(
            "output-unwritable", "it is a folder, or its folder does not exist", "Name another file", path
        )


def _write(path: str, data: bytes) -> None:
    """Writes a file that appears whole or not at all.

    Raises:
        FoveaError: It cannot be written.
    """
    part = f"{path}.partial"
    try:
        with open(part, "wb") as file:
            file.write(data)
        os.replace(part, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(part)
        if isinstance(error, OSError):
            raise FoveaError(
                "output-unwritable", f"it cannot be written: {error.strerror}", "Name another file", path
            ) from error
        raise
