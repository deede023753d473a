# SPDX-License-Identifier: Apache-2.0
"""Arrays: accepted ones, rejected ones with their errors, and those read in place."""

from __future__ import annotations

import pathlib
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import numbers

import fovea
from fovea import _abi
from fovea._images import fill

Array = np.ndarray[Any, Any]


def padded(image: Array) -> Array:
    """The same pixels with a gap between rows."""
    wide = np.full((image.shape[0], image.shape[1] + 7, image.shape[2]), 99, np.uint8)
    wide[:, : image.shape[1]] = image
    return wide[:, : image.shape[1]]


def read_only(image: Array) -> Array:
    copy = image.copy()
    copy.flags.writeable = False
    return copy


def upside_down(image: Array) -> Array:
    return image[::-1].copy()[::-1]


def swapped(image: Array) -> Array:
    return image[:, :, ::-1].copy()[:, :, ::-1]


def with_alpha(image: Array) -> Array:
    return np.dstack([image, np.full(image.shape[:2], 7, np.uint8)])


ZERO_COPY: list[tuple[str, Callable[[Array], Array]]] = [
    ("contiguous", lambda image: image.copy()),
    ("read-only", read_only),
    ("rows with a gap", padded),
    ("rows from below", upside_down),
    ("channels from behind", swapped),
    ("a part", lambda image: np.pad(image, ((3, 4), (5, 6), (0, 0)))[3:-4, 5:-6]),
    ("RGBA", with_alpha),
]
COPIED: list[tuple[str, Callable[[Array], Array]]] = [
    ("columns from behind", lambda image: image[:, ::-1].copy()[:, ::-1]),
    ("Fortran order", np.asfortranarray),
    ("channels first, moved", lambda image: image.transpose(2, 0, 1).copy().transpose(1, 2, 0)),
    ("every second pixel of a wider one", lambda image: np.repeat(image, 2, axis=1)[:, ::2]),
]


def address(image: Array) -> int:
    return int(image.__array_interface__["data"][0])


