# SPDX-License-Identifier: Apache-2.0
"""The components of results."""

from ..._missing import missing
from . import containers

__all__ = ["containers"]


def __getattr__(name: str) -> object:
    raise missing("mediapipe.tasks.components", name, __all__)
