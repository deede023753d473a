// SPDX-License-Identifier: Apache-2.0

/// Why a tracker could not be made.
public struct TrackingError: Error, Sendable, Hashable {
  /// The kind of failure: stable text that programs may compare.
  public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The code as results print it, in kebab case: "invalid-parameter".
    public var rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The code's text.
    public var description: String { rawValue }

    /// A parameter is outside the range that it may have.
    public static let invalidParameter = Code(rawValue: "invalid-parameter")
    /// A file of parameters names one that does not exist.
    public static let unknownParameter = Code(rawValue: "unknown-parameter")
    /// A file of parameters is no JSON object, or a value in it is of another kind.
    public static let invalidConfiguration = Code(rawValue: "invalid-configuration")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, as one sentence without a final stop.
  public var message: String
  /// What to do next, as one sentence without a final stop.
  public var remedy: String

  /// Makes an error.
  public init(code: Code, message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}

extension TrackingError: CustomStringConvertible {
  /// Message and remedy, for people.
  public var description: String { "\(message). \(remedy)." }
}
