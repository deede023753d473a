# SPDX-License-Identifier: Apache-2.0
"""A detector behind FastAPI, like a careful Python program: one interpreter per worker, JPEGs decoded at reduced size, and
the event loop free while a model runs. FOVEA_BENCH_MODEL is the path of a post-processed SSD of uint8."""

import asyncio
import concurrent.futures
import io
import os

import numpy
from ai_edge_litert.interpreter import Interpreter
from fastapi import FastAPI, HTTPException, Request
from PIL import Image

app = FastAPI()
interpreter = Interpreter(model_path=os.environ["FOVEA_BENCH_MODEL"], num_threads=1)
interpreter.allocate_tensors()
entry = interpreter.get_input_details()[0]
outputs = [output["index"] for output in interpreter.get_output_details()]
side = int(entry["shape"][2]), int(entry["shape"][1])
worker = concurrent.futures.ThreadPoolExecutor(1)


def objects(body, threshold, most):
    with Image.open(io.BytesIO(body)) as image:
        width, height = image.size
        image.draft("RGB", side)
        pixels = image.convert("RGB").resize(side, Image.Resampling.BILINEAR)
    interpreter.set_tensor(entry["index"], numpy.asarray(pixels, dtype=numpy.uint8)[None])
    interpreter.invoke()
    boxes, classes, scores, count = (interpreter.get_tensor(output)[0] for output in outputs)
    found = []
    for place in range(min(int(count), most)):
        if scores[place] < threshold:
            break
        top, left, bottom, right = boxes[place].tolist()
        box = {"x": left * width, "y": top * height, "width": (right - left) * width, "height": (bottom - top) * height}
        found.append({"box": box, "score": float(scores[place]), "class": int(classes[place])})
    return {"width": width, "height": height, "objects": found}


@app.post("/detect")
async def detect(request: Request, threshold: float = 0, most: int = 10):
    body = await request.body()
    try:
        return await asyncio.get_running_loop().run_in_executor(worker, objects, body, threshold, most)
    except OSError as error:
        raise HTTPException(status_code=422, detail="not an image") from error
