// SPDX-License-Identifier: Apache-2.0

/// A text or a number that conditions of the host may compare.
public struct CustomSignalValue: Sendable, Hashable {
  let text: String

  /// A text.
  public static func string(_ string: String) -> Self { Self(text: string) }
  /// A whole number.
  public static func integer(_ integer: Int) -> Self { Self(text: String(integer)) }
  /// A number.
  public static func double(_ double: Double) -> Self { Self(text: String(double)) }
}

extension CustomSignalValue: ExpressibleByStringInterpolation {
  /// A text.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension CustomSignalValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }
}

extension CustomSignalValue: ExpressibleByFloatLiteral {
  /// A number.
  public init(floatLiteral value: Double) { self = .double(value) }
}
