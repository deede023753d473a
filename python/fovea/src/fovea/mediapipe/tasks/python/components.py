# SPDX-License-Identifier: Apache-2.0
"""The components of results, as in `fovea.mediapipe.tasks.components`."""

from ..._missing import missing
from ..components import containers

__all__ = ["containers"]


def __getattr__(name: str) -> object:
    raise missing("mediapipe.tasks.python.components", name, __all__)
