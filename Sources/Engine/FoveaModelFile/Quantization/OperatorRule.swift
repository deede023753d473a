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

  /// Returns the rule of an operator by its number in the schema.
  package static func of(_ kind: OperatorName) -> OperatorRule {
    guard kind.custom == nil else { return .float }
    return switch kind.number {
    // CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, TRANSPOSE_CONV.
    case 3, 4, 9, 67: .layer
    // ADD, MUL, RELU, RELU6, MEAN, SUB, PRELU, LEAKY_RELU, HARD_SWISH.
    case 0, 18, 19, 21, 40, 41, 54, 98, 117: .own
    // LOGISTIC, SOFTMAX.
    case 14, 25: .fixed(.scores(.int8))
    // TANH.
    case 28: .fixed(TensorScale(.int8, scale: 1 / 128, zeroPoint: 0))
    // AVERAGE_POOL_2D, DEPTH_TO_SPACE, MAX_POOL_2D, RESHAPE, RESIZE_BILINEAR, SPACE_TO_DEPTH, PAD, GATHER,
    // TRANSPOSE, SQUEEZE, STRIDED_SLICE, SPLIT, SLICE, EXPAND_DIMS, PACK, UNPACK, RESIZE_NEAREST_NEIGHBOR.
    case 1, 5, 17, 22, 23, 26, 34, 36, 39, 43, 45, 49, 65, 70, 83, 88, 97: .carried
    // MAXIMUM, MINIMUM, PADV2.
    case 55, 57, 60: .equal
    case 2: .concatenation
    default: .float
    }
  }

  /// The first version of an operator that supports int8, with a scale for each channel of its weights.
  static func int8Version(_ number: UInt32) -> UInt32 {
    switch number {
    case 3, 4: 3
    case 9: 12
    // RESHAPE, SQUEEZE, PRELU, EXPAND_DIMS, HARD_SWISH.
    case 22, 43, 54, 70, 117: 1
    default: 2
    }
  }

  /// The places of the data, the weights and the bias among a layer's inputs.
  static func places(_ number: UInt32) -> (data: Int, weights: Int, bias: Int) {
    number == 67 ? (2, 1, 3) : (0, 1, 2)
  }

  /// The dimension of a layer's weights for its output channels.
  static func channelDimension(_ number: UInt32) -> Int { number == 4 ? 3 : 0 }

  /// Whether the operator keeps each number: its output needs no range of its own.
  var keepsNumbers: Bool { [.carried, .equal, .concatenation].contains(self) }
}

extension OperatorName {
  /// Whether it follows a layer as an activation: LOGISTIC, MUL, RELU, RELU6, TANH, PRELU, LEAKY_RELU,
  /// HARD_SWISH.
  var isActivation: Bool { custom == nil && [14, 18, 19, 21, 28, 54, 98, 117].contains(number) }
}
