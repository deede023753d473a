# SPDX-License-Identifier: Apache-2.0
"""The error for a MediaPipe name that Fovea does not have."""

from __future__ import annotations

from collections.abc import Sequence


def missing(place: str, name: str, known: Sequence[str]) -> AttributeError:
    """Returns an error that lists the available names."""
    return AttributeError(
        f"fovea.{place} has no '{name}': it has {', '.join(sorted(known))}; use MediaPipe itself for others",
        name=name,
    )
