# SPDX-License-Identifier: Apache-2.0
"""Writes the .tflite files of a checkpoint: full-integer per channel, and float16.

python -m fovea_training.export --help
"""

import argparse
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import litert_torch
import numpy as np
import torch
from ai_edge_litert import schema_py_generated as schema
from ai_edge_quantizer import qtyping, quantizer, recipe
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor, nn

from .augment import AugmentSettings, SampleMaker
from .data import TrainingSets
from .loop import about, averaged
from .model import Classifier, Detector
from .tflite import Graph


class Exported(nn.Module):
    """The network in the file's form: [1, h, w, 3] in, named outputs, scores after the sigmoid."""

    def __init__(self, network: Detector | Classifier) -> None:
        super().__init__()
        self.network = network

    def forward(self, image: Tensor) -> dict[str, Tensor]:
        image = image.permute(0, 3, 1, 2)
        if isinstance(self.network, Classifier):
            return {"scores": self.network(image).sigmoid()}
        codes, logits = self.network(image)
        scores = logits.sigmoid()
        return {"boxes": codes, "scores": scores[..., 0] if scores.shape[-1] == 1 else scores}


def rebuild(folder: str | Path) -> Detector | Classifier:
    """Loads the network of a checkpoint, with its averaged weights."""
    known = about(folder)
    if known["kind"] == "classifier":
        return averaged(folder, Classifier(known["classes"], known["teacher_labels"]))
    return averaged(folder, Detector(known["classes"], known["norm"]))


def float_model(network: Detector | Classifier) -> bytes:
    """Converts to a float32 file with the names `image`, `boxes`, `scores`."""
    example = (torch.zeros(1, network.side, network.side, 3),)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.tflite"
        litert_torch.convert(Exported(network).eval(), example).export(str(path))
        return named(Graph.load(path)).pack()


def named(graph: Graph) -> Graph:
    """Renames inputs and outputs, in the graph and in its signature, to the names that readers expect."""
    signature = graph.model.signatureDefs[0]
    for entry, name in [
        (signature.inputs[0], "image"),
        *((entry, text(entry.name)) for entry in signature.outputs),
    ]:
        entry.name = name
        graph.graph.tensors[entry.tensorIndex].name = name
    return graph


def text(raw: bytes | str) -> str:
    return raw.decode() if isinstance(raw, bytes) else raw


def float16_model(model: bytes) -> bytes:
    """Stores weights as float16 and leaves everything else unchanged."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "float.tflite"
        path.write_bytes(model)
        worker = quantizer.Quantizer(str(path))
        half = qtyping.TensorQuantizationConfig(num_bits=16, dtype=qtyping.TensorDataType.FLOAT)
        worker.update_quantization_recipe(
            regex=".*",
            operation_name=qtyping.TFLOperationName.ALL_SUPPORTED,
            op_config=qtyping.OpQuantizationConfig(
                weight_tensor_config=half,
                compute_precision=qtyping.ComputePrecision.FLOAT,
                explicit_dequantize=True,
            ),
            algorithm_key=quantizer.AlgorithmName.FLOAT_CASTING,
        )
        return Graph(bytes(worker.quantize().quantized_model)).pack()


def int8_model(model: bytes, images: Iterable[NDArray[np.uint8]]) -> bytes:
    """Quantizes to full integer, with weights per channel; raw uint8 pixels in, float32 out.

    The normalised images result in an input scale of 1/127.5, so that raw pixels can be fed.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "float.tflite"
        path.write_bytes(model)
        worker = quantizer.Quantizer(str(path), recipe.static_wi8_ai8())
        name = Graph(model).model.signatureDefs[0]
        images = [with_full_range(image) for image in images]
        samples = [{text(name.inputs[0].name): (i[None].astype(np.float32) - 127.5) / 127.5} for i in images]
        result = worker.calibrate({text(name.signatureKey): samples})
        return with_usual_ends(Graph(bytes(worker.quantize(result).quantized_model))).pack()


