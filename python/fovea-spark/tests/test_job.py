# SPDX-License-Identifier: Apache-2.0
"""Jobs: the rows match the program's; buckets are kept, repeated or rejected correctly."""

from __future__ import annotations

import datetime
import errno
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import fovea
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import COCO_SSD, FIXTURE, IN_FOLDER, PHOTOS, Program, as_program, expected, job, rows, skip

from fovea_spark import _command, _daemon, _frames, _job, _plan, _session
from fovea_spark._reasons import failure
from fovea_spark._store import Lock, Refused, Store, process_start

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def notes(target: pathlib.Path, name: str = "run") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((target / f"_fovea/{name}.json").read_text(encoding="utf-8"))
    return found


def program_rows(
    program: Program, folder: pathlib.Path, *options: object, command: str = "detect"
) -> dict[str, Any]:
    lines = program.run(command, "--recursive", "--format", "jsonl", "--quiet", *options, folder).splitlines()
    return dict(expected(line) for line in lines)


def path_in_table(image: str, folder: pathlib.Path) -> str:
    return image.removeprefix(f"{folder}/").replace("caf\ufffd.jpg", "base64:Y2Fm6S5qcGc=")


def test_a_folder_whose_name_is_not_utf8(capsys: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"/caf\xe9")
    assert _command.settings(["detect", name, "out"]).input == name
    for arguments, message in (
        (
            ["/in", name],
            "argument OUTPUT: '/caf\ufffd' is not UTF-8, as Spark and Arrow require: choose another folder",
        ),
        ([name, "/out", "--read", "bytes"], "argument INPUT: '/caf\ufffd' is not UTF-8"),
        (["/in", "/out", "--list", name], "argument --list: '/caf\ufffd' is not UTF-8"),
    ):
        with pytest.raises(SystemExit) as caught:
            _command.settings(["detect", *arguments])
        assert caught.value.code == 64
        assert message in capsys.readouterr().err


@pytest.mark.parametrize("read", ["paths", "bytes"])
def test_rows_match_the_program(
    spark: SparkSession, program: Program, folder: pathlib.Path, tmp_path: pathlib.Path, read: str
) -> None:
    """Including odd names and bad images, in both ways of reading."""
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
    """Spark's, Arrow's and the guide's are the same."""
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


