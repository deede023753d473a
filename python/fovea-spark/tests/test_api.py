# SPDX-License-Identifier: Apache-2.0
"""Tables in, tables out."""

from __future__ import annotations

import dataclasses
import pathlib
from typing import TYPE_CHECKING, Any

import fovea
import pytest
from conftest import FIXTURE, PHOTOS
from fovea.spark import detect, label

from fovea_spark import _frames, _recipe

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@pytest.fixture(autouse=True)
def small_batches(spark: SparkSession) -> Any:
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    spark.conf.set(name, "64")
    yield
    spark.conf.unset(name)


def numbers(row: Any) -> Any:
    return [[found.x, found.y, found.width, found.height] for found in row.objects]


def wanted(name: str, **options: Any) -> Any:
    with fovea.Detector(threads=1, **options) as detector:
        return detector(PHOTOS / name).xywh.tolist()


def photos(spark: SparkSession, *names: str) -> DataFrame:
    return spark.createDataFrame(
        [(number, name, bytearray((PHOTOS / name).read_bytes())) for number, name in enumerate(names)],
        "id int, name string, jpeg binary",
    )


def test_binary_files(spark: SparkSession) -> None:
    frame = detect(spark.read.format("binaryFile").load(f"{PHOTOS}/c*.jpg"), threshold=0.5)
    assert frame.columns[:4] == ["path", "size", "modified", "width"]
    found = {row.path.rpartition("/")[2]: row for row in frame.collect()}
    assert set(found) == {path.name for path in PHOTOS.glob("c*.jpg")}
    for name, row in found.items():
        assert numbers(row) == wanted(name, threshold=0.5)
        assert row.size == (PHOTOS / name).stat().st_size


def test_bytes_of_a_table(spark: SparkSession, tmp_path: pathlib.Path) -> None:
    photos(spark, "cat.jpg", "dog.jpg").write.parquet(str(tmp_path / "table"))
    table = spark.read.parquet(str(tmp_path / "table"))
    frame = detect(table, column="jpeg", key=["id"])
    assert frame.columns[:2] == ["id", "width"]
    assert {row.id: numbers(row) for row in frame.collect()} == {0: wanted("cat.jpg"), 1: wanted("dog.jpg")}
    assert detect(table, column="jpeg").columns[:3] == ["id", "name", "width"]


def test_addresses_in_a_table(spark: SparkSession) -> None:
    table = spark.createDataFrame(
        [(1, str(PHOTOS / "cat.jpg")), (2, f"file://{PHOTOS}/dog.jpg"), (3, None), (4, "/no/such.jpg")],
        "id int, place string",
    )
    rows = {row.id: row for row in detect(table, column="place", key="id").collect()}
    assert [numbers(rows[1]), numbers(rows[2])] == [wanted("cat.jpg"), wanted("dog.jpg")]
    assert [rows[3].error.code, rows[4].error.code] == ["image-empty", "image-not-found"]


def test_labels_with_a_model_as_bytes(spark: SparkSession) -> None:
    rows = label(photos(spark, "citrus.jpg"), column="jpeg", max_results=2, threshold=0).collect()
    with fovea.Labeler(max_results=2, threshold=0, threads=1) as labeler:
        assert [each.text for each in rows[0].labels] == labeler(PHOTOS / "citrus.jpg").labels
    found = detect(
        photos(spark, "cat.jpg"), FIXTURE.read_bytes(), column="jpeg", labels=["a", "b", "c"]
    ).collect()
    assert found[0].error is None
    assert found[0].model_sha256 == fovea.inspect(str(FIXTURE))["sha256"]


def test_nulls_bad_bytes_and_duplicate_keys_are_rows(spark: SparkSession) -> None:
    table = spark.createDataFrame(
        [(7, None), (7, bytearray(b"")), (7, bytearray(b"text"))], "id int, jpeg binary"
    )
    rows = detect(table, column="jpeg", key=["id"]).collect()
    assert sorted(row.error.code for row in rows) == ["image-empty", "image-empty", "image-unknown-format"]
    assert all((row.id, row.objects, row.width) == (7, [], None) for row in rows)
    assert all(row.error.message and row.error.remedy for row in rows)


