// SPDX-License-Identifier: Apache-2.0

package import FoveaDecoding

/// What a model answers.
package enum ModelKind: Sendable {
  /// Boxes, and how its outputs become some.
  case detector(any DetectionDecoder)
  /// One row of scores, and how they become confidences.
  case classifier(ClassifierHead, ConfidenceReading)
  /// Something that Fovea has no use for.
  case unsupported(UnsupportedModel)
  /// Something that Fovea does not know; the detector family that it comes nearest to.
  case unknown(NearestFamily)
  /// It cannot be found out.
  case broken(ModelProblem)

  /// "classifier" or the name of a detector family, as reports print it; nil for a model without use.
  package var name: String? {
    switch self {
    case .detector(let decoder): decoder.family.name
    case .classifier: Self.classifierName
    case .unsupported, .unknown, .broken: nil
    }
  }

  /// What reports print in place of a family.
  package static let classifierName = "classifier"
}

/// Why it cannot be found out what a model is: the step that failed, with its error.
package enum ModelProblem: Sendable {
  /// The input has no fixed size, or the graph cannot be read.
  case input(FoveaError)
  /// LiteRT cannot prepare the graph.
  case compiling(FoveaError)
  /// The metadata, the labels or the files next to the model contradict it.
  case description(FoveaError)
  /// The outputs can be read in several ways, not as asked for, or not as scores.
  case outputs(FoveaError)

  /// What the step failed with.
  package var error: FoveaError {
    switch self {
    case .input(let error), .compiling(let error), .description(let error), .outputs(let error): error
    }
  }
}
