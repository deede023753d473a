// SPDX-License-Identifier: Apache-2.0

/// The names of TensorFlow Lite's operators and types, for display.
enum OperatorNames {
  /// **Source:** TensorFlow Lite, `schema.fbs`, enum TensorType, in the order of its numbers.
  private static let types: [Substring] =
    """
    float32 float16 int32 uint8 int64 string bool int16 complex64 int8 float64 complex128 uint64 resource \
    variant uint32 uint16 int4 bfloat16
    """.split(separator: " ")

  /// Returns the name of an operator: its custom name, or the built-in one of its code.
  static func name(of kind: OperatorKind) -> String {
    if let name = kind.customName, !name.isEmpty { return name }
    return kind.builtin?.name ?? "operator \(kind.code)"
  }

  /// Returns the name of an element type.
  static func name(ofType code: UInt8) -> String {
    types.indices.contains(Int(code)) ? String(types[Int(code)]) : "type \(code)"
  }
}