def with_full_range(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Sets a black and a white pixel in the corner, so that every image spans -1...1."""
    image = image.copy()
    image[0, 0], image[0, 1] = 0, 255
    return image


def with_usual_ends(graph: Graph) -> Graph:
    """Adds a QUANTIZE before an int8 input and a DEQUANTIZE after int8 outputs: uint8 in, float32 out."""
    body, signature = graph.graph, graph.model.signatureDefs[0]
    inner = int(body.inputs[0])
    if body.tensors[inner].type != schema.TensorType.INT8:
        raise ValueError(f"the input '{graph.name(inner)}' was not quantised")
    q = body.tensors[inner].quantization
    outer = schema.QuantizationParametersT()
    outer.scale, outer.zeroPoint = [float(q.scale[0])], [int(q.zeroPoint[0]) + 128]
    image = graph.add_tensor("image", body.tensors[inner].shape, schema.TensorType.UINT8, outer)
    body.tensors[inner].name = "image/int8"
    body.operators.insert(0, graph.new_operator(schema.BuiltinOperator.QUANTIZE, between=(image, inner)))
    body.inputs, signature.inputs[0].tensorIndex = [image], image
    outputs = []
    for index in (int(tensor) for tensor in body.outputs):
        tensor, name = body.tensors[index], graph.name(index)
        if tensor.type == schema.TensorType.INT8:
            real = graph.add_tensor(name, tensor.shape, schema.TensorType.FLOAT32, None)
            tensor.name = f"{name}/int8"
            dequantize = graph.new_operator(
                schema.BuiltinOperator.DEQUANTIZE, version=2, between=(index, real)
            )
            body.operators.append(dequantize)
            for entry in signature.outputs:
                entry.tensorIndex = real if entry.tensorIndex == index else entry.tensorIndex
            index = real
        outputs.append(index)
    body.outputs = outputs
    return graph


def calibration(sets: TrainingSets, side: int, count: int = 300, seed: int = 1) -> list[NDArray[np.uint8]]:
    """Returns training samples, never held-out ones."""
    maker = SampleMaker(sets, side, AugmentSettings(), seed)
    return [maker() for _ in range(count)]


def add_metadata(fovea: str, path: Path, names: list[str], threshold: float) -> None:
    """Adds labels, normalisation and threshold with the program."""
    with tempfile.TemporaryDirectory() as folder:
        labels = Path(folder) / "labels.txt"
        labels.write_text("".join(f"{name}\n" for name in names))
        command = [
            fovea,
            "model",
            "add-metadata",
            str(path),
            "--labels",
            str(labels),
            "--normalize",
            "127.5,127.5",
        ]
        command += ["--threshold", str(threshold), "--output", str(path)]
        subprocess.run(command, check=True)


def write(
    folder: Path, images: list[NDArray[np.uint8]], output: Path, kinds: Iterable[str] = ("int8", "fp16")
) -> list[Path]:
    """Writes the files of a checkpoint's folder."""
    model, paths = float_model(rebuild(folder)), []
    output.mkdir(parents=True, exist_ok=True)
    for kind in kinds:
        data = {
            "int8": lambda: int8_model(model, images),
            "fp16": lambda: float16_model(model),
            "float": lambda: model,
        }[kind]()
        paths.append(output / f"{about(folder)['kind']}_{kind}.tflite")
        paths[-1].write_bytes(data)
        print(f"{paths[-1]}: {len(data):,} bytes", flush=True)
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path, help="the folder of the training")
    parser.add_argument("--data", help="the training sets, whose images calibrate int8")
    parser.add_argument("--images", type=Path, help="or a folder of images for calibration")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--kinds", default="int8,fp16", help="of int8, fp16, float (default: %(default)s)")
    parser.add_argument("--calibration", type=int, default=300, help="images (default: %(default)s)")
    parser.add_argument("--limit", type=int, help="use only this many images of --data")
    parser.add_argument("--fovea", help="the program, which writes the metadata")
    parser.add_argument("--threshold", type=float, default=0.4)
    a = parser.parse_args()
    known, images = about(a.checkpoint), []
    side = Classifier.side if known["kind"] == "classifier" else Detector.side
    if "int8" in a.kinds:
        if a.data is None and a.images is None:
            parser.error("int8 needs images to calibrate: pass --data or --images")
        images = (
            folder_images(a.images, side, a.calibration)
            if a.images
            else calibration(TrainingSets(a.data, a.limit), side, a.calibration)
        )
    paths = write(a.checkpoint, images, a.output, a.kinds.split(","))
    names = {"classifier": ["Fashion good", "Food", "Home good", "Place", "Plant"], "localizer": ["object"]}
    if a.fovea is None:
        print("no --fovea PROGRAM: the files have no metadata")
    for path in paths if a.fovea else []:
        add_metadata(a.fovea, path, known.get("names") or names[known["kind"]], a.threshold)


def folder_images(folder: Path, side: int, count: int) -> list[NDArray[np.uint8]]:
    found = sorted(p for p in folder.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png", ".bmp"))[
        :count
    ]
    return [
        np.asarray(Image.open(path).convert("RGB").resize((side, side), Image.Resampling.BILINEAR))
        for path in found
    ]


if __name__ == "__main__":
    main()
