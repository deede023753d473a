# SPDX-License-Identifier: Apache-2.0
"""Rewrites the library's texts, which name C functions and options, in the terms of this package."""

from __future__ import annotations

import re

_VALUE = re.compile(r"\b[Tt]he option '([a-z-]+)' = '([^'\\]*)'")
_OPTION = re.compile(r"\b[Tt]he option '([a-z-]+)'")
_BOTH = re.compile(r"\b[Tt]he options '([a-z-]+)' and '([a-z-]+)'")
_FUNCTIONS = {
    "fovea_inspect": "fovea.inspect()",
    "fovea_detector_open": "fovea.Detector",
    "fovea_labeler_open": "fovea.Labeler",
    "fovea_segmenter_open": "fovea.Segmenter",
    "fovea_embedder_open": "fovea.Embedder",
    "See fovea.h": "Correct the argument",
    "; fovea.h lists the options that apply": "",
    " is NULL": " is None",
}
_NAMED = re.compile("|".join(map(re.escape, _FUNCTIONS)))


def python(text: str) -> str:
    """Replaces C options by keyword arguments, and C functions by classes."""
    if "option" in text:
        text = _VALUE.sub(lambda found: f"{_keyword(found[1])}='{found[2]}'", text)
        text = _OPTION.sub(lambda found: f"'{_keyword(found[1])}'", text)
        text = _BOTH.sub(lambda found: f"'{_keyword(found[1])}' and '{_keyword(found[2])}'", text)
    if "fovea" in text or "NULL" in text:
        text = _NAMED.sub(lambda found: _FUNCTIONS[found[0]], text)
    return text


def _keyword(option: str) -> str:
    return option.replace("-", "_")
