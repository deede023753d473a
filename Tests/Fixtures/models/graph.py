# SPDX-License-Identifier: Apache-2.0
"""Writes TFLite graphs by hand: tensors, constants and the few operators that the test models need.

One method for each operator; each takes tensor numbers and returns the number of its output. Shapes are followed, so
that a mistake is an error here and not in the runtime. The same calls give the same bytes.
"""

import flatbuffers
import numpy as np
import tflite
from flatbuffers import flexbuffers

FLOAT, INT32, UINT8, INT8, BOOL = (
    tflite.TensorType.FLOAT32, tflite.TensorType.INT32, tflite.TensorType.UINT8, tflite.TensorType.INT8,
    tflite.TensorType.BOOL)
_OP = tflite.BuiltinOperator
_NO_ACTIVATION = tflite.ActivationFunctionType.NONE


class Graph:
    def __init__(self, description):
        self.description = description
        self.tensors = []  # (name, type, shape, buffer, quantization)
        self.buffers = [b""]  # the first one is empty by definition
        self.operators = []  # (code, version, inputs, outputs, options: (type, writer), or bytes for a custom one)
        self.custom_name = None
        self.inputs, self.outputs = [], []
        self._constants = {}
        self._signatures = {}  # shapes with −1 for the dimensions that a model leaves open
        self.others = []  # graphs beside the main one, without constants
        self.calls = []  # (key, which graph, inputs, outputs), the last two from name to tensor

    # Tensors

    def tensor(self, shape, kind=FLOAT, name=None, quantization=None, buffer=0):
        self.tensors.append((name or f"t{len(self.tensors)}", kind, [int(n) for n in shape], buffer, quantization))
        return len(self.tensors) - 1

    def shape(self, tensor):
        return self.tensors[tensor][2]

    def constant(self, values, kind=FLOAT):
        array = np.asarray(values, np.float32 if kind == FLOAT else np.int32)
        key = (kind, array.shape, array.tobytes())
        if key not in self._constants:
            self.buffers.append(array.tobytes())
            self._constants[key] = self.tensor(array.shape, kind, buffer=len(self.buffers) - 1)
        return self._constants[key]

    def quantized(self, values, scale, zero_point, kind=UINT8):
        """A constant whose real numbers are given."""
        stored = np.round(np.asarray(values) / scale) + zero_point
        numbers = {UINT8: np.uint8, INT32: np.int32}[kind]
        assert stored.min() >= np.iinfo(numbers).min and stored.max() <= np.iinfo(numbers).max
        self.buffers.append(stored.astype(numbers).tobytes())
        return self.tensor(stored.shape, kind, None, (scale, zero_point), len(self.buffers) - 1)

    def input(self, shape, kind=FLOAT, name="image", quantization=None):
        tensor = self.tensor(shape, kind, name, quantization)
        self.inputs.append(tensor)
        return tensor

    def output(self, tensor, name):
        _, kind, shape, buffer, quantization = self.tensors[tensor]
        self.tensors[tensor] = (name, kind, shape, buffer, quantization)
        self.outputs.append(tensor)

    def leave_open(self, tensor, *dimensions):
        """Lets callers choose dimensions of an input or output, as Keras does with the number of pictures."""
        self._signatures[tensor] = [-1 if axis in dimensions else size for axis, size in enumerate(self.shape(tensor))]

    # Operators

    def _add(self, code, inputs, shape, options=None, kind=FLOAT, quantization=None, version=1):
        output = self.tensor(shape, kind, quantization=quantization)
        self.operators.append((code, version, list(inputs), [output], options))
        return output

    def _options(self, name, **fields):
        """Options of one operator: the class of its table, and its fields, scalars or vectors of int32."""

        def write(builder):
            vectors = {}
            for field, value in fields.items():
                if isinstance(value, list):
                    getattr(tflite, f"{name}Start{field}Vector")(builder, len(value))
                    for number in reversed(value):
                        builder.PrependInt32(number)
                    vectors[field] = builder.EndVector()
            getattr(tflite, f"{name}Start")(builder)
            for field, value in fields.items():
                getattr(tflite, f"{name}Add{field}")(builder, vectors.get(field, value))
            return getattr(tflite, f"{name}End")(builder)

        return getattr(tflite.BuiltinOptions, name), write

    def _binary(self, code, name, a, b):
        shape = np.broadcast_shapes(tuple(self.shape(a)), tuple(self.shape(b)))
        return self._add(code, [a, b], shape, self._options(name, FusedActivationFunction=_NO_ACTIVATION))

    def _number(self, value):
        return value if isinstance(value, int) else self.constant(value)

    def add(self, a, b):
        return self._binary(_OP.ADD, "AddOptions", a, self._number(b))

    def subtract(self, a, b):
        return self._binary(_OP.SUB, "SubOptions", self._number(a), self._number(b))

    def multiply(self, a, b):
        return self._binary(_OP.MUL, "MulOptions", a, self._number(b))

    def divide(self, a, b):
        return self._binary(_OP.DIV, "DivOptions", a, self._number(b))

    def _unary(self, code, a):
        return self._add(code, [a], self.shape(a))

    def absolute(self, a):
        return self._unary(_OP.ABS, a)

    def relu(self, a):
        return self._unary(_OP.RELU, a)

    def logarithm(self, a):
        return self._unary(_OP.LOG, a)

    def exponential(self, a):
        return self._unary(_OP.EXP, a)

    def add_up(self, a, axes):
        return self._reduce(_OP.SUM, a, axes, True)

    def square_root(self, a):
        return self._unary(_OP.SQRT, a)

    def logistic(self, a):
        return self._unary(_OP.LOGISTIC, a)

    def _reduce(self, code, a, axes, keeps):
        shape = [n for axis, n in enumerate(self.shape(a)) if axis not in axes]
        if keeps:
            shape = [1 if axis in axes else n for axis, n in enumerate(self.shape(a))]
        return self._add(
            code, [a, self.constant(axes, INT32)], shape, self._options("ReducerOptions", KeepDims=keeps))

    def mean(self, a, axes, keeps=False):
        return self._reduce(_OP.MEAN, a, axes, keeps)

    def maximum(self, a, axes, keeps=False):
        return self._reduce(_OP.REDUCE_MAX, a, axes, keeps)

    def largest_channel(self, a):
        """The number of the largest channel."""
        return self._add(_OP.ARG_MAX, [a, self.constant([len(self.shape(a)) - 1], INT32)], self.shape(a)[:-1],
                         self._options("ArgMaxOptions", OutputType=INT32), INT32)

    def mix_channels(self, image, weights, bias):
        """A 1 × 1 convolution with ReLU; weights [out, in], bias [out]."""
        weights = np.asarray(weights, np.float32)
        options = self._options(
            "Conv2DOptions", Padding=tflite.Padding.VALID, StrideW=1, StrideH=1, DilationWFactor=1,
            DilationHFactor=1, FusedActivationFunction=tflite.ActivationFunctionType.RELU)
        inputs = [image, self.constant(weights[:, None, None, :]), self.constant(bias)]
        return self._add(_OP.CONV_2D, inputs, self.shape(image)[:3] + [len(weights)], options)

    def convolve(self, image, weights, bias, stride, quantization, depthwise=False):
        """A uint8 convolution with ReLU6 that keeps the borders ("SAME"); weights and bias are constants."""
        _, height, width, _ = self.shape(image)
        channels = self.shape(weights)[3 if depthwise else 0]
        name = "DepthwiseConv2DOptions" if depthwise else "Conv2DOptions"
        more = {"DepthMultiplier": 1} if depthwise else {}
        options = self._options(
            name, Padding=tflite.Padding.SAME, StrideW=stride, StrideH=stride, DilationWFactor=1, DilationHFactor=1,
            FusedActivationFunction=tflite.ActivationFunctionType.RELU6, **more)
        return self._add(
            _OP.DEPTHWISE_CONV_2D if depthwise else _OP.CONV_2D, [image, weights, bias],
            [1, -(-height // stride), -(-width // stride), channels], options, UINT8, quantization)

    def average_pool(self, image):
        """The mean of all pixels, uint8: [1, 1, 1, C]."""
        _, height, width, channels = self.shape(image)
        options = self._options(
            "Pool2DOptions", Padding=tflite.Padding.VALID, StrideW=1, StrideH=1, FilterWidth=width,
            FilterHeight=height, FusedActivationFunction=_NO_ACTIVATION)
        return self._add(
            _OP.AVERAGE_POOL_2D, [image], [1, 1, 1, channels], options, UINT8, self.tensors[image][4])

    def fully_connected(self, a, weights, bias, quantization):
        options = self._options("FullyConnectedOptions", FusedActivationFunction=_NO_ACTIVATION)
        return self._add(
            _OP.FULLY_CONNECTED, [a, weights, bias], [1, self.shape(weights)[0]], options, UINT8, quantization)

    def dense(self, a, weights, bias):
        """A float layer without an activation; weights [out, in], bias [out]."""
        options = self._options("FullyConnectedOptions", FusedActivationFunction=_NO_ACTIVATION)
        return self._add(
            _OP.FULLY_CONNECTED, [a, self.constant(weights), self.constant(bias)], [1, len(bias)], options)

    def unit_length(self, a):
        options = self._options("L2NormOptions", FusedActivationFunction=_NO_ACTIVATION)
        return self._add(_OP.L2_NORMALIZATION, [a], self.shape(a), options)

    def softmax(self, a):
        kind = self.tensors[a][1]
        return self._add(
            _OP.SOFTMAX, [a], self.shape(a), self._options("SoftmaxOptions", Beta=1.0), kind,
            (1 / 256, 0) if kind == UINT8 else None)

    def custom(self, name, inputs, shape):
        """An operator that LiteRT does not have."""
        self.custom_name = name
        output = self.tensor(shape)
        self.operators.append((_OP.CUSTOM, 1, list(inputs), [output], b"\x01"))
        return output

    def detection_post_process(self, codes, scores, anchors, **options):
        """TFLite_Detection_PostProcess: boxes, classes, scores and their count; shapes are open until it runs."""
        self.custom_name = "TFLite_Detection_PostProcess"
        outputs = [self.tensor([], name=self.custom_name + suffix) for suffix in ("", ":1", ":2", ":3")]
        self.operators.append((_OP.CUSTOM, 1, [codes, scores, self.constant(anchors)], outputs, bytes(flexbuffers.Dumps(options))))
        return outputs

    def reshape(self, a, shape):
        assert np.prod(shape) == np.prod(self.shape(a)), (shape, self.shape(a))
        return self._add(
            _OP.RESHAPE, [a, self.constant(shape, INT32)], shape,
            self._options("ReshapeOptions", NewShape=list(shape)))

    def transpose(self, a, order):
        return self._add(
            _OP.TRANSPOSE, [a, self.constant(order, INT32)], [self.shape(a)[axis] for axis in order],
            self._options("TransposeOptions"))

    def concatenate(self, parts, axis):
        shape = list(self.shape(parts[0]))
        shape[axis] = sum(self.shape(part)[axis] for part in parts)
        options = self._options("ConcatenationOptions", Axis=axis, FusedActivationFunction=_NO_ACTIVATION)
        return self._add(_OP.CONCATENATION, parts, shape, options)

    def gather(self, a, indices, axis):
        shape = list(self.shape(a))
        shape[axis] = len(indices)
        return self._add(
            _OP.GATHER, [a, self.constant(indices, INT32)], shape, self._options("GatherOptions", Axis=axis))

    def look_up(self, rows, places):
        """The rows [N, F] whose numbers an input gives; one that is not there is a failure while the model runs."""
        return self._add(
            _OP.GATHER, [rows, places], self.shape(places) + self.shape(rows)[1:], self._options("GatherOptions", Axis=0))

    def rows_above(self, rows, scores, limit):
        """The rows [N, F] whose score [N] is above a limit: as many as there are when the model runs."""
        hits = self._add(
            _OP.GREATER, [scores, self.constant(np.full(self.shape(scores), limit))], self.shape(scores),
            self._options("GreaterOptions"), kind=tflite.TensorType.BOOL)
        places = self._add(_OP.WHERE, [hits], [1, 1], self._options("WhereOptions"), kind=tflite.TensorType.INT64)
        output = self._add(
            _OP.GATHER_ND, [rows, places], [1, self.shape(rows)[1]], self._options("GatherNdOptions"))
        self.leave_open(places, 0)
        self.leave_open(output, 0)
        return output

    def dequantize(self, a):
        return self._add(
            _OP.DEQUANTIZE, [a], self.shape(a), self._options("DequantizeOptions"),
            version=2 if self.tensors[a][1] == INT8 else 1)

    def quantize(self, a, kind, scale, zero_point):
        return self._add(
            _OP.QUANTIZE, [a], self.shape(a), self._options("QuantizeOptions"), kind=kind,
            quantization=(scale, zero_point))

    def as_floats(self, a):
        """The same numbers in another type, whatever their scale."""
        return self._add(_OP.CAST, [a], self.shape(a), self._options(
            "CastOptions", InDataType=self.tensors[a][1], OutDataType=FLOAT))

    def equal(self, a, b):
        return self._add(_OP.EQUAL, [a, b], self.shape(a), self._options("EqualOptions"), BOOL)

    def repeat(self, value, condition, body):
        """Repeats a graph of `others` while another one says so; numbers of graphs, of which the main one is 0."""
        options = self._options("WhileOptions", CondSubgraphIndex=condition, BodySubgraphIndex=body)
        return self._add(_OP.WHILE, [value], self.shape(value), options)

    # The file

    def encode(self):
        builder = flatbuffers.Builder(1 << 16)

        def vector(start, items, prepend):
            start(builder, len(items))
            for item in reversed(items):
                prepend(item)
            return builder.EndVector()

        graphs = [self] + self.others
        codes = sorted({(code, version) for graph in graphs for code, version, *_ in graph.operators})
        graph_tables = [graph._encode_graph(builder, vector, codes) for graph in graphs]

        offset = builder.PrependUOffsetTRelative
        code_tables = []
        for code, version in codes:
            custom = builder.CreateString(self.custom_name) if code == _OP.CUSTOM else None
            tflite.OperatorCodeStart(builder)
            tflite.OperatorCodeAddDeprecatedBuiltinCode(builder, min(code, 127))
            if custom is not None:
                tflite.OperatorCodeAddCustomCode(builder, custom)
            tflite.OperatorCodeAddVersion(builder, version)
            tflite.OperatorCodeAddBuiltinCode(builder, code)
            code_tables.append(tflite.OperatorCodeEnd(builder))
        buffers = []
        for data in self.buffers:
            content = None
            if data:
                tflite.BufferStartDataVector(builder, len(data))
                builder.head -= len(data)
                builder.Bytes[builder.Head():builder.Head() + len(data)] = data
                content = builder.EndVector()
            tflite.BufferStart(builder)
            if content is not None:
                tflite.BufferAddData(builder, content)
            buffers.append(tflite.BufferEnd(builder))
        description = builder.CreateString(self.description)
        graph_list = vector(tflite.ModelStartSubgraphsVector, graph_tables, offset)
        code_list = vector(tflite.ModelStartOperatorCodesVector, code_tables, offset)
        buffer_list = vector(tflite.ModelStartBuffersVector, buffers, offset)
        call_list = self._encode_calls(builder, vector) if self.calls else None
        tflite.ModelStart(builder)
        tflite.ModelAddVersion(builder, 3)
        tflite.ModelAddOperatorCodes(builder, code_list)
        tflite.ModelAddSubgraphs(builder, graph_list)
        tflite.ModelAddDescription(builder, description)
        tflite.ModelAddBuffers(builder, buffer_list)
        if call_list is not None:
            tflite.ModelAddSignatureDefs(builder, call_list)
        builder.Finish(tflite.ModelEnd(builder), file_identifier=b"TFL3")
        return bytes(builder.Output())

    def _encode_graph(self, builder, vector, codes):
        tensors = [self._encode_tensor(builder, vector, self._signatures.get(index), *fields)
                   for index, fields in enumerate(self.tensors)]
        operators = [self._encode_operator(builder, vector, codes, *fields) for fields in self.operators]
        offset, number = builder.PrependUOffsetTRelative, builder.PrependInt32
        name = builder.CreateString("main")
        tensor_list = vector(tflite.SubGraphStartTensorsVector, tensors, offset)
        operator_list = vector(tflite.SubGraphStartOperatorsVector, operators, offset)
        inputs = vector(tflite.SubGraphStartInputsVector, self.inputs, number)
        outputs = vector(tflite.SubGraphStartOutputsVector, self.outputs, number)
        tflite.SubGraphStart(builder)
        tflite.SubGraphAddTensors(builder, tensor_list)
        tflite.SubGraphAddInputs(builder, inputs)
        tflite.SubGraphAddOutputs(builder, outputs)
        tflite.SubGraphAddOperators(builder, operator_list)
        tflite.SubGraphAddName(builder, name)
        return tflite.SubGraphEnd(builder)

    def _encode_calls(self, builder, vector):
        """The signatures; each lists its tensors by their names, as TensorFlow's converter does."""

        def tensors(start, places):
            tables = []
            for name, tensor in sorted(places.items()):
                text = builder.CreateString(name)
                tflite.TensorMapStart(builder)
                tflite.TensorMapAddName(builder, text)
                tflite.TensorMapAddTensorIndex(builder, tensor)
                tables.append(tflite.TensorMapEnd(builder))
            return vector(start, tables, builder.PrependUOffsetTRelative)

        calls = []
        for key, graph, inputs, outputs in self.calls:
            input_list = tensors(tflite.SignatureDefStartInputsVector, inputs)
            output_list = tensors(tflite.SignatureDefStartOutputsVector, outputs)
            text = builder.CreateString(key)
            tflite.SignatureDefStart(builder)
            tflite.SignatureDefAddInputs(builder, input_list)
            tflite.SignatureDefAddOutputs(builder, output_list)
            tflite.SignatureDefAddSignatureKey(builder, text)
            tflite.SignatureDefAddSubgraphIndex(builder, graph)
            calls.append(tflite.SignatureDefEnd(builder))
        return vector(tflite.ModelStartSignatureDefsVector, calls, builder.PrependUOffsetTRelative)

    @staticmethod
    def _encode_tensor(builder, vector, signature, name, kind, shape, buffer, quantization):
        parameters = None
        if quantization:
            scale = vector(
                tflite.QuantizationParametersStartScaleVector, [quantization[0]], builder.PrependFloat32)
            zero = vector(
                tflite.QuantizationParametersStartZeroPointVector, [quantization[1]], builder.PrependInt64)
            tflite.QuantizationParametersStart(builder)
            tflite.QuantizationParametersAddScale(builder, scale)
            tflite.QuantizationParametersAddZeroPoint(builder, zero)
            parameters = tflite.QuantizationParametersEnd(builder)
        text = builder.CreateString(name)
        dimensions = vector(tflite.TensorStartShapeVector, shape, builder.PrependInt32)
        if signature:
            stated = vector(tflite.TensorStartShapeSignatureVector, signature, builder.PrependInt32)
        tflite.TensorStart(builder)
        tflite.TensorAddShape(builder, dimensions)
        tflite.TensorAddType(builder, kind)
        tflite.TensorAddBuffer(builder, buffer)
        tflite.TensorAddName(builder, text)
        if parameters is not None:
            tflite.TensorAddQuantization(builder, parameters)
        if signature:
            tflite.TensorAddShapeSignature(builder, stated)
            tflite.TensorAddHasRank(builder, True)
        return tflite.TensorEnd(builder)

    @staticmethod
    def _encode_operator(builder, vector, codes, code, version, inputs, outputs, options):
        is_custom = isinstance(options, bytes)
        written = options[1](builder) if options and not is_custom else None
        inputs = vector(tflite.OperatorStartInputsVector, inputs, builder.PrependInt32)
        outputs = vector(tflite.OperatorStartOutputsVector, outputs, builder.PrependInt32)
        if is_custom:
            written = vector(tflite.OperatorStartCustomOptionsVector, options, builder.PrependByte)
        tflite.OperatorStart(builder)
        tflite.OperatorAddOpcodeIndex(builder, codes.index((code, version)))
        tflite.OperatorAddInputs(builder, inputs)
        tflite.OperatorAddOutputs(builder, outputs)
        if is_custom:
            tflite.OperatorAddCustomOptions(builder, written)
        elif options:
            tflite.OperatorAddBuiltinOptionsType(builder, options[0])
            tflite.OperatorAddBuiltinOptions(builder, written)
        return tflite.OperatorEnd(builder)
