# SPDX-License-Identifier: Apache-2.0
"""LiteRT's interpreter with Pillow, like a careful Python program, including JPEG decoding at reduced size."""

import numpy
from ai_edge_litert.interpreter import Interpreter
from PIL import Image

import peer


def make_detector(model, threads):
    interpreter = Interpreter(model_path=model, num_threads=threads)
    interpreter.allocate_tensors()
    entry = interpreter.get_input_details()[0]
    outputs = [item["index"] for item in interpreter.get_output_details()]
    _, height, width, _ = entry["shape"]

    def detect(path):
        with Image.open(path) as image:
            image.draft("RGB", (width, height))
            pixels = image.convert("RGB").resize((width, height), Image.Resampling.BILINEAR)
        interpreter.set_tensor(entry["index"], numpy.asarray(pixels, dtype=numpy.uint8)[None])
        interpreter.invoke()
        return int(interpreter.get_tensor(outputs[3])[0])

    return detect


peer.run(make_detector)
