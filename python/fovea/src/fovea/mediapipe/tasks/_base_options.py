# SPDX-License-Identifier: Apache-2.0
"""The options that select a task's model."""

from __future__ import annotations

import dataclasses
import enum
import os

from .._wrong import require


@dataclasses.dataclass
class BaseOptions:
    """The model: a path or its bytes; if both are set, the bytes are used, as in MediaPipe.

    Attributes:
        model_asset_path: A ``.tflite`` file; for landmarkers a ``.task`` bundle.
        model_asset_buffer: The bytes of a model.
        delegate: CPU; tasks refuse GPU.
    """

    class Delegate(enum.IntEnum):
        """The processor that runs the model."""

        DEFAULT = 0
        CPU = 1
        GPU = 2

    model_asset_path: str | None = None
    model_asset_buffer: bytes | None = None
    delegate: Delegate | None = None

    def _model(self) -> str | bytes:
        """Returns the model.

        Raises:
            ValueError: There is no model, or the delegate is GPU.
            WrongTypeError: A value has the wrong type.
        """
        path, data = self.model_asset_path, self.model_asset_buffer
        require("model_asset_path", path, (str, os.PathLike, type(None)), "a path")
        require("model_asset_buffer", data, (bytes, type(None)), "the bytes of a model")
        require("delegate", self.delegate, (self.Delegate, type(None)), "a BaseOptions.Delegate")
        if self.delegate is self.Delegate.GPU:
            raise ValueError("The delegate GPU is not available. Omit it")
        if path is not None and "\0" in os.fsdecode(path):
            raise FileNotFoundError(f"Unable to open file at {path!r}. Check the path")
        model = data or (os.fsdecode(path) if path else None)
        if not model:
            raise ValueError(
                "BaseOptions has no model. Set model_asset_path='model.tflite' or model_asset_buffer"
            )
        return model
