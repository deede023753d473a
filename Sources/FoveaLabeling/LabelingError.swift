// SPDX-License-Identifier: Apache-2.0

/// Why a model cannot serve as a classifier, or its answer cannot be read.
public struct LabelingError: Error, Sendable, Hashable {
  /// The kind of failure; more kinds may come, so compare with `==` instead of switching.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String {
      case notAClassifier = "not-a-classifier"
      case invalidOutput = "invalid-output"
    }
    private let kind: Kind

    /// The model's tensors are not those of an image classifier.
    public static let notAClassifier = Code(kind: .notAClassifier)
    /// What the model answered is no confidence: a number outside 0…1, or none at all.
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

extension LabelingError: CustomStringConvertible {
  /// Message and remedy as two sentences.
  public var description: String { "\(message). \(remedy)." }
}
