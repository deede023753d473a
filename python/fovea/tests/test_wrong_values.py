# SPDX-License-Identifier: Apache-2.0
"""Values of a wrong type or out of their range: Python's own kind of error, in Python's terms."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import pathlib
import pickle
import re
import struct
import subprocess
import sys
import weakref
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import MODELS, PHOTOS, Tensor, numbers

import fovea
from fovea import _words

SSD = MODELS / "ssd_postprocess.tflite"
NAMES = ["one", "two", "three"]
FOREIGN = re.compile(
    r"[Tt]he option '|fovea\.h\b|fovea_[a-z]|FOVEA_(?!LITERT)|Options\.|ImageLimits|(?<!\w)--[a-z]|make setup|NULL"
    r"|in Swift|SystemError|'(?:max|slice|label|cross|class|frame|no)-[a-z-]+'"
)


def in_python_words(error: BaseException) -> bool:
    """Whether a text has no option of the program, no function of C and no name of Swift."""
    return not FOREIGN.search(str(error))


ARRAY = np.zeros((8, 8, 3), np.uint8)
Work = Callable[[fovea.Detector], Any]

WRONG: list[tuple[str, type[Exception], str, Work]] = [
    ("a path as batch", TypeError, r"batch\(\) takes several images, not one str\. Pass a list: \[image\]",
     lambda d: d.batch("a.jpg")),
    ("bytes as batch", TypeError, "not one bytes", lambda d: d.batch(b"abc")),
    ("an array as batch", TypeError, "not one ndarray", lambda d: d.batch(ARRAY)),
    ("a tensor as batch", TypeError, "not one Tensor", lambda d: d.batch(Tensor(ARRAY))),
    ("a path as frames", TypeError, r"track\(\) takes several images, not one str",
     lambda d: fovea.Tracker().track(d, "a.mp4")),
    ("one frame as frames", TypeError, "not one ndarray", lambda d: fovea.Tracker().track(d, ARRAY)),
    ("a tensor as stream", TypeError, "not one Tensor", lambda d: d.stream(Tensor(ARRAY))),
    ("a path object as batch", TypeError, "not one PosixPath", lambda d: d.batch(PHOTOS)),
    ("None as batch", TypeError, "takes several images, not NoneType", lambda d: d.batch(None)),
    ("a path as stream", TypeError, r"stream\(\) takes several images, not one str", lambda d: d.stream("a.jpg")),
    ("a list as image", TypeError, r"list is not an image: .*; use batch\(\) or stream\(\) for several", lambda d: d([ARRAY])),
    ("None as image", TypeError, "NoneType is not an image: .*; OpenCV's imread returns None", lambda d: d(None)),
    ("a number as image", TypeError, "int is not an image", lambda d: d(5)),
    ("text as threads", TypeError, "threads is '2', a whole number expected", lambda d: d.batch([], threads="2")),
    ("a fraction as threads", TypeError, r"threads is 2\.5, a whole number", lambda d: d.batch([], threads=2.5)),
    ("negative threads", fovea.OptionError, r"'threads' is -1, 1…1024 expected", lambda d: d.batch([], threads=-1)),
    ("threads beyond int32", fovea.OptionError, "'threads' is 1099511627776", lambda d: d.batch([], threads=2**40)),
    ("text as batch_size", TypeError, "batch_size is '3', a whole number", lambda d: d.stream([], batch_size="3")),
    ("a fraction as batch_size", TypeError, r"batch_size is 2\.5", lambda d: d.stream([], batch_size=2.5)),
    ("no batch_size", fovea.OptionError, "batch_size is 0, 1 or more", lambda d: d.stream([], batch_size=0)),
    ("a number as region", TypeError, "region is 5; four numbers", lambda d: d(ARRAY, region=5)),
    ("text as region", TypeError, "region is 'abcd'; four numbers", lambda d: d(ARRAY, region="abcd")),
    ("three numbers", fovea.OptionError, "region is ", lambda d: d(ARRAY, region=(0, 0, 1))),
    ("NaN as region", fovea.OptionError, "region is ", lambda d: d(ARRAY, region=(0, 0, float("nan"), 1))),
    ("a huge region", fovea.OptionError, "'region' is .*within ±1e9", lambda d: d(ARRAY, region=(0, 0, 1e12, 1))),
    ("a region outside", fovea.OptionError, "covers no pixel of the image", lambda d: d(ARRAY, region=(100, 100, 5, 5))),
    ("an unknown order", fovea.OptionError, "order is 'gbr'", lambda d: d(ARRAY, order="gbr")),
    ("None as order", fovea.OptionError, "order is None", lambda d: d(ARRAY, order=None)),
    ("orientation 9", fovea.OptionError, "orientation is 9, 1…8", lambda d: d(ARRAY, orientation=9)),
    ("an empty path", FileNotFoundError, "the path is empty", lambda d: d("")),
    ("a path that is too long", fovea.ImageError, "the path has 5000 bytes, at most 4096", lambda d: d("a" * 5000)),
    ("a table of one result", TypeError, r"a table needs results, not Detection\. Pass a list",
     lambda d: fovea.table(d(PHOTOS / "cat.jpg"))),  # type: ignore[arg-type]
    ("a table of text", TypeError, "a table needs results, not str", lambda d: fovea.table(["a"])),  # type: ignore[list-item]
    ("an unknown schema", ValueError, "kind is 'boxes', 'objects' or 'labels' expected", lambda d: fovea.schema("boxes")),
    ("a list as detections", TypeError, "detections are those of a Detector, not list",
     lambda d: fovea.Tracker().update(None, [], 0)),  # type: ignore[arg-type]
    ("text as seconds", TypeError, "seconds is '0', a number expected",
     lambda d: fovea.Tracker().update(None, d(ARRAY), "0")),  # type: ignore[arg-type]
    ("text as every", TypeError, "every is '2', a whole number", lambda d: fovea.Tracker(every="2")),  # type: ignore[arg-type]
    ("no every", fovea.OptionError, "'every' is '0', 1…1000 expected", lambda d: fovea.Tracker(every=0)),
    ("a rare every", fovea.OptionError, "'every' is '1001', 1…1000", lambda d: fovea.Tracker(every=1001)),
    ("text as frame_rate", TypeError, "frame_rate is '25', a number", lambda d: fovea.Tracker(frame_rate="25")),  # type: ignore[arg-type]
    ("no detections", fovea.OptionError, "'detections' is None, and the tracker", lambda d: fovea.Tracker().update(None, None)),
    ("failed detections", fovea.OptionError, "those of a failed image: there is no such file",
     lambda d: fovea.Tracker().update(None, d.batch(["nothere.jpg"])[0])),
    ("a config that is missing", fovea.OptionError, "The file of 'config'.* No such file or directory",
     lambda d: fovea.Tracker(config="nothere.json")),
    ("frames missing", fovea.OptionError, "'frame' is ", lambda d: fovea.Tracker(every=2).update(None, d(ARRAY))),
    ("an object as allow", TypeError, "allow is 5, a list of labels expected", lambda d: fovea.Detector(allow=5)),  # type: ignore[arg-type]
    ("numbers as allow", TypeError, r"allow is \[3\], a list of labels", lambda d: fovea.Detector(allow=[3])),  # type: ignore[list-item]
    ("bytes as deny", TypeError, "deny is b'cat', a list of labels", lambda d: fovea.Detector(deny=b"cat")),  # type: ignore[arg-type]
    ("an unknown label", fovea.OptionError, "'Cat' is not a label .*nearest is 'cat'.*fovea.inspect",
     lambda d: fovea.Detector(allow=["Cat"])),
    ("threshold above 1", fovea.OptionError, "'threshold' is '1.5', 0…1 expected", lambda d: fovea.Detector(threshold=1.5)),
    ("NaN as threshold", fovea.OptionError, "'threshold' is 'nan'", lambda d: fovea.Detector(threshold=float("nan"))),
    ("no objects", fovea.OptionError, "'max_objects' is '0', 1 or more expected", lambda d: fovea.Detector(max_objects=0)),
    ("a tile that is too small", fovea.OptionError, "'slice' is '5', 16…1048576", lambda d: fovea.Detector(slice=5)),
    ("an overlap", fovea.OptionError, r"'slice_overlap' is '0\.9'", lambda d: fovea.Detector(slice_overlap=0.9)),
    ("a fraction as sessions", fovea.OptionError, r"'sessions' is '2\.0'", lambda d: fovea.Detector(sessions=2.0)),  # type: ignore[arg-type]
    ("two classifiers", fovea.OptionError, "'classifier' and 'no_classify' exclude each other",
     lambda d: fovea.Detector(classifier=str(SSD), no_classify=True)),
    ("labels that do not fit", fovea.ModelError, r"labels(?! ?file in /)", lambda d: fovea.Detector(SSD, labels=["a"])),
    ("a locale without labels", ValueError, "locale", lambda d: fovea.Detector(locale="de")),
    ("no labels", fovea.ModelError, "labels has no labels", lambda d: fovea.Detector(SSD, labels=[])),
    ("an address as model", FileNotFoundError, "'https://example.com/a.tflite' is a URL. Download it",
     lambda d: fovea.Detector("https://example.com/a.tflite")),
    ("a model by name", TypeError, r"pass the model first, without a keyword: Detector\('model.tflite'\)",
     lambda d: fovea.Detector(model="a.tflite")),
    ("another package's name", TypeError, "no option 'conf'; did you mean threshold", lambda d: fovea.Detector(conf=0.5)),
    ("a name that is not UTF-8", fovea.ModelError, r"the model's path is not UTF-8: '.*\\udcff\.tflite'\. Rename it",
     lambda d: fovea.Detector("\udcff.tflite")),
    ("another package's limit of overlap", TypeError, "no option 'iou_thresh'; did you mean iou", lambda d: fovea.Detector(iou_thresh=0.5)),
    ("a mask", fovea.ModelError, "use fovea.Segmenter", lambda d: fovea.Detector(MODELS / "mask.tflite")),
    ("a detector as classifier", fovea.FoveaError, "fovea.Detector", lambda d: fovea.Labeler(SSD)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind", "text", "work"), WRONG, ids=[case[0] for case in WRONG])
def test_a_wrong_value(
    name: str, kind: type[Exception], text: str, work: Work, detector: fovea.Detector
) -> None:
    with pytest.raises(kind, match=text) as caught:
        work(detector)
    assert in_python_words(caught.value), str(caught.value)
    # Invalid labels and classifiers are written into a temporary folder.
    assert not re.search(r"/fovea-\w{8}/", str(caught.value)), str(caught.value)


TEXTS = [
    ("The option 'max-objects' is '0', 1 or more expected", "'max_objects' is '0', 1 or more expected"),
    ("Set the activation of its scores: the option 'activation' = 'sigmoid' or the option 'activation' = 'softmax'",
     "Set the activation of its scores: activation='sigmoid' or activation='softmax'"),
    ("Name the family (the option 'family')", "Name the family ('family')"),
    ("The options 'classifier' and 'no-classify' exclude each other", "'classifier' and 'no_classify' exclude each other"),
    ("Use fovea_detector_open; fovea_inspect shows what it is", "Use fovea.Detector; fovea.inspect() shows what it is"),
    ("Use fovea_labeler_open for a classifier", "Use fovea.Labeler for a classifier"),
    ("Leave it out; fovea.h lists the options that apply", "Leave it out"),
    ("See fovea.h", "Correct the argument"),
    ("Check the path", "Check the path"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expected"), TEXTS)
def test_words(given: str, expected: str) -> None:
    assert _words.python(given) == expected


def test_assumptions_and_reports_are_in_python_words() -> None:
    for path in sorted(MODELS.glob("*.tflite")):
        try:
            report = str(fovea.inspect(path))
        except fovea.FoveaError as error:
            report = str(error)
        for foreign in ("the option '", "fovea_inspect", "fovea.h", "Options."):
            assert foreign not in report, path.name


def test_a_file_over_the_limit(detector: fovea.Detector, tmp_path: pathlib.Path) -> None:
    large = tmp_path / "large.jpg"
    with large.open("wb") as file:
        file.truncate(600 << 20)
    with pytest.raises(fovea.ImageError, match="Use a smaller image") as caught:
        detector(large)
    assert in_python_words(caught.value), str(caught.value)
    header = b"IHDR" + struct.pack(">IIBBBBB", 70_000, 10, 8, 2, 0, 0, 0)
    wide = (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + header
        + struct.pack(">I", zlib.crc32(header))
        + bytes(64)
    )
    with pytest.raises(fovea.ImageError, match="longest side") as caught:
        detector(wide)
    assert in_python_words(caught.value), str(caught.value)
    with (
        fovea.Detector(max_pixels=100) as few,
        pytest.raises(fovea.ImageError, match="raise 'max_pixels'") as caught,
    ):
        few(PHOTOS / "cat.jpg")
    assert in_python_words(caught.value), str(caught.value)


RUNTIME = """
import sys, fovea
try:
    fovea.Detector()
