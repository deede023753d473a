# SPDX-License-Identifier: Apache-2.0
"""Errors of MediaPipe's tasks; run with a module as the first argument it prints the error of each case.

Each case names the class that MediaPipe 1.2.2 raises. `test_mediapipe_errors.py` compares both modules with it.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pathlib
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

#: The class of each task, and the verb of its methods.
TASKS = {
    "detector": ("ObjectDetector", "detect"),
    "classifier": ("ImageClassifier", "classify"),
    "segmenter": ("ImageSegmenter", "segment"),
    "embedder": ("ImageEmbedder", "embed"),
}
#: The tasks with scored results.
SCORED = ("detector", "classifier")


class World:
    """A module, a model, and invalid files."""

    def __init__(self, module: str, task: str, model: str, photo: str) -> None:
        self.mp: Any = importlib.import_module(module)
        self.task, self.model, self.photo = task, model, photo
        self.vision = self.mp.tasks.vision
        self.modes = self.vision.RunningMode
        name, self.verb = TASKS[task]
        self.few = {"max_results": 2} if task in SCORED else {}
        self.kind = getattr(self.vision, name)
        self.options = getattr(self.vision, f"{name}Options")
        self.image = self.mp.Image(self.mp.ImageFormat.SRGB, np.zeros((40, 50, 3), np.uint8))
        self.place = tempfile.TemporaryDirectory(prefix="fovea-")
        self.folder = pathlib.Path(self.place.name)
        self.empty = str(self.folder / "empty")
        os.mkdir(self.empty)
        self.data = pathlib.Path(model).read_bytes()
        self.kept: list[Any] = []

    def close(self) -> None:
        """Removes the files."""
        self.place.cleanup()

    def base(self, path: Any = None, **options: Any) -> Any:
        return self.mp.tasks.BaseOptions(model_asset_path=path, **options)

    def make(self, base: Any = None, **options: Any) -> Any:
        # MediaPipe crashes if the options of an embedder's live stream are gone.
        self.kept.append(self.options(base_options=base or self.base(self.model), **options))
        return self.kind.create_from_options(self.kept[-1])

    def file(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def one(self, task: Any, *arguments: Any) -> Any:
        return getattr(task, self.verb)(*arguments)

    def video(self, task: Any, *arguments: Any) -> Any:
        return getattr(task, f"{self.verb}_for_video")(*arguments)

    def live(self, task: Any, *arguments: Any) -> Any:
        return getattr(task, f"{self.verb}_async")(*arguments)

    def cosine(self, *features: Any) -> Any:
        """The similarity of two lists of features."""
        embedding = self.mp.tasks.components.containers.Embedding
        return self.kind.cosine_similarity(*(embedding(np.asarray(each), 0) for each in features))

    def run(self, image: Any, **how: Any) -> Any:
        options = [self.vision.ImageProcessingOptions(**how)] if how else []
        with self.make(**self.few) as task:
            return self.one(task, image, *options)

    def times(self, *times: Any, **how: Any) -> Any:
        """Frames of a video, the last one with options."""
        options = [self.vision.ImageProcessingOptions(**how)] if how else []
        with self.make(running_mode=self.modes.VIDEO, **self.few) as task:
            for time in times[:-1]:
                self.video(task, self.image, time)
            return self.video(task, self.image, times[-1], *options)

    def streamed(self, *frames: tuple[Any, Any], **how: Any) -> Any:
        options = [self.vision.ImageProcessingOptions(**how)] if how else []
        mode = {"running_mode": self.modes.LIVE_STREAM, "result_callback": lambda *_: None}
        with self.make(**self.few, **mode) as task:
            for image, time in frames:
                self.live(task, image, time, *options)

    def in_mode(self, mode: str, call: Callable[..., Any]) -> Any:
        callback = {"result_callback": lambda *_: None} if mode == "LIVE_STREAM" else {}
        with self.make(running_mode=self.modes[mode], **callback) as task:
            return call(task, self.image, *([] if call == self.one else [0]))


Case = tuple[str, str, Callable[[World], Any]]
MODELS: list[Case] = [
    ("no model", "ValueError", lambda w: w.make(w.base())),
    ("an empty path", "ValueError", lambda w: w.make(w.base(""))),
    ("no bytes", "ValueError", lambda w: w.make(w.base(model_asset_buffer=b""))),
    ("a missing file", "FileNotFoundError", lambda w: w.make(w.base("nothere.tflite"))),
    (
        "a missing file alone",
        "FileNotFoundError",
        lambda w: w.kind.create_from_model_path("nothere.tflite"),
    ),
    ("None as path", "ValueError", lambda w: w.kind.create_from_model_path(None)),
    ("a path with NUL", "FileNotFoundError", lambda w: w.make(w.base("a\0b"))),
    ("an empty file", "RuntimeError", lambda w: w.make(w.base(w.file("empty.tflite", b"")))),
    ("a folder", "RuntimeError", lambda w: w.make(w.base(str(w.folder)))),
    ("an empty folder", "RuntimeError", lambda w: w.make(w.base(w.empty))),
    ("text", "ValueError", lambda w: w.make(w.base(w.file("text.tflite", b"no model" * 20)))),
    ("half a model", "ValueError", lambda w: w.make(w.base(w.file("half.tflite", w.data[:5000])))),
    ("bytes of text", "ValueError", lambda w: w.make(w.base(model_asset_buffer=b"no model" * 20))),
    (
        "a good path and bad bytes",
        "ValueError",
        lambda w: w.make(w.base(w.model, model_asset_buffer=b"no model" * 20)),
    ),
    (
        "a missing path and good bytes",
        "None",
        lambda w: w.make(w.base("nothere.tflite", model_asset_buffer=w.data)),
    ),
    ("a number as path", "AttributeError", lambda w: w.make(w.base(3))),
    ("bytes as path", "AttributeError", lambda w: w.make(w.base(b"a.tflite"))),
    ("text as bytes", "TypeError", lambda w: w.make(w.base(model_asset_buffer="text"))),
    ("a bytearray", "TypeError", lambda w: w.make(w.base(model_asset_buffer=bytearray(w.data)))),
    ("a number as delegate", "AttributeError", lambda w: w.make(w.base(w.model, delegate=1))),
    ("text as delegate", "AttributeError", lambda w: w.make(w.base(w.model, delegate="CPU"))),
]
OPTIONS: list[Case] = [
    ("no base options", "TypeError", lambda w: w.options()),
    ("text as base options", "AttributeError", lambda w: w.make(w.model)),
    ("an unknown option", "TypeError", lambda w: w.make(nothere=3)),
    ("None as options", "AttributeError", lambda w: w.kind.create_from_options(None)),
    ("other options", "AttributeError", lambda w: w.kind.create_from_options(w.base(w.model))),
    ("a live stream without callback", "ValueError", lambda w: w.make(running_mode=w.modes.LIVE_STREAM)),
    ("a callback for images", "ValueError", lambda w: w.make(result_callback=print)),
    (
        "a callback for videos",
        "ValueError",
        lambda w: w.make(running_mode=w.modes.VIDEO, result_callback=print),
    ),
    ("text as mode", "AttributeError", lambda w: w.make(running_mode="IMAGE")),
    ("a number as mode", "AttributeError", lambda w: w.make(running_mode=1)),
    ("None as mode", "AttributeError", lambda w: w.make(running_mode=None)),
]
RESULTS: list[Case] = [
    ("no results", "ValueError", lambda w: w.make(max_results=0)),
    ("a fraction of results", "TypeError", lambda w: w.make(max_results=2.5)),
    ("text as results", "TypeError", lambda w: w.make(max_results="3")),
    ("all results", "None", lambda w: w.make(max_results=-5)),
    ("very many results", "None", lambda w: w.make(max_results=2**31)),
    ("text as threshold", "TypeError", lambda w: w.make(score_threshold="0.5")),
    ("a negative threshold", "None", lambda w: w.make(score_threshold=-1.0)),
    ("a threshold above all", "None", lambda w: w.make(score_threshold=2.0)),
    ("NaN as threshold", "None", lambda w: w.make(score_threshold=float("nan"))),
    (
        "both lists",
        "ValueError",
        lambda w: w.make(category_allowlist=["cat"], category_denylist=["dog"]),
    ),
    ("empty lists", "None", lambda w: w.make(category_allowlist=[], category_denylist=[])),
    ("numbers as names", "AttributeError", lambda w: w.make(category_allowlist=[3])),
    ("unknown names to allow", "None", lambda w: w.make(category_allowlist=["unicorn", "", "a,b"])),
    ("unknown names to deny", "None", lambda w: w.make(category_denylist=["unicorn"])),
]
CALLS: list[Case] = [
    ("None as image", "AttributeError", lambda w: w.run(None)),
    ("an array as image", "AttributeError", lambda w: w.run(np.zeros((40, 50, 3), np.uint8))),
    ("a path as image", "AttributeError", lambda w: w.run(w.photo)),
    ("half a turn", "None", lambda w: w.run(w.image, rotation_degrees=-180)),
    ("a turn by 45°", "ValueError", lambda w: w.run(w.image, rotation_degrees=45)),
    ("a turn by 90.0°", "TypeError", lambda w: w.run(w.image, rotation_degrees=90.0)),
    ("a turn by text", "TypeError", lambda w: w.run(w.image, rotation_degrees="90")),
    ("a tuple as region", "AttributeError", lambda w: w.run(w.image, region_of_interest=(0, 0, 1, 1))),
    ("a number as options of a call", "AttributeError", lambda w: w.one(w.make(), w.image, 3)),
    ("an image in a video", "ValueError", lambda w: w.in_mode("VIDEO", w.one)),
    ("an image in a live stream", "ValueError", lambda w: w.in_mode("LIVE_STREAM", w.one)),
    ("a frame among images", "ValueError", lambda w: w.in_mode("IMAGE", w.video)),
    ("a frame in a live stream", "ValueError", lambda w: w.in_mode("LIVE_STREAM", w.video)),
    ("a live frame among images", "ValueError", lambda w: w.in_mode("IMAGE", w.live)),
    ("a live frame in a video", "ValueError", lambda w: w.in_mode("VIDEO", w.live)),
    ("times that rise from below 0", "None", lambda w: w.times(-5, 0, 10)),
    ("a time twice", "ValueError", lambda w: w.times(0, 10, 10)),
    ("a time before", "ValueError", lambda w: w.times(10, 5)),
    ("a time beyond 64 bits", "ValueError", lambda w: w.times(0, 2**63 - 1)),
    ("a time of NumPy", "None", lambda w: w.times(np.int64(0), np.int64(5))),
    ("a fraction as time", "ArgumentError", lambda w: w.times(20.5)),
    ("text as time", "ArgumentError", lambda w: w.times("30")),
    ("None as time", "ArgumentError", lambda w: w.times(None)),
    ("a turn by 45° in a video", "ValueError", lambda w: w.times(0, 10, rotation_degrees=45)),
    ("a live time twice", "ValueError", lambda w: w.streamed((w.image, 10), (w.image, 10))),
    ("a live turn by 45°", "ValueError", lambda w: w.streamed((w.image, 0), rotation_degrees=45)),
    ("None as live image", "AttributeError", lambda w: w.streamed((None, 0))),
    ("a fraction as live time", "ArgumentError", lambda w: w.streamed((w.image, 0.5))),
]


def pixels(*shape: int, of: Any = np.uint8) -> Any:
    return np.zeros(shape, of)


def image(name: str, data: Any) -> Callable[[World], Any]:
    return lambda w: w.mp.Image(getattr(w.mp.ImageFormat, name), data)


def opened(path: Any) -> Callable[[World], Any]:
    return lambda w: w.mp.Image.create_from_file(path)


IMAGES: list[Case] = [
    ("grey as RGB", "ValueError", image("SRGB", pixels(4, 5))),
    ("one channel as RGB", "ValueError", image("SRGB", pixels(4, 5, 1))),
    ("RGB as RGBA", "ValueError", image("SRGBA", pixels(4, 5, 3))),
    ("grey", "None", image("GRAY8", pixels(4, 5))),
    ("grey with a channel", "None", image("GRAY8", pixels(4, 5, 1))),
    ("no format", "ValueError", image("UNKNOWN", pixels(4, 5, 3))),
    ("a number as format", "None", lambda w: w.mp.Image(1, pixels(4, 5, 3))),
    ("a number that is no format", "ValueError", lambda w: w.mp.Image(99, pixels(4, 5, 3))),
    ("None as format", "ArgumentError", lambda w: w.mp.Image(None, pixels(4, 5, 3))),
    ("text as format", "ArgumentError", lambda w: w.mp.Image("SRGB", pixels(4, 5, 3))),
    ("16 bits", "ValueError", image("SRGB", pixels(4, 5, 3, of=np.uint16))),
    ("floats", "ValueError", image("SRGB", pixels(4, 5, 3, of=np.float32))),
    ("doubles", "ValueError", image("SRGB", pixels(4, 5, 3, of=np.float64))),
    ("truth values", "ValueError", image("SRGB", pixels(4, 5, 3, of=bool))),
    ("one dimension", "ValueError", image("SRGB", pixels(60))),
    ("four dimensions", "ValueError", image("SRGB", pixels(1, 4, 5, 3))),
    ("a single number", "ValueError", image("SRGB", np.uint8(3))),
    ("a list", "AttributeError", image("SRGB", [[[0, 0, 0]]])),
    ("None as data", "AttributeError", image("SRGB", None)),
    ("one index", "TypeError", lambda w: w.image[0]),
    ("two indices", "ValueError", lambda w: w.image[0, 0]),
    ("four indices", "ValueError", lambda w: w.image[0, 0, 0, 0]),
    ("three indices", "None", lambda w: w.image[0, 0, 0]),
    ("no data", "TypeError", lambda w: w.mp.Image(w.mp.ImageFormat.SRGB)),
    ("a missing image", "FileNotFoundError", opened("nothere.jpg")),
    ("an image's path with NUL", "FileNotFoundError", opened("a\0b.jpg")),
    ("no path", "FileNotFoundError", opened("")),
    ("an address", "FileNotFoundError", opened("https://example.com/a.jpg")),
    ("a folder as image", "RuntimeError", lambda w: opened(str(w.folder))(w)),
    ("an empty image", "RuntimeError", lambda w: opened(w.file("empty.jpg", b""))(w)),
    ("text as image", "RuntimeError", lambda w: opened(w.file("text.jpg", b"no image"))(w)),
    ("bytes as image's path", "AttributeError", opened(b"a.jpg")),
    ("a number as image's path", "AttributeError", opened(3)),
    ("None as image's path", "AttributeError", opened(None)),
]
MASKS: list[Case] = [
    ("results of a segmenter", "TypeError", lambda w: w.make(max_results=2)),
    (
        "no masks",
        "ValueError",
        lambda w: w.make(output_confidence_masks=False, output_category_mask=False),
    ),
    ("0 for no masks", "ValueError", lambda w: w.make(output_confidence_masks=0)),
    ("None for no masks", "ValueError", lambda w: w.make(output_confidence_masks=None)),
    ("1 for masks", "None", lambda w: w.make(output_confidence_masks=0, output_category_mask=1)),
]
EMBEDDINGS: list[Case] = [
    ("results of an embedder", "TypeError", lambda w: w.make(max_results=2)),
    ("no length", "None", lambda w: w.make(l2_normalize=None, quantize=None)),
    ("text for a length", "None", lambda w: w.make(l2_normalize="yes", quantize="")),
    ("features of other lengths", "ValueError", lambda w: w.cosine([1.0], [1.0, 2.0])),
    ("quantized and other features", "ValueError", lambda w: w.cosine([1.0], np.array([3], np.uint8))),
    ("features of float32", "ValueError", lambda w: w.cosine(*[np.ones(3, np.float32)] * 2)),
    ("zeros", "ValueError", lambda w: w.cosine([0.0, 0.0], [1.0, 2.0])),
    ("features of no length", "ValueError", lambda w: w.cosine([], [])),
    ("alike features", "None", lambda w: w.cosine([1.0, 2.0], [1.0, 2.0])),
    ("None as features", "AttributeError", lambda w: w.kind.cosine_similarity(None, None)),
]
COMMON = [*MODELS, *OPTIONS, *CALLS, *IMAGES]
CASES: dict[str, list[Case]] = {
    "detector": [*COMMON, *RESULTS],
    "classifier": [*COMMON, *RESULTS],
    "segmenter": [*COMMON, *MASKS],
    "embedder": [*COMMON, *EMBEDDINGS],
}


def raised(world: World, work: Callable[[World], Any]) -> tuple[list[str], str]:
    """The names of the classes of the error, the nearest first, and its text; "None" without one."""
    try:
        work(world)
    except Exception as error:
        return [each.__name__ for each in type(error).__mro__], str(error)
    return ["None"], ""


def main(module: str, photo: str, *models: str) -> None:
    found = {}
    for task, model in zip(TASKS, models, strict=True):
        for name, _, work in CASES[task]:
            with contextlib.closing(World(module, task, model, photo)) as world:
                found[f"{task}: {name}"] = raised(world, work)
    print(json.dumps(found), flush=True)
    os._exit(0)  # MediaPipe may crash at exit after failed tasks


if __name__ == "__main__":
    main(*sys.argv[1:])
