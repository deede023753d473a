# SPDX-License-Identifier: Apache-2.0
"""Runs a network in one runtime: the time of a run, and how far its numbers are those of LiteRT.

  network.py RUNTIME MODEL PHOTO --threads N --repetitions N --numbers FILE.npz

LiteRT writes its numbers into FILE; OpenVINO and ONNX Runtime compare theirs with them.
"""

import argparse
import json
import statistics
import time

import numpy
from PIL import Image


def litert(model, threads):
    """Returns (shape, type, run) of a model; `run` returns the outputs for an input."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=model, num_threads=threads)
    interpreter.allocate_tensors()
    entry, exits = interpreter.get_input_details()[0], interpreter.get_output_details()

    def run(tensor):
        interpreter.set_tensor(entry["index"], tensor)
        interpreter.invoke()
        return [interpreter.get_tensor(each["index"]) for each in exits]

    run.scales = [each["quantization"] for each in exits]
    return entry["shape"], entry["dtype"], run


def openvino(model, threads):
    from openvino import Core

    settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY"}
    compiled = Core().compile_model(model, "CPU", settings)
    request = compiled.create_infer_request()

    def run(tensor):
        request.infer([tensor], share_inputs=True)
        return [each.data for each in request.output_tensors]

    return compiled.input(0).shape, compiled.input(0).element_type.to_dtype(), run


def onnxruntime(model, threads):
    import onnxruntime as runtime

    options = runtime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    entry = session.get_inputs()[0]
    kinds = {"tensor(float)": numpy.float32, "tensor(uint8)": numpy.uint8, "tensor(int8)": numpy.int8}
    return entry.shape, kinds[entry.type], lambda tensor: session.run(None, {entry.name: tensor})


def real(outputs, scales):
    """Returns outputs as real numbers, the shortest first; `scales` are those of LiteRT by length."""
    found = []
    for each in outputs:
        scale, zero = scales.get(each.size, (0, 0)) if each.dtype.kind in "iu" else (0, 0)
        numbers = each.astype(numpy.float64).ravel()
        found.append((numbers - zero) * scale if scale else numbers)
    return sorted(found, key=len)


def agreement(ours, theirs):
    """Returns the least cosine of the outputs; 0 if their sizes differ."""
    if [each.size for each in ours] != [each.size for each in theirs]:
        return 0.0
    norms = [numpy.linalg.norm(one) * numpy.linalg.norm(other) for one, other in zip(ours, theirs, strict=True)]
    return min(float(one @ other / norm) if norm else float((one == other).all())
               for one, other, norm in zip(ours, theirs, norms, strict=True))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runtime", choices=["litert", "openvino", "onnxruntime"])
    parser.add_argument("model")
    parser.add_argument("photo")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--numbers", required=True)
    options = parser.parse_args()
    shape, kind, run = globals()[options.runtime](options.model, options.threads)
    pixels = Image.open(options.photo).convert("RGB").resize((int(shape[2]), int(shape[1])))
    tensor = numpy.ascontiguousarray(numpy.asarray(pixels)[None].astype(kind))
    for _ in range(3):
        found = run(tensor)
    if options.runtime == "litert":
        scales = {each.size: scale for each, scale in zip(found, run.scales, strict=True)}
        numpy.savez(options.numbers, *real(found, scales), scales=[(size, *each) for size, each in scales.items()])
    with numpy.load(options.numbers) as known:
        scales = {int(size): (scale, zero) for size, scale, zero in known["scales"]}
        agrees = agreement([known[name] for name in known.files if name != "scales"], real(found, scales))
    times = []
    for _ in range(options.repetitions):
        began = time.perf_counter()
        run(tensor)
        times.append(time.perf_counter() - began)
    print(json.dumps({"ms": 1000 * statistics.median(times), "agreement": agrees}))


main()