except ImportError as error:
    print(type(error).__name__, "|", error)
"""


@pytest.mark.parametrize("content", [b"", b"no library", None])
def test_a_missing_or_invalid_litert(content: bytes | None, tmp_path: pathlib.Path) -> None:
    library = tmp_path / "libLiteRt.so"
    if content is not None:
        library.write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-c", RUNTIME],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        env={**os.environ, "FOVEA_LITERT_LIBRARY": str(library)},
    )
    assert done.stdout.startswith("RuntimeMissing | "), done.stdout + done.stderr
    assert done.stdout.strip().endswith(
        "Correct FOVEA_LITERT_LIBRARY, or unset it: this package contains LiteRT."
    )
    assert in_python_words(ValueError(done.stdout.rpartition(")")[2]))


def test_labels_from_anywhere(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labels.txt").write_text("one\ntwo\nthree\n")
    monkeypatch.chdir(tmp_path)
    for labels in (NAMES, tuple(NAMES), np.array(NAMES), iter(NAMES), b"one\ntwo\nthree\n", "labels.txt"):
        with fovea.Detector(SSD, labels=labels) as opened:
            assert opened.names == NAMES
    relative = fovea.Detector(SSD, labels="labels.txt", allow=None)
    monkeypatch.chdir("/")
    with relative, pickle.loads(pickle.dumps(relative)) as again:
        assert again.names == NAMES


def test_a_detector_ends_while_its_results_live(cat: pathlib.Path) -> None:
    """A result keeps its own numbers and the model's name, not the detector."""
    opened = fovea.Detector(SSD, labels=NAMES)
    kept = weakref.ref(opened)
    result = opened(cat)
    before = numbers(result)
    del opened
    gc.collect()
    assert kept() is None
    assert numbers(result) == before
    assert fovea.table([result]).column("model_sha256").to_pylist() == [fovea.inspect(SSD)["sha256"]]


