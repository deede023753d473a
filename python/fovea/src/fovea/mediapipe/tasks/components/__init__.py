# SPDX-License-Identifier: Apache-2.0
"""The parts of results."""

from ..._missing import missing
from . import containers

__all__ = ["containers"]


def __getattr__(name: str) -> object:
    raise missing("mediapipe.tasks.components", name, __all__)
