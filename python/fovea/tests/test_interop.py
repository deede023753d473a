# SPDX-License-Identifier: Apache-2.0
"""pandas, Arrow, supervision, Pillow: exact numbers; and imports in any order."""

from __future__ import annotations

import csv
import importlib.util
import io
import itertools
import json
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from conftest import PHOTOS, Program, Tensor, numbers

import fovea


@pytest.fixture(scope="module")
def found(detector: fovea.Detector, photos: list[pathlib.Path]) -> list[fovea.Detections]:
    return detector.batch([*photos, "nothere.jpg"])


def test_pandas_has_the_columns_of_csv(
    program: Program, found: list[fovea.Detections], photos: list[pathlib.Path]
) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.concat([result.to_pandas() for result in found if len(result)], ignore_index=True)
    rows = [
        row
        for row in csv.DictReader(io.StringIO(program.run("detect", "--format", "csv", "--quiet", *photos)))
        if row["x"]
    ]
    assert list(frame.columns) == list(rows[0])
    assert len(frame) == len(rows)
    for row, (_, given) in zip(rows, frame.iterrows(), strict=True):
        for name, text in row.items():
            value = given[name]
            if isinstance(value, str):
                assert value == text
            else:
                places = 0.0051 if name in ("x", "y", "box_width", "box_height") else 6e-7
                assert float(value) == pytest.approx(float(text), abs=places)
    assert frame["score"].tolist() == [score for result in found for score in result.scores.tolist()]
    assert list(found[-1].to_pandas().columns) == list(frame.columns)
    assert len(found[-1].to_pandas()) == 0


def test_labels_in_pandas(cat: pathlib.Path) -> None:
    pytest.importorskip("pandas")
    labels = fovea.Labeler(max_results=2, threshold=0)(cat)
    frame = labels.to_pandas()
    assert frame["label"].tolist() == labels.labels
    assert frame["rank"].tolist() == [1, 2]
    assert frame["label_confidence"].tolist() == labels.confidences.tolist()


