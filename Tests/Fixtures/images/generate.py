#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the small images that Tests/C/fuzz.c damages, next to this file. Needs Pillow (13.0.0)."""

import pathlib

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
image = Image.new("RGB", (24, 16))
image.putdata([(x * 10, y * 15, (x * y) % 256) for y in range(16) for x in range(24)])
exif = Image.Exif()
exif[0x0112] = 6
image.save(HERE / "turned.jpg", quality=80, exif=exif)
image.convert("L").save(HERE / "grey.jpg", quality=70, progressive=True)
image.save(HERE / "colors.png", optimize=True)
image.quantize(16).save(HERE / "palette.png", optimize=True)
image.save(HERE / "lossy.webp", quality=60)
image.save(HERE / "lossless.webp", lossless=True)
image.save(HERE / "colors.bmp")
image.quantize(8).save(HERE / "palette.gif")
image.save(HERE / "colors.tiff", compression="tiff_lzw")
