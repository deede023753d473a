# SPDX-License-Identifier: Apache-2.0
"""Reads and writes .tflite files, and runs them with LiteRT."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter
from numpy.typing import NDArray

TYPES = {
    schema.TensorType.FLOAT32: np.float32,
    schema.TensorType.FLOAT16: np.float16,
    schema.TensorType.INT32: np.int32,
    schema.TensorType.UINT8: np.uint8,
    schema.TensorType.INT8: np.int8,
    schema.TensorType.INT64: np.int64,
}
NAMES = {value: name for name, value in vars(schema.BuiltinOperator).items() if isinstance(value, int)}


class Graph:
    """A model file as objects that can be changed and packed again."""

    def __init__(self, data: bytes) -> None:
        self.model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(bytearray(data), 0))
        self.graph = self.model.subgraphs[0]
        for buffer in self.model.buffers:  # a large file stores them after the flatbuffer
            if buffer.offset > 1:
                buffer.data = np.frombuffer(data, np.uint8, buffer.size, buffer.offset)
                buffer.offset = buffer.size = 0

    @classmethod
    def load(cls, path: str | Path) -> "Graph":
        return cls(Path(path).read_bytes())

    def pack(self) -> bytes:
        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())

    def operator(self, op: schema.OperatorT) -> str:
        code = self.model.operatorCodes[op.opcodeIndex]
        return NAMES[max(code.builtinCode, code.deprecatedBuiltinCode)]

    def add_tensor(
        self, name: str, shape: list[int], kind: int, quantization: schema.QuantizationParametersT | None
    ) -> int:
        """Adds a tensor that an operator computes or that is fed; returns its number."""
        buffer, tensor = schema.BufferT(), schema.TensorT()
        self.model.buffers.append(buffer)
        tensor.name, tensor.shape, tensor.type = name, list(shape), kind
        tensor.quantization, tensor.buffer = quantization, len(self.model.buffers) - 1
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def new_operator(self, code: int, between: tuple[int, int], version: int = 1) -> schema.OperatorT:
        """Creates an operator from one tensor to another, without adding it to the graph."""
        kind = schema.OperatorCodeT()
        kind.builtinCode = kind.deprecatedBuiltinCode = code
        kind.version = version
        self.model.operatorCodes.append(kind)
        op = schema.OperatorT()
        op.opcodeIndex, op.inputs, op.outputs = len(self.model.operatorCodes) - 1, [between[0]], [between[1]]
        return op

    def keep_rank_of_last_product(self) -> None:
        """Gives the last FULLY_CONNECTED three dimensions, [1, rows, width]; a graph that has them stays.

        LiteRT's GPU accelerator takes the rows of a matrix for a batch in a later product with
        [1, rows, width], and returns wrong boxes. On a CPU the values stay the same.
        """
        last = [op for op in self.graph.operators if self.operator(op) == "FULLY_CONNECTED"][-1]
        source, target = int(last.inputs[0]), int(last.outputs[0])
        if len(self.graph.tensors[target].shape) == 3:
            return
        reshape = next(op for op in self.graph.operators if source in op.outputs)
        rows, depth = (int(side) for side in self.graph.tensors[source].shape)
        wanted = self.graph.tensors[reshape.inputs[1]]
        self.model.buffers[wanted.buffer].data = np.frombuffer(
            np.array([1, rows, depth], np.int32).tobytes(), np.uint8
        )
        wanted.shape = [3]
        for tensor in (self.graph.tensors[source], self.graph.tensors[target]):
            tensor.shape, tensor.shapeSignature = [1, rows, int(tensor.shape[1])], None
        last.builtinOptions.keepNumDims = True
        code = self.model.operatorCodes[last.opcodeIndex]
        code.version = max(code.version, 5)  # the first with keep_num_dims

    def name(self, tensor: int) -> str:
        raw = self.graph.tensors[tensor].name
        return raw.decode() if isinstance(raw, bytes) else raw

    def stored(self, tensor: int) -> NDArray | None:
        """Returns the constant as stored; None if the graph computes the tensor."""
        described = self.graph.tensors[tensor]
        data = self.model.buffers[described.buffer].data
        if data is None or len(data) == 0:
            return None
        return np.frombuffer(bytes(data), TYPES[described.type]).reshape(described.shape)

    def scales(self, tensor: int) -> tuple[NDArray, NDArray, int] | None:
        """Returns scales, zero points and the dimension they belong to."""
        q = self.graph.tensors[tensor].quantization
        if q is None or q.scale is None or len(q.scale) == 0:
            return None
        return np.asarray(q.scale, np.float32), np.asarray(q.zeroPoint, np.float32), q.quantizedDimension

    def real(self, tensor: int) -> NDArray[np.float32]:
        """Returns a constant as dequantised real numbers."""
        value = self.stored(tensor)
        if value is None:
            value, tensor = self._behind_dequantize(tensor)
        result = value.astype(np.float32)
        if (q := self.scales(tensor)) is None:
            return result
        shape = (
            [-1 if axis == q[2] else 1 for axis in range(result.ndim)] if len(q[0]) > 1 else [1] * result.ndim
        )
        return (result - q[1].reshape(shape)) * q[0].reshape(shape)

    def _behind_dequantize(self, tensor: int) -> tuple[NDArray, int]:
        for op in self.graph.operators:
            if self.operator(op) == "DEQUANTIZE" and op.outputs[0] == tensor:
                source = int(op.inputs[0])
                if (value := self.stored(source)) is not None:
                    return value, source
        raise ValueError(f"tensor {tensor}, '{self.name(tensor)}', is not a constant")


@dataclass
class Layer:
    """A convolution or dense layer: its kernel in PyTorch's layout, and its bias."""

    name: str
    kernel: NDArray[np.float32]
    bias: NDArray[np.float32]


