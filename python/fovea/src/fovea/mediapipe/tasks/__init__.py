# SPDX-License-Identifier: Apache-2.0
"""MediaPipe Tasks: `BaseOptions`, `vision` and `components`."""

from .._missing import missing
from . import components, vision
from ._base_options import BaseOptions

__all__ = ["BaseOptions", "components", "vision"]


def __getattr__(name: str) -> object:
    raise missing("mediapipe.tasks", name, __all__)
