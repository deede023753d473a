# SPDX-License-Identifier: Apache-2.0
"""Listing and reading: odd names, irregular files, rejected requests."""

from __future__ import annotations

import os
import pathlib
import shutil
import threading
from typing import Any

import fovea
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import IN_FOLDER, ODD_NAMES, PHOTOS

from fovea_spark import _frames, _listing, _places, _read
from fovea_spark._store import Refused


def place(folder: pathlib.Path) -> _places.Place:
    return _places.place(str(folder))


def test_a_folder_is_listed_with_odd_names(folder: pathlib.Path) -> None:
    (folder / "loop").symlink_to(folder)
    (folder / "nowhere.jpg").symlink_to("gone.jpg")
    listed = _listing.folder(place(folder)).column("path").to_pylist()
    assert len(listed) == IN_FOLDER + 1
    assert {f"sub/{name}" for name in ODD_NAMES} < set(listed)
    assert {"nowhere.jpg", "cat.jpg", "base64:Y2Fm6S5qcGc="} < set(listed)


def test_usual_extensions_are_listed_and_others_counted(tmp_path: pathlib.Path) -> None:
    for name in ("a.JFIF", "b.jpe", "c.hif", "d.dib", "sub/e.tif", "n.txt", ".h.txt", "sub/f"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    passed = _listing.PassedOver()
    listed = _listing.folder(place(tmp_path), passed).column("path").to_pylist()
    assert listed == ["a.JFIF", "b.jpe", "c.hif", "d.dib", "sub/e.tif"]
    assert str(passed) == "ignored 2 files without an image ending: n.txt, sub/f"


def test_every_listed_image_is_read(folder: pathlib.Path) -> None:
    reader = _read.Reader(place(folder), 1 << 20)
    for row in _listing.folder(place(folder)).to_pylist():
        image = reader.read(row["path"])
        assert row["size"] == image.size
        if row["path"] in ("empty.jpg", "big.jpg"):  # fovea itself reports the error
            assert image.data == str(folder / row["path"])
        else:
            assert isinstance(image.data, bytes)
            assert len(image.data) == image.size


@pytest.mark.parametrize(
    ("name", "size", "expected"),
    [
        ("a.jpg", 1, True), ("a.jpg", 16 << 20, True), ("a.jpg", (16 << 20) + 1, False), ("a.jpg", 0, False),
        ("a.jpg", None, False), ("12:30.jpg", 1, False), ("_a/b.jpg", 1, False), (".a.jpg", 1, False),
        ("/a.jpg", 1, False), ("base64:YQ==", 1, False), ("a//b.jpg", 1, False), ("./a.jpg", 1, False), ("a/../b.jpg", 1, False), ("a.jpg/", 1, False), ("file:///a.jpg", 1, False),
    ],
)  # fmt: skip
def test_files_that_spark_reads_itself(name: str, size: int | None, expected: bool) -> None:
    assert _frames.spark_reads(name, size, 512 << 20) == expected


def test_a_missing_folder() -> None:
    with pytest.raises(Refused, match="there is no folder"):
        _listing.folder(_places.place("/no/such/folder"))


@pytest.mark.parametrize(
    "name", ["missing.jpg", "folder.jpg", "fifo.jpg", "/dev/zero", "nul\0.jpg", "big.jpg", "cat.jpg/x"]
)
def test_irregular_files_are_passed_to_fovea_by_path(folder: pathlib.Path, name: str) -> None:
    os.mkfifo(folder / "fifo.jpg")
    image = _read.Reader(place(folder), 512 << 20).read(name)
    assert isinstance(image.data, str)
    with pytest.raises(fovea.FoveaError) as caught:
        fovea.Detector()(image.data)
    assert caught.value.code in (
        "image-not-found", "image-is-directory", "image-unreadable", "image-too-large", "argument-invalid"
    )  # fmt: skip


def test_the_base64_of_a_name_is_not_an_address(tmp_path: pathlib.Path) -> None:
    cat = PHOTOS / "cat.jpg"
    shutil.copy(cat, os.fsencode(tmp_path) + b"/\xff\xfe.jpg")
    row = _listing.folder(place(tmp_path)).to_pylist()[0]
    assert row["path"] == "base64://4uanBn"
    assert _read.Reader(place(tmp_path), 1 << 20).read(row["path"]).data == cat.read_bytes()
    assert not _frames.spark_reads(row["path"], row["size"], 1 << 20)


def test_lists_without_images(tmp_path: pathlib.Path) -> None:
    text, parquet = tmp_path / "list.txt", tmp_path / "list.parquet"
    text.write_text("\n\n")
    pq.write_table(pa.table({"path": pa.array([], pa.string())}), parquet)
    for file in (text, parquet):
        table, doubled = _listing.listed(str(file))
        assert (table.num_rows, doubled, table.schema) == (0, 0, _listing.SCHEMA)


def test_lists_of_text_and_parquet(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    text = tmp_path / "list.txt"
    text.write_bytes(b"cat.jpg\r\n\nsub/100%.jpg\ncat.jpg\ncaf\xe9.jpg")
    table, doubled = _listing.listed(str(text))
    assert (table.column("path").to_pylist(), doubled) == (
        ["cat.jpg", "sub/100%.jpg", "base64:Y2Fm6S5qcGc="],
        1,
    )
    assert table.column("size").null_count == 3
    parquet = tmp_path / "list.parquet"
    pq.write_table(pa.table({"path": ["a\nb.jpg", "c.jpg"], "size": pa.array([1, 2], pa.int32())}), parquet)
    assert _listing.listed(str(parquet))[0].to_pylist() == [
        {"path": "a\nb.jpg", "size": 1, "modified": None},
        {"path": "c.jpg", "size": 2, "modified": None},
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"name": ["a"]}), "no column 'path': it has name"),
        (pa.table({"path": [1]}), "is int64, string expected"),
        (pa.table({"path": ["a", None]}), "has 1 nulls"),
    ],
)
def test_unusable_lists(tmp_path: pathlib.Path, table: pa.Table, message: str) -> None:
    pq.write_table(table, tmp_path / "list.parquet")
    with pytest.raises(Refused, match=message):
        _listing.listed(str(tmp_path / "list.parquet"))


