# SPDX-License-Identifier: Apache-2.0
"""Errors with a code, a message and a remedy; see docs/reference/errors.md."""

from __future__ import annotations

import errno
from typing import Any

__all__ = [
    "Cancelled",
    "ClosedError",
    "FoveaError",
    "ImageError",
    "ImageNotFound",
    "ModelError",
    "ModelNotFound",
    "OptionError",
    "RuntimeMissing",
]


def _shown(name: str) -> str:
    """Returns a name without control characters or invalid UTF-8."""
    from ._json import shown_name

    return shown_name(name)


class FoveaError(Exception):
    """An error with its remedy.

    Attributes:
        code: Stable text such as ``"image-truncated"``; docs/reference/errors.md lists all codes.
        message: What happened, with actual and expected values.
        remedy: What to do next.
        subject: The image, model or option concerned; None if there is none.
    """

    code: str
    message: str
    remedy: str
    subject: str | None

    def __init__(self, code: str, message: str, remedy: str = "", subject: str | None = None) -> None:
        super().__init__(code, message, remedy, subject)
        self.code = code
        self.message = message
        self.remedy = remedy
        self.subject = subject

    def __str__(self) -> str:
        start = f"{_shown(self.subject)}: " if self.subject else ""
        end = f". {self.remedy}" if self.remedy else ""
        stop = "" if not end or end.endswith("?") else "."
        return f"{start}{self.message}{end}{stop}"

    def __reduce__(self) -> tuple[Any, ...]:
        return make_error, (self.code, self.message, self.remedy, self.subject)


class ImageError(FoveaError, ValueError):
    """An image cannot be read, or an array is not an image."""


class ImageNotFound(ImageError, FileNotFoundError):
    """There is no file at the path; also a FileNotFoundError."""

    def __init__(self, code: str, message: str, remedy: str = "", subject: str | None = None) -> None:
        super().__init__(code, message, remedy, subject)
        self.errno = errno.ENOENT
        self.strerror = message
        self.filename = subject


class ModelError(FoveaError, ValueError):
    """A model, or a file that belongs to it, cannot be used."""


class ModelNotFound(ModelError, FileNotFoundError):
    """There is no model at the path; also a FileNotFoundError."""

    def __init__(self, code: str, message: str, remedy: str = "", subject: str | None = None) -> None:
        super().__init__(code, message, remedy, subject)
        self.errno = errno.ENOENT
        self.strerror = message
        self.filename = subject


class OptionError(FoveaError, ValueError):
    """An option or an argument is out of range."""


class RuntimeMissing(FoveaError, ImportError):
    """The LiteRT library is missing, damaged or of another version."""


class Cancelled(FoveaError):
    """The call was cancelled."""


class ClosedError(FoveaError, RuntimeError):
    """The object was closed, or belongs to another process or thread."""


_CLASSES: dict[str, type[FoveaError]] = {
    "image-not-found": ImageNotFound,
    "metadata-missing-file": ModelNotFound,
    "runtime-missing": RuntimeMissing,
    "runtime-unusable": RuntimeMissing,
    "cancelled": Cancelled,
    "option-invalid": OptionError,
    "argument-invalid": OptionError,
    "closed": ClosedError,
    "busy": ClosedError,
    "wrong-process": ClosedError,
    "unknown-family": ModelError,
    "family-mismatch": ModelError,
    "ambiguous-model": ModelError,
    "ambiguous-family": ModelError,
    "agreement-too-low": ModelError,
    "tasks-differ": ModelError,
    "labels-differ": ModelError,
    "invalid-output": ModelError,
    "labels-do-not-fit": ModelError,
    "not-a-classifier": ModelError,
    "tensor-mismatch": ModelError,
}


def make_error(code: str, message: str, remedy: str = "", subject: str | None = None) -> FoveaError:
    """Creates an error of the class that the code belongs to."""
    kind = _CLASSES.get(code)
    if kind is None:
        if code.startswith("image-"):
            kind = ImageError
        elif code.startswith(("model-", "metadata-")):
            kind = ModelError
        else:
            kind = FoveaError
    return kind(code, message, remedy, subject)
