# SPDX-License-Identifier: Apache-2.0
"""Jobs: the rows are the program's; buckets are kept, redone or refused as they should be."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
from typing import TYPE_CHECKING, Any

import fovea
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import COCO_SSD, FIXTURE, IN_FOLDER, PHOTOS, Program, as_program, expected, job, rows

from fovea_spark import _command, _frames, _job, _plan
from fovea_spark._store import Lock, Refused, Store, process_start

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def notes(target: pathlib.Path, name: str = "run") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((target / f"_fovea/{name}.json").read_text())
    return found


def program_rows(
    program: Program, folder: pathlib.Path, *options: object, command: str = "detect"
) -> dict[str, Any]:
    lines = program.run(command, "--recursive", "--format", "jsonl", "--quiet", *options, folder).splitlines()
    return dict(expected(line) for line in lines)


def path_in_table(image: str, folder: pathlib.Path) -> str:
    return image.removeprefix(f"{folder}/").replace("caf\ufffd.jpg", "base64:Y2Fm6S5qcGc=")


@pytest.mark.parametrize("read", ["paths", "bytes"])
def test_rows_are_those_of_the_program(
    spark: SparkSession, program: Program, folder: pathlib.Path, tmp_path: pathlib.Path, read: str
) -> None:
    """Odd names and bad images included; both ways of reading."""
    assert job(spark, folder, tmp_path / "out", read=read) == 1
    found = rows(tmp_path / "out")
    wanted = program_rows(program, folder)
    assert len(found) == len(wanted) == IN_FOLDER
    for image, record in wanted.items():
        record.pop("imageBytes", None)
        row = found[path_in_table(image, folder)]
        assert as_program(row) == record
        assert row["bucket"] == _plan.bucket(row["path"], 2)
        assert row["fovea_version"] == fovea.version
        assert len(row["model_sha256"]) == 64
    run = notes(tmp_path / "out")
    assert (run["state"], run["images"], sum(run["errors"].values())) == ("done", IN_FOLDER, 4)
    assert run["errors"]["image-too-large"] == 1
    assert run["objects"] == sum(len(row["objects"]) for row in found.values())
    sizes = [(folder / path).stat().st_size for path in found if not path.startswith("base64:")]
    assert run["bytes"] == sum(sizes) + (PHOTOS / "cat.jpg").stat().st_size


def test_the_300_photos(
    spark: SparkSession, program: Program, coco_images: list[pathlib.Path], tmp_path: pathlib.Path
) -> None:
    folder = coco_images[0].parent
    assert job(spark, folder, tmp_path / "out", model=str(COCO_SSD)) == 0
    found = rows(tmp_path / "out")
    wanted = program_rows(program, folder, "--model", COCO_SSD)
    assert len(found) == len(wanted) == len(coco_images)
    different = [
        image for image, record in wanted.items() if as_program(found[path_in_table(image, folder)]) != record
    ]
    assert different == []


def test_labels(spark: SparkSession, program: Program, tmp_path: pathlib.Path) -> None:
    options = {"max_results": 3, "threshold": 0.1}
    assert job(spark, PHOTOS, tmp_path / "out", "label", options=options) == 0
    found = rows(tmp_path / "out")
    wanted = program_rows(program, PHOTOS, "--max-results", 3, "--threshold", 0.1, command="label")
    assert {f"{PHOTOS}/{path}": as_program(row) for path, row in found.items()} == wanted


def test_the_schema(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    """Spark's, Arrow's and the one of the guide are the same."""
    assert job(spark, PHOTOS, tmp_path / "out", buckets=1) == 0
    read = spark.read.parquet(str(tmp_path / "out"))
    wanted = _frames.parsed(_frames.schema("detect"))
    assert {field.name: field.dataType.simpleString() for field in read.schema.fields} == {
        field.name: field.dataType.simpleString() for field in wanted.fields
    }
    assert read.filter("bucket != pmod(xxhash64(path), 1)").count() == 0


def test_a_list_with_addresses_and_names(
    spark: SparkSession, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    gone = folder / "gone.jpg"
    pq.write_table(
        pa.table(
            {
                "path": [
                    "cat.jpg",
                    f"file://{PHOTOS}/dog.jpg",
                    f"{PHOTOS}/car.jpg",
                    "gone.jpg",
                    "sub/two\nlines.jpg",
                ]
            }
        ),
        tmp_path / "list.parquet",
    )
    for read in ("paths", "bytes"):
        target = tmp_path / read
        assert job(spark, folder, target, list=str(tmp_path / "list.parquet"), read=read) == 1
        found = rows(target)
        assert {path: (row["error"] or {}).get("code") for path, row in found.items()} == {
            "cat.jpg": None, f"file://{PHOTOS}/dog.jpg": None, f"{PHOTOS}/car.jpg": None,
            "gone.jpg": "image-not-found", "sub/two\nlines.jpg": None,
        }  # fmt: skip
        assert found["cat.jpg"]["size"] == (PHOTOS / "cat.jpg").stat().st_size
    assert not gone.exists()


def test_images_that_go_away_after_the_listing(
    spark: SparkSession, folder: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each listed image has a row, also where Spark passes over it."""
    whole = _job.Job._listed

    def listed(self: _job.Job) -> pa.Table:
        table = whole(self)
        (folder / "cat.jpg").unlink()
        return table

    monkeypatch.setattr(_job.Job, "_listed", listed)
    assert job(spark, folder, tmp_path / "out", read="bytes", buckets=1) == 1
    found = rows(tmp_path / "out")
    assert len(found) == IN_FOLDER
    assert found["cat.jpg"]["error"]["code"] == "image-not-found"