def test_images_deleted_after_the_listing(
    spark: SparkSession, folder: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each listed image has a row, even if Spark skips it."""
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


def test_a_list_with_wrong_facts_about_its_files(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    """Spark would end the job at the large file, and rename the others; the output's name is not a pattern."""
    source = tmp_path / "in"
    (source / "s").mkdir(parents=True)
    (source / "folder.jpg").mkdir()
    (source / "parts.jpg/path=1").mkdir(parents=True)
    for name in ("cat.jpg", "s/dog.jpg", "folder.jpg/x.jpg", "parts.jpg/path=1/y.jpg", "parts.jpg/z.jpg"):
        shutil.copyfile(PHOTOS / "cat.jpg", source / name)
    with (source / "huge.jpg").open("wb") as file:  # takes no space
        file.truncate(2 << 30)
    names = [
        "huge.jpg",
        "cat.jpg",
        "./cat.jpg",
        "s/dog.jpg",
        "s//dog.jpg",
        "folder.jpg",
        "folder.jpg/x.jpg",
        "s",
        "parts.jpg",
    ]
    pq.write_table(pa.table({"path": names, "size": [5000] * len(names)}), tmp_path / "list.parquet")
    settings = {"list": str(tmp_path / "list.parquet"), "read": "bytes", "buckets": 1}
    assert job(spark, source, tmp_path / "o[1]", **settings) == 1
    codes = {name: (row["error"] or {}).get("code") for name, row in rows(tmp_path / "o[1]").items()}
    assert codes == {
        "huge.jpg": "image-too-large", "cat.jpg": None, "./cat.jpg": None, "s/dog.jpg": None, "s//dog.jpg": None,
        "folder.jpg": "image-is-directory", "folder.jpg/x.jpg": None, "s": "image-is-directory",
        "parts.jpg": "image-is-directory",
    }  # fmt: skip


def test_a_folder_without_images(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    (tmp_path / "none").mkdir()
    assert job(spark, tmp_path / "none", tmp_path / "out") == 0
    assert notes(tmp_path / "out")["images"] == 0


def test_resume_keeps_unchanged_buckets(
    spark: SparkSession, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    target = tmp_path / "out"
    job(spark, folder, target, buckets=4)
    before = {path: path.stat().st_mtime_ns for path in target.rglob("*.parquet")}
    first = rows(target)
    assert job(spark, folder, target, buckets=None, resume=True) == 1  # the earlier failed images count
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


def test_resume_restores_missing_buckets(
    spark: SparkSession, folder: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    target = tmp_path / "out"
    job(spark, folder, target, buckets=4)
    whole = rows(target)
    shutil.rmtree(target / "bucket=0")
    next((target / "bucket=1").glob("*.parquet")).unlink()
    (target / "_fovea/bucket-2.json").unlink()
    job(spark, folder, target, buckets=None, resume=True)
    assert rows(target) == whole
    assert notes(target)["buckets_skipped"] == 1
    cut = next((target / "bucket=3").glob("*.parquet"))
    cut.write_bytes(cut.read_bytes()[:100])
    job(spark, folder, target, buckets=None, resume=True)
    assert rows(target) == whole


def test_a_folder_whose_name_is_not_utf8_is_continued(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    source = pathlib.Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    source.mkdir()
    shutil.copyfile(PHOTOS / "cat.jpg", source / "cat.jpg")
    assert job(spark, source, tmp_path / "out", buckets=1) == 0
    assert job(spark, source, tmp_path / "out", buckets=None, resume=True) == 0
    assert notes(tmp_path / "out")["buckets_skipped"] == 1
    assert notes(tmp_path / "out")["identity"]["input"].startswith("base64:")


def test_another_input_with_the_same_list(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    """A list of names has no sizes: INPUT decides what is read."""
    target, names = tmp_path / "out", tmp_path / "names.txt"
    names.write_text("a.jpg\n")
    for folder, photo in (("one", "cat.jpg"), ("two", "dog.jpg")):
        (tmp_path / folder).mkdir()
        shutil.copyfile(PHOTOS / photo, tmp_path / folder / "a.jpg")
    job(spark, tmp_path / "one", target, list=str(names))
    with pytest.raises(Refused, match="had input"):
        job(spark, tmp_path / "two", target, list=str(names), buckets=None, resume=True)
    job(spark, tmp_path / "two", target, list=str(names), buckets=None, redo=True)
    assert [each["label"] for each in rows(target)["a.jpg"]["objects"]] == ["dog"]


def test_a_date_before_1900(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    """Spark 3.5 rejects dates before 1900 unless a setting allows them."""
    old = datetime.datetime(1800, 1, 1, tzinfo=datetime.timezone.utc)
    listed = {"path": ["cat.jpg"], "size": [1], "modified": pa.array([old], pa.timestamp("us", "UTC"))}
    pq.write_table(pa.table(listed), tmp_path / "list.parquet")
    assert job(spark, PHOTOS, tmp_path / "out", list=str(tmp_path / "list.parquet")) == 0
    modified = rows(tmp_path / "out")["cat.jpg"]["modified"]
    assert modified.replace(tzinfo=None) == old.replace(tzinfo=None)


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
    before = rows(target)
    moved = source.rename(tmp_path / "moved")
    with pytest.raises(Refused, match=r"had input 'file://.*/in', now it is 'file://.*/moved'\. .* --redo"):
        job(spark, moved, target, buckets=None, resume=True)
    assert rows(target) == before
    assert job(spark, moved, target, buckets=None, redo=True) == 0
    assert (rows(target), notes(target)["buckets_skipped"]) == (before, 0)
    run = notes(target)
    run["identity"]["fovea"] = "0.0.9"
    (target / "_fovea/run.json").write_text(json.dumps(run))
    with pytest.raises(Refused, match=r"had fovea '0\.0\.9'"):
        job(spark, moved, target, buckets=None, resume=True)


def test_redo_with_another_model_repeats_each_bucket(
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
    with pytest.raises(Refused, match=rf"another job is writing to .*process {os.getpid()} on .*lock\.json"):
        job(spark, PHOTOS, target)
    lock.renew()
    lock.release()
    other = Lock(Store(str(target)))
    other.take()
    with pytest.raises(Refused, match="another job is writing to"):
        lock.renew()
    other.release()
    assert job(spark, PHOTOS, target, buckets=1) == 0
    assert not (target / Lock.NAME).exists()


def test_an_incomplete_lock_does_not_block_a_job(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path))
    place = tmp_path / Lock.NAME
    place.parent.mkdir()
    place.write_text("")
    with pytest.raises(Refused, match="another job is starting in"):
        Lock(store).take()
    os.utime(place, (0, 0))
    lock = Lock(store)
    lock.take()
    lock.release()

    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(json, "dump", full)
    with pytest.raises(Refused, match="No space left on device"):
        Lock(store).take()
    assert not place.exists()


@pytest.mark.parametrize(
    ("change", "is_taken"),
    [
        ({"pid": 2**22 + 1}, True),
        ({"process_start": "1"}, True),
        ({"host": "elsewhere"}, False),
        ({"host": "elsewhere", "renewed": "2020-01-01T00:00:00+00:00"}, True),
        ({"host": "elsewhere", "renewed": "no time"}, True),
        ({"host": "elsewhere", "renewed": "2020-01-01T00:00:00"}, True),
    ],
)
def test_the_lock_of_a_job_that_has_ended(
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


FAILING: list[tuple[list[str], int, str]] = [
    (["detect", "/no/such/folder", "OUT"], 2, r"there is no folder /no/such/folder\. Check INPUT"),
    (["detect", str(PHOTOS / "cat.jpg"), "OUT"], 2, r"INPUT .*cat\.jpg is not a folder\. Pass the folder"),
    (
        ["detect", str(PHOTOS), "FILE"],
        2,
        r"OUTPUT .*letter\.txt cannot be created: .*letter\.txt is not a folder\. Pass a folder",
    ),
    (
        ["detect", str(PHOTOS), "FILE/below"],
        2,
        r"OUTPUT .*below cannot be created: .*letter\.txt is not a folder\. Pass",
    ),
    (
        ["detect", str(PHOTOS), "/proc/out"],
        2,
        r"OUTPUT /proc/out cannot be created: .*\. Pass a writable folder",
    ),
    (["detect", str(PHOTOS), "OTHER"], 2, r"has other files \(letter\.txt\)\. Choose an empty folder"),
    (
        ["detect", str(PHOTOS), "OUT", "--model", "/no/model.tflite"],
        2,
        r"/no/model\.tflite'?\. Check the path",
    ),
    (["detect", str(PHOTOS), "OUT", "--model", str(PHOTOS / "cat.jpg")], 2, r"cat\.jpg"),
    (
        ["detect", str(PHOTOS), "OUT", "--labels", "/no/labels.txt", "--model", str(FIXTURE)],
        2,
        r"/no/labels\.txt",
    ),
    (
        ["detect", str(PHOTOS), "OUT", "--list", "/no/list.txt"],
        2,
        r"there is no list file:///no/list\.txt\. Check --list",
    ),
    (
        ["detect", str(PHOTOS), "OUT", "--list", "BAD.parquet"],
        2,
        r"the list .*bad\.parquet cannot be read: .*\. Check --list",
    ),
    (
        ["detect", str(PHOTOS), "OUT", "--list", str(PHOTOS)],
        2,
        r"the list .*photos cannot be read: .*\. Check --list",
    ),
    (
        ["detect", str(PHOTOS), "OUT", "--option", "thresold=1"],
        64,
        "has no option 'thresold'; did you mean threshold",
    ),
    (["detect", str(PHOTOS), "OUT", "--option", "sessions=2"], 64, "'sessions' is 1 in a job"),
    (
        ["detect", str(PHOTOS), "OUT", "--option", "iou=2"],
        64,
        r"'iou' is '2', 0…1 expected\. Give a number",
    ),
    (["detect", str(PHOTOS), "OUT", "--option", "allow=5"], 64, "allow is 5, a list of labels expected"),
    (
        ["detect", str(PHOTOS), "OUT", "--option", 'allow=["Cat"]'],
        64,
        "'Cat' is not a label .* nearest is 'cat'",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "code", "message"), FAILING, ids=[" ".join(row[0][2:])[-40:] for row in FAILING]
)
def test_failures_before_a_session_is_created(
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    """One line has the error and the remedy."""
    (tmp_path / "other").mkdir()
    (tmp_path / "other/letter.txt").write_text("")
    (tmp_path / "bad.parquet").write_text("no table")
    places = {
        "OUT": tmp_path / "out",
        "OTHER": tmp_path / "other",
        "FILE": tmp_path / "other/letter.txt",
        "FILE/below": tmp_path / "other/letter.txt/below",
        "BAD.parquet": tmp_path / "bad.parquet",
    }
    monkeypatch.setattr(_session, "session", lambda master: pytest.fail("a session was made"))
    assert _command.main([str(places.get(each, each)) for each in arguments]) == code
    lines = capsys.readouterr().err.splitlines()
    # A note about ignored files may come first.
    *notes, error = lines
    assert all(note.startswith("fovea-spark: ignored ") for note in notes), lines
    assert error.startswith("fovea-spark: error: ")
    assert re.search(message, error), error


def test_the_commands_own_session_starts_fast() -> None:
    """The JVM's second compiler costs a third of the session's CPU, and PySpark's archive half of a worker's start."""
    if shutil.which("java") is None:
        skip("java is missing: install openjdk-17-jre-headless")
    code = """if True:
        from fovea_spark import _session
        spark = _session.session("local[1]")
        java = spark.sparkContext._jvm.java.lang.management.ManagementFactory
        print(list(java.getRuntimeMXBean().getInputArguments()))

        def loaded(_):
            import pyspark, sys
            return ["pyspark.zip" in pyspark.__file__, any("pyspark.zip" in each for each in sys.path), "fovea_spark" in sys.modules]

        print(spark.sparkContext.parallelize([0], 1).map(loaded).first())
    """
    done = subprocess.run(
        [sys.executable, "-c", code], text=True, capture_output=True, check=True, timeout=120
    )
    assert "'-XX:TieredStopAtLevel=1'" in done.stdout
    assert "[False, False, True]" in done.stdout


@pytest.mark.parametrize(
    ("archive", "package", "is_left_out"),
    [
        ("site/pyspark/python/lib", "site", True),
        ("spark/python/lib", "spark/python", True),
        ("other/python/lib", "site", False),
        ("other/python/lib", None, False),
    ],
)
def test_the_archive_is_left_out_if_its_folder_exists(
    tmp_path: pathlib.Path, archive: str, package: str | None, is_left_out: bool
) -> None:
    """Another PySpark's archive stays: this Spark needs it."""
    path = [f"{tmp_path}/{archive}/pyspark.zip", f"{tmp_path}/{archive}/py4j-src.zip"]
    if package is not None:
        path.append(f"{tmp_path}/{package}")
        (tmp_path / package / "pyspark").mkdir(parents=True)
        (tmp_path / package / "pyspark/__init__.py").touch()
    assert _daemon.without_archive(path) == (path[1:] if is_left_out else path)


@pytest.mark.parametrize(
    ("master", "expected"),
    [
        ("local", "local[1,4]"), ("local[2]", "local[2,4]"), ("local[*]", "local[*,4]"), ("local[2,1]", "local[2,1]"),
        ("yarn", "yarn"), ("local-cluster[2,1,1024]", "local-cluster[2,1,1024]"), ("spark://host:7077", "spark://host:7077"),
    ],
)  # fmt: skip
def test_an_image_that_kills_its_worker_is_retried(master: str, expected: str) -> None:
    assert _session.with_attempts(master) == expected


USAGE: list[tuple[list[str], str]] = [
    ([], "arguments are required"),
    (["detect"], "arguments are required: INPUT, OUTPUT"),
    (["find", "a", "b"], "invalid choice: 'find'"),
    (["detect", "", "b"], "argument INPUT: '': pass a path or an address"),
    (
        ["detect", "ftp://host/a", "b"],
        "argument INPUT: 'ftp://host/a' begins with ftp://; file, s3, gs, abfs and hdfs",
    ),
    (
        ["detect", "a", "b", "--buckets", "0"],
        "argument --buckets: '0': pass a whole number from 1 to 1,000,000",
    ),
    (["detect", "a", "b", "--buckets", "many"], "argument --buckets: 'many': pass a whole number from 1"),
    (["detect", "a", "b", "--buckets", "2.5"], "argument --buckets: '2.5': pass a whole number"),
    (["detect", "a", "b", "--timeout", "nan"], "argument --timeout: 'nan': pass seconds above 0"),
    (
        ["detect", "a", "b", "--timeout", "1e10"],
        "argument --timeout: '1e10': pass seconds above 0, at most 1,000,000",
    ),
    (["detect", "a", "b", "--timeout", "soon"], "argument --timeout: 'soon': pass a number"),
    (["detect", "a", "b", "--threshold", "high"], "argument --threshold: 'high': pass a number"),
    (["detect", "a", "b", "--max-objects", "2.5"], "argument --max-objects: invalid int value: '2.5'"),
    (["detect", "a", "b", "--option", "x"], "argument --option: 'x': pass NAME=VALUE"),
    (
        ["detect", "a", "b", "--master", "nosuch"],
        "argument --master: 'nosuch': pass local[N,4] for N cores, yarn, spark://",
    ),
    (["detect", "a", "b", "--format", "csv"], "argument --format: invalid choice: 'csv'"),
]


OWN: list[tuple[Any, list[str]]] = [
    ("detect", ["threshold", "labels", "max_objects", "classifier", "landmarks"]),
    ("label", ["threshold", "labels", "max_results"]),
]


@pytest.mark.parametrize(("kind", "names"), OWN)
def test_keywords_of_the_class_are_options(
    kind: Any, names: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(_command._usual(kind)) == names
    assert all(_command._described(kind, name) for name in names)
    with pytest.raises(SystemExit):
        _command.settings([kind, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert f"the maximum number of {'objects' if kind == 'detect' else 'labels'} per image" in shown
    assert "--labels FILE a label file (lines, pbtxt, CSV, JSON or YAML)" in shown


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_wrong_usage(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        _command.settings(arguments)
    assert caught.value.code == 64
    shown = capsys.readouterr().err
    assert "usage: " in shown
    assert message in shown


@pytest.mark.parametrize(
    ("kind", "option", "message"),
    [
        ("detect", "--threshold=7", "'threshold' is '7.0', 0…1 expected"),
        ("detect", "--threshold=nan", "'threshold' is 'nan', 0…1 expected"),
        ("detect", "--max-objects=0", "'max_objects' is '0', 1 or more expected"),
        ("label", "--max-results=-1", "'max_results' is '-1', 1 or more expected"),
    ],
)
def test_an_option_out_of_range_is_wrong_usage(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], kind: str, option: str, message: str
) -> None:
    assert _command.main([kind, str(PHOTOS), str(tmp_path / "out"), option]) == 64
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_without_java(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    assert _command.main(["detect", str(PHOTOS), str(tmp_path / "out")]) == 2
    assert "Spark needs Java 17, and there is no java. Install it" in capsys.readouterr().err
    assert not (tmp_path / "out" / Lock.NAME).exists()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SPARK_HOME", "/nowhere", "SPARK_HOME is /nowhere, which has no bin/spark-submit. Unset it"),
        (
            "PYSPARK_PYTHON",
            "/nowhere/python",
            "PYSPARK_PYTHON is /nowhere/python, which is not a program. Unset it",
        ),
    ],
)
def test_variables_with_missing_paths(
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
    message: str,
) -> None:
    monkeypatch.setenv(name, value)
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    assert _command.main(["detect", str(PHOTOS), str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out" / Lock.NAME).exists()


def test_a_model_of_the_other_command(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _command.main(["label", str(PHOTOS), str(tmp_path / "out"), "--model", str(FIXTURE)]) == 2
    assert (
        "it is a detector of the family 'ssd-postprocess'. Use fovea-spark detect." in capsys.readouterr().err
    )


FAILURES = [
    (
        "An error occurred while calling o59.parquet.\n: org.apache.hadoop.fs.UnsupportedFileSystemException: "
        'No FileSystem for scheme "s3"\n\tat org.apache.hadoop.fs.FileSystem.getFileSystemClass(FileSystem.java:3443)\n',
        'No FileSystem for scheme "s3" (UnsupportedFileSystemException). '
        "Spark needs Hadoop's jar for this scheme to write OUTPUT, or to read INPUT with --read bytes",
    ),
    (
        "An error occurred.\n: org.apache.spark.SparkException: Job aborted\n\tat a.b(c.scala:1)\n"
        "Caused by: java.io.IOException: No space left on device\n\tat d.e(f.java:2)\n\t... 3 more\n",
        "No space left on device (IOException). Free space there",
    ),
    (
        "Job aborted due to stage failure: Task 0 failed 4 times, most recent failure: Lost task 0.3: "
        'org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n  File "a.py", line 3, in work\n'
        "RuntimeError: the model is missing on this executor: a.zip is not there. Start the job again\n\n\tat x.y(z.scala:4)",
        "RuntimeError: the model is missing on this executor: a.zip is not there. Start the job again",
    ),
    (
        "Job aborted due to stage failure: Task 0 in stage 1.0 failed 1 times: org.apache.spark.SparkException: Python worker "
        "exited unexpectedly (crashed)\n\tat a.b(c.scala:1)\nCaused by: java.io.EOFException\n\tat d.e(f.java:2)",
        "a Python worker crashed in every attempt of a task. Allow tasks four attempts",
    ),
    (
        "[JAVA_GATEWAY_EXITED] Java gateway process exited before sending its port number.",
        "port number. Spark did not start. Install Java 17",
    ),
    (
        "[PATH_NOT_FOUND] Path does not exist: file:/x.\n\nJVM stacktrace:\n\tat a.b(c.java:1)",
        "Path does not exist: file:/x.",
    ),
    (
        "Job aborted: org.apache.spark.api.python.PythonException: An exception was thrown from the Python worker:\n"
        'Traceback (most recent call last):\n  File "a.py", line 3, in work\nMemoryError\n\n\tat x.y(z.scala:4)',
        "MemoryError. Increase or unset spark.executor.pyspark.memory",
    ),
    (
        "'JavaPackage' object is not callable",
        "callable. Spark and PySpark have different versions: unset SPARK_HOME",
    ),
    (
        "EOFException occurred while reading the port number from pyspark.daemon's stdout.",
        "stdout. Python's workers did not start: see the lines above",
    ),
    ("", "ZeroDivisionError"),
]


@pytest.mark.parametrize(("text", "expected"), FAILURES)
def test_a_failure_is_one_sentence(text: str, expected: str) -> None:
    said = failure(ZeroDivisionError(text))
    assert expected in said
    assert "\n" not in said
    assert "\tat " not in said
    assert "Traceback" not in said
