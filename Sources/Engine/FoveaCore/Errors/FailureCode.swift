// SPDX-License-Identifier: Apache-2.0

/// The kinds of failure of one module: stable texts that programs may compare.
///
/// New ones are added over time, so compare with `==`, and keep a `default` where you switch.
public protocol FailureCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
  /// What stands before the code where a `FoveaError` carries it: "image-", or nothing.
  static var domain: String { get }
  /// The code as results print it, in kebab case: "truncated".
  var rawValue: String { get }
  /// Makes a code from its text.
  init(rawValue: String)
  /// The code where a `FoveaError` carries it: domain and text, where a module has no rule of its own.
  var qualified: String { get }
  /// An error with these codes as one of all layers: its texts stay, where a module has no rule of its own.
  static func qualified(_ error: Failure<Self>) -> FoveaError
}

extension FailureCode {
  /// The code's text.
  public var description: String { rawValue }

  /// Domain and text.
  public var qualified: String { Self.domain + rawValue }

  /// The same texts with the qualified code, and the error as its cause.
  public static func qualified(_ error: Failure<Self>) -> FoveaError { FoveaError(wrapping: error) }
}
