// SPDX-License-Identifier: Apache-2.0

/// Why nothing can be counted at a line or in a zone, and what to do about it.
public struct CountingError: Error, Sendable, Hashable {
  /// The kind of failure: stable text that programs may compare.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case invalidLine = "invalid-line"
      case invalidZone = "invalid-zone"
      case invalidOption = "invalid-counting-option"
    }
    private let kind: Kind

    /// The ends of a line are equal, not finite or far outside any image.
    public static let invalidLine = Code(kind: .invalidLine)
    /// The corners of a zone are too few or too many, not finite, on one line, or its edges cross.
    public static let invalidZone = Code(kind: .invalidZone)
    /// An option is out of its range.
    public static let invalidOption = Code(kind: .invalidOption)

    /// The code in kebab case: "invalid-line".
    public var description: String { kind.rawValue }
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, with actual and expected values, as one sentence without a final stop.
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

extension CountingError: CustomStringConvertible {
  /// Message and remedy as two sentences, for people.
  public var description: String { "\(message). \(remedy)." }
}
