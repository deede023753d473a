// SPDX-License-Identifier: Apache-2.0

package import Fovea
package import FoveaDecoding
package import FoveaGeometry

/// The result of one model for one image.
package enum ModelAnswer: Sendable {
  /// The objects whose score reaches the threshold.
  case objects([DetectedObject])
  /// The labels of all classes.
  case labels([Label])
  /// A class for each pixel of the image.
  case map(SegmentationMap, of: PixelSize)
  /// The numbers of each output.
  case numbers([[Float]])
}

/// The agreement of two models of one task.
package enum Agreement: Sendable, Hashable {
  case boxes(BoxAgreement)
  case labels(LabelAgreement)
  case maps(MapAgreement)
  case numbers(VectorAgreement)

  /// Creates an agreement without images.
  package init(_ task: ComparedTask) {
    switch task {
    case .detection: self = .boxes(BoxAgreement())
    case .labeling: self = .labels(LabelAgreement())
    case .segmentation: self = .maps(MapAgreement())
    case .embedding, .numbers: self = .numbers(VectorAgreement())
    }
  }

  /// Compares the answers for several images.
  /// - Parameters:
  ///   - first: The first model's answer for each image.
  ///   - second: The second model's, in the same order of images.
  ///   - task: The task of both models.
  ///   - pairing: The classes of both.
  /// - Precondition: Both have the same number of answers, all of the task.
  package init(
    of first: [ModelAnswer], and second: [ModelAnswer], _ task: ComparedTask,
    _ pairing: ClassPairing = .byPosition
  ) {
    precondition(first.count == second.count, "\(first.count) answers for \(second.count)")
    self.init(task)
    for (ours, theirs) in zip(first, second) { add(ours, theirs, pairing) }
  }

  /// Adds the answers for one image.
  /// - Precondition: Both are of the agreement's task.
  package mutating func add(
    _ first: ModelAnswer, _ second: ModelAnswer, _ pairing: ClassPairing = .byPosition
  ) {
    switch (self, first, second) {
    case (.boxes(var boxes), .objects(let first), .objects(let second)):
      boxes.add(first, second, pairing)
      self = .boxes(boxes)
    case (.labels(var labels), .labels(let first), .labels(let second)):
      labels.add(first, second, pairing)
      self = .labels(labels)
    case (.maps(var maps), .map(let first, let size), .map(let second, _)):
      maps.add(first.classes(in: size), second.classes(in: size), pairing)
      self = .maps(maps)
    case (.numbers(var numbers), .numbers(let first), .numbers(let second)):
      numbers.add(first, second)
      self = .numbers(numbers)
    default: preconditionFailure("answers of different tasks")
    }
  }

  /// The figure that a least agreement bounds; nil if there was nothing to compare.
  ///
  /// F1, the share of first labels, the mean IoU or the mean cosine.
  package var value: Double? {
    switch self {
    case .boxes(let boxes): boxes.f1
    case .labels(let labels): labels.shared
    case .maps(let maps): maps.meanIoU
    case .numbers(let numbers): numbers.meanCosine
    }
  }
}
