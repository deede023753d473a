# SPDX-License-Identifier: Apache-2.0
"""Paths and files that are not images: an error with a code, and no hang."""

from __future__ import annotations

import io
import os
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

import fovea

PATHS: list[tuple[str, Callable[[pathlib.Path], Any], str]] = [
    ("missing", lambda folder: folder / "nothere.jpg", "image-not-found"),
    ("NUL", lambda folder: f"{folder}/a\0b.jpg", "image-unreadable"),
    ("not UTF-8", lambda folder: folder / os.fsdecode(b"caf\xe9.jpg"), "image-not-found"),
    ("lone surrogate", lambda folder: f"{folder}/\ud800.jpg", "image-not-found"),
    ("a folder", lambda folder: folder, "image-is-directory"),
    ("endless", lambda folder: "/dev/zero", "image-unreadable"),
    ("an address", lambda folder: "https://example.com/a.jpg", "image-network-address"),
    ("empty", lambda folder: written(folder / "empty.jpg", b""), "image-empty"),
    ("text", lambda folder: written(folder / "a.txt", b"no image, but some text"), "image-unknown-format"),
    ("truncated", lambda folder: written(folder / "t.jpg", jpeg()[:5000]), "image-truncated"),
    ("start alone", lambda folder: written(folder / "s.jpg", b"\xff\xd8\xff"), "image-truncated"),
    ("PNG start alone", lambda folder: written(folder / "s.png", b"\x89PNG\r\n\x1a\n"), "image-truncated"),
    ("HTML", lambda folder: written(folder / "a.jpg", b"<html></html>"), "image-unknown-format"),
]


def written(path: pathlib.Path, data: bytes) -> pathlib.Path:
    path.write_bytes(data)
    return path


def jpeg() -> bytes:
    return (pathlib.Path(__file__).resolve().parents[3] / "Examples/photos/cat.jpg").read_bytes()


@pytest.mark.parametrize(("name", "make", "code"), PATHS, ids=[case[0] for case in PATHS])
def test_a_path_that_is_not_an_image(
    name: str,
    make: Callable[[pathlib.Path], Any],
    code: str,
    detector: fovea.Detector,
    tmp_path: pathlib.Path,
) -> None:
    path = make(tmp_path)
    with pytest.raises(fovea.ImageError) as caught:
        detector(path)
    assert caught.value.code == code
    assert caught.value.message
    assert caught.value.remedy
    if code == "image-not-found":
        assert isinstance(caught.value, FileNotFoundError)
    result = detector.batch([path])[0]
    assert result.error is not None
    assert result.error.code == code
    assert (len(result), bool(result), list(result), result.labels) == (0, False, [], [])


def test_an_impossible_file_name_does_not_end_a_batch(detector: fovea.Detector, cat: pathlib.Path) -> None:
    for results in (
        detector.batch([cat, "\ud800.jpg", cat]),
        list(detector.stream([cat, "\ud800.jpg", cat])),
    ):
        assert [result.labels for result in results] == [["cat"], [], ["cat"]]
        assert "'\\ud800.jpg': no file can have this name" in str(results[1].error)


def test_impossible_texts() -> None:
    with pytest.raises(fovea.ModelNotFound, match=r"no file can have the name '.*\\ud800'"):
        fovea.Detector("\ud800")
    for name, value in (("allow", ["\ud800"]), ("labels", ["cat", "\ud800"]), ("locale", "\udfff")):
        with pytest.raises(fovea.OptionError, match=rf"'{name}' cannot be encoded as UTF-8: '\\ud"):
            fovea.Detector(**{name: value})


@pytest.mark.parametrize("name", ["labels", "classifier", "landmarks"])
def test_a_path_that_is_not_utf8_is_named_with_its_option(name: str) -> None:
    with pytest.raises(
        fovea.OptionError, match=rf"'{name}' is not UTF-8: '.*\\udce9\.txt'\. Rename the file"
    ):
        fovea.Detector(**{name: "caf\udce9.txt"})


def test_a_pipe_is_refused_and_does_not_hang(detector: fovea.Detector, tmp_path: pathlib.Path) -> None:
    pipe = tmp_path / "pipe.jpg"
    os.mkfifo(pipe)
    with pytest.raises(fovea.ImageError) as caught:
        detector(pipe)
    assert caught.value.code == "image-unreadable"


BYTES = [(b"", "image-empty"), (b"\0" * 100, "image-unknown-format"), (b"GIF89a", "image-truncated")]


@pytest.mark.parametrize(("data", "code"), BYTES)
def test_bytes_that_are_not_an_image(data: bytes, code: str, detector: fovea.Detector) -> None:
    for given in (data, bytearray(data), memoryview(data), io.BytesIO(data)):
        with pytest.raises(fovea.ImageError) as caught:
            detector(given)
        assert caught.value.code == code


def test_buffers_that_are_not_contiguous(detector: fovea.Detector) -> None:
    spread = bytearray(2 * len(jpeg()))
    spread[::2] = jpeg()
    assert len(detector(memoryview(spread)[::2])) == 1


class Slow(io.RawIOBase):
    """Returns a few bytes at a time, like a socket."""

    def __init__(self, data: bytes) -> None:
        self.left = data

    def read(self, size: int = -1) -> bytes:
        part, self.left = self.left[:1000], self.left[1000:]
        return part


def test_file_objects(detector: fovea.Detector, cat: pathlib.Path) -> None:
    assert detector(Slow(cat.read_bytes())).labels == ["cat"]  # type: ignore[arg-type]
    with open(cat, encoding="latin-1") as text, pytest.raises(fovea.ImageError, match="open for text"):
        detector(text)  # type: ignore[arg-type]
    with cat.open("rb") as file:
        file.seek(0, os.SEEK_END)
        with pytest.raises(fovea.ImageError) as caught:
            detector(file)
    assert caught.value.code == "image-empty"
    closed = cat.open("rb")
    closed.close()
    with pytest.raises(ValueError, match="closed file"):
        detector(closed)
    assert detector.batch([closed])[0].error is not None


def test_an_endless_file_object_ends(detector: fovea.Detector, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fovea._images.READ_LIMIT", 1_000_000)
    with open("/dev/zero", "rb") as file, pytest.raises(fovea.ImageError) as caught:
        detector(file)
    assert caught.value.code == "image-unknown-format"


def test_a_bomb_is_refused(detector: fovea.Detector, shared: pathlib.Path) -> None:
    result = detector.batch([shared / "badimages/pillow/decompression_bomb.gif"])[0]
    assert result.error is not None or result.width * result.height < 200_000_000


MODELS: list[tuple[str, Any, str]] = [
    ("missing", "nothere.tflite", "metadata-missing-file"),
    ("NUL", "a\0b", "model-unreadable"),
    ("nothing", "", "model-unreadable"),
    ("no bytes", b"", "model-"),
    ("text", b"no model at all", "model-invalid"),
    ("half", b"\x1c\0\0\0TFL3" + b"\xff" * 64, "metadata-damaged-model"),
]


@pytest.mark.parametrize(("name", "model", "code"), MODELS, ids=[case[0] for case in MODELS])
def test_values_that_are_not_a_model(name: str, model: Any, code: str) -> None:
    for make in (fovea.Detector, fovea.Labeler, fovea.inspect):
        with pytest.raises(fovea.ModelError) as caught:
            make(model)
        assert caught.value.code.startswith(code)


@pytest.mark.parametrize("model", [3, 2.5, [], object()])
def test_a_model_of_another_type(model: Any) -> None:
    with pytest.raises(TypeError, match="a model is a path or bytes"):
        fovea.Detector(model)
