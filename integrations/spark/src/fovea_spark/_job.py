# SPDX-License-Identifier: Apache-2.0
"""A folder of images in, a table in buckets out, which can be continued after any end."""

from __future__ import annotations

import concurrent.futures
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from . import _frames, _listing, _places, _plan, _recipe
from ._reasons import failure
from ._recipe import Kind, Recipe
from ._store import Lock, Refused, Store, now

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: How many buckets are written at the same time.
AT_A_TIME = 2
#: Seconds between two lines of progress.
EVERY = 10.0
#: The JVM hands rows through. What its second compiler costs is more than it saves, over 12,000 images as well.
_JVM_OPTIONS = "-XX:TieredStopAtLevel=1"
#: Images that one core does in five minutes or more: a bucket has as many for each core.
_PER_CORE = 24_000


@dataclass(frozen=True)
class Settings:
    """What the command was asked for."""

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
    """Options that mean nothing together, or in a job; the message has the remedy."""


def say(text: str) -> None:
    """A line on standard error."""
    print(f"fovea-spark: {text}", file=sys.stderr, flush=True)


class Job:
    """One run of the command."""

    def __init__(self, settings: Settings, make_session: Callable[[], SparkSession]) -> None:
        self.settings = settings
        self._make_session = make_session
        self._guard = threading.Lock()
        self._records: dict[int, dict[str, Any]] = {}
        self._skipped: set[int] = set()
        self._counters: dict[int, Any] = {}
        self._first = threading.Lock()

    def run(self) -> int:
        """Does it.

        Returns:
            0, or 1 where images failed.

        Raises:
            Refused: It does not start: another job, other settings, a folder with other files.
            FoveaError: The model cannot be used.
            Exception: The store or Spark failed.
        """
        asked = self.settings
        try:
            recipe, bundle = _recipe.made(asked.kind, asked.model, asked.options, asked.timeout)
        except TypeError as reason:  # an option that there is not
            raise UsageError(str(reason)) from None
        self._recipe, self._folder = recipe, _places.place(asked.input)
        self._store = Store(asked.output)
        earlier = self._earlier(self._identity(recipe))
        rows = self._listed()
        lock = Lock(self._store)
        lock.take()
        try:
            spark = self._make_session()
            _check_format(spark, asked.format)
            with _frames.settings(spark):
                _frames.send(spark, bundle)
                return self._all(spark, rows, earlier, lock)
        finally:
            lock.release()

    def _identity(self, recipe: Recipe) -> dict[str, Any]:
        """What all buckets of a table must have in common."""
        return {
            "kind": recipe.kind,
            "model_sha256": recipe.model_sha256,
            "bundle_sha256": recipe.bundle_sha256,
            "options": {name: _plain(value) for name, value in recipe.options},
            "fovea": recipe.fovea_version,
            "fovea_spark": recipe.spark_version,
            "format": self.settings.format,
        }

    def _earlier(self, identity: dict[str, Any]) -> dict[str, Any] | None:
        """The notes of the run that this one continues; None for a new table.

        Raises:
            Refused: They do not fit, or nothing was said about continuing.
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
                "Leave --buckets out, or choose another OUTPUT"
            )
        was = found.get("identity", {})
        different = [name for name in identity if identity[name] != was.get(name)]
        if different and not asked.redo:
            name = different[0]
            raise Refused(
                f"the earlier run in {shown} had {name} {was.get(name)!r}, now it is {identity[name]!r}. "
                "Use the same, choose another OUTPUT, or add --redo to do every bucket again"
            )
        before = found.get("input", self._folder.shown)
        if before != self._folder.shown:
            say(
                f"the earlier run read {before}; the table will have the images of {self._folder.shown} alone"
            )
        return found

    def _listed(self) -> pa.Table:
        """The images, by name."""
        if self.settings.list is None:
            rows = _listing.folder(self._folder)
            if not rows.num_rows:
                say(
                    f"{self._folder.shown} has no images: no file in it or below ends with {', '.join(_listing.ENDINGS)}"
                )
            return rows
        rows, doubled = _listing.listed(self.settings.list)
        if not rows.num_rows:
            say("the list has no images")
        if doubled:
            say(f"{doubled} entries of the list are there twice; each image is done once")
        return rows

    def _all(self, spark: SparkSession, rows: pa.Table, earlier: dict[str, Any] | None, lock: Lock) -> int:
        cores = spark.sparkContext.defaultParallelism
        count = self.settings.buckets or (earlier or {}).get("buckets")
        self._buckets = int(count or max(1, min(1024, rows.num_rows // (_PER_CORE * cores))))
        self._rows, self._begun, self._started = rows, time.monotonic(), now()
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
        totals = self._totals()
        say(self._line())
        return 1 if any(name.startswith("error:") for name in totals) else 0

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
                say(self._line())
                lock.renew()
                self._note("running")

    def _bucket(self, spark: SparkSession, bucket: int, rows: pa.Table) -> None:
        """Writes one bucket as a whole, unless its record says that it is done."""
        name, checksum = f"_fovea/bucket-{bucket}.json", _listing.checksum(rows)
        wanted = {
            **self._identity(self._recipe),
            "buckets": self._buckets,
            "list": checksum,
            "count": rows.num_rows,
        }
        record = self._store.read(name)
        if record is not None and all(record.get(each) == value for each, value in wanted.items()):
            with self._guard:
                self._records[bucket] = record
                self._skipped.add(bucket)
            return
        self._store.remove(name)
        counts = _frames.counter(spark)
        with self._guard:
            self._counters[bucket] = counts
        if rows.num_rows:
            self._write(spark, bucket, rows, counts)
        elif self.settings.format == "parquet":
            self._store.remove_folder(f"bucket={bucket}")
        record = {**wanted, "bucket": bucket, "counts": dict(counts.value), "ended": now()}
        self._store.write(name, record)
        with self._guard:
            self._records[bucket] = record

    def _write(self, spark: SparkSession, bucket: int, rows: pa.Table, counts: Any) -> None:
        recipe, asked = self._recipe, self.settings
        parts = 4 * spark.sparkContext.defaultParallelism
        if asked.read == "paths":
            frame = _frames.of_list(spark, recipe, self._folder, rows, counts, parts)
            self._save(frame, bucket, "overwrite")
            return
        names, sizes = rows.column("path").to_pylist(), rows.column("size").to_pylist()
        by_spark = [
            _frames.spark_reads(name, size, recipe.max_bytes) for name, size in zip(names, sizes, strict=True)
        ]
        read, left = rows.filter(pa.array(by_spark)), rows.filter(pa.array([not each for each in by_spark]))
        frame = _frames.of_files(spark, recipe, self._folder, asked.input, read, counts)
        if frame is None:
            frame = _frames.of_list(spark, recipe, self._folder, rows, counts, parts)
        elif left.num_rows:
            frame = frame.union(_frames.of_list(spark, recipe, self._folder, left, counts, parts))
        self._save(frame, bucket, "overwrite")
        if counts.value.get("images", 0) != rows.num_rows:
            self._add_missing(spark, bucket, rows, counts, parts)

    def _add_missing(self, spark: SparkSession, bucket: int, rows: pa.Table, counts: Any, parts: int) -> None:
        """Rows of the images that Spark passed over, because they went away: the workers answer why."""
        target = f"{self._target()}/bucket={bucket}" if self.settings.format == "parquet" else self._target()
        frame = spark.read.format(self.settings.format).load(target)
        if self.settings.format != "parquet":
            frame = frame.filter(f"bucket = {bucket}")
        there = {row[0] for row in frame.select("path").toLocalIterator()}
        gone = rows.filter(
            pa.array([name not in there for name in rows.column("path").to_pylist()], pa.bool_())
        )
        if gone.num_rows:
            self._save(
                _frames.of_list(spark, self._recipe, self._folder, gone, counts, parts), bucket, "append"
            )

    def _target(self) -> str:
        """The output folder as Spark takes it."""
        place = self._store.place
        return (
            f"file://{place.path}" if place.is_local else self.settings.output.partition("?")[0].rstrip("/")
        )

    def _save(self, frame: DataFrame, bucket: int, mode: str) -> None:
        if self.settings.format == "parquet":
            frame.write.mode(mode).parquet(f"{self._target()}/bucket={bucket}")
            return
        from pyspark.sql import functions as f

        writer = (
            frame.withColumn("bucket", f.lit(bucket)).write.format("delta").mode(mode).partitionBy("bucket")
        )
        if mode == "overwrite":
            writer = writer.option("replaceWhere", f"bucket = {bucket}")
        with self._first:  # two first writes would both make the table
            writer.save(self._target())

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

    def _line(self) -> str:
        totals = self._totals()
        failed = sum(count for name, count in totals.items() if name.startswith("error:"))
        with self._guard:
            done = sum(counts.value.get("images", 0) for counts in self._counters.values())
            buckets, skipped = len(self._records), len(self._skipped)
        pace = done / max(time.monotonic() - self._begun, 0.001)
        kept = f" ({skipped} of an earlier run)" if skipped else ""
        return (
            f"{totals.get('images', 0):,} of {self._rows.num_rows:,} images, {failed:,} failed, "
            f"{pace:.1f} images/s, bucket {buckets} of {self._buckets}{kept}"
        )

    def _note(self, state: str, reason: str | None = None) -> None:
        """Writes `_fovea/run.json`."""
        totals = self._totals()
        errors = {
            name.removeprefix("error:"): count for name, count in totals.items() if name.startswith("error:")
        }
        content = {
            "state": state,
            "reason": reason,
            "input": self._folder.shown,
            "list": self.settings.list,
            "model": self.settings.model,
            "identity": self._identity(self._recipe),
            "buckets": self._buckets,
            "read": self.settings.read,
            "started": self._started,
            "written": now(),
            "seconds": round(time.monotonic() - self._begun, 3),
            "listed": self._rows.num_rows,
            "images": totals.get("images", 0),
            "objects": totals.get("objects", totals.get("labels", 0)),
            "bytes": totals.get("bytes", 0),
            "errors": errors,
            "buckets_done": len(self._records),
            "buckets_skipped": len(self._skipped),
        }
        self._store.write("_fovea/run.json", content)


def _plain(value: object) -> object:
    """A value as JSON gives it back."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def _check_format(spark: SparkSession, name: str) -> None:
    """Looks for Delta's classes.

    Raises:
        Refused: They are not on the class path.
    """
    if name != "delta":
        return
    try:
        loader = spark.sparkContext._jvm.java.lang.Thread.currentThread().getContextClassLoader()
        loader.loadClass("io.delta.sql.DeltaSparkSessionExtension")
    except Exception as reason:
        raise Refused(
            "--format delta needs Delta's jar, which is not on the class path. Start with "
            "spark-submit --packages io.delta:delta-spark_2.13:VERSION and Delta's two settings, or use --format parquet"
        ) from reason


def session(master: str | None) -> SparkSession:
    """The session of spark-submit, or one of this machine.

    Raises:
        Refused: There is no Java.
    """
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("fovea-spark")
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        return builder.getOrCreate()
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and os.access(f"{home}/bin/java", os.X_OK)):
        raise Refused(
            "Spark needs Java 17, and there is no java. Install it (openjdk-17-jre-headless), or set JAVA_HOME"
        )
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Four attempts for each task, as on a cluster: an image that ends a worker is found in the second.
    builder = builder.master(master or "local[*,4]").config("spark.ui.showConsoleProgress", "false")
    spark = builder.config("spark.driver.extraJavaOptions", _JVM_OPTIONS).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark
