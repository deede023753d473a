# SPDX-License-Identifier: Apache-2.0
"""Errors: their classes, their text, and pickling."""

from __future__ import annotations

import pickle

import pytest

import fovea
from fovea._errors import make_error

CLASSES = [
    ("image-not-found", fovea.ImageNotFound, (fovea.ImageError, FileNotFoundError, ValueError)),
    ("image-truncated", fovea.ImageError, (fovea.FoveaError, ValueError)),
    ("model-invalid", fovea.ModelError, (fovea.FoveaError, ValueError)),
    ("metadata-damaged-model", fovea.ModelError, (fovea.FoveaError,)),
    ("unknown-family", fovea.ModelError, (fovea.FoveaError,)),
    ("option-invalid", fovea.OptionError, (fovea.FoveaError, ValueError)),
    ("argument-invalid", fovea.OptionError, (fovea.FoveaError, ValueError)),
    ("runtime-missing", fovea.RuntimeMissing, (fovea.FoveaError, ImportError)),
    ("cancelled", fovea.Cancelled, (fovea.FoveaError,)),
    ("closed", fovea.ClosedError, (fovea.FoveaError, RuntimeError)),
    ("busy", fovea.ClosedError, (RuntimeError,)),
    ("run-failed", fovea.FoveaError, (Exception,)),
    ("something-new", fovea.FoveaError, (Exception,)),
]


@pytest.mark.parametrize(("code", "kind", "bases"), CLASSES, ids=[case[0] for case in CLASSES])
def test_codes_have_classes(code: str, kind: type[fovea.FoveaError], bases: tuple[type, ...]) -> None:
    error = make_error(code, "it ends", "Copy it again", "a.jpg")
    assert type(error) is kind
    assert isinstance(error, bases)
    assert str(error) == "a.jpg: it ends. Copy it again."
    assert str(make_error(code, "it ends", "Is it whole?")) == "it ends. Is it whole?"
    assert str(make_error(code, "it ends")) == "it ends"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.code, again.message, again.remedy, again.subject) == (
        kind,
        code,
        "it ends",
        "Copy it again",
        "a.jpg",
    )


def test_texts_without_parts() -> None:
    assert str(make_error("cancelled", "it was cancelled")) == "it was cancelled"
    error = make_error("image-not-found", "no such file", "", "a.jpg")
    assert isinstance(error, OSError)
    assert (error.errno, error.filename, error.strerror) == (2, "a.jpg", "no such file")