@pytest.mark.parametrize(
    ("name", "make"), ZERO_COPY + COPIED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_strides_do_not_change_the_result(
    name: str, make: Callable[[Array], Array], detector: fovea.Detector, pixels: Array
) -> None:
    image = make(pixels)
    before = image.copy()
    assert numbers(detector(image)) == numbers(detector(pixels))
    assert np.array_equal(image, before)


@pytest.mark.parametrize(
    ("name", "make"), ZERO_COPY, ids=lambda value: value if isinstance(value, str) else ""
)
def test_nothing_is_copied(name: str, make: Callable[[Array], Array], pixels: Array) -> None:
    image = make(pixels)
    struct = _abi.Image()
    fill(struct, image, "rgb")
    first = image[:, :, ::-1] if name == "channels from behind" else image
    assert struct.data == address(first)
    assert struct.stride == image.strides[0]
    assert struct.kind == {"RGBA": _abi.RGBA, "channels from behind": _abi.BGR}.get(name, _abi.RGB)


def test_bgr_is_rgb_with_swapped_channels(detector: fovea.Detector, pixels: Array) -> None:
    bgr = pixels[:, :, ::-1].copy()
    assert numbers(detector(bgr, order="bgr")) == numbers(detector(pixels))
    assert numbers(detector(bgr)) != numbers(detector(pixels))
    assert numbers(detector(with_alpha(bgr), order="bgr")) == numbers(detector(pixels))
    assert numbers(detector(bgr[:, :, ::-1])) == numbers(detector(pixels))


def test_opencv_reads_the_same_boxes(detector: fovea.Detector, tmp_path: pathlib.Path, pixels: Array) -> None:
    cv2 = pytest.importorskip("cv2")
    path = tmp_path / "cat.png"
    cv2.imwrite(str(path), pixels[:, :, ::-1])
    assert numbers(detector(cv2.imread(str(path)), order="bgr")) == numbers(detector(path))


def test_grey_is_three_equal_channels(detector: fovea.Detector, pixels: Array) -> None:
    grey = pixels[:, :, 1].copy()
    expected = numbers(detector(np.repeat(grey[:, :, None], 3, axis=2)))
    assert numbers(detector(grey)) == expected
    assert numbers(detector(grey[:, :, None])) == expected
    assert numbers(detector(pixels[:, :, 1])) == expected


@pytest.mark.parametrize("orientation", range(1, 9))
def test_orientations_of_arrays(orientation: int, detector: fovea.Detector, pixels: Array) -> None:
    found = detector(pixels, orientation=orientation)
    assert found.orientation == orientation
    assert (found.width, found.height) == (451, 300)


def test_memory_maps_and_buffers(detector: fovea.Detector, tmp_path: pathlib.Path, pixels: Array) -> None:
    path = tmp_path / "pixels.npy"
    np.save(path, pixels)
    expected = numbers(detector(pixels))
    assert numbers(detector(np.load(path, mmap_mode="r"))) == expected
    assert numbers(detector(memoryview(pixels))) == expected
    assert numbers(detector(np.broadcast_to(pixels, pixels.shape))) == expected


REFUSED: list[tuple[str, Array, str]] = [
    ("float", np.zeros((4, 5, 3), np.float32), "float32 (4, 5, 3), uint8 (H, W, 3)"),
    ("double", np.zeros((4, 5)), "float64 (4, 5)"),
    ("16 bits", np.zeros((4, 5, 3), np.uint16), "uint16 (4, 5, 3)"),
    ("big-endian", np.zeros((4, 5, 3), ">u2"), ">u2 (4, 5, 3)"),
    ("signed", np.zeros((4, 5, 3), np.int8), "int8 (4, 5, 3)"),
    ("bool", np.zeros((4, 5), bool), "bool (4, 5)"),
    ("object", np.array([[None]]), "object (1, 1)"),
    ("text", np.array([["a"]]), "<U1 (1, 1)"),
    ("channels first", np.zeros((3, 40, 50), np.uint8), "uint8 (3, 40, 50)"),
    ("two channels", np.zeros((4, 5, 2), np.uint8), "uint8 (4, 5, 2)"),
    ("a batch", np.zeros((2, 4, 5, 3), np.uint8), "uint8 (2, 4, 5, 3)"),
    ("no dimension", np.array(7, np.uint8), "uint8 ()"),
    ("one dimension", np.zeros(7, np.uint8), "uint8 (7,)"),
    ("no rows", np.zeros((0, 5, 3), np.uint8), "empty uint8 (0, 5, 3)"),
    ("no columns", np.zeros((4, 0), np.uint8), "empty uint8 (4, 0)"),
    ("masked", np.ma.masked_array(np.zeros((4, 5), np.uint8), True), "masked uint8 (4, 5)"),
]


@pytest.mark.parametrize(("name", "image", "text"), REFUSED, ids=[case[0] for case in REFUSED])
def test_other_arrays_are_refused_with_both_shapes(
    name: str, image: Array, text: str, detector: fovea.Detector
) -> None:
    with pytest.raises(fovea.ImageError) as caught:
        detector(image)
    assert caught.value.code == "image-invalid-buffer"
    assert text in str(caught.value)
    assert "expected" in caught.value.message
    assert caught.value.remedy
    assert detector.batch([image])[0].error is not None


@pytest.mark.parametrize("shape", [(1, 1), (1, 1, 3), (1, 500, 3), (500, 1, 4), (2, 3, 1), (65_535, 1, 3)])
def test_small_and_narrow_arrays(shape: tuple[int, ...], detector: fovea.Detector) -> None:
    found = detector(np.zeros(shape, np.uint8))
    assert (found.height, found.width) == shape[:2]


def test_an_array_of_2_to_the_31_bytes_is_refused(detector: fovea.Detector) -> None:
    large = np.zeros((11_000, 65_535, 3), np.uint8)  # never written to: pages without memory
    with pytest.raises(fovea.ImageError) as caught:
        detector(large)
    assert caught.value.code == "image-too-large"
    for shape in ((1, 65_536, 3), (1 << 31, 1)):
        with pytest.raises(fovea.ImageError, match="at most 65535"):
            detector(np.broadcast_to(np.zeros(shape[2:], np.uint8), shape))


def test_an_array_over_the_limit_is_not_copied(detector: fovea.Detector) -> None:
    """An array that repeats one pixel must be copied for the library, unless it would reject the copy."""
    repeated = np.broadcast_to(np.zeros(3, np.uint8), (65_535, 65_535, 3))
    words = r"the image has 4294836225 pixels \(65535 × 65535\), 200000000 are allowed.* 'max_pixels'"
    tracemalloc.start()
    with pytest.raises(fovea.ImageError, match=words) as caught:
        detector(repeated)
    assert caught.value.code == "image-too-large"
    with fovea.Detector(max_pixels=100) as few, pytest.raises(fovea.ImageError, match="100 are allowed"):
        few(repeated[:10, :11])
    results = detector.batch([repeated, np.zeros((9, 9, 3), np.uint8)])
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()
    assert [result.error is None for result in results] == [False, True]


def test_pixels_changed_or_released_during_a_call(detector: fovea.Detector, pixels: Array) -> None:
    """The buffer is exported during the call: it can be written to, but cannot move."""
    data = bytearray(pixels.tobytes())
    view = np.frombuffer(data, np.uint8).reshape(pixels.shape)
    struct = _abi.Image()
    given = fill(struct, view, "rgb")
    del view
    with pytest.raises(BufferError):
        data.extend(b"more")
    del given
    encoded = bytearray(b"\xff\xd8\xff")
    held = fill(_abi.Image(), encoded, "rgb")
    with pytest.raises(BufferError):
        encoded.clear()
    del held


@pytest.mark.parametrize("order", ["RGB", "", None, 3])
def test_another_order_is_refused(order: Any, detector: fovea.Detector, pixels: Array) -> None:
    with pytest.raises(fovea.OptionError, match="order is"):
        detector(pixels, order=order)


@pytest.mark.parametrize(
    "region", [(0, 0, 0, 0), (0, 0, -1, 5), (0, 0, float("nan"), 5), (1, 2, 3), (0, 0, float("inf"), 1)]
)
def test_values_that_are_not_a_region(region: Any, detector: fovea.Detector, pixels: Array) -> None:
    with pytest.raises(fovea.OptionError, match="region is"):
        detector(pixels, region=region)


@pytest.mark.parametrize("orientation", [0, 9, -1, 2.5, "up"])
def test_values_that_are_not_an_orientation(
    orientation: Any, detector: fovea.Detector, pixels: Array
) -> None:
    with pytest.raises(fovea.OptionError, match="orientation is"):
        detector(pixels, orientation=orientation)


@pytest.mark.parametrize("image", [None, 7, 2.5, [1, 2], {}, object()])
def test_values_that_are_not_an_image_are_type_errors(image: Any, detector: fovea.Detector) -> None:
    with pytest.raises(TypeError, match="is not an image: pass a path"):
        detector(image)
