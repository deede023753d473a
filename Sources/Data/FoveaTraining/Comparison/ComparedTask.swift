// SPDX-License-Identifier: Apache-2.0

import Fovea

/// The task of a model that is compared.
package enum ComparedTask: String, Sendable, Hashable, CaseIterable {
  /// Finds objects.
  case detection
  /// Labels whole images.
  case labeling
  /// Finds the class of each part of an image.
  case segmentation
  /// Computes features of images.
  case embedding
  /// Computes numbers of an unknown meaning.
  case numbers

  /// The task of an examined model.
  init(_ model: ModelInspection) {
    switch model.family {
    case ModelKind.classifierName: self = .labeling
    case ModelKind.segmenterName: self = .segmentation
    case .some: self = .detection
    case nil: self = model.featureCount == nil ? .numbers : .embedding
    }
  }

  /// The task in messages: "detects objects".
  package var verb: String {
    switch self {
    case .detection: "detects objects"
    case .labeling: "labels images"
    case .segmentation: "segments images"
    case .embedding: "ends in features"
    case .numbers: "ends in numbers of an unknown meaning"
    }
  }
}
