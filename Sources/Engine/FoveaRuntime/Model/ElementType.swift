// SPDX-License-Identifier: Apache-2.0

/// The type of a tensor's elements.
public struct ElementType: Sendable, Hashable, CustomStringConvertible {
  /// LiteRT's number for the type.
  let id: Int32
  /// The name, as model tools print it: "float32", "uint8", ….
  public let description: String
  /// The size of an element in bits; 0 for strings, whose size varies.
  public let bits: Int

  private init(_ id: Int32, _ name: String, bits: Int) {
    self.id = id
    self.description = name
    self.bits = bits
  }

  /// 32-bit floating point.
  public static let float32 = ElementType(1, "float32", bits: 32)
  /// 32-bit signed integer.
  public static let int32 = ElementType(2, "int32", bits: 32)
  /// 8-bit unsigned integer.
  public static let uint8 = ElementType(3, "uint8", bits: 8)
  /// 64-bit signed integer.
  public static let int64 = ElementType(4, "int64", bits: 64)
  /// Strings of any length; cannot be read or written as numbers.
  public static let string = ElementType(5, "string", bits: 0)
  /// One byte, 0 or 1.
  public static let bool = ElementType(6, "bool", bits: 8)
  /// 16-bit signed integer.
  public static let int16 = ElementType(7, "int16", bits: 16)
  /// 8-bit signed integer.
  public static let int8 = ElementType(9, "int8", bits: 8)
  /// 16-bit floating point, IEEE 754 binary16.
  public static let float16 = ElementType(10, "float16", bits: 16)
  /// 64-bit floating point.
  public static let float64 = ElementType(11, "float64", bits: 64)
  /// 64-bit unsigned integer.
  public static let uint64 = ElementType(13, "uint64", bits: 64)
  /// 32-bit unsigned integer.
  public static let uint32 = ElementType(16, "uint32", bits: 32)
  /// 16-bit unsigned integer.
  public static let uint16 = ElementType(17, "uint16", bits: 16)
  /// 4-bit signed integer, two in a byte.
  public static let int4 = ElementType(18, "int4", bits: 4)
  /// 16-bit floating point with float32's exponent.
  public static let bfloat16 = ElementType(19, "bfloat16", bits: 16)

  private static let all: [ElementType] = [
    float32, int32, uint8, int64, string, bool, int16, int8, float16, float64, uint64, uint32, uint16, int4,
    bfloat16,
  ]

  /// Creates the type with LiteRT's number `id`; an unlisted type is named by its number and has no size.
  init(id: Int32) {
    self = Self.all.first { $0.id == id } ?? ElementType(id, "type \(id)", bits: 0)
  }
}