class Broken:
    """A file that fails with its package's error."""

    name = "broken.jpg"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def read(self, size: int = -1) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_file_objects_that_fail(detector: fovea.Detector) -> None:
    for error in (RuntimeError("cut"), EOFError(), zlib.error("bad"), KeyError("gone")):
        with pytest.raises(fovea.ImageError, match=r"broken\.jpg: it cannot be read"):
            detector(Broken(error))  # type: ignore[arg-type]
        assert detector.batch([Broken(error)])[0].error is not None  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"Broken\.read\(\) returns int, bytes expected"):
        detector(Broken(3))  # type: ignore[arg-type]


def test_a_closed_pillow_image(detector: fovea.Detector, cat: pathlib.Path) -> None:
    image = pytest.importorskip("PIL.Image").open(cat)
    image.close()
    with pytest.raises(fovea.ImageError, match="Pillow cannot read it"):
        detector(image)
    assert detector.batch([image, cat])[1].labels == ["cat"]


def test_a_name_cannot_write_to_the_terminal(detector: fovea.Detector, tmp_path: pathlib.Path) -> None:
    odd = tmp_path / os.fsdecode(b"a\x1b[31m\nb\xe9.jpg")
    odd.write_bytes((PHOTOS / "cat.jpg").read_bytes())
    for result in (detector(odd), detector.batch([tmp_path / "\x1b[2J.jpg"])[0]):
        for text in (repr(result), str(result)):
            text.encode()
            assert "\x1b" not in text
    assert "\n" not in repr(detector(odd))


