# SPDX-License-Identifier: Apache-2.0
"""The display of a result in a notebook."""

from __future__ import annotations

import base64
import collections
import gc
import io
import pathlib
import re
import sys
import types
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from conftest import MODELS, PHOTOS

import fovea
from fovea import _recent


def image_of(html: str) -> tuple[str, bytes] | None:
    """Media type and bytes of the embedded image."""
    found = re.search(r'src="data:([a-z/]+);base64,([^"]*)"', html)
    return (found[1], base64.b64decode(found[2])) if found else None


class Balanced(HTMLParser):
    """Counts the open elements."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag != "img":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(html: str) -> str:
    parser = Balanced()
    parser.feed(html)
    assert parser.open == []
    assert "http" not in re.sub('base64,[^"]*', "", html)
    return html


def test_a_file_is_shown_unchanged(detector: fovea.Detector, cat: pathlib.Path) -> None:
    found = detector(cat)
    html = checked(found._repr_html_())
    assert image_of(html) == ("image/jpeg", cat.read_bytes())
    assert html.count("<rect") == len(found) == 1
    assert 'viewBox="0 0 451 300"' in html
    assert "cat 0.76" in html


def test_an_array_is_shown_as_png_while_it_exists(
    detector: fovea.Detector, pixels: np.ndarray[Any, Any]
) -> None:
    image = pytest.importorskip("PIL.Image")
    own = pixels.copy()
    found = detector(own)
    shown = image_of(checked(found._repr_html_()))
    assert shown is not None
    assert np.array_equal(np.asarray(image.open(io.BytesIO(shown[1]))), own)
    png = found._repr_png_()
    assert png is not None
    assert image.open(io.BytesIO(png)).size == (451, 300)
    del own
    gc.collect()
    html = checked(found._repr_html_())
    assert image_of(html) is None
    assert "The image is gone. Keep it in a variable" in html
    assert found._repr_png_() is None


def test_a_notebook_keeps_the_last_images(
    detector: fovea.Detector, cat: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pillow = pytest.importorskip("PIL.Image")
    without = detector(cat.read_bytes())
    assert "The image is gone" in checked(without._repr_html_())
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))
    monkeypatch.setattr(_recent, "_kept", collections.deque(maxlen=_recent.COUNT))
    file = detector(cat.read_bytes())
    pixels = detector(np.asarray(pillow.open(cat).convert("RGB")))
    opened = detector(pillow.open(cat))
    gc.collect()
    assert image_of(checked(file._repr_html_())) == ("image/jpeg", cat.read_bytes())
    for found in (file, pixels, opened):
        assert image_of(checked(found._repr_html_())) is not None
        assert found._repr_png_() is not None
    last = [detector(pillow.open(cat).convert("RGB")) for _ in range(_recent.COUNT)]
    gc.collect()
    assert all(image_of(checked(found._repr_html_())) is not None for found in last)
    closed = pillow.open(str(cat))
    known = detector(closed)
    closed.close()
    assert image_of(checked(known._repr_html_())) == ("image/jpeg", cat.read_bytes())
    assert known._repr_png_() is not None
    last[-1]._source.shown().close()  # type: ignore[misc, attr-defined]
    assert image_of(checked(last[-1]._repr_html_())) is None
    assert last[-1]._repr_png_() is None
    for _ in range(_recent.COUNT):
        detector(cat.read_bytes())
    assert "The image is gone" in checked(file._repr_html_())
    changing = bytearray(cat.read_bytes())
    detector(changing)
    changing.append(0)  # nothing refers to it


@pytest.mark.parametrize("channels", [3, 4])
def test_bgr_is_shown_with_its_colours(
    channels: int, detector: fovea.Detector, pixels: np.ndarray[Any, Any]
) -> None:
    image = pytest.importorskip("PIL.Image")
    own = np.ascontiguousarray(np.dstack([pixels[:, :, ::-1], pixels[:, :, :1]])[:, :, :channels])
    for given, order in (
        (own, "bgr"),
        (own[:, :, ::-1] if channels == 3 else own[:, :, [2, 1, 0, 3]], "rgb"),
    ):
        found = detector(given, order=order)
        shown = image_of(checked(found._repr_html_()))
        assert shown is not None
        assert np.array_equal(np.asarray(image.open(io.BytesIO(shown[1]))), pixels)
        png = found._repr_png_()
        assert png is not None
        corner = np.asarray(image.open(io.BytesIO(png)))[-1, -1]
        assert np.array_equal(corner, pixels[-1, -1])


@pytest.mark.parametrize("shape", [(2000, 3000, 3), (1500, 700), (9, 9, 1), (20, 30, 4)])
def test_large_grey_and_transparent_arrays(shape: tuple[int, ...], detector: fovea.Detector) -> None:
    pillow = pytest.importorskip("PIL.Image")
    image = np.random.default_rng(1).integers(0, 255, shape, np.uint8)
    found = detector(image)
    shown = image_of(checked(found._repr_html_()))
    assert shown is not None
    decoded = pillow.open(io.BytesIO(shown[1]))
    assert max(decoded.size) <= 1024
    assert decoded.mode == ("L" if len(shape) == 2 or shape[2] == 1 else "RGB")
    assert found._repr_png_() is not None


@pytest.mark.parametrize("orientation", range(1, 9))
def test_boxes_lie_on_the_upright_image(
    orientation: int, detector: fovea.Detector, shared: pathlib.Path
) -> None:
    image = pytest.importorskip("PIL.Image")
    path = shared / f"exif/pillow/hopper_orientation_{max(orientation, 2)}.jpg"
    found = detector(path)
    upright = found.upright()
    html = checked(found._repr_html_())
    assert f'viewBox="0 0 {upright.width} {upright.height}"' in html
    assert "image-orientation" not in html
    png = found._repr_png_()
    assert png is not None
    assert image.open(io.BytesIO(png)).size == (upright.width, upright.height)
    assert "image-orientation:none" in checked(detector(path, orientation=1)._repr_html_())


def test_failures_and_names_are_escaped(
    detector: fovea.Detector, cat: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    failed = detector.batch(["<b>.jpg"])[0]
    assert checked(failed._repr_html_()).startswith("<pre>&lt;b&gt;.jpg: ")
    assert failed._repr_png_() is None
    named = tmp_path / "<script>.jpg"
    named.write_bytes(cat.read_bytes())
    assert "<script>" not in checked(detector(named)._repr_html_())
    gone = detector(named)
    named.unlink()
    html = checked(gone._repr_html_())
    assert image_of(html) is None
    assert "The file is gone" in html
    assert gone._repr_png_() is None


def test_labels_are_shown_as_text(cat: pathlib.Path) -> None:
    with fovea.Labeler() as labeler:
        html = checked(labeler(cat.with_name("citrus.jpg"))._repr_html_())
    assert re.fullmatch(r"<pre>.*citrus\.jpg  \d+ × \d+\n  Food +0\.\d\d</pre>", html), html


def test_masks_and_rotated_boxes_are_drawn() -> None:
    image = pytest.importorskip("PIL.Image")
    shown, photo = {}, PHOTOS / "cake.jpg"
    for name in ("yolov8_seg", "described_obb"):
        found = fovea.Detector(MODELS / f"{name}.tflite")(photo)
        assert len(found) == 1
        html, png = checked(found._repr_html_()), found._repr_png_()
        assert png is not None
        shown[name] = html, np.asarray(image.open(io.BytesIO(png)))
    html, pixels = shown["yolov8_seg"]
    assert (html.count("<rect"), html.count("<path")) == (1, 1)
    assert re.search(r'<path d="M[\d.]+ [\d.]+L[\d. L]+Z" fill="#\w{6}" fill-opacity="0.4"/>', html)
    # Below the caption, in the middle of the mask, is 40 % of the colour.
    given = np.asarray(image.open(photo).convert("RGB"))
    colour = np.array([int(part, 16) for part in ("ff", "3b", "30")])
    assert np.allclose(pixels[170, 243], 0.6 * given[170, 243] + 0.4 * colour, atol=1)
    html, pixels = shown["described_obb"]
    assert (html.count("<rect"), html.count("<path")) == (0, 1)
    assert np.array_equal(pixels[170, 243], given[170, 243])
