# SPDX-License-Identifier: Apache-2.0
"""Random changes of images: crops, colour, sharpness, single objects on backgrounds, collages, mosaics."""

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageEnhance, ImageFilter

from .data import Sample, TrainingSets

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class AugmentSettings:
    """The shares of the kinds of samples (the rest are mosaics), and of sharpened images.

    The packed images are softer than photos, which `sharpen` compensates; the named detector had 0.6.
    """

    scene: float = 0.55
    object: float = 0.2
    small: float = 0.08
    collage: float = 0.1
    sharpen: float = 0.3


def random_crop(image: Image.Image, side: int, rng: random.Random, least: float = 0.45) -> Image.Image:
    width, height = image.size
    area, stretch = rng.uniform(least, 1), rng.uniform(0.8, 1.25)
    w = min(width, width * (area**0.5) * stretch**0.5)
    h = min(height, height * (area**0.5) / stretch**0.5)
    x, y = rng.uniform(0, width - w), rng.uniform(0, height - h)
    return image.resize((side, side), Image.Resampling.BILINEAR, box=(x, y, x + w, y + h))


def colour(image: Image.Image, rng: random.Random, settings: AugmentSettings) -> Image.Image:
    image = ImageEnhance.Brightness(image).enhance(rng.uniform(0.6, 1.4))
    image = ImageEnhance.Color(image).enhance(rng.uniform(0.2, 1.6))
    image = ImageEnhance.Contrast(image).enhance(rng.uniform(0.75, 1.3))
    if rng.random() < settings.sharpen:
        blur = ImageFilter.UnsharpMask(rng.uniform(0.8, 2), int(rng.uniform(40, 140)), 0)
        image = image.filter(blur)
    if rng.random() < 0.5:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if rng.random() < 0.05:
        image = image.transpose(rng.choice((Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_270)))
    return image


class SampleMaker:
    """Creates images of the localizer's kinds; a teacher labels each afterwards, so they need no boxes."""

    def __init__(self, sets: TrainingSets, side: int, settings: AugmentSettings, seed: int) -> None:
        self.sets, self.side, self.settings = sets, side, settings
        self.rng = random.Random(seed)
        self.scenes = sets.scenes or sets.samples
        self.objects = sets.objects or sets.samples

    def __call__(self) -> Pixels:
        s, draw = self.settings, self.rng.random()
        kinds = (
            (s.scene, self._scene),
            (s.object, self._object),
            (s.small, self._small),
            (s.collage, self._collage),
        )
        make = self._mosaic
        for share, kind in kinds:
            if draw < share:
                make = kind
                break
            draw -= share
        return np.asarray(colour(make(), self.rng, s))

    def _open(self, among: list[Sample]) -> Image.Image:
        return self.sets.image(self.rng.choice(among))

    def _scene(self) -> Image.Image:
        return random_crop(self._open(self.scenes), self.side, self.rng)

    def _object(self) -> Image.Image:
        return random_crop(self._open(self.objects), self.side, self.rng, 0.6)

    def _background(self) -> Image.Image:
        side, draw = self.side, self.rng.random()
        if draw < 0.34:
            return Image.new("RGB", (side, side), tuple(self.rng.randrange(256) for _ in range(3)))
        image = self._scene()
        return image.filter(ImageFilter.GaussianBlur(self.rng.uniform(3, 9))) if draw < 0.67 else image

    def _paste(self, canvas: Image.Image, low: float, high: float) -> None:
        rng, side = self.rng, self.side
        w, h = (max(8, int(side * rng.uniform(low, high))) for _ in range(2))
        piece = self._open(self.objects).resize((w, h), Image.Resampling.BILINEAR)
        mask = Image.new("L", (w, h), 255)
        if rng.random() < 0.5:
            y, x = np.mgrid[:h, :w]
            inside = ((x + 0.5) / w * 2 - 1) ** 2 + ((y + 0.5) / h * 2 - 1) ** 2 <= 1
            mask = Image.fromarray((inside * 255).astype(np.uint8))
        canvas.paste(piece, (rng.randint(0, side - w), rng.randint(0, side - h)), mask)

    def _small(self) -> Image.Image:
        canvas = self._background()
        self._paste(canvas, 0.25, 0.7)
        return canvas

    def _collage(self) -> Image.Image:
        canvas = self._scene()
        for _ in range(self.rng.randint(1, 3)):
            self._paste(canvas, 0.2, 0.55)
        return canvas

    def _mosaic(self) -> Image.Image:
        side, rng = self.side, self.rng
        canvas, cx, cy = (
            Image.new("RGB", (side, side)),
            *(int(side * rng.uniform(0.3, 0.7)) for _ in range(2)),
        )
        for box in ((0, 0, cx, cy), (cx, 0, side, cy), (0, cy, cx, side), (cx, cy, side, side)):
            tile = random_crop(self._open(self.scenes if rng.random() < 0.7 else self.objects), side, rng)
            canvas.paste(tile.resize((box[2] - box[0], box[3] - box[1])), box)
        return canvas


def crop_with_boxes(
    image: Image.Image, boxes: NDArray[np.float32], side: int, rng: random.Random
) -> tuple[Pixels, NDArray[np.float32], NDArray[np.bool_]]:
    """Returns a random crop and its boxes; a box stays if at least half of it is inside."""
    width, height = image.size
    fraction = rng.uniform(0.5, 1.0) if rng.random() < 0.8 else 1.0
    x, y = rng.uniform(0, 1 - fraction), rng.uniform(0, 1 - fraction)
    region = (x * width, y * height, (x + fraction) * width, (y + fraction) * height)
    part = image.resize((side, side), Image.Resampling.BILINEAR, box=region)
    moved = (boxes - np.array([y, x, y, x], np.float32)) / fraction
    clipped = np.clip(moved, 0, 1)
    area = np.prod(moved[:, 2:] - moved[:, :2], axis=1)
    stays = np.prod(clipped[:, 2:] - clipped[:, :2], axis=1) >= 0.5 * area
    if rng.random() < 0.5:
        part = part.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        clipped = clipped[:, [0, 3, 2, 1]] * [1, -1, 1, -1] + np.array([0, 1, 0, 1])
    pixels = (np.asarray(part, np.float32) - 128) * rng.uniform(0.75, 1.3) + 128 + rng.uniform(-25, 25)
    return np.clip(pixels, 0, 255).astype(np.uint8), clipped.astype(np.float32), stays
