# SPDX-License-Identifier: Apache-2.0
"""Writes JPEGs of 12, 3 and 0.3 megapixels, quality 90, from the bundled photos: photos.py SOURCES TARGET

The large ones are mosaics, because an enlarged photo has too little detail: it decodes faster than a camera's.
"""

import pathlib
import sys

from PIL import Image, ImageOps

TILE = 500
GRIDS = {"12 MP": (8, 6), "3 MP": (4, 3)}

sources, target = map(pathlib.Path, sys.argv[1:])
photos = [Image.open(path).convert("RGB") for path in sorted(sources.glob("*.jpg"))]


def save(image, size, number):
    path = target / size / f"{number}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, quality=90)


for number in (0, 1):
    save(ImageOps.fit(photos[5 * number], (640, 480)), "0.3 MP", number)
    for size, (columns, rows) in GRIDS.items():
        mosaic = Image.new("RGB", (columns * TILE, rows * TILE))
        for place in range(columns * rows):
            tile = ImageOps.fit(photos[(7 * place + 5 * number) % len(photos)], (TILE, TILE))
            mosaic.paste(tile, (place % columns * TILE, place // columns * TILE))
        save(mosaic, size, number)
