// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaDecoding

/// The kind of a model.
package enum ModelKind: Sendable {
  /// A detector, with the decoder of its outputs.
  case detector(any DetectionDecoder)
  /// A classifier: one row of scores, and how they become confidences.
  case classifier(ClassifierHead, ConfidenceReading)
  /// A segmentation model, with its map.
  case segmenter(MapHead)
  /// A model that ends in features, for `ImageEmbedder`, with why it neither detects nor classifies.
  case embedding(UnsupportedModel)
  /// A model for a purpose that Fovea does not support.
  case unsupported(UnsupportedModel)
  /// A model that Fovea does not know, with the nearest detector family.
  case unknown(NearestFamily)
  /// A model that cannot be examined.
  case broken(ModelProblem)

  /// Creates the kind of a model that is neither a detector nor a classifier.
  init(_ model: UnsupportedModel) {
    self = model.featureCount == nil ? .unsupported(model) : .embedding(model)
  }

  /// The reason why a model that is recognised neither detects nor classifies; nil for other models.
  var unsupportedModel: UnsupportedModel? {
    switch self {
    case .embedding(let model), .unsupported(let model): model
    case .detector, .classifier, .segmenter, .unknown, .broken: nil
    }
  }

  /// "classifier", "segmentation" or the name of a detector family, as in reports; nil for other models.
  package var name: String? {
    switch self {
    case .detector(let decoder): decoder.family.name
    case .classifier: Self.classifierName
    case .segmenter: Self.segmenterName
    case .embedding, .unsupported, .unknown, .broken: nil
    }
  }

  /// The kind as a noun, such as "a classifier", and what uses such a model; nil for a model that Fovea
  /// cannot use.
  var use: (noun: String, worker: Advice.Term)? {
    switch self {
    case .detector(let decoder): ("a detector of the family '\(decoder.family)'", .detector)
    case .classifier: ("a classifier", .labeler)
    case .segmenter: ("a segmentation model", .segmenter())
    case .embedding: ("an embedder", .embedder)
    case .unsupported, .unknown, .broken: nil
    }
  }

  /// The name of a classifier in reports, instead of a family.
  package static let classifierName = "classifier"
  /// The name of a segmentation model in reports, instead of a family.
  package static let segmenterName = "segmentation"
}

/// The reason why a model cannot be examined: the step that failed, with its error.
package enum ModelProblem: Sendable {
  /// The input has no fixed size, or the graph cannot be read.
  case input(FoveaError)
  /// LiteRT cannot prepare the graph.
  case compiling(FoveaError)
  /// The metadata, the labels or the files next to the model contradict it.
  case description(FoveaError)
  /// The outputs can be read in several ways, not as requested, or not as scores.
  case outputs(FoveaError)

  /// The error of the step.
  package var error: FoveaError {
    switch self {
    case .input(let error), .compiling(let error), .description(let error), .outputs(let error): error
    }
  }
}