def test_a_folder_without_images(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    (tmp_path / "none").mkdir()
    assert job(spark, tmp_path / "none", tmp_path / "out") == 0
    assert notes(tmp_path / "out")["images"] == 0


def test_resume_keeps_what_is_unchanged(
    spark: SparkSession, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    target = tmp_path / "out"
    job(spark, folder, target, buckets=4)
    before = {path: path.stat().st_mtime_ns for path in target.rglob("*.parquet")}
    first = rows(target)
    assert job(spark, folder, target, buckets=None, resume=True) == 1  # the failed images of before count
    assert {path: path.stat().st_mtime_ns for path in target.rglob("*.parquet")} == before
    assert notes(target)["buckets_skipped"] == 4
    shutil.copyfile(PHOTOS / "hopper.jpg", folder / "new.jpg")
    job(spark, folder, target, buckets=None, resume=True)
    assert notes(target)["buckets_skipped"] == 3
    after = rows(target)
    new = after.pop("new.jpg")
    assert new["bucket"] == _plan.bucket("new.jpg", 4)
    assert after == first
    shutil.rmtree(folder / "sub")
    job(spark, folder, target, buckets=None, resume=True)
    assert set(rows(target)) == {path for path in {*after, "new.jpg"} if not path.startswith("sub/")}


def test_what_resume_refuses(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    target, source = tmp_path / "out", tmp_path / "in"
    source.mkdir()
    shutil.copyfile(PHOTOS / "cat.jpg", source / "cat.jpg")
    job(spark, source, target, buckets=1)
    for settings, message in (
        ({}, "has the table of an earlier run. Add --resume"),
        ({"resume": True, "buckets": 3}, "has 1 buckets, --buckets is 3"),
        ({"redo": True, "buckets": 3}, "has 1 buckets, --buckets is 3"),
        ({"resume": True, "model": str(FIXTURE)}, "had model_sha256 .* add --redo"),
        ({"resume": True, "options": {"threshold": 0.5}}, "had options {}, now it is {'threshold': 0.5}"),
    ):
        with pytest.raises(Refused, match=message):
            job(spark, source, target, **{"buckets": None, **settings})
    run = notes(target)
    run["identity"]["fovea"] = "0.0.9"
    (target / "_fovea/run.json").write_text(json.dumps(run))
    with pytest.raises(Refused, match=r"had fovea '0\.0\.9'"):
        job(spark, source, target, buckets=None, resume=True)


def test_another_model_with_redo_does_every_bucket_again(
    spark: SparkSession, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    target = tmp_path / "out"
    job(spark, folder, target)
    options = {"labels": ["one", "two", "three"]}
    job(spark, folder, target, buckets=None, redo=True, model=str(FIXTURE), options=options)
    sha256 = fovea.inspect(str(FIXTURE))["sha256"]
    assert {row["model_sha256"] for row in rows(target).values()} == {sha256}
    assert notes(target)["buckets_skipped"] == 0
    fresh = tmp_path / "fresh"
    job(spark, folder, fresh, model=str(FIXTURE), options=options)
    assert rows(fresh) == rows(target)


def test_two_jobs_into_one_output(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    target = tmp_path / "out"
    lock = Lock(Store(str(target)))
    lock.take()
    with pytest.raises(Refused, match=rf"another job writes into .*process {os.getpid()} on .*lock\.json"):
        job(spark, PHOTOS, target)
    lock.renew()
    lock.release()
    assert job(spark, PHOTOS, target, buckets=1) == 0
    assert not (target / Lock.NAME).exists()


@pytest.mark.parametrize(
    ("change", "is_taken"),
    [
        ({"pid": 2**22 + 1}, True),
        ({"process_start": "1"}, True),
        ({"host": "elsewhere"}, False),
        ({"host": "elsewhere", "renewed": "2020-01-01T00:00:00+00:00"}, True),
        ({"host": "elsewhere", "renewed": "no time"}, True),
    ],
)
def test_the_lock_of_a_job_that_is_gone(
    tmp_path: pathlib.Path, change: dict[str, Any], is_taken: bool
) -> None:
    store = Store(str(tmp_path))
    first = Lock(store)
    first.take()
    store.write(Lock.NAME, {**(store.read(Lock.NAME) or {}), **change})
    second = Lock(store)
    if is_taken:
        second.take()
        first.release()
        assert (store.read(Lock.NAME) or {})["id"] == second._content["id"]
    else:
        with pytest.raises(Refused, match="on elsewhere"):
            second.take()
    assert process_start(os.getpid())


def test_a_folder_with_other_files(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    (tmp_path / "letter.txt").write_text("")
    with pytest.raises(Refused, match=r"has other files \(letter\.txt\)"):
        job(spark, PHOTOS, tmp_path)


def test_delta_without_its_jar(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    with pytest.raises(Refused, match="needs Delta's jar"):
        job(spark, PHOTOS, tmp_path / "out", format="delta")
    assert not (tmp_path / "out" / Lock.NAME).exists()


def test_the_settings_are_restored(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    names = (
        "spark.sql.execution.arrow.maxRecordsPerBatch",
        "spark.sql.files.openCostInBytes",
        "spark.sql.sources.parallelPartitionDiscovery.parallelism",
    )
    spark.conf.set(names[0], "123")
    before = [spark.conf.get(name) for name in names]
    job(spark, PHOTOS, tmp_path / "out", buckets=1)
    assert [spark.conf.get(name) for name in names] == before
    spark.conf.unset(names[0])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["detect", "/no/such/folder", "OUT"], 2),
        (["detect", str(PHOTOS), "OUT", "--model", "/no/model.tflite"], 2),
        (["detect", str(PHOTOS), "OUT", "--option", "thresold=1"], 2),
        (["detect", str(PHOTOS), "OUT", "--option", "sessions=2"], 2),
        (["detect", "ftp://host/a", "OUT"], 2),
        (["detect", str(PHOTOS), "OUT", "--list", "/no/list.txt"], 2),
    ],
)
def test_what_fails_before_a_session_is_made(
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
) -> None:
    monkeypatch.setattr(_job, "session", lambda master: pytest.fail("a session was made"))
    assert _command.main([str(tmp_path / "out") if each == "OUT" else each for each in arguments]) == code
    assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["detect"],
        ["detect", "a", "b", "--buckets", "0"],
        ["detect", "a", "b", "--timeout", "nan"],
        ["detect", "a", "b", "--option", "x"],
        ["detect", "a", "b", "--format", "csv"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        _command.settings(arguments)
    assert caught.value.code == 64
    assert "usage: " in capsys.readouterr().err
