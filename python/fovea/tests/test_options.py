# SPDX-License-Identifier: Apache-2.0
"""Options: their names, their values, and the errors of wrong ones."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest
from conftest import MODELS, numbers

import fovea
from fovea import _detector, _labeler, _tracker
from fovea._options import text_of

UNKNOWN: list[tuple[Any, dict[str, Any], str]] = [
    (fovea.Detector, {"treshold": 0.5}, "Detector has no option 'treshold'; did you mean threshold"),
    (fovea.Detector, {"max_results": 3}, r"did you mean max_objects\?"),
    (fovea.Detector, {"qqq": 3}, "its options are activation, allow"),
    (fovea.Detector, {"num_threads": 3}, r"did you mean threads or sessions\?"),
    (fovea.Detector, {"fps": 3}, "its options are activation, allow"),
    (fovea.Labeler, {"max_objects": 3}, r"Labeler has no option 'max_objects'; did you mean max_results\?"),
    (fovea.Labeler, {"top_k": 3}, r"did you mean max_results\?"),
    (fovea.Labeler, {"iou_threshold": 0.5}, "its options are activation, allow"),
    (fovea.Tracker, {"max_results": 3}, "its options are config, every"),
    (fovea.Tracker, {"framerate": 3}, "did you mean frame_rate"),
]


@pytest.mark.parametrize(("kind", "options", "text"), UNKNOWN)
def test_an_unknown_option_is_a_type_error_with_near_names(
    kind: Any, options: dict[str, Any], text: str
) -> None:
    with pytest.raises(TypeError, match=text):
        kind(**options)


OUT_OF_RANGE: list[tuple[Any, dict[str, Any]]] = [
    (fovea.Detector, {"threshold": 1.5}),
    (fovea.Detector, {"threshold": float("nan")}),
    (fovea.Detector, {"threshold": "high"}),
    (fovea.Detector, {"max_objects": 0}),
    (fovea.Detector, {"max_objects": 2.5}),
    (fovea.Detector, {"max_objects": 1 << 80}),
    (fovea.Detector, {"sessions": 0}),
    (fovea.Detector, {"threads": 257}),
    (fovea.Detector, {"slice": 3}),
    (fovea.Detector, {"slice_overlap": 0.9}),
    (fovea.Detector, {"family": "nosuch"}),
    (fovea.Detector, {"fit": "crop"}),
    (fovea.Detector, {"allow": ["nosuch"]}),
    (fovea.Detector, {"allow": ["cat"], "deny": ["dog"]}),
    (fovea.Detector, {"allow": ["a\nb"]}),
    (fovea.Detector, {"locale": "e\0n"}),
    (fovea.Detector, {"iou": object()}),
    (fovea.Detector, {"normalize": [1]}),
    (fovea.Labeler, {"max_results": 0}),
    (fovea.Labeler, {"threshold": -1}),
    (fovea.Tracker, {"tracker": "nosuch"}),
    (fovea.Tracker, {"every": 0}),
    (fovea.Tracker, {"every": 1001}),
    (fovea.Tracker, {"frame_rate": 0}),
    (fovea.Tracker, {"tracker": "sort", "every": 2}),
]


@pytest.mark.parametrize(
    ("kind", "options"), OUT_OF_RANGE, ids=lambda value: getattr(value, "__name__", None) or " ".join(value)
)
def test_a_value_out_of_range_is_an_error_with_a_remedy(kind: Any, options: dict[str, Any]) -> None:
    with pytest.raises(fovea.OptionError) as caught:
        kind(**options)
    assert isinstance(caught.value, ValueError)
    assert caught.value.code == "option-invalid"
    assert caught.value.message
    assert caught.value.remedy


TEXTS = [
    (True, "true"),
    (False, "false"),
    (3, "3"),
    (np.int64(3), "3"),
    (0.1, "0.1"),
    (np.float64(0.1), "0.1"),
    ("a", "a"),
    (pathlib.Path("a/b"), "a/b"),
    (("a", "b"), "a,b"),
    (("a, b", "c"), "a, b\nc\n"),
    ((127.5, 127.5), "127.5,127.5"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_values_as_text(value: object, text: str) -> None:
    assert text_of("any", value) == text


def test_numbers_as_arrays(cat: pathlib.Path) -> None:
    for number in (np.array(100), [100], np.int64(100)):
        with (
            fovea.Detector(max_pixels=number) as few,
            pytest.raises(fovea.ImageError, match="100 are allowed"),
        ):  # type: ignore[arg-type]
            few(np.zeros((30, 30, 6), np.uint8)[:, :, ::2])
    assert text_of("threshold", np.array(0.5)) == "0.5"
    with fovea.Detector(sessions=np.array(2)) as two:  # type: ignore[arg-type]
        assert two(cat).labels == ["cat"]


def test_each_option_exists_in_the_library() -> None:
    """The library knows each name: it rejects or accepts the value."""
    for known in (_detector.OPTIONS, _labeler.OPTIONS, _tracker.OPTIONS):
        for name in known.names:
            try:
                known.kind(**{name: "\x01"})
            except fovea.FoveaError as error:
                assert "no option" not in error.message, name
            except TypeError as error:  # a name that Python's own signature checks
                assert "sessions" in name or "number expected" in str(error), (name, error)


def test_labels_as_a_list(cat: pathlib.Path) -> None:
    model = MODELS / "ssd_postprocess.tflite"
    with fovea.Detector(model, labels=["one", "two, with a comma", "drei"]) as detector:
        assert detector.names[:3] == ["one", "two, with a comma", "drei"]
    with pytest.raises(fovea.OptionError, match="line break"):
        fovea.Detector(model, labels=["a\nb"])


def test_a_model_from_bytes_matches_the_file(cat: pathlib.Path) -> None:
    model = MODELS / "ssd_postprocess.tflite"
    with fovea.Detector(model, threshold=0) as one, fovea.Detector(model.read_bytes(), threshold=0) as other:
        assert numbers(one(cat)) == numbers(other(cat))
        assert one.model_sha256() == other.model_sha256()


def test_classifiers(cat: pathlib.Path) -> None:
    localizer = MODELS.parent.parent.parent / "Sources/C/CEmbeddedModels/models/localizer_int8.tflite"
    coarse = MODELS.parent.parent.parent / "Sources/C/CEmbeddedModels/models/coarse_int8.tflite"
    with (
        fovea.Detector(localizer, classifier=coarse) as one,
        fovea.Detector(localizer, classifier=coarse.read_bytes()) as other,
    ):
        assert numbers(one(cat)) == numbers(other(cat))
    with fovea.Detector(localizer, classifier=False) as detector:
        assert set(detector(cat).labels) == {"object"}
        assert set(detector(cat).label_index.tolist()) == {-1}


def test_assumptions_and_names() -> None:
    with fovea.Detector() as detector:
        assert len(detector.names) == 80
        assert (detector.names[0], detector.names[15]) == ("person", "cat")
        assert detector.assumptions == []
    with fovea.Detector(MODELS / "ssd.tflite", labels=["background", "a", "b", "c"]) as detector:
        assert any("normaliz" in text for text in detector.assumptions)


def test_the_repr_of_a_detector() -> None:
    with fovea.Detector(threshold=0.4) as detector:
        assert repr(detector) == "<fovea.Detector embedded, threshold=0.4>"
    assert repr(detector) == "<fovea.Detector embedded, threshold=0.4, closed>"
