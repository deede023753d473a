// SPDX-License-Identifier: Apache-2.0

/// The kind of an operator, as the graph check needs it.
struct OperatorKind {
  let code: UInt32
  /// The built-in operator with this code; nil for an unknown code.
  let builtin: BuiltinOperator?
  /// The name of a custom operator; nil for a built-in one.
  let customName: String?

  init(code: UInt32, customName: String?) {
    (self.code, self.customName) = (code, customName)
    builtin = BuiltinOperator(rawValue: code)
  }

  /// Reads the kinds that a model lists.
  static func all(
    _ root: FlatTable, in bytes: Span<UInt8>, _ budget: inout FlatBudget
  ) throws(MetadataError) -> [OperatorKind] {
    var kinds: [OperatorKind] = []
    for table in try root.tables(ModelFile.Field.operatorCodes, in: bytes, &budget) {
      kinds.append(
        OperatorKind(
          code: try table.operatorNumber(in: bytes),
          customName: try table.operatorName(GraphSchema.Code.custom, in: bytes, &budget)))
    }
    return kinds
  }

  /// The maximum length of a custom operator's name in bytes; converters write fewer than 100.
  static let longestName = 1024

  /// The first input that may be omitted (-1); nil if all are required.
  ///
  /// **Source:** TensorFlow Lite, the calls of `GetOptionalInputTensor` in `lite/kernels`.
  var firstOptionalInput: Int? {
    switch builtin {
    case .conv2D, .depthwiseConv2D, .fullyConnected, .conv3D: 2
    case .transposeConv, .conv3DTranspose: 3
    case .lstm, .svdf, .unidirectionalSequenceLstm, .bidirectionalSequenceRnn, .bidirectionalSequenceLstm: 1
    default: nil
    }
  }

  /// Whether the options are a FlexBuffer, which the runtime reads without checks.
  var hasFlexOptions: Bool {
    builtin == .custom
      && ["TFLite_Detection_PostProcess", "AudioSpectrogram", "Mfcc"].contains(customName)
  }

  /// Whether this is the final operator of detectors of the TensorFlow Object Detection API.
  var isPostProcess: Bool { builtin == .custom && customName == "TFLite_Detection_PostProcess" }

  /// The fields of the options that refer to subgraphs, and whether they are in the newer options.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`: STABLEHLO_REDUCE 174, SCATTER 190, REDUCE_WINDOW 198, SORT
  /// 199, WHILE 200, COMPOSITE 206.
  var calledSubgraphs: (isNew: Bool, fields: [Int]) {
    switch builtin {
    case .if, .while: return (false, [0, 1])
    case .callOnce: return (false, [0])
    default: break
    }
    return switch code {
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
