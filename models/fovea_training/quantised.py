# SPDX-License-Identifier: Apache-2.0
"""An int8 .tflite file as a PyTorch network, trained with the file's own scales and written back into it."""

import numpy as np
import torch
from ai_edge_litert import schema_py_generated as schema
from torch import Tensor, nn
from torch.nn import functional as F

from .tflite import Graph


def through(real: Tensor, rounded: Tensor) -> Tensor:
    """Rounds a value, with the gradient of the real one."""
    return real + (rounded - real).detach()


def fake_quantised(value: Tensor, scale: float, zero: float) -> Tensor:
    low, high = (-128 - zero) * scale, (127 - zero) * scale
    value = value.clamp(low, high)
    return through(value, (value / scale).round() * scale)


class QuantisedGraph(nn.Module):
    """The integer part of a file: converts [n, 3, h, w] normalised images to its dequantised values."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph
        self.kernels, self.biases = nn.ParameterDict(), nn.ParameterDict()
        self.operators = self._integer_part()
        for at, op in enumerate(self.operators):
            kind = graph.operator(op)
            if kind in ("CONV_2D", "DEPTHWISE_CONV_2D"):
                axes = (0, 3, 1, 2) if kind == "CONV_2D" else (3, 0, 1, 2)
                kernel = graph.real(int(op.inputs[1])).transpose(axes)
                self.kernels[str(at)] = nn.Parameter(torch.from_numpy(np.ascontiguousarray(kernel)))
                self.biases[str(at)] = nn.Parameter(torch.from_numpy(graph.real(int(op.inputs[2])).copy()))

    def _integer_part(self) -> list[schema.OperatorT]:
        known, part = set(), []
        for op in self.graph.graph.operators:
            kind = self.graph.operator(op)
            if (
                kind == "QUANTIZE"
                or int(op.inputs[0]) in known
                or kind == "CONCATENATION"
                and set(op.inputs) <= known
            ):
                part.append(op)
                known |= set() if kind == "DEQUANTIZE" else {int(t) for t in op.outputs}
        return part

    def load_arrays(self, arrays: "np.lib.npyio.NpzFile") -> int:
        """Replaces kernels by unrounded ones near the file's own. Returns the number of replaced kernels."""
        placed = 0
        for name in arrays.files:
            array = arrays[name].astype(np.float32)
            if array.ndim != 4:
                continue
            # HWIO of a convolution, HWC1 of a depthwise one.
            for kernel in (array.transpose(3, 2, 0, 1), array.transpose(2, 3, 0, 1)):
                placed += self._place(torch.from_numpy(np.ascontiguousarray(kernel)))
        return placed

    def _place(self, kernel: Tensor) -> int:
        for own in self.kernels.values():
            same = own.shape == kernel.shape
            step = own.detach().abs().amax((1, 2, 3), keepdim=True) / 127
            if same and bool(((own.detach().cpu() - kernel).abs() <= step.cpu() + 1e-4).all()):
                own.data.copy_(kernel)
                return 1
        return 0

    def forward(self, images: Tensor, quantised: bool = True) -> list[Tensor]:
        values: dict[int, Tensor] = {}
        outputs = []
        for at, op in enumerate(self.operators):
            kind, out = self.graph.operator(op), int(op.outputs[0])
            if kind == "QUANTIZE":
                values[out] = images
            elif kind == "DEQUANTIZE":
                outputs.append(values[int(op.inputs[0])])
            else:
                values[out] = self._run(kind, at, op, values, quantised)
                if quantised:
                    scale, zero, _ = self.graph.scales(out)
                    values[out] = fake_quantised(values[out], float(scale[0]), float(zero[0]))
        return outputs

    def _run(
        self, kind: str, at: int, op: schema.OperatorT, values: dict[int, Tensor], quantised: bool
    ) -> Tensor:
        x = values[int(op.inputs[0])]
        options = op.builtinOptions
        if kind in ("CONV_2D", "DEPTHWISE_CONV_2D"):
            return self._convolve(kind, at, op, x, quantised)
        if kind == "LEAKY_RELU":
            return F.leaky_relu(x, options.alpha)
        if kind in ("ADD", "SUB"):
            y = values[int(op.inputs[1])]
            return x + y if kind == "ADD" else x - y
        if kind == "CONCATENATION":
            return torch.cat([values[int(t)] for t in op.inputs], to_channel_axis(options.axis))
        if kind == "PAD":
            (_, _), (top, bottom), (left, right), (_, _) = self.graph.stored(int(op.inputs[1])).tolist()
            return F.pad(x, (left, right, top, bottom))
        if kind == "MAX_POOL_2D":
            return F.max_pool2d(
                x, (options.filterHeight, options.filterWidth), (options.strideH, options.strideW)
            )
        if kind == "RESIZE_BILINEAR":
            return F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
        if kind == "STRIDED_SLICE":
            return self._slice(op, x)
        raise ValueError(f"operator {kind} is not supported")

    def _convolve(self, kind: str, at: int, op: schema.OperatorT, x: Tensor, quantised: bool) -> Tensor:
        kernel, bias, options = self.kernels[str(at)], self.biases[str(at)], op.builtinOptions
        if quantised:
            step = kernel.detach().abs().amax((1, 2, 3), keepdim=True) / 127 + 1e-12
            kernel = through(kernel, (kernel / step).round().clamp(-127, 127) * step)
        stride = (options.strideH, options.strideW)
        if options.padding == schema.Padding.SAME:
            pads = [
                same_padding(n, k, s) for n, k, s in zip(x.shape[2:], kernel.shape[2:], stride, strict=True)
            ]
            x = F.pad(x, (*pads[1], *pads[0]))
        y = F.conv2d(x, kernel, bias, stride, groups=x.shape[1] if kind == "DEPTHWISE_CONV_2D" else 1)
        return F.relu(y) if options.fusedActivationFunction == schema.ActivationFunctionType.RELU else y

    def _slice(self, op: schema.OperatorT, x: Tensor) -> Tensor:
        begin, end, _ = (self.graph.stored(int(t)).tolist() for t in op.inputs[1:4])
        shape = self.graph.graph.tensors[int(op.inputs[0])].shape
        masks = op.builtinOptions
        ranges = []
        for axis in range(4):
            low = 0 if masks.beginMask >> axis & 1 else begin[axis]
            # A slice to the end at the file's own size goes to the end at any size.
            high = None if masks.endMask >> axis & 1 or end[axis] >= shape[axis] else end[axis]
            ranges.append(slice(low, high))
        return x[ranges[0], ranges[3], ranges[1], ranges[2]]

    def written(self) -> bytes:
        """Returns the file with these kernels and biases; kernel scales follow the kernels, others stay."""
        graph = self.graph
        for at, op in enumerate(self.operators):
            if str(at) not in self.kernels:
                continue
            kind, kernel = graph.operator(op), self.kernels[str(at)].detach().numpy()
            real, inner = self.biases[str(at)].detach().numpy(), float(graph.scales(int(op.inputs[0]))[0][0])
            # The bias of a channel of zeros must fit into 32 bits too.
            least = np.maximum(np.abs(real) / (inner * 2**30), 1e-12)
            steps = np.maximum(np.abs(kernel).max((1, 2, 3)) / 127, least).astype(np.float32)
            whole = np.clip(np.round(kernel / steps[:, None, None, None]), -127, 127).astype(np.int8)
            axes = (0, 2, 3, 1) if kind == "CONV_2D" else (1, 2, 3, 0)
            bias = np.round(real / (steps * inner))
            self._store(int(op.inputs[1]), whole.transpose(axes), steps)
            self._store(int(op.inputs[2]), bias.astype(np.int32), steps * inner)
        return graph.pack()

    def _store(self, tensor: int, value: np.ndarray, scales: np.ndarray) -> None:
        described = self.graph.graph.tensors[tensor]
        described.quantization.scale = scales
        self.graph.model.buffers[described.buffer].data = np.frombuffer(
            np.ascontiguousarray(value).tobytes(), np.uint8
        )


def to_channel_axis(axis: int) -> int:
    """Converts an axis of [n, h, w, c] to one of [n, c, h, w]."""
    return (0, 2, 3, 1)[axis % 4]


def same_padding(side: int, kernel: int, stride: int) -> tuple[int, int]:
    total = max(0, (-(-side // stride) - 1) * stride + kernel - side)
    return total // 2, total - total // 2