def test_asyncio_and_a_closed_detector(cat: pathlib.Path) -> None:
    """Waiting calls end with the error of a closed detector, not as if cancelled."""

    async def main() -> list[Any]:
        opened = fovea.Detector(SSD, labels=NAMES)
        tasks = [asyncio.create_task(opened.detect_async(cat)) for _ in range(20)]
        await asyncio.sleep(0)
        opened.close()
        return await asyncio.gather(*tasks, return_exceptions=True)

    answers = asyncio.run(main())
    assert {type(answer) for answer in answers} <= {fovea.Detections, fovea.ClosedError}
    assert fovea.ClosedError in {type(answer) for answer in answers}


def test_an_unfinished_stream(detector: fovea.Detector, cat: pathlib.Path) -> None:
    """Nothing is read ahead of a batch, and the rest is never touched."""
    taken: list[int] = []

    def images() -> Any:
        for number in range(100):
            taken.append(number)
            yield cat

    results = detector.stream(images(), batch_size=4)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(taken) == 4


def test_numbers_of_numpy_are_numbers(cat: pathlib.Path) -> None:
    with fovea.Detector(
        threshold=np.float32(0.5), max_objects=np.int64(2), sessions=np.int64(2), threads=np.int32(1)
    ) as opened:
        assert opened._sessions == 2
        assert len(opened.batch([cat] * 3, threads=np.int64(2))) == 3


