// SPDX-License-Identifier: Apache-2.0

/// The kind of an operator, as the graph check needs it.
struct OperatorKind {
  let code: UInt32
  /// The name of a custom operator; nil for a built-in one.
  let customName: String?

  /// Reads the kinds that a model lists.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, table OperatorCode: old files store the code in one byte.
  static func all(
    _ root: FlatTable, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [OperatorKind] {
    typealias Field = GraphSchema.Code
    var kinds: [OperatorKind] = []
    for table in try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget) {
      let old = UInt32(try table.uint8(Field.deprecated, in: bytes))
      kinds.append(
        OperatorKind(
          code: max(old, try table.uint32(Field.builtin, in: bytes)),
          customName: try table.operatorName(Field.custom, in: bytes, &budget)))
    }
    return kinds
  }

  /// The maximum length of a custom operator's name in bytes; converters write fewer than 100.
  static let longestName = 1024

  private static let custom: UInt32 = 32

  /// The first input that may be omitted (-1); nil if all are required.
  ///
  /// **Source:** TensorFlow Lite, the calls of `GetOptionalInputTensor` in `lite/kernels`: CONV_2D 3,
  /// DEPTHWISE_CONV_2D 4, FULLY_CONNECTED 9, LSTM 16, SVDF 27, UNIDIRECTIONAL_SEQUENCE_LSTM 44,
  /// BIDIRECTIONAL_SEQUENCE_RNN 46 and LSTM 52, TRANSPOSE_CONV 67, CONV_3D 132, CONV_3D_TRANSPOSE 141.
  var firstOptionalInput: Int? {
    switch code {
    case 3, 4, 9, 132: 2
    case 67, 141: 3
    case 16, 27, 44, 46, 52: 1
    default: nil
    }
  }

  /// Whether the options are a FlexBuffer, which the runtime reads without checks.
  var hasFlexOptions: Bool {
    code == Self.custom
      && ["TFLite_Detection_PostProcess", "AudioSpectrogram", "Mfcc"].contains(customName)
  }

  /// Whether this is the final operator of detectors of the TensorFlow Object Detection API.
  var isPostProcess: Bool { code == Self.custom && customName == "TFLite_Detection_PostProcess" }

  /// The fields of the options that refer to subgraphs, and whether they are in the newer options.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`: IF 118, WHILE 119, CALL_ONCE 129; STABLEHLO_REDUCE 174,
  /// SCATTER 190, REDUCE_WINDOW 198, SORT 199, WHILE 200, COMPOSITE 206.
  var calledSubgraphs: (isNew: Bool, fields: [Int]) {
    switch code {
    case 118, 119: (false, [0, 1])
    case 129: (false, [0])
    case 174, 206: (true, [1])
    case 190: (true, [6])
    case 198: (true, [5])
    case 199: (true, [2])
    case 200: (true, [0, 1])
    default: (false, [])
    }
  }
}

extension FlatTable {
  /// Reads the name of a custom operator; nil if the field is absent.
  ///
  /// Many operators may share one name, which LiteRT copies for each: a long one would take gigabytes.
  func operatorName(
    _ field: FlatField, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> String? {
    if let count = try vector(field, stride: 1, in: bytes)?.count, count > OperatorKind.longestName {
      throw .damaged(
        "the name of a custom operator is \(count) bytes long; expected at most \(OperatorKind.longestName)")
    }
    return try string(field, in: bytes, &budget)
  }
}
