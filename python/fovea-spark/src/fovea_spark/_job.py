# SPDX-License-Identifier: Apache-2.0
"""Converts a folder of images to a table in buckets; can be resumed after any interruption."""

from __future__ import annotations

import concurrent.futures
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from fovea._json import csv_name

from . import _frames, _listing, _places, _plan, _recipe, _session
from ._progress import Progress, say
from ._reasons import failure
from ._recipe import Recipe
from ._settings import Settings, UsageError
from ._store import Lock, Refused, Store, now
from ._writer import Writer

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: The number of buckets written at the same time.
AT_A_TIME = 2
#: Seconds between progress lines.
EVERY = 10.0
#: Images per core and bucket: at least five minutes of work.
_PER_CORE = 24_000


class Job:
    """One run of the command."""

    def __init__(self, settings: Settings, make_session: Callable[[], SparkSession]) -> None:
        self.settings = settings
        self._make_session = make_session

    def run(self) -> int:
        """Runs the job.

        Returns:
            0, or 1 if images failed.

        Raises:
            Refused: It does not start: another job is running, the settings differ, or the folder has other files.
            FoveaError: The model cannot be used.
            Exception: The store or Spark failed.
        """
        asked = self.settings
        try:
            recipe, bundle = _recipe.made(asked.kind, asked.model, asked.options, asked.timeout)
        except TypeError as reason:  # an unknown option
            raise UsageError(str(reason)) from None
        self._recipe, self._folder = recipe, _places.place(asked.input)
        self._store = Store(asked.output)
        earlier = self._earlier(self._identity(recipe))
        rows = self._listed()
        lock = Lock(self._store)
        lock.take()
        try:
            spark = self._make_session()
            _session.check_format(spark, asked.format)
            with _frames.settings(spark):
                _frames.send(spark, bundle)
                return self._all(spark, rows, earlier, lock)
        finally:
            lock.release()

    def _identity(self, recipe: Recipe) -> dict[str, Any]:
        """Returns the facts that all buckets of a table must share."""
        return {
            "kind": recipe.kind,
            "input": csv_name(self._folder.shown),
            "model_sha256": recipe.model_sha256,
            "bundle_sha256": recipe.bundle_sha256,
            "options": {name: _plain(value) for name, value in recipe.options},
            "fovea": recipe.fovea_version,
            "fovea_spark": recipe.spark_version,
            "format": self.settings.format,
        }

    def _earlier(self, identity: dict[str, Any]) -> dict[str, Any] | None:
        """Returns the record of the run that this one continues; None for a new table.

        Raises:
            Refused: It does not match, or neither --resume nor --redo is set.
        """
        asked, shown = self.settings, self._store.place.shown
        found = self._store.read("_fovea/run.json")
        if found is None:
            others = [name for name in self._store.entries() if name != "_fovea"]
            if others:
                raise Refused(f"{shown} has other files ({others[0]}). Choose an empty folder")
            return None
        if not asked.resume and not asked.redo:
            raise Refused(f"{shown} has the table of an earlier run. Add --resume, or choose another OUTPUT")
        if asked.buckets is not None and asked.buckets != found.get("buckets"):
            raise Refused(
                f"{shown} has {found.get('buckets')} buckets, --buckets is {asked.buckets}. "
                "Omit --buckets, or choose another OUTPUT"
            )
        was = found.get("identity", {})
        different = [name for name in identity if identity[name] != was.get(name)]
        if different and not asked.redo:
            name = different[0]
            raise Refused(
                f"the earlier run in {shown} had {name} {was.get(name)!r}, now it is {identity[name]!r}. "
                "Use the same, choose another OUTPUT, or add --redo to process every bucket again"
            )
        return found

    def _listed(self) -> pa.Table:
        """Returns the images, by name."""
        if self.settings.list is None:
            passed = _listing.PassedOver()
            rows = _listing.folder(self._folder, passed)
            if passed.count:
                say(str(passed))
            if not rows.num_rows:
                say(
                    f"{self._folder.shown} has no images: no file name in it or below ends in {', '.join(_listing.ENDINGS)}"
                )
            return rows
        rows, doubled = _listing.listed(self.settings.list)
        if not rows.num_rows:
            say("the list has no images")
        if doubled:
            say(f"{doubled} entries of the list are duplicates; each image is processed once")
        return rows

    def _all(self, spark: SparkSession, rows: pa.Table, earlier: dict[str, Any] | None, lock: Lock) -> int:
        cores = spark.sparkContext.defaultParallelism
        count = self.settings.buckets or (earlier or {}).get("buckets")
        self._buckets = int(count or max(1, min(1024, rows.num_rows // (_PER_CORE * cores))))
        self._progress = Progress(rows.num_rows, self._buckets)
        self._writer = Writer(spark, self.settings, self._recipe, self._folder, self._store)
        self._note("running")
        members = _plan.buckets(rows.column("path").to_pylist(), self._buckets)
        order = np.argsort(members, kind="stable")
        ends = np.searchsorted(members[order], np.arange(self._buckets + 1))
        pool = concurrent.futures.ThreadPoolExecutor(AT_A_TIME, "fovea-bucket")
        futures = [
            pool.submit(
                self._bucket, spark, bucket, rows.take(pa.array(order[ends[bucket] : ends[bucket + 1]]))
            )
            for bucket in range(self._buckets)
        ]
        try:
            self._wait(futures, lock)
        except BaseException as reason:
            for each in futures:
                each.cancel()
            if isinstance(reason, KeyboardInterrupt):
                spark.sparkContext.cancelAllJobs()
            pool.shutdown(wait=True)
            self._note("interrupted" if isinstance(reason, KeyboardInterrupt) else "failed", failure(reason))
            raise
        pool.shutdown()
        self._note("done")
        say(self._progress.line())
        return 1 if self._progress.errors() else 0

    def _wait(self, futures: list[concurrent.futures.Future[None]], lock: Lock) -> None:
        waiting = set(futures)
        shown = time.monotonic()
        while waiting:
            done, waiting = concurrent.futures.wait(
                waiting, max(shown + EVERY - time.monotonic(), 0), concurrent.futures.FIRST_COMPLETED
            )
            for each in done:
                each.result()
            if time.monotonic() >= shown + EVERY:
                shown = time.monotonic()
                say(self._progress.line())
                lock.renew()
                self._note("running")

    def _bucket(self, spark: SparkSession, bucket: int, rows: pa.Table) -> None:
        """Writes one bucket as a whole, unless it is recorded as done."""
        name, checksum = f"_fovea/bucket-{bucket}.json", _listing.checksum(rows)
        wanted = {
            **self._identity(self._recipe),
            "buckets": self._buckets,
            "list": checksum,
            "count": rows.num_rows,
        }
        record = self._store.read(name)
        if (
            record is not None
            and all(record.get(each) == value for each, value in wanted.items())
            and record.get("files") == self._writer.files(bucket)
        ):
            self._progress.skip(bucket, record)
            return
        self._store.remove(name)
        counts = _frames.counter(spark)
        self._progress.begin(bucket, counts)
        if rows.num_rows:
            self._writer.write(bucket, rows, counts)
        else:
            self._writer.clear(bucket)
        record = {
            **wanted,
            "bucket": bucket,
            "counts": dict(counts.value),
            "files": self._writer.files(bucket),
            "ended": now(),
        }
        self._store.write(name, record)
        self._progress.end(bucket, record)

    def _note(self, state: str, reason: str | None = None) -> None:
        """Writes `_fovea/run.json`."""
        content = {
            "state": state,
            "reason": reason,
            "list": self.settings.list,
            "model": self.settings.model,
            "identity": self._identity(self._recipe),
            "buckets": self._buckets,
            "read": self.settings.read,
            **self._progress.notes(),
        }
        self._store.write("_fovea/run.json", content)


def _plain(value: object) -> object:
    """Converts a value as a round trip through JSON does."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)