def test_memory_of_a_result_outlives_it(detector: fovea.Detector, cat: pathlib.Path) -> None:
    boxes = detector(cat).xywh
    gc.collect()
    assert boxes.tolist() == detector(cat).xywh.tolist()
    assert ctypes.sizeof(ctypes.c_double) * 4 == boxes.strides[0]


def test_an_error_has_the_index_of_its_image(detector: fovea.Detector, cat: pathlib.Path) -> None:
    """Its index in the caller's list, even if earlier images were rejected in Python."""
    errors = [result.error for result in detector.batch([None, cat, b"no image", 5, b"none"])]  # type: ignore[list-item]
    assert [error.subject if error else None for error in errors] == [None, None, "image 2", None, "image 4"]
    with pytest.raises(fovea.ImageError, match=r"^image: the file is text"):
        detector(b"no image")
    assert str(detector.batch(["nothere.jpg"])[0]) == "nothere.jpg: there is no such file. Check the path."


class Counting(fovea.Detector):
    """A detector with an additional attribute."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.count = 3


def test_options_are_not_attributes() -> None:
    """Like YOLOv5's `model.conf = 0.4`, which would have no effect here."""
    with fovea.Detector() as opened:
        for name in ("threshold", "conf", "max_objects"):
            with pytest.raises(AttributeError, match=f"so that '{name}' cannot be set. Open another one"):
                setattr(opened, name, 0.4)
        opened.anything_else = 5  # type: ignore[attr-defined]


def test_a_subclass_is_pickled_with_its_attributes(cat: pathlib.Path) -> None:
    with Counting(max_objects=1) as opened, pickle.loads(pickle.dumps(opened)) as again:
        assert again.count == 3
        assert numbers(again(cat)) == numbers(opened(cat))
