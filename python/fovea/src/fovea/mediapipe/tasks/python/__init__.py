# SPDX-License-Identifier: Apache-2.0
"""The tasks by their names in Google's examples: ``from fovea.mediapipe.tasks import python``."""

from ..._missing import missing
from .._base_options import BaseOptions
from . import components, vision

__all__ = ["BaseOptions", "components", "vision"]


def __getattr__(name: str) -> object:
    raise missing("mediapipe.tasks.python", name, __all__)