def test_a_table_has_all_numbers(found: list[fovea.Detections], tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table = fovea.table(found)
    assert table.schema.equals(fovea.schema())
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    rows = pyarrow.parquet.read_table(tmp_path / "a.parquet").to_pylist()
    assert len(rows) == len(found)
    for row, result in zip(rows, found, strict=True):
        assert row["path"] == result.path
        assert [
            [one[name] for name in ("x", "y", "width", "height")] for one in row["objects"]
        ] == result.xywh.tolist()
        assert [one["score"] for one in row["objects"]] == result.scores.tolist()
        assert [one["label"] for one in row["objects"]] == result.labels
        assert [one["label_index"] for one in row["objects"]] == result.label_index.tolist()
        labels = [
            [(each["text"], each["index"], each["confidence"]) for each in one["labels"]]
            for one in row["objects"]
        ]
        assert labels == numbers(result)[5]
        if result.error is None:
            assert (row["width"], row["height"], row["error"]) == (result.width, result.height, None)
            assert row["milliseconds"] == result.milliseconds
            assert len(row["model_sha256"]) == 64
        else:
            assert row["error"]["code"] == "image-not-found"
            assert row["width"] is None
        assert row["fovea_version"] == fovea.version
    assert found[0].to_arrow().to_pylist() == rows[:1]


def test_tables_of_slices_labels_and_nothing(found: list[fovea.Detections], cat: pathlib.Path) -> None:
    pytest.importorskip("pyarrow")
    full = max(found, key=len)
    assert len(fovea.table([full[:1], full[1:], full[:0]])) == 3
    assert fovea.table([full[1:]]).to_pylist()[0]["objects"] == full.to_arrow().to_pylist()[0]["objects"][1:]
    assert len(fovea.table([])) == 0
    labels = fovea.Labeler(max_results=2, threshold=0)(cat)
    table = fovea.table([labels])
    assert table.schema.equals(fovea.schema("labels"))
    assert [one["text"] for one in table.to_pylist()[0]["labels"]] == labels.labels
    with pytest.raises(TypeError, match="not of both"):
        fovea.table([full, labels])


def test_supervision(found: list[fovea.Detections]) -> None:
    pytest.importorskip("supervision")
    for result in found:
        given = result.to_supervision()
        assert len(given) == len(result)
        assert given.xyxy.dtype == np.float32
        assert np.array_equal(given.xyxy, result.xyxy.astype(np.float32))
        assert np.array_equal(given.confidence, result.scores)
        assert given.class_id.tolist() == result.label_index.tolist()
        assert given.data["class_name"].tolist() == result.labels
        assert given.tracker_id is None
        assert len(given[given.confidence > 0.5]) == int((result.scores > 0.5).sum())


def test_pillow(detector: fovea.Detector, cat: pathlib.Path, pixels: np.ndarray[Any, Any]) -> None:
    image = pytest.importorskip("PIL.Image")
    opened = image.open(cat)
    found = detector(opened)
    assert numbers(found) == numbers(detector(pixels))
    assert found.path == str(cat)
    grey = opened.convert("L")
    assert numbers(detector(grey)) == numbers(detector(np.asarray(grey)))
    assert numbers(detector(opened.convert("RGBA"))) == numbers(detector(pixels))
    assert numbers(detector(opened.convert("CMYK")))[:2] == [451, 300]
    assert numbers(detector(opened.convert("P"))) == numbers(
        detector(np.asarray(opened.convert("P").convert("RGB")))
    )
    for mode in ("I", "F", "I;16"):
        with pytest.raises(fovea.ImageError, match="8 bits a channel expected"):
            detector(image.new(mode, (5, 5)))
    damaged = image.open(io.BytesIO(cat.read_bytes()[:5000]))
    with pytest.raises(fovea.ImageError, match="Pillow cannot read it"):
        detector(damaged)
    assert detector.batch([damaged])[0].error is not None


def test_pillow_has_the_orientation_of_the_file(detector: fovea.Detector, shared: pathlib.Path) -> None:
    image = pytest.importorskip("PIL.Image")
    for orientation in range(2, 9):
        path = shared / f"exif/pillow/hopper_orientation_{orientation}.jpg"
        found = detector(image.open(path))
        assert found.orientation == detector(path).orientation == orientation
        assert detector(image.open(path), orientation=1).orientation == 1


def test_tensors(detector: fovea.Detector, pixels: np.ndarray[Any, Any]) -> None:
    assert numbers(detector(Tensor(pixels))) == numbers(detector(pixels))  # type: ignore[arg-type]
    with pytest.raises(fovea.ImageError, match="transpose"):
        detector(Tensor(pixels.transpose(2, 0, 1)))  # type: ignore[arg-type]


def test_an_array_of_paths_is_several_images(detector: fovea.Detector) -> None:
    paths = np.array([str(PHOTOS / name) for name in ("cat.jpg", "coffee.jpg")])
    assert [result.labels[0] for result in detector.batch(paths)] == ["cat", "cup"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "reason", "shown"),
    [
        (RuntimeError, "Can't call numpy() on Tensor that requires grad.", "requires grad. Convert it"),
        (
            TypeError,
            "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() first.",
            r"Tensor.cpu\(\) first$",
        ),
    ],
)
def test_tensors_that_are_not_arrays(
    detector: fovea.Detector, pixels: np.ndarray[Any, Any], kind: type[Exception], reason: str, shown: str
) -> None:
    class Elsewhere(Tensor):
        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
            raise kind(reason)

    expected = TypeError if kind is TypeError else fovea.ImageError
    with pytest.raises(expected, match=f"^the Elsewhere cannot be converted to an array: .*{shown}"):
        detector(Elsewhere(pixels))  # type: ignore[arg-type]


OTHERS = ["cv2", "PIL.Image", "pyarrow", "mediapipe", "ai_edge_litert.interpreter", "torch"]
PRESENT = [name for name in OTHERS if importlib.util.find_spec(name.split(".")[0]) is not None]
ORDERS = [
    *sorted({order for name in PRESENT for order in itertools.permutations(("fovea", name))}),
    ("fovea", *PRESENT),
    (*PRESENT, "fovea"),
]


def printed(order: tuple[str, ...]) -> Any:
    """The results of a process after imports in an order."""
    code = (
        f"import importlib\nfor name in {order!r}: importlib.import_module(name)\n"
        "import fovea, json\n"
        f"found = fovea.Detector()({str(PHOTOS / 'coffee.jpg')!r})\n"
        "print(json.dumps([found.xywh.tolist(), found.scores.tolist(), found.labels]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
def test_imports_in_any_order(order: tuple[str, ...], detector: fovea.Detector) -> None:
    expected = numbers(detector(PHOTOS / "coffee.jpg"))
    assert printed(order)[:2] == expected[3:5]


def test_installed_optional_packages() -> None:
    missing = [name for name in OTHERS if name not in PRESENT]
    if missing:
        pytest.skip(f"not imported next to fovea, because not installed: {', '.join(missing)}")
