# SPDX-License-Identifier: Apache-2.0
"""JSON lines, text and CSV columns like those of the program, with the same rounding and escapes.

They are written in Python for all results, because slices, `upright()`, unpickled results and failed images have
no `fovea_result`.
"""

from __future__ import annotations

import base64
import math
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._features import Features
    from ._maps import Segmentation
    from ._masks import Mask
    from ._results import Detection, Detections, ImageResult, Label, Labels
    from ._types import MaskForm

ORIENTATIONS = (
    "up",
    "upMirrored",
    "down",
    "downMirrored",
    "leftMirrored",
    "right",
    "rightMirrored",
    "left",
)
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


def number(value: float, places: int, *, padded: bool = False) -> str:
    """Rounds half away from zero; without trailing zeros unless padded, and null if not finite."""
    if not math.isfinite(value):
        return "null"
    scaled = value * float(10**places)
    if abs(scaled) >= 2**53:
        return repr(value)
    whole = math.trunc(scaled)
    if abs(scaled - whole) >= 0.5:
        whole += 1 if scaled > 0 else -1
    digits = str(abs(whole)).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}"
    if not padded:
        text = text.rstrip("0").rstrip(".")
    return f"-{text}" if whole < 0 else text


def quoted(text: str | None) -> str:
    """Returns a JSON string; null for None."""
    if text is None:
        return "null"
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    return _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}"


def name_members(path: str | None) -> str:
    """Returns `"image": …`, and `"imageBytes": …` for a path that is not UTF-8."""
    if path is None:
        return '"image": null'
    raw = os.fsencode(path)
    try:
        return f'"image": {quoted(raw.decode())}'
    except UnicodeDecodeError:
        encoded = base64.b64encode(raw).decode("ascii")
        return f'"image": {quoted(raw.decode("utf-8", "replace"))}, "imageBytes": "{encoded}"'


def csv_name(path: str | None) -> str:
    """Returns a name as in the CSV column `image`."""
    raw = os.fsencode(path or "")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return "base64:" + base64.b64encode(raw).decode("ascii")
    return "base64:" + base64.b64encode(raw).decode("ascii") if text.startswith("base64:") else text


def printable(text: str) -> str:
    """Escapes control characters, like the names that the program prints."""
    return _UNPRINTABLE.sub(_spell, text)


def shown_name(path: str | None) -> str:
    """Returns a name for display, without control characters or invalid UTF-8."""
    raw = os.fsencode(path) if path else b""
    return printable(raw.decode("utf-8", "replace")) or "image"


def _spell(found: re.Match[str]) -> str:
    return _SHORT.get(found[0]) or f"\\u{{{ord(found[0]):x}}}"


def _label(label: Label) -> str:
    confidence = number(label.confidence, 6)
    return f'{{"text": {quoted(label.text)}, "index": {label.index}, "confidence": {confidence}}}'


def _box(x: float, y: float, width: float, height: float) -> str:
    a, b, c, d = number(x, 2), number(y, 2), number(width, 2), number(height, 2)
    return f'{{"x": {a}, "y": {b}, "width": {c}, "height": {d}}}'


def _mask(mask: Mask | None, form: MaskForm) -> str:
    """Returns the member `mask` after a comma; empty if there is none."""
    member = None if mask is None else mask._member(form)
    if member is None or mask is None:
        return ""
    name, value = member
    if name == "counts":
        text = quoted(value)
    else:
        polygons = (", ".join(number(each, 2) for each in polygon.ravel().tolist()) for polygon in value)
        text = "[" + ", ".join(f"[{polygon}]" for polygon in polygons) + "]"
    width, height = mask._size
    return f', "mask": {{"size": [{height}, {width}], "{name}": {text}}}'


def _oriented(found: Detection) -> str:
    """Returns the member `orientedBox` after a comma; empty without a rotated box."""
    if found.oriented is None:
        return ""
    x, y, width, height, angle = found.oriented
    box = _box(x, y, width, height).removesuffix("}")
    return f', "orientedBox": {box}, "degrees": {number(angle * 180 / math.pi, 3)}}}'


def _object(found: Detection, form: MaskForm) -> str:
    identity = "null" if found.track_id is None else str(found.track_id)
    labels = ", ".join(map(_label, found.labels))
    scores = [f', "score": {number(score, 6)}' for score in found.keypoint_scores] or [""] * len(
        found.keypoints
    )
    points = ", ".join(
        f'{{"x": {number(x, 2)}, "y": {number(y, 2)}{score}}}'
        for (x, y), score in zip(found.keypoints, scores, strict=True)
    )
    return (
        f'{{"box": {_box(*found.xywh)}, "score": {number(found.score, 6)}, "trackingID": {identity}, '
        f'"labels": [{labels}]'
        + (f', "keypoints": [{points}]' if points else "")
        + f"{_mask(found.mask, form)}{_oriented(found)}}}"
    )


