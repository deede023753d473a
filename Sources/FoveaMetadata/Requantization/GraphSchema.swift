// SPDX-License-Identifier: Apache-2.0

/// The field numbers and codes of a model's graph.
///
/// **Source:** TensorFlow Lite, `schema.fbs` version 3c, tables SubGraph, Tensor, QuantizationParameters, Operator and
/// OperatorCode, enums TensorType and BuiltinOperator.
enum GraphSchema {
  enum Subgraph {
    static let tensors = FlatField(0, "subgraphs.tensors")
    static let inputs = FlatField(1, "subgraphs.inputs")
    static let outputs = FlatField(2, "subgraphs.outputs")
    static let operators = FlatField(3, "subgraphs.operators")
    static let name = FlatField(4, "subgraphs.name")
    static let count = 6
  }

  enum Tensor {
    static let shape = FlatField(0, "tensors.shape")
    static let type = FlatField(1, "tensors.type")
    static let buffer = FlatField(2, "tensors.buffer")
    static let name = FlatField(3, "tensors.name")
    static let quantization = FlatField(4, "tensors.quantization")
    static let isVariable = FlatField(5, "tensors.is_variable")
    static let sparsity = FlatField(6, "tensors.sparsity")
    static let shapeSignature = FlatField(7, "tensors.shape_signature")
    static let hasRank = FlatField(8, "tensors.has_rank")
    static let variants = FlatField(9, "tensors.variant_tensors")
  }

  enum Quantization {
    static let scale = FlatField(2, "quantization.scale")
    static let zeroPoint = FlatField(3, "quantization.zero_point")
    static let detailsType = FlatField(4, "quantization.details_type")
    static let dimension = FlatField(6, "quantization.quantized_dimension")
  }

  enum Operator {
    static let code = FlatField(0, "operators.opcode_index")
    static let inputs = FlatField(1, "operators.inputs")
    static let outputs = FlatField(2, "operators.outputs")
    static let optionsType = FlatField(3, "operators.builtin_options_type")
    static let options = FlatField(4, "operators.builtin_options")
    static let customOptions = FlatField(5, "operators.custom_options")
    static let customFormat = FlatField(6, "operators.custom_options_format")
    /// One more than the last field that can be rewritten; later ones are vectors and offsets of newer models.
    static let count = 7
  }

  enum Code {
    static let deprecated = FlatField(0, "operator_codes.deprecated_builtin_code")
    static let custom = FlatField(1, "operator_codes.custom_code")
    static let version = FlatField(2, "operator_codes.version")
    static let builtin = FlatField(3, "operator_codes.builtin_code")
  }

  enum ElementType {
    static let float32: UInt8 = 0
    static let float16: UInt8 = 1
    static let int32: UInt8 = 2
    static let uint8: UInt8 = 3
    static let int8: UInt8 = 9
  }

  /// The operators whose int8 form computes what their uint8 form does, shifted by 128.
  enum Builtin: UInt32 {
    case add = 0
    case averagePool = 1
    case concatenation = 2
    case conv = 3
    case depthwiseConv = 4
    case fullyConnected = 9
    case logistic = 14
    case mul = 18
    case relu6 = 21
    case reshape = 22
    case softmax = 25
    case custom = 32
    case split = 49
    case resizeNearestNeighbor = 97

    /// The first version of the operator that takes int8, with a scale for each channel where it has weights.
    var int8Version: UInt32 {
      switch self {
      case .conv, .depthwiseConv: 3
      case .fullyConnected: 12
      case .reshape, .custom: 1
      default: 2
      }
    }

    /// Whether the second input is weights and the third a bias.
    var hasWeights: Bool { self == .conv || self == .depthwiseConv || self == .fullyConnected }

    /// The dimension of the weights that counts the output channels.
    var channelDimension: Int { self == .depthwiseConv ? 3 : 0 }
  }

  static let quantize: UInt32 = 114
  static let quantizeVersion: UInt32 = 2
}
