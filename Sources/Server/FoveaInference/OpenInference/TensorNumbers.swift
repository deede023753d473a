// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaRuntime
import FoveaCore

/// Converts JSON numbers to the elements of a tensor and back; little endian, as in the protocol and LiteRT.
enum TensorNumbers {
  /// Returns the bytes of numbers; nil if one does not fit the type, or is beyond JSON's exact range.
  static func bytes(of numbers: [Double], as type: ElementType) -> [UInt8]? {
    switch type {
    case .float32: numbers.flatMap { littleEndian(Float($0).bitPattern) }
    case .float64: numbers.flatMap { littleEndian($0.bitPattern) }
    case .int8: integers(numbers, Int8.self)
    case .uint8: integers(numbers, UInt8.self)
    case .int16: integers(numbers, Int16.self)
    case .uint16: integers(numbers, UInt16.self)
    case .int32: integers(numbers, Int32.self)
    case .uint32: integers(numbers, UInt32.self)
    case .int64: integers(numbers, Int64.self)
    case .uint64: integers(numbers, UInt64.self)
    case .bool: numbers.allSatisfy { $0 == 0 || $0 == 1 } ? numbers.map { UInt8($0) } : nil
    default: nil
    }
  }

  /// Writes the elements as JSON.
  /// - Returns: Whether JSON can represent them: not for types it lacks or for numbers that are not finite.
  static func append(_ bytes: [UInt8], of type: ElementType, to json: inout JSONText) -> Bool {
    switch type {
    case .float32:
      append(elements(bytes, UInt32.self).map { Double(Float(bitPattern: $0)) }, to: &json)
    case .float64: append(elements(bytes, UInt64.self).map { Double(bitPattern: $0) }, to: &json)
    case .int8: append(elements(bytes, Int8.self), to: &json)
    case .uint8: append(elements(bytes, UInt8.self), to: &json)
    case .int16: append(elements(bytes, Int16.self), to: &json)
    case .uint16: append(elements(bytes, UInt16.self), to: &json)
    case .int32: append(elements(bytes, Int32.self), to: &json)
    case .uint32: append(elements(bytes, UInt32.self), to: &json)
    case .int64: append(elements(bytes, Int64.self), to: &json)
    case .uint64: append(elements(bytes, UInt64.self), to: &json)
    case .bool: appendFlags(bytes, to: &json)
    default: false
    }
  }

  private static func append(_ numbers: [Double], to json: inout JSONText) -> Bool {
    guard numbers.allSatisfy(\.isFinite) else { return false }
    json.member("data", numbers)
    return true
  }

  private static func append(_ numbers: [some FixedWidthInteger], to json: inout JSONText) -> Bool {
    let values = numbers.compactMap { Int(exactly: $0) }
    guard values.count == numbers.count else { return false }
    json.member("data", values)
    return true
  }

  private static func appendFlags(_ bytes: [UInt8], to json: inout JSONText) -> Bool {
    json.member("data", bytes) { json, byte in json.boolean(byte != 0) }
    return true
  }

  private static func integers<Integer: FixedWidthInteger>(
    _ numbers: [Double], _ type: Integer.Type
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * Integer.bitWidth / 8)
    for number in numbers {
      // Beyond 2^53 a Double may differ from the number that was sent.
      guard abs(number) <= 9_007_199_254_740_992, let value = Integer(exactly: number) else { return nil }
      bytes += littleEndian(value)
    }
    return bytes
  }

  static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func elements<Integer: FixedWidthInteger>(
    _ bytes: [UInt8], _ type: Integer.Type
  ) -> [Integer] {
    let size = Integer.bitWidth / 8
    return stride(from: 0, to: bytes.count - bytes.count % size, by: size).map { start in
      bytes[start..<start + size].reversed().reduce(Integer(0)) {
        $0 << 8 | Integer(truncatingIfNeeded: $1)
      }
    }
  }
}
#endif
