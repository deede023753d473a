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
  /// The output has its own scale, and numbers beyond some ends become the ends: a QUANTIZE, which rounds to
  /// the ends of its output's range.
  case clip(ClosedRange<Float>)
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
  ///
  /// XNNPACK has no int8 kernels of RELU, RELU6, RELU_N1_TO_1, PRELU and HARD_SWISH, so LiteRT runs them one
  /// number after the other: six convolutions of 32 channels at 32 × 32, 1.06 ms in float and 0.30 in int8,
  /// take 0.84, 0.95 and 0.90 ms with RELU, PRELU and HARD_SWISH in int8. With QUANTIZE instead of RELU they
  /// take 0.27 ms, with PRELU and HARD_SWISH in float between conversions 0.31 and 0.29.
  package static func of(_ kind: OperatorName) -> OperatorRule {
    switch kind.builtin {
    case .conv2D, .depthwiseConv2D, .fullyConnected, .transposeConv: .layer
    case .add, .mul, .mean, .sub, .leakyRelu: .own
    case .relu: .clip(0...Float.greatestFiniteMagnitude)
    case .relu6: .clip(0...6)
    case .reluN1To1: .clip(-1...1)
    case .relu0To1: .clip(0...1)
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
    case .logistic, .mul, .relu, .relu6, .reluN1To1, .relu0To1, .tanh, .leakyRelu: true
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
