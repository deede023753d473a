// SPDX-License-Identifier: Apache-2.0

/// The rule by which an operator computes in int8.
///
/// **Source:** TensorFlow Lite, "8-bit quantization specification"; `lite/tools/versioning/op_version.cc` for
/// the first version that supports int8.
package enum OperatorRule: Sendable, Hashable {
  /// Constant weights: a scale for each output channel.
  case layer
  /// The output has its own scale.
  case own
  /// The output has a scale that the kernel demands.
  case fixed(TensorScale)
  /// The output has the first input's scale.
  case carried
  /// All inputs and outputs have one scale.
  case equal
  /// As `equal`, but an input may be converted in front.
  case concatenation
  /// It computes in floats.
  case float

  /// The least number of constant weights of a layer: the DFL convolution of YOLOv8 has 16 and belongs to the
  /// decoding.
  package static let leastWeights = 256

  /// Returns the rule of an operator.
  package static func of(_ kind: OperatorName) -> OperatorRule {
    switch kind.builtin {
    case .conv2D, .depthwiseConv2D, .fullyConnected, .transposeConv: .layer
    case .add, .mul, .relu, .relu6, .mean, .sub, .prelu, .leakyRelu, .hardSwish: .own
    case .logistic, .softmax: .fixed(.scores(.int8))
    case .tanh: .fixed(TensorScale(.int8, scale: 1 / 128, zeroPoint: 0))
    case .averagePool2D, .depthToSpace, .maxPool2D, .reshape, .resizeBilinear, .spaceToDepth, .pad, .gather,
      .transpose, .squeeze, .stridedSlice, .split, .slice, .expandDims, .pack, .unpack,
      .resizeNearestNeighbor:
      .carried
    case .maximum, .minimum, .padV2: .equal
    case .concatenation: .concatenation
    default: .float
    }
  }

  /// Returns the places of the data, the weights and the bias among a layer's inputs.
  static func places(_ kind: OperatorName) -> (data: Int, weights: Int, bias: Int) {
    kind.builtin == .transposeConv ? (2, 1, 3) : (0, 1, 2)
  }

  /// Whether the operator keeps each number: its output needs no range of its own.
  var keepsNumbers: Bool { [.carried, .equal, .concatenation].contains(self) }
}

extension OperatorName {
  /// The dimension of a layer's weights for its output channels.
  var channelDimension: Int { builtin?.channelDimension ?? 0 }

  /// Whether it follows a layer as an activation.
  var isActivation: Bool {
    switch builtin {
    case .logistic, .mul, .relu, .relu6, .tanh, .prelu, .leakyRelu, .hardSwish: true
    default: false
    }
  }
}

extension BuiltinOperator {
  /// The first version that supports int8, with a scale for each channel of its weights.
  package var int8Version: UInt32 {
    switch self {
    case .conv2D, .depthwiseConv2D: 3
    case .fullyConnected: 12
    case .reshape, .custom, .squeeze, .prelu, .expandDims, .hardSwish: 1
    default: 2
    }
  }

  /// The dimension of its weights for the output channels.
  package var channelDimension: Int { self == .depthwiseConv2D ? 3 : 0 }
}
