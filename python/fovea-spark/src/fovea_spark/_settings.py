# SPDX-License-Identifier: Apache-2.0
"""The settings of the command."""

from __future__ import annotations

from dataclasses import dataclass, field

from ._recipe import Kind


@dataclass(frozen=True)
class Settings:
    """The settings of a job."""

    kind: Kind
    input: str
    output: str
    model: str | None = None
    options: dict[str, object] = field(default_factory=dict)
    read: str = "paths"
    buckets: int | None = None
    resume: bool = False
    redo: bool = False
    list: str | None = None
    format: str = "parquet"
    timeout: float = 60
    master: str | None = None


class UsageError(Exception):
    """Options make no sense together, or in a job; the message has the remedy."""
