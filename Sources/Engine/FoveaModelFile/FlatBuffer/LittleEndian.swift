// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
  /// Appends the bytes of an integer, the lowest first.
  package mutating func append<Value: FixedWidthInteger>(littleEndian value: Value) {
    var rest = value
    for _ in 0..<Value.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }
}