def test_a_table_without_rows(spark: SparkSession) -> None:
    assert detect(photos(spark).limit(0), column="jpeg").count() == 0


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({}, ValueError, "no column 'content': it has id, name, jpeg"),
        ({"column": "png"}, ValueError, "no column 'png': it has id, name, jpeg"),
        ({"column": "id"}, TypeError, "the column 'id' is int; binary or string expected"),
        ({"column": "jpeg", "key": ["id", "id"]}, ValueError, "'id' would occur twice"),
        ({"column": "jpeg", "key": ["no"]}, ValueError, "no column 'no'"),
        ({"column": "jpeg", "treshold": 1}, TypeError, "did you mean threshold"),
        ({"column": "jpeg", "timeout": 0}, ValueError, "timeout is 0"),
        ({"column": "jpeg", "model": "/no/model.tflite"}, fovea.ModelError, "/no/model.tflite"),
    ],
)
def test_tables_that_are_refused(
    spark: SparkSession, arguments: dict[str, Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        detect(photos(spark, "cat.jpg"), **arguments)


def test_a_key_with_the_name_of_a_result(spark: SparkSession) -> None:
    table = photos(spark, "cat.jpg").withColumnRenamed("name", "error")
    with pytest.raises(ValueError, match="'error' has the name of a result"):
        detect(table, column="jpeg")


def test_large_batches_give_a_warning(spark: SparkSession) -> None:
    spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    with pytest.warns(UserWarning, match="Set it to 64"):
        detect(photos(spark, "cat.jpg"), column="jpeg")


def test_another_version_on_the_executor(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job fails in the first task, with both values."""
    made = _recipe.made

    def other(*arguments: Any) -> Any:
        recipe, bundle = made(*arguments)
        return dataclasses.replace(recipe, fovea_version="9.9.9"), bundle

    monkeypatch.setattr(_recipe, "made", other)
    with pytest.raises(Exception, match=rf"fovea {fovea.version} is on this executor, 9\.9\.9 on the driver"):
        detect(photos(spark, "cat.jpg"), column="jpeg").collect()


def test_a_model_that_did_not_arrive(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setattr(_frames, "send", lambda spark, bundle: None)
    model = tmp_path / "never-sent.tflite"
    model.write_bytes(FIXTURE.read_bytes())
    with pytest.raises(Exception, match="the model is missing on this executor"):
        detect(photos(spark, "cat.jpg"), model, column="jpeg", labels=["a", "b", "c"]).collect()


def test_another_model_on_the_executor(tmp_path: pathlib.Path) -> None:
    recipe, bundle = _recipe.made("detect", str(FIXTURE), {"labels": ["a", "b", "c"]}, 60)
    assert bundle is not None
    (tmp_path / bundle.name).write_bytes(bundle.read_bytes() + b"x")
    with pytest.raises(RuntimeError, match=rf"has the SHA-256 .*, {recipe.bundle_sha256} on the driver"):
        _recipe.unpacked(recipe, tmp_path)
    (tmp_path / bundle.name).write_bytes(bundle.read_bytes())
    folder = _recipe.unpacked(recipe, tmp_path)
    with pytest.raises(RuntimeError, match=rf"has the SHA-256 {recipe.model_sha256}, 00 on the driver"):
        _recipe.opened_on_worker(dataclasses.replace(recipe, model_sha256="00"), folder)


@pytest.mark.parametrize("df", ["Examples/photos", None, [b"jpeg"]])
def test_values_that_are_not_a_table(df: Any) -> None:
    for work in (detect, label):
        with pytest.raises(
            TypeError, match=r"a DataFrame of Spark expected\. Make one: spark\.createDataFrame"
        ):
            work(df)
