# SPDX-License-Identifier: Apache-2.0
"""Converts a caller's image to `fovea_image`, without a copy if possible."""

from __future__ import annotations

import ctypes
import math
import os
import stat
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from . import _abi, _recent
from ._errors import FoveaError, ImageError, ImageNotFound, OptionError
from ._types import Box, Order

_SIZE = ctypes.sizeof(_abi.Image)
_CHANNELS = {
    (1, "rgb"): _abi.GREY,
    (3, "rgb"): _abi.RGB,
    (4, "rgb"): _abi.RGBA,
    (1, "bgr"): _abi.GREY,
    (3, "bgr"): _abi.BGR,
    (4, "bgr"): _abi.BGRA,
}
_EXPECTED = "uint8 (H, W, 3), (H, W, 4), (H, W, 1) or (H, W)"
#: The maximum number of bytes read from a file object: one more than the library's limit.
READ_LIMIT = 512 * 1024 * 1024 + 1
_EXIF_ORIENTATION = 0x0112
#: The length of the longest path on Linux.
_PATH = 4096
#: The longest side that the library accepts.
_SIDE = 65_535
#: The library's default limit of pixels.
MOST_PIXELS = 200_000_000


class Given(NamedTuple):
    """The objects to keep alive during the call, and the facts that the result stores about an image."""

    keep: object
    path: str | None
    shown: Callable[[], object] | None = None


def fill(
    target: _abi.Image,
    image: object,
    order: Order,
    region: Box | None = None,
    orientation: int | None = None,
    max_pixels: int = MOST_PIXELS,
) -> Given:
    """Writes an image into its struct.

    Args:
        target: The struct.
        image: The caller's image.
        order: The channel order of an array.
        region: The part to process.
        orientation: The EXIF orientation, replacing the image's own.
        max_pixels: The library's limit of pixels; a larger array is not copied.

    Raises:
        ImageError: It is not an image, or an array of an unsupported type or shape.
        TypeError: Its type is not an image type.
    """
    target.size = _SIZE
    if region is not None:
        target.region[:] = region_of(region)
    if orientation is not None:
        target.orientation = orientation_of(orientation)
    if order not in ("rgb", "bgr"):
        raise OptionError(
            "option-invalid", f"order is {order!r}, 'rgb' or 'bgr' expected", "Pass one of them"
        )
    if isinstance(image, np.ndarray):
        return _fill_pixels(target, image, order, max_pixels)
    if isinstance(image, (str, os.PathLike)):
        return _fill_path(target, image)
    if isinstance(image, (bytes, bytearray)):
        return _fill_bytes(target, image, None)
    if isinstance(image, memoryview):
        return (
            _fill_pixels(target, np.asarray(image), order, max_pixels)
            if image.ndim > 1
            else _fill_bytes(target, image, None)
        )
    if is_pillow(image):
        return _fill_pillow(target, image, max_pixels)
    if hasattr(image, "read"):
        return _fill_file(target, image)
    if hasattr(image, "__array__") or hasattr(image, "__array_interface__"):
        return _fill_pixels(target, _as_array(image), order, max_pixels)
    hint = ""
    if isinstance(image, (list, tuple)):
        hint = "; use batch() or stream() for several images"
    elif image is None:
        hint = "; OpenCV's imread returns None for a file that it cannot read"
    raise TypeError(
        f"{type(image).__name__} is not an image: pass a path, the bytes of a file, a uint8 array, a PIL.Image or a file "
        f"opened in binary mode{hint}"
    )


def _is_one_array(images: object) -> bool:
    """Whether it is an array or a tensor of a single image, which iterates over rows and columns."""
    if isinstance(images, np.ndarray):
        return images.ndim < 4 and images.dtype.kind in "biufc"
    return hasattr(images, "__array__") and getattr(images, "ndim", None) in (2, 3)


def images_of(images: object, method: str) -> Any:
    """Verifies that these are several images, not a single one by mistake.

    Raises:
        TypeError: It is a single image, or not iterable.
    """
    if (
        isinstance(images, (str, bytes, bytearray, memoryview, os.PathLike))
        or is_pillow(images)
        or hasattr(images, "read")
        or _is_one_array(images)
    ):
        raise TypeError(
            f"{method} takes several images, not one {type(images).__name__}. Pass a list: [image]"
        )
    if not isinstance(images, Iterable):
        raise TypeError(f"{method} takes several images, not {type(images).__name__}. Pass a list of them")
    return images


def _as_array(image: object) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(image)
    except MemoryError:
        raise
    except Exception as error:  # those of other packages have no common class
        message = f"the {type(image).__name__} cannot be converted to an array: {str(error).rstrip('.')}"
        if isinstance(error, TypeError):  # a tensor on another device, or of a type that NumPy lacks
            raise TypeError(message) from error
        raise ImageError("image-invalid-buffer", message, "Convert it to a NumPy array first") from error


