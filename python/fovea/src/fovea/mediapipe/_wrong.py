# SPDX-License-Identifier: Apache-2.0
"""The error for a value of the wrong type."""

from __future__ import annotations

import ctypes
from typing import Any

from .. import _options


class WrongTypeError(TypeError, AttributeError, ctypes.ArgumentError):
    """A value has the wrong type.

    MediaPipe raises one of these three, depending on where it first uses the value; code that catches any of them
    also catches this.
    """


def require(name: str, value: object, kind: Any, expected: str) -> None:
    """Checks the type of an argument.

    Raises:
        WrongTypeError: It has another type; the message names both.
    """
    if not isinstance(value, kind):
        raise WrongTypeError(f"{name} is {type(value).__name__}, {expected} expected")


def whole(name: str, value: object) -> int:
    """Returns a whole number.

    Raises:
        WrongTypeError: It is not one.
    """
    try:
        return _options.whole(name, value)
    except TypeError as error:
        raise WrongTypeError(str(error)) from None
