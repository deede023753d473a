// SPDX-License-Identifier: Apache-2.0

/// A string or a number for the conditions of the host.
public struct CustomSignalValue: Sendable, Hashable {
  let text: String

  /// Creates a string.
  public static func string(_ string: String) -> Self { Self(text: string) }
  /// Creates a whole number.
  public static func integer(_ integer: Int) -> Self { Self(text: String(integer)) }
  /// Creates a number.
  public static func double(_ double: Double) -> Self { Self(text: String(double)) }
}

extension CustomSignalValue: ExpressibleByStringInterpolation {
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension CustomSignalValue: ExpressibleByIntegerLiteral {
  /// Creates a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
}

extension CustomSignalValue: ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .double(value) }
}
