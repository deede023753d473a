# SPDX-License-Identifier: Apache-2.0
"""Inspects models."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _words
from ._library import LIBRARIES, check, lib, text
from ._options import Model
from ._types import ModelLike


def inspect(model: ModelLike | None = None) -> dict[str, Any]:
    """Describes a model: tensors, family, labels, metadata, SHA-256, and missing facts.

    Args:
        model: A ``.tflite`` file, an AutoML folder, or bytes; None is the embedded detector.

    Returns:
        The JSON object of ``fovea model inspect --json``.

    Raises:
        ModelError: It is not a model.
    """
    return described(Model(model))


def described(model: Model) -> dict[str, Any]:
    """Returns the description of a model, like `inspect`."""
    out = ctypes.c_void_p()
    check(lib.fovea_inspect(model.reference, ctypes.byref(out)))
    try:
        import json

        found: dict[str, Any] = json.loads(_words.python(text(ctypes.string_at(out.value or 0))))
    finally:
        lib.fovea_string_free(out)
    return found


class Digest:
    """Computes the SHA-256 of a model on demand; results keep only this of a detector alive."""

    __slots__ = ("_model", "_name", "_sha256")

    def __init__(self, model: ModelLike | None, embedded: str | None) -> None:
        self._model = model
        self._name = embedded
        self._sha256: str | None = None

    def __call__(self) -> str:
        """Returns the digest as hexadecimal digits."""
        if self._sha256 is None:
            self._sha256 = str(described(Model(self._model, self._name))["sha256"])
        return self._sha256


def _litert_version() -> str:
    place = LIBRARIES / "litert-version.txt"
    return place.read_text(encoding="utf-8").strip() if place.is_file() else "2.3.0"


#: The version of LiteRT that this package was built for.
litert_version = _litert_version()
