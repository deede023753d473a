// SPDX-License-Identifier: Apache-2.0

/// An operator's number, and its name for errors.
struct OperatorName: Equatable, CustomStringConvertible {
  let number: UInt32
  private let custom: String?

  /// Reads an operator code.
  init(_ table: FlatTable, in bytes: Span<UInt8>, _ budget: inout FlatBudget) throws(MetadataError) {
    // Old files store the code in one byte, up to 127.
    let old = UInt32(try table.uint8(GraphSchema.Code.deprecated, in: bytes))
    number = max(old, try table.uint32(GraphSchema.Code.builtin, in: bytes))
    custom = try table.string(GraphSchema.Code.custom, in: bytes, &budget)
  }

  static let (averagePool, convolution, dequantize, fullyConnected): (UInt32, UInt32, UInt32, UInt32) = (
    1, 3, 6, 9
  )
  static let (logistic, softmax, mean, quantize): (UInt32, UInt32, UInt32, UInt32) = (14, 25, 40, 114)

  /// Whether it may follow the last dense layer: DEQUANTIZE, LOGISTIC, RESHAPE, SOFTMAX, SQUEEZE,
  /// LOG_SOFTMAX, QUANTIZE.
  var isCarrier: Bool { [6, 14, 22, 25, 43, 50, 114].contains(number) }

  /// Whether it selects detections: NON_MAX_SUPPRESSION_V4 and V5, and the final operator of TensorFlow's
  /// detectors.
  var isDetection: Bool { number == 120 || number == 121 || custom == "TFLite_Detection_PostProcess" }

  /// Whether it keeps state between runs: CALL_ONCE, VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE.
  var isState: Bool { [129, 142, 143, 144].contains(number) }

  /// **Source:** TensorFlow Lite, `schema.fbs`, enum BuiltinOperator: those at the end of classifiers and
  /// detectors.
  private static let names: [UInt32: String] = [
    0: "ADD", 1: "AVERAGE_POOL_2D", 2: "CONCATENATION", 3: "CONV_2D", 4: "DEPTHWISE_CONV_2D",
    5: "DEPTH_TO_SPACE", 6: "DEQUANTIZE", 9: "FULLY_CONNECTED", 11: "L2_NORMALIZATION", 14: "LOGISTIC",
    16: "LSTM", 17: "MAX_POOL_2D", 18: "MUL", 19: "RELU", 21: "RELU6", 22: "RESHAPE", 23: "RESIZE_BILINEAR",
    25: "SOFTMAX", 28: "TANH", 34: "PAD", 36: "GATHER", 39: "TRANSPOSE", 40: "MEAN", 41: "SUB", 42: "DIV",
    43: "SQUEEZE", 45: "STRIDED_SLICE", 47: "EXP", 48: "TOPK_V2", 49: "SPLIT", 50: "LOG_SOFTMAX", 53: "CAST",
    55: "MAXIMUM", 56: "ARG_MAX", 57: "MINIMUM", 65: "SLICE", 67: "TRANSPOSE_CONV", 74: "SUM", 75: "SQRT",
    76: "RSQRT", 82: "REDUCE_MAX", 83: "PACK", 97: "RESIZE_NEAREST_NEIGHBOR", 114: "QUANTIZE",
    117: "HARD_SWISH", 120: "NON_MAX_SUPPRESSION_V4", 121: "NON_MAX_SUPPRESSION_V5", 126: "BATCH_MATMUL",
  ]

  var description: String { custom ?? Self.names[number] ?? "operator \(number)" }
}