def test_a_list_has_one_checksum_in_any_order() -> None:
    one = pa.table(
        [["a", "b"], [1, None], pa.array([5, None], pa.timestamp("us", "UTC"))], schema=_listing.SCHEMA
    )
    assert _listing.checksum(one) == _listing.checksum(one.take([1, 0]))
    for other in (one.slice(1), one.set_column(1, _listing.SCHEMA.field(1), pa.array([2, None], pa.int64()))):
        assert _listing.checksum(one) != _listing.checksum(other)


class Broken:
    """A file system that fails this many times, and then reads."""

    def __init__(self, failures: list[Exception]) -> None:
        self.failures = failures
        self.calls = 0

    def open_input_file(self, path: str) -> Any:
        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        return pa.PythonFile(open(PHOTOS / "cat.jpg", "rb"), mode="r")


@pytest.mark.parametrize(
    ("failures", "code", "calls"),
    [
        ([], None, 1),
        ([OSError("SLOW_DOWN")] * 4, None, 5),
        ([OSError("ACCESS_DENIED")] * 5, "read-failed", 5),
        ([FileNotFoundError("NoSuchKey")], "image-not-found", 1),
    ],
)
def test_a_store_that_rejects_requests(
    monkeypatch: pytest.MonkeyPatch, failures: list[Exception], code: str | None, calls: int
) -> None:
    broken = Broken(list(failures))
    monkeypatch.setattr(_places, "file_system", lambda folder: broken)
    image = _read.Reader(_places.place("s3://bucket/photos"), 1 << 20).read("a+b%2F🐈.jpg")
    assert broken.calls == calls
    assert (image.error.code if image.error else None) == code
    assert isinstance(image.data, bytes) == (code is None)
    if code == "read-failed":
        assert "ACCESS_DENIED" in image.error.message
        assert "5 times" in image.error.message


def test_an_image_over_the_limit_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_places, "file_system", lambda folder: Broken([]))
    image = _read.Reader(_places.place("s3://bucket/photos"), 100).read("cat.jpg")
    assert image.error is not None
    assert image.error.code == "image-too-large"


@pytest.mark.parametrize(
    ("address", "scheme", "path", "file"),
    [
        ("/a/b/", "file", "/a/b", "/a/b/x y%20.jpg"),
        ("file:///a/b", "file", "/a/b", "/a/b/x y%20.jpg"),
        ("s3://bucket/p/q/?region=eu-west-1", "s3", "bucket/p/q", "bucket/p/q/x y%20.jpg"),
        ("s3a://bucket", "s3", "bucket", "bucket/x y%20.jpg"),
        ("hdfs://host:8020/p/", "hdfs", "/p", "/p/x y%20.jpg"),
    ],
)
def test_addresses(address: str, scheme: str, path: str, file: str) -> None:
    found = _places.place(address)
    assert (found.scheme, found.path, found.file("x y%20.jpg")) == (scheme, path, file)
    assert "region" not in found.shown


def test_an_address_of_an_unknown_kind() -> None:
    with pytest.raises(ValueError, match="ftp://; file, s3"):
        _places.place("ftp://host/a")


def test_reading_ahead_keeps_the_order_and_reads_two_more() -> None:
    read: list[int] = []
    lock = threading.Event()

    def slow(number: int) -> int:
        read.append(number)
        lock.wait(5)
        return number * 2

    items = _read.ahead(slow, iter(range(6)))
    lock.set()
    assert next(items) == 0
    assert max(read) <= 2
    assert list(items) == [2, 4, 6, 8, 10]


def test_a_file_deleted_after_the_listing(folder: pathlib.Path) -> None:
    copy = folder / "gone.jpg"
    shutil.copyfile(PHOTOS / "cat.jpg", copy)
    copy.unlink()
    assert _read.Reader(place(folder), 1 << 20).read("gone.jpg").data == str(copy)


def test_boolean_options(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.fs

    given: dict[str, Any] = {}
    monkeypatch.setattr(pyarrow.fs, "S3FileSystem", lambda **options: given.update(options))
    _places.file_system(_places.place("s3://photos?endpoint_override=h:1&anonymous=false&request_timeout=5"))
    assert (given["anonymous"], given["request_timeout"], given["connect_timeout"]) == (False, 5.0, 10.0)


def test_an_unknown_option_is_named_before_any_request(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.fs

    monkeypatch.setattr(pyarrow.fs, "resolve_s3_region", lambda bucket: pytest.fail("the store was asked"))
    with pytest.raises(
        ValueError, match="bucket 'photos' has the option 'endpoint', which Arrow does not know"
    ):
        _places.file_system(_places.place("s3://photos/2026?endpoint=1"))
