// SPDX-License-Identifier: Apache-2.0

/// What went wrong, with actual and expected values, and what to do about it.
public struct FoveaError: Error, Sendable {
  /// The kind of failure: stable text that programs may compare.
  public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The code as results print it, in kebab case: "image-truncated".
    public var rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The code's text.
    public var description: String { rawValue }
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, as one sentence without a final stop.
  public var message: String
  /// What to do next, as one sentence without a final stop.
  public var remedy: String
  /// The file or input that failed, where the message does not name it.
  public var subject: String?
  /// The error of the layer below that led to this one.
  public var cause: (any Error)?

  /// Makes an error.
  public init(
    code: Code, message: String, remedy: String, subject: String? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.subject = subject
    self.cause = cause
  }
}

extension FoveaError: CustomStringConvertible {
  /// Subject, message and remedy as sentences, for people.
  public var description: String { "\(subject.map { "\($0): " } ?? "")\(message). \(remedy)." }
}