def layers(graph: Graph) -> Iterator[Layer]:
    """Returns convolutions and dense layers in the order in which the file runs them, as real numbers."""
    for op in graph.graph.operators:
        kind = graph.operator(op)
        if kind not in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"):
            continue
        kernel = graph.real(int(op.inputs[1]))
        if kind == "CONV_2D":
            kernel = kernel.transpose(0, 3, 1, 2)
        elif kind == "DEPTHWISE_CONV_2D":
            kernel = kernel.transpose(3, 0, 1, 2)
        has_bias = len(op.inputs) > 2 and op.inputs[2] >= 0
        bias = graph.real(int(op.inputs[2])) if has_bias else np.zeros(len(kernel), np.float32)
        yield Layer(graph.name(int(op.outputs[0])), np.ascontiguousarray(kernel), bias)


class Runner:
    """A model run by LiteRT: uint8 images [h, w, 3] in, real numbers out, by output name."""

    def __init__(self, model: str | Path | bytes, threads: int = 1) -> None:
        source = {"model_content": model} if isinstance(model, bytes) else {"model_path": str(model)}
        self.interpreter = Interpreter(**source, num_threads=threads)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]
        self.outputs = self.interpreter.get_output_details()
        self.height, self.width = (int(side) for side in self.input["shape"][1:3])

    def __call__(self, image: NDArray[np.uint8]) -> dict[str, NDArray[np.float32]]:
        kind = self.input["dtype"]
        if kind == np.float32:
            image = (image.astype(np.float32) - 127.5) / 127.5
        elif kind == np.int8:
            image = (image.astype(np.int16) - 128).astype(np.int8)
        self.interpreter.set_tensor(self.input["index"], image[None])
        self.interpreter.invoke()
        return {output["name"]: self._real(output) for output in self.outputs}

    def _real(self, output: dict) -> NDArray[np.float32]:
        value = self.interpreter.get_tensor(output["index"])
        scale, zero = output["quantization"]
        if value.dtype == np.float32 or not scale:
            return value.astype(np.float32)
        return (value.astype(np.float32) - zero) * np.float32(scale)
