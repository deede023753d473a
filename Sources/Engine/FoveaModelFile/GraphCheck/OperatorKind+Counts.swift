// SPDX-License-Identifier: Apache-2.0

extension OperatorKind {
  /// The minimum number of inputs of each built-in operator, by code; 0 for any number.
  ///
  /// The runtime's own kernels check the number of inputs, but not all of XNNPACK's, which run first: a
  /// STRIDED_SLICE of two inputs reads two entries past the end of its list.
  ///
  /// **Source:** TensorFlow Lite, `schema.fbs`, enum BuiltinOperator, and the `Prepare` functions of
  /// `lite/kernels`.
  private static let fewestInputs: [UInt8] = [
    // ADD 0 … LOGISTIC 14, LSH_PROJECTION 15
    2, 1, 1, 2, 2, 1, 1, 2, 1, 2, 3, 1, 1, 1, 1, 2,
    // LSTM 16 … CALL 31
    5, 1, 2, 1, 1, 1, 1, 2, 5, 1, 1, 4, 1, 1, 1, 0,
    // CUSTOM 32 … EXP 47
    0, 5, 2, 5, 2, 3, 3, 2, 2, 2, 2, 1, 20, 4, 12, 1,
    // TOPK_V2 48 … LESS_EQUAL 63
    2, 2, 1, 0, 39, 1, 2, 2, 2, 2, 2, 1, 3, 2, 2, 2,
    // SELECT 64 … ARG_MIN 79
    3, 3, 1, 3, 4, 2, 2, 2, 2, 1, 2, 1, 1, 1, 2, 2,
    // FAKE_QUANT 80 … FLOOR_MOD 95
    1, 2, 2, 1, 2, 4, 2, 1, 1, 2, 2, 2, 1, 1, 2, 2,
    // RANGE 96 … ELU 111
    3, 2, 1, 2, 2, 1, 3, 1, 1, 2, 1, 2, 1, 1, 1, 1,
    // REVERSE_SEQUENCE 112 … PLACEHOLDER 127
    2, 1, 1, 2, 1, 1, 1, 0, 5, 6, 3, 3, 1, 2, 2, 0,
    // CUMSUM 128 … READ_VARIABLE 143
    2, 0, 2, 2, 2, 1, 1, 1, 0, 3, 3, 1, 2, 3, 0, 1,
    // ASSIGN_VARIABLE 144 … BITCAST 159
    2, 2, 1, 1, 1, 2, 1, 3, 1, 3, 3, 3, 2, 3, 1, 1,
    // BITWISE_XOR 160, RIGHT_SHIFT 161
    2, 2,
  ]

  /// The minimum number of inputs; 0 for any number.
  var minimumInputs: Int { code < Self.fewestInputs.count ? Int(Self.fewestInputs[Int(code)]) : 0 }

  /// The minimum number of outputs; 0 for operators with any number, and for unknown ones.
  var minimumOutputs: Int {
    switch builtin {
    case .custom, .if, .while, .callOnce, .hashtableImport, .assignVariable, nil: 0
    case .topkV2, .unique, .nonMaxSuppressionV4: 2
    case .nonMaxSuppressionV5: 3
    default: 1
    }
  }
}