def region_of(region: Box) -> list[float]:
    """Returns the four numbers of a region.

    Raises:
        OptionError: It is not a region.
    """
    try:
        numbers = [float(number) for number in region]
    except (TypeError, ValueError):
        raise TypeError(f"region is {region!r}; four numbers expected: x, y, width and height") from None
    if len(numbers) != 4 or not all(map(math.isfinite, numbers)) or numbers[2] <= 0 or numbers[3] <= 0:
        raise OptionError(
            "option-invalid",
            f"region is {region!r}; x, y, width and height in pixels expected, the last two above 0",
            "Pass four numbers, or None for the whole image",
        )
    return numbers


def orientation_of(orientation: int) -> int:
    """Returns a valid EXIF orientation.

    Raises:
        OptionError: It is not one.
    """
    if not isinstance(orientation, (int, np.integer)) or not 1 <= orientation <= 8:
        raise OptionError(
            "option-invalid",
            f"orientation is {orientation!r}, 1…8 expected",
            "Pass an EXIF orientation: 1 is upright",
        )
    return int(orientation)


def _fill_path(target: _abi.Image, path: str | os.PathLike[str]) -> Given:
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError as error:
        raise ImageNotFound(
            "image-not-found",
            "no file can have this name: it cannot be encoded as UTF-8",
            "Check the path",
            ascii(os.fspath(path))[:80],
        ) from error
    shown = os.fsdecode(name)
    if b"\0" in name:
        raise ImageError(
            "image-unreadable", "the path has a NUL byte", "Check the path", shown.replace("\0", "\\0")
        )
    if not name:
        raise ImageNotFound("image-not-found", "the path is empty", "Pass the path of an image")
    if len(name) > _PATH:
        raise ImageError(
            "image-unreadable",
            f"the path has {len(name)} bytes, at most {_PATH} expected",
            "Check the path; pass an image's contents as bytes, not as str",
            f"{shown[:40]}…",
        )
    try:
        name.decode()
    except UnicodeDecodeError:
        return _fill_raw_path(target, name, shown)
    target.kind = _abi.FILE
    buffer = ctypes.create_string_buffer(name)
    target.data = ctypes.addressof(buffer)
    target.length = len(name)
    return Given(buffer, shown)


def _fill_raw_path(target: _abi.Image, path: bytes, shown: str) -> Given:
    """Reads the file here, because the library accepts only UTF-8 paths."""
    printed = path.decode("utf-8", "replace")
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise ImageError("image-unreadable", "it is not a regular file", "Check the path", printed)
        with open(path, "rb") as file:
            return _fill_bytes(target, file.read(READ_LIMIT), shown)
    except FileNotFoundError as error:
        raise ImageNotFound("image-not-found", "there is no such file", "Check the path", printed) from error
    except OSError as error:
        raise ImageError(
            "image-unreadable", f"it cannot be read: {error}", "Check its permissions", printed
        ) from error


def _fill_bytes(target: _abi.Image, data: bytes | bytearray | memoryview, name: str | None) -> Given:
    target.kind = _abi.ENCODED
    target.length = len(data) if not isinstance(data, memoryview) else data.nbytes
    if not target.length:
        raise ImageError(
            "image-empty", "the file is empty (0 bytes)", "Copy or download the image again", name
        )
    if isinstance(data, memoryview) and not data.contiguous:
        data = data.tobytes()
    pixels = np.frombuffer(data, np.uint8)  # exports the buffer, so that it can neither move nor be freed
    target.data = pixels.__array_interface__["data"][0]
    keep: object = pixels
    if name is not None:
        encoded = os.fsencode(name).decode("utf-8", "replace").encode()
        target.name = encoded
        keep = (pixels, encoded)
    # A buffer that can change its size must not be kept after the call.
    shown = _recent.reference(_recent.File(data)) if name is None and isinstance(data, bytes) else None
    return Given(keep, name, shown)


def _fill_file(target: _abi.Image, file: Any) -> Given:
    given_name = getattr(file, "name", None)
    name = given_name if isinstance(given_name, str) and "\0" not in given_name else None
    parts, left = [], READ_LIMIT
    while left > 0:
        try:
            part = file.read(left)
        except MemoryError:
            raise
        except Exception as error:  # closed, or any error of an archive or a connection
            raise ImageError(
                "image-unreadable",
                f"it cannot be read: {error or type(error).__name__}",
                "Open it again",
                name,
            ) from error
        if isinstance(part, str):
            raise ImageError("image-unreadable", "the file is open for text", "Open it with mode 'rb'", name)
        if part is not None and not isinstance(part, (bytes, bytearray, memoryview)):
            raise TypeError(f"{type(file).__name__}.read() returns {type(part).__name__}, bytes expected")
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return _fill_bytes(target, parts[0] if len(parts) == 1 else b"".join(parts), name)


def _fill_pixels(target: _abi.Image, pixels: np.ndarray[Any, Any], order: Order, max_pixels: int) -> Given:
    read = _read_in_place(target, pixels, order, max_pixels)
    shown = _recent.reference(pixels)
    if order == "bgr" and pixels.ndim == 3 and pixels.shape[2] > 1:
        shown = _recent.in_rgb(shown)
    return Given(read, None, shown)


