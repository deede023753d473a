# SPDX-License-Identifier: Apache-2.0
"""Which model a task uses."""

from __future__ import annotations

import dataclasses
import enum


@dataclasses.dataclass
class BaseOptions:
    """The model: a path, or its bytes; the path comes first.

    Attributes:
        model_asset_path: A ``.tflite`` file.
        model_asset_buffer: The bytes of one.
        delegate: CPU; GPU is an error of the task.
    """

    class Delegate(enum.IntEnum):
        """What runs the model."""

        DEFAULT = 0
        CPU = 1
        GPU = 2

    model_asset_path: str | None = None
    model_asset_buffer: bytes | None = None
    delegate: Delegate | None = None