def line(result: ImageResult, content: str) -> str:
    """Returns the JSON object of an image; `content` is its objects or labels."""
    name = name_members(result.path)
    if result.error is not None:
        error = result.error
        return (
            f'{{{name}, "error": {{"code": {quoted(error.code)}, "message": {quoted(error.message)}, '
            f'"remedy": {quoted(error.remedy)}}}}}'
        )
    space = "" if result.space == "stored" else f', "space": {quoted(result.space)}'
    times = ", ".join(f'"{stage}": {number(value, 3)}' for stage, value in result.milliseconds.items())
    return (
        f'{{{name}, "width": {result.width}, "height": {result.height}, '
        f'"orientation": "{ORIENTATIONS[result.orientation - 1]}"{space}, {content}, "milliseconds": {{{times}}}}}'
    )


def objects(result: Detections, form: MaskForm) -> str:
    """Returns the member `objects`."""
    return f'"objects": [{", ".join(_object(found, form) for found in result)}]'


def labels(result: Labels) -> str:
    """Returns the member `labels`."""
    return f'"labels": [{", ".join(map(_label, result))}]'


def classes(result: Segmentation, form: MaskForm) -> str:
    """Returns the member `classes`."""
    parts = (
        f'{{"text": {quoted(part.label)}, "index": {part.index}, "share": {number(part.share, 6)}'
        f"{_mask(result.mask(part.index), form)}}}"
        for part in result.shares
    )
    return f'"classes": [{", ".join(parts)}]'


def features(result: Features) -> str:
    """Returns the JSON object of an image's features."""
    values = ", ".join(map(str, result.values))
    return f'{{{name_members(result.path)}, "features": [{values}]}}'


def heading(result: ImageResult) -> str:
    """Returns the first line of an image's text."""
    name = shown_name(result.path)
    return (
        f"{name}  {result.width} × {result.height}\n"
        if result.error is None
        else f"{result.error}\n"
        if result.error.subject
        else f"{name}: {result.error}\n"
    )


def _whole(value: float) -> str:
    """Rounds half away from zero to a whole number."""
    return str(int(math.copysign(math.floor(abs(value) + 0.5), value)))


def _shapes(found: Detection) -> str:
    """Returns the number of keypoints, the share of the box that the mask covers, and the rotation."""
    text = f"  {len(found.keypoints)} points" if found.keypoints else ""
    if found.mask is not None:
        box = found.xywh[2] * found.xywh[3]
        share = min(found.mask.area / box, 1) if box > 0 else 0
        text += f"  mask {_whole(share * 100)} %"
    if found.oriented is not None:
        text += f"  rotated {_whole(found.oriented[4] * 180 / math.pi)}°"
    return text


def object_lines(result: Detections) -> str:
    """Returns one aligned line for each object."""
    if not len(result):
        return "" if result.error else "  no objects\n"
    rows = []
    for found in result:
        best = found.labels[0].confidence if found.labels else found.score
        sizes = [number(value, 1, padded=True) for value in found.xywh]
        identity = "" if found.track_id is None else f"#{found.track_id}"
        rows.append([identity, printable(found.label), number(best, 2, padded=True), *sizes])
    widths = [max(len(row[column]) for row in rows) for column in range(7)]
    text = ""
    for found, row in zip(result, rows, strict=True):
        cells = [cell.ljust(widths[at]) if at == 1 else cell.rjust(widths[at]) for at, cell in enumerate(row)]
        identity = f"{cells[0]}  " if widths[0] else ""
        is_classified = bool(found.labels) and found.labels[0].confidence != found.score
        score = f"  box {number(found.score, 2, padded=True)}" if is_classified else ""
        text += f"  {identity}{cells[1]}  {cells[2]}  at {cells[3]}, {cells[4]}  size {cells[5]} × {cells[6]}{score}"
        text += f"{_shapes(found)}\n"
    return text


def class_lines(result: Segmentation) -> str:
    """Returns one aligned line for each class."""
    shares = result.shares
    if not shares:
        return "" if result.error else "  no classes\n"
    names = [printable(part.name) for part in shares]
    numbers = [number(part.share * 100, 1, padded=True) for part in shares]
    width, digits = max(map(len, names)), max(map(len, numbers))
    return "".join(
        f"  {name.ljust(width)}  {text.rjust(digits)} %\n" for name, text in zip(names, numbers, strict=True)
    )


def label_lines(result: Labels) -> str:
    """Returns one aligned line for each label."""
    if not len(result):
        return "" if result.error else "  no labels\n"
    names = [printable(label.name) for label in result]
    width = max(map(len, names))
    return "".join(
        f"  {name.ljust(width)}  {number(label.confidence, 2, padded=True)}\n"
        for name, label in zip(names, result, strict=True)
    )