def _read_in_place(
    target: _abi.Image, pixels: np.ndarray[Any, Any], order: Order, max_pixels: int
) -> np.ndarray[Any, Any]:
    """Writes an array into its struct; returns it, or a copy if the library does not support its strides."""
    channels = _channels(pixels)
    if pixels.ndim == 3 and channels == 3 and pixels.strides[2] == -1 and pixels.strides[1] == 3:
        pixels, order = pixels[:, :, ::-1], "rgb" if order == "bgr" else "bgr"
    height, width = pixels.shape[:2]
    if max(height, width) > _SIDE:
        raise ImageError(
            "image-too-large",
            f"a side of the array has {max(height, width)} pixels, at most {_SIDE} expected",
            "Use a smaller image",
        )
    stride = pixels.strides[0] if height > 1 else width * channels
    if not _is_packed(pixels, channels, width) or abs(stride) < width * channels:
        if height * width > max_pixels:
            raise ImageError(
                "image-too-large",
                f"the image has {height * width} pixels ({width} × {height}), {max_pixels} are allowed",
                "Use a smaller image, or raise 'max_pixels' if you trust its source",
            )
        pixels = np.ascontiguousarray(pixels)
        stride = width * channels
    target.kind = _CHANNELS[channels, order]
    target.data = pixels.__array_interface__["data"][0]
    target.length = abs(stride) * (height - 1) + width * channels
    target.width = width
    target.height = height
    target.stride = stride
    return pixels


def _is_packed(pixels: np.ndarray[Any, Any], channels: int, width: int) -> bool:
    """Whether the bytes of a row are contiguous."""
    strides = pixels.strides
    inside = pixels.ndim == 2 or channels == 1 or strides[2] == 1
    return inside and (width == 1 or strides[1] == channels)


def _channels(pixels: np.ndarray[Any, Any]) -> int:
    """Returns the number of channels: 1, 3 or 4.

    Raises:
        ImageError: The array is not an image; the message has its type and shape, and those expected.
    """
    shape = pixels.shape
    if isinstance(pixels, np.ma.MaskedArray):
        raise _refuse(pixels, "masked ", "Fill it first: image.filled(0)")
    if pixels.dtype != np.uint8:
        advice = "Pass an array of numbers from 0 to 255: image.astype(np.uint8)"
        if pixels.dtype.kind == "b":
            advice = "Multiply by 255 and convert: 255 * image.astype(np.uint8)"
        elif pixels.dtype.kind == "f":
            advice = "Multiply by 255, unless its range is 0…255, and convert: (255 * image).astype(np.uint8)"
        elif pixels.dtype == np.uint16:
            advice = "Scale and convert it: (image >> 8).astype(np.uint8)"
        raise _refuse(pixels, "", advice)
    channels = 1 if pixels.ndim == 2 else shape[2] if pixels.ndim == 3 else 0
    if channels not in (1, 3, 4):
        if pixels.ndim == 3 and shape[0] in (1, 3, 4):
            advice = "Move the channels to the end: image.transpose(1, 2, 0)"
        elif pixels.ndim == 4:
            advice = "Pass the images one by one, or as a list to batch()"
        else:
            advice = "Pass one image of that shape"
        raise _refuse(pixels, "", advice)
    if not pixels.size:
        raise _refuse(pixels, "empty ", "Pass an image with at least one pixel")
    return int(channels)


def _refuse(pixels: np.ndarray[Any, Any], kind: str, advice: str) -> ImageError:
    return ImageError(
        "image-invalid-buffer",
        f"the array is {kind}{pixels.dtype} {pixels.shape}, {_EXPECTED} expected",
        advice,
    )


def is_pillow(image: object) -> bool:
    """Whether it is a Pillow image; does not import Pillow."""
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(image, module.Image)


def _fill_pillow(target: _abi.Image, image: Any, max_pixels: int) -> Given:
    name = getattr(image, "filename", None)
    path = name if isinstance(name, str) and name else None
    if image.mode in ("I", "F") or image.mode.startswith("I;"):
        raise ImageError(
            "image-unsupported",
            f"the PIL.Image has mode {image.mode!r}, 8 bits a channel expected",
            "Scale it to 0…255 and convert it to 'L'",
            path,
        )
    try:
        pixels = np.asarray(image if image.mode in ("L", "RGB", "RGBA") else image.convert("RGB"))
        orientation = image.getexif().get(_EXIF_ORIENTATION)
    except MemoryError:
        raise
    except Exception as error:  # damaged or closed files: OSError, SyntaxError, ValueError and others
        raise ImageError(
            "image-corrupt", f"Pillow cannot read it: {error}", "Save the image again", path
        ) from error
    if not target.orientation and isinstance(orientation, int) and 1 <= orientation <= 8:
        target.orientation = orientation
    read = _read_in_place(target, pixels, "rgb", max_pixels)
    return Given(read, path, _recent.reference(image))


def conversion_error(error: Exception) -> FoveaError | None:
    """Returns the error of one image of a batch; None if the image did not cause it."""
    if isinstance(error, FoveaError):
        return error
    if isinstance(error, TypeError):
        return ImageError("image-unreadable", str(error), "Pass an image")
    return None
