// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// Why a tracker could not be made.
public typealias TrackingError = Failure<TrackingCode>

/// The kinds of ``TrackingError``.
public struct TrackingCode: FailureCode {
  /// What stands before the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Makes a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A parameter is outside the range that it may have.
  ///
  /// **Remedy:** the message names parameter, value and range.
  public static let invalidParameter = Self(rawValue: "invalid-parameter")
  /// A file of parameters names one that does not exist.
  ///
  /// **Remedy:** the message lists those that there are.
  public static let unknownParameter = Self(rawValue: "unknown-parameter")
  /// A file of parameters is no JSON object, has a parameter twice, or a value in it is of another kind.
  ///
  /// **Remedy:** write numbers, true and false, one for each parameter.
  public static let invalidConfiguration = Self(rawValue: "invalid-configuration")
}
