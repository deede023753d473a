# SPDX-License-Identifier: Apache-2.0
"""The progress of a job."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from ._store import now


def say(text: str) -> None:
    """Prints a line on standard error."""
    print(f"fovea-spark: {text}", file=sys.stderr, flush=True)


class Progress:
    """The progress of a job's buckets, shared by the threads that write them.

    Args:
        images: The number of listed images.
        buckets: The number of buckets.
    """

    def __init__(self, images: int, buckets: int) -> None:
        self._images, self._buckets = images, buckets
        self._begun, self._started = time.monotonic(), now()
        self._guard = threading.Lock()
        self._records: dict[int, dict[str, Any]] = {}
        self._skipped: set[int] = set()
        self._counters: dict[int, Any] = {}

    def skip(self, bucket: int, record: dict[str, Any]) -> None:
        """Records that an earlier run wrote a bucket."""
        with self._guard:
            self._records[bucket] = record
            self._skipped.add(bucket)

    def begin(self, bucket: int, counts: Any) -> None:
        """Records the start of a bucket; `counts` is the accumulator of its workers."""
        with self._guard:
            self._counters[bucket] = counts

    def end(self, bucket: int, record: dict[str, Any]) -> None:
        """Records the end of a bucket."""
        with self._guard:
            self._records[bucket] = record

    def _totals(self) -> dict[str, int]:
        totals: dict[str, int] = {}
        with self._guard:
            parts = [record.get("counts", {}) for record in self._records.values()]
            parts += [
                counts.value for bucket, counts in self._counters.items() if bucket not in self._records
            ]
        for part in parts:
            for name, count in dict(part).items():
                totals[name] = totals.get(name, 0) + count
        return totals

    def errors(self) -> dict[str, int]:
        """Returns the number of failed images by error code."""
        return {
            name.removeprefix("error:"): count
            for name, count in self._totals().items()
            if name.startswith("error:")
        }

    def line(self) -> str:
        """Returns the progress line."""
        with self._guard:
            done = sum(counts.value.get("images", 0) for counts in self._counters.values())
            buckets, skipped = len(self._records), len(self._skipped)
        pace = done / max(time.monotonic() - self._begun, 0.001)
        kept = f" ({skipped} of an earlier run)" if skipped else ""
        return (
            f"{self._totals().get('images', 0):,} of {self._images:,} images, {sum(self.errors().values()):,} failed, "
            f"{pace:.1f} images/s, bucket {buckets} of {self._buckets}{kept}"
        )

    def notes(self) -> dict[str, Any]:
        """Returns the facts for `_fovea/run.json`."""
        totals = self._totals()
        return {
            "started": self._started,
            "written": now(),
            "seconds": round(time.monotonic() - self._begun, 3),
            "listed": self._images,
            "images": totals.get("images", 0),
            "objects": totals.get("objects", totals.get("labels", 0)),
            "bytes": totals.get("bytes", 0),
            "errors": self.errors(),
            "buckets_done": len(self._records),
            "buckets_skipped": len(self._skipped),
        }
