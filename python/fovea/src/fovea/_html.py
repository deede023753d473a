# SPDX-License-Identifier: Apache-2.0
"""Notebook output: the image with its boxes, as HTML without a drawing library, or as PNG with Pillow."""

from __future__ import annotations

import base64
import html as markup
import io
import pathlib
import struct
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _upright
from ._images import is_pillow
from ._recent import File

if TYPE_CHECKING:
    from ._results import Detections, Labels

#: The longer side of an array in a notebook, in pixels.
_SIDE = 1024
#: The size of the largest file embedded into a page, in bytes.
_BYTES = 32 * 1024 * 1024
_MEDIA = {
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG": "image/png",
    b"RIFF": "image/webp",
    b"GIF8": "image/gif",
    b"BM": "image/bmp",
}
#: Colours of boxes and of their captions.
_COLOURS = (
    ("#ff3b30", "#fff"), ("#34c759", "#000"), ("#0a84ff", "#fff"), ("#ff9f0a", "#000"), ("#bf5af2", "#fff"),
    ("#64d2ff", "#000"), ("#ffd60a", "#000"), ("#ff375f", "#fff"),
)  # fmt: skip


def html(result: Detections) -> str:
    """Returns the image as a data URI under an SVG of its boxes; a grey area with the reason if it cannot be shown."""
    if result.error is not None:
        return plain(result)
    shown = _shown(result)
    drawn = result if shown is None or result._source.oriented else result.upright()
    width, height = drawn.width or 1, drawn.height or 1
    unit = max(width, height) / 100
    stored = ";image-orientation:none" if drawn.space == "stored" else ""
    image = words = ""
    if shown is None:
        words = (
            f'<text x="50%" y="50%" text-anchor="middle" font-family="sans-serif" font-size="{2.5 * unit:.1f}" '
            f'fill="#fff">{_reason(result)}</text>'
        )
    else:
        image = f'<img alt="" src="{shown}" style="display:block;width:100%;height:auto{stored}">'
    ratio = f"aspect-ratio:{width}/{height};background:#8e8e93"
    return (
        f'<div style="position:relative;max-width:{min(width, 800)}px;{ratio}">{image}'
        f'<svg viewBox="0 0 {width} {height}" style="position:absolute;inset:0;width:100%;height:100%">'
        f"{words}{''.join(_mask(found) for found in drawn)}{''.join(_box(found, unit) for found in reversed([*drawn]))}</svg></div>"
        f"<p>{markup.escape(repr(result).strip('<>'))}</p>"
    )


def plain(result: Detections | Labels) -> str:
    """Returns the text that `print` shows."""
    return f"<pre>{markup.escape(str(result))}</pre>"


def _box(found: Any, unit: float) -> str:
    x, y, width, height = found.xywh
    colour, ink = _COLOURS[found.label_index % len(_COLOURS)]
    text = markup.escape(_words(found))
    if found.corners:
        shape = f'<path d="{_path([found.corners])}"'
    else:
        shape = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return (
        f'{shape} fill="none" stroke="{colour}" stroke-width="{unit / 2:.2f}"/>'
        f'<text x="{x + unit:.1f}" y="{max(y, 0) + 4 * unit:.1f}" font-family="sans-serif" '
        f'font-size="{3.5 * unit:.1f}" fill="{ink}" stroke="{colour}" stroke-width="{1.5 * unit:.1f}" '
        f'stroke-linejoin="round" paint-order="stroke">{text}</text>'
    )


def _mask(found: Any) -> str:
    """Returns the area of a mask; empty without one."""
    outlines = [] if found.mask is None else found.mask.outlines
    colour = _COLOURS[found.label_index % len(_COLOURS)][0]
    return f'<path d="{_path(outlines)}" fill="{colour}" fill-opacity="0.4"/>' if outlines else ""


def _path(polygons: Any) -> str:
    """Returns polygons as an SVG path; holes run the other way, and stay empty."""
    return "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in polygon) + "Z" for polygon in polygons)


def _words(found: Any) -> str:
    identity = "" if found.track_id is None else f"#{found.track_id} "
    return f"{identity}{found.label} {found.score:.2f}"


def _shown(result: Detections) -> str | None:
    """Returns the data URI of the image; None if it is gone or browsers do not support its format."""
    given: Any = _given(result)
    if isinstance(given, File):
        return _file_uri(given.data)
    if given is not None:
        pixels = np.asarray(given.convert("RGB")) if _as_pillow(given) is not None else given
        return _uri("image/png", _png(_oriented(_reduced(pixels), result)))
    if result.path is None:
        return None
    try:
        path = pathlib.Path(result.path)
        data = path.read_bytes() if path.is_file() and path.stat().st_size <= _BYTES else b""
    except OSError:  # gone or no longer readable: the boxes are shown without it
        return None
    return _file_uri(data)


