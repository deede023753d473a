# SPDX-License-Identifier: Apache-2.0
"""The error for a value of another type."""

from __future__ import annotations

import ctypes
from typing import Any

from .. import _options


class WrongTypeError(TypeError, AttributeError, ctypes.ArgumentError):
    """A value of another type.

    MediaPipe raises one of these three, as the place decides where it first uses the value; code that catches that one
    catches this as well.
    """


def require(name: str, value: object, kind: Any, expected: str) -> None:
    """Checks the type of an argument.

    Raises:
        WrongTypeError: It is another one; the message names both.
    """
    if not isinstance(value, kind):
        raise WrongTypeError(f"{name} is {type(value).__name__}, {expected} expected")


def whole(name: str, value: object) -> int:
    """A whole number.

    Raises:
        WrongTypeError: It is none.
    """
    try:
        return _options.whole(name, value)
    except TypeError as error:
        raise WrongTypeError(str(error)) from None
