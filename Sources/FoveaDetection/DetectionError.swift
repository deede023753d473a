// SPDX-License-Identifier: Apache-2.0

/// Why a model cannot serve as a detector, or its answer cannot be read.
public struct DetectionError: Error, Sendable, Hashable {
  /// The kind of failure; more kinds may come, so compare with `==` instead of switching.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case unknownFamily = "unknown-family"
      case familyMismatch = "family-mismatch"
      case ambiguousModel = "ambiguous-model"
      case ambiguousFamily = "ambiguous-family"
      case invalidOutput = "invalid-output"
    }
    private let kind: Kind

    /// The model is of no family that can be recognised.
    public static let unknownFamily = Code(kind: .unknownFamily)
    /// The model is not of the family that was asked for.
    public static let familyMismatch = Code(kind: .familyMismatch)
    /// The model's outputs can be read in more than one way, and nothing says in which; the remedy names the option.
    public static let ambiguousModel = Code(kind: .ambiguousModel)
    /// The model can be of several families.
    public static let ambiguousFamily = Code(kind: .ambiguousFamily)
    /// What the model answered contradicts its family.
    public static let invalidOutput = Code(kind: .invalidOutput)

    /// The code as results print it, in kebab case.
    public var description: String { kind.rawValue }
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, with actual and expected values: one sentence without a final stop.
  public var message: String
  /// What to do next: one sentence without a final stop.
  public var remedy: String

  init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}

extension DetectionError: CustomStringConvertible {
  /// Message and remedy as two sentences.
  public var description: String { "\(message). \(remedy)." }
}