def _given(result: Detections) -> Any:
    """Returns the caller's image while it is alive; None for a closed Pillow image."""
    given: Any = result._source.shown() if result._source.shown else None
    if is_pillow(given):
        try:
            given.load()
        except ValueError:
            return None
    return given


def _reason(result: Detections) -> str:
    """Returns the reason why there is no image under the boxes."""
    if result.path is None and (result._source.shown is None or result._source.shown() is None):
        return "The image is gone. Keep it in a variable, or pass a path"
    return "The file is gone, too large for a page, or in a format that browsers do not support"


def _file_uri(data: bytes) -> str | None:
    kind = next((media for start, media in _MEDIA.items() if data.startswith(start)), None)
    return None if kind is None else _uri(kind, data)


def _as_pillow(given: Any) -> Any:
    return given if is_pillow(given) else None


def _uri(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"


def _reduced(pixels: Any) -> np.ndarray[Any, Any]:
    """Keeps every n-th pixel, so that a side has at most 1,024."""
    step = -(-max(pixels.shape[:2]) // _SIDE)
    reduced = np.asarray(pixels)[::step, ::step]
    return reduced[:, :, :3] if reduced.ndim == 3 and reduced.shape[2] == 4 else reduced


def _oriented(pixels: np.ndarray[Any, Any], result: Detections) -> np.ndarray[Any, Any]:
    """Rotates pixels upright, unless the boxes are drawn in the stored image."""
    if result._source.oriented:
        return pixels
    return _upright.turned(pixels, result.orientation)


def _png(pixels: np.ndarray[Any, Any]) -> bytes:
    """Encodes grey or RGB pixels as PNG.

    **Source:** PNG specification (third edition), section 5.
    """
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[:, :, 0]
    height, width = pixels.shape[:2]
    rows = np.ascontiguousarray(pixels).reshape(height, -1)
    filtered = np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, 0 if pixels.ndim == 2 else 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(filtered, 6)), (b"IEND", b""))
    parts = [
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def png(result: Detections) -> bytes | None:
    """Draws the upright image with its boxes as PNG; None without Pillow, or if the image is gone."""
    if result.error is not None:
        return None
    try:
        from PIL import Image, ImageDraw, ImageFont, ImageOps
    except ImportError:
        return None
    drawn = result if result._source.oriented else result.upright()
    given: Any = _given(result)
    try:
        if isinstance(given, File):
            given = Image.open(io.BytesIO(given.data))
        if given is not None and not is_pillow(given):
            image = Image.fromarray(np.ascontiguousarray(_oriented(np.squeeze(given), result))).convert("RGB")
        else:
            opened = given if given is not None else Image.open(result.path or "")
            image = (opened if result._source.oriented else ImageOps.exif_transpose(opened)).convert("RGB")
    except (OSError, SyntaxError):  # a format that Pillow does not support, or a missing file
        return None
    canvas = ImageDraw.Draw(image)
    line = max(2, round(max(image.size) / 300))
    size = max(10, round(0.035 * max(image.size)))
    try:
        font: Any = ImageFont.load_default(size=size)
    except (
        TypeError,
        ImportError,
    ):  # Pillow before 10.1, or without FreeType: small letters of Latin-1, no edge
        font = None
    for found in drawn:
        if found.mask is not None and image.size == (drawn.width, drawn.height):
            # 40 % of the colour.
            area = Image.fromarray(found.mask.bitmap.astype(np.uint8) * 102)
            image.paste(_COLOURS[found.label_index % len(_COLOURS)][0], mask=area)
    for found in reversed([*drawn]):
        colour, ink = _COLOURS[found.label_index % len(_COLOURS)]
        if found.corners:
            canvas.polygon(found.corners, outline=colour, width=line)
        else:
            canvas.rectangle(found.xyxy, outline=colour, width=line)
        at = (found.xyxy[0] + 2 * line, max(found.xyxy[1], 0) + line)
        if font is None:
            canvas.text(at, _words(found).encode("latin-1", "replace").decode("latin-1"), fill=colour)
        else:
            canvas.text(
                at, _words(found), fill=ink, font=font, stroke_width=max(1, size // 9), stroke_fill=colour
            )
    image.thumbnail((_SIDE, _SIDE))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
