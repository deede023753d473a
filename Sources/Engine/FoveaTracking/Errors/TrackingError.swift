// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// The error if a tracker cannot be created.
public typealias TrackingError = Failure<TrackingCode>

/// The kinds of ``TrackingError``.
public struct TrackingCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A parameter is outside its range.
  ///
  /// **Remedy:** the message contains the parameter, its value and its range.
  public static let invalidParameter = Self(rawValue: "invalid-parameter")
  /// A file of parameters contains an unknown parameter.
  ///
  /// **Remedy:** the message lists the known parameters.
  public static let unknownParameter = Self(rawValue: "unknown-parameter")
  /// A file of parameters is not a JSON object, or has a repeated parameter or a value of the wrong type.
  ///
  /// **Remedy:** write numbers, true and false, one value per parameter.
  public static let invalidConfiguration = Self(rawValue: "invalid-configuration")
}
