# SPDX-License-Identifier: Apache-2.0
"""Models as MediaPipe's tasks need them: with metadata, in bundles, and with the points of irises."""

from __future__ import annotations

import pathlib
import zipfile
from typing import Any


def normalized(model: bytes, mean: float = 0, deviation: float = 255) -> bytes:
    """The model with the metadata that MediaPipe needs: an RGB input, its values less the mean, over the deviation."""
    import flatbuffers
    from mediapipe.tasks.metadata import metadata_schema_py_generated as described
    from mediapipe.tasks.metadata import schema_py_generated as tflite

    parts = tflite.ModelT.InitFromPackedBuf(model)
    unit, image, graph = described.ProcessUnitT(), described.TensorMetadataT(), described.SubGraphMetadataT()
    unit.optionsType = described.ProcessUnitOptions.NormalizationOptions
    unit.options = described.NormalizationOptionsT()
    unit.options.mean, unit.options.std = [float(mean)], [float(deviation)]
    image.content = described.ContentT()
    image.content.contentPropertiesType = described.ContentProperties.ImageProperties
    image.content.contentProperties = described.ImagePropertiesT()
    image.content.contentProperties.colorSpace = described.ColorSpaceType.RGB
    image.processUnits = [unit]
    graph.inputTensorMetadata = [image]
    graph.outputTensorMetadata = [described.TensorMetadataT() for _ in parts.subgraphs[0].outputs]
    whole = described.ModelMetadataT()
    whole.subgraphMetadata = [graph]
    builder = flatbuffers.Builder()
    builder.Finish(whole.Pack(builder), b"M001")

    buffer, entry = tflite.BufferT(), tflite.MetadataT()
    buffer.data = list(builder.Output())
    entry.name, entry.buffer = "TFLITE_METADATA", len(parts.buffers)
    parts.buffers.append(buffer)
    parts.metadata = [*(parts.metadata or []), entry]
    return _packed(parts)


def with_irises(model: bytes) -> bytes:
    """A face mesh with ten more points, copies of the first ten: the 478 of MediaPipe's bundle."""
    import numpy as np
    from mediapipe.tasks.metadata import schema_py_generated as tflite

    parts = tflite.ModelT.InitFromPackedBuf(model)
    graph = parts.subgraphs[0]

    def tensor(shape: list[int], like: Any, data: Any = None, kind: Any = None) -> int:
        made, buffer = tflite.TensorT(), tflite.BufferT()
        if data is not None:
            buffer.data = list(np.array(data, np.int32).tobytes())
        made.shape, made.type, made.name = (
            shape,
            kind if kind is not None else like.type,
            f"added {len(graph.tensors)}",
        )
        made.buffer = len(parts.buffers)
        parts.buffers.append(buffer)
        graph.tensors.append(made)
        return len(graph.tensors) - 1

    def operator(code: int, kind: int, options: Any, inputs: list[int], output: int) -> None:
        listed, made = tflite.OperatorCodeT(), tflite.OperatorT()
        listed.builtinCode = listed.deprecatedBuiltinCode = code
        listed.version = 1
        made.opcodeIndex = len(parts.operatorCodes)
        made.inputs, made.outputs, made.builtinOptionsType, made.builtinOptions = (
            inputs,
            [output],
            kind,
            options,
        )
        parts.operatorCodes.append(listed)
        graph.operators.append(made)

    place = next(
        at for at, each in enumerate(graph.outputs) if int(np.prod(graph.tensors[each].shape)) == 1404
    )
    points = int(graph.outputs[place])
    like = graph.tensors[points]
    whole = tflite.TensorType.INT32
    begin, size = tensor([4], like, [0] * 4, whole), tensor([4], like, [1, 1, 1, 30], whole)
    part, joined = tensor([1, 1, 1, 30], like), tensor([1, 1, 1, 1434], like)
    operator(
        tflite.BuiltinOperator.SLICE,
        tflite.BuiltinOptions.SliceOptions,
        tflite.SliceOptionsT(),
        [points, begin, size],
        part,
    )
    options = tflite.ConcatenationOptionsT()
    options.axis = 3
    operator(
        tflite.BuiltinOperator.CONCATENATION,
        tflite.BuiltinOptions.ConcatenationOptions,
        options,
        [points, part],
        joined,
    )
    graph.outputs = [joined if at == place else int(each) for at, each in enumerate(graph.outputs)]
    for signature in parts.signatureDefs or []:
        for each in signature.outputs:
            each.tensorIndex = joined if each.tensorIndex == points else each.tensorIndex
    return _packed(parts)


def _packed(parts: Any) -> bytes:
    import flatbuffers

    builder = flatbuffers.Builder()
    builder.Finish(parts.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def bundle(path: pathlib.Path, detector: bytes, landmarks: bytes, kind: str) -> pathlib.Path:
    """Writes a bundle with the names of MediaPipe's files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{kind}_detector.tflite", detector)
        archive.writestr(f"{kind}_landmarks_detector.tflite", landmarks)
    return path
