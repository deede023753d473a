// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaTracking

extension OptionValues {
  typealias Setter = @Sendable (inout OptionValues, OptionText) throws -> Void

  /// What of a model and its results every user has.
  static let common: Set<String> = [
    "threshold", "allow", "deny", "labels", "locale", "normalize", "exact", "activation", "threads",
    "sessions", "decode", "max-pixels",
  ]

  /// How each option is read.
  static let options: [String: Setter] = [
    "threshold": { $0.threshold = try $1.fraction() },
    "max-objects": { $0.maxObjects = try $1.count(1...100_000) },
    "single": { $0.single = try $1.flag() },
    "slice": { $0.slice = try $1.flag() },
    "slice-size": { $0.sliceSize = try $1.count(16...(1 << 20)) },
    "slice-overlap": { $0.sliceOverlap = try $1.number(0...0.75) },
    "classifier": { $0.classifier = try $1.text() },
    "no-classify": { $0.noClassify = try $1.flag() },
    "label-threshold": { $0.labelThreshold = try $1.fraction() },
    "max-labels": { $0.maxLabels = try $1.count(1...100_000) },
    "max-results": { $0.maxResults = try $1.count(1...100_000) },
    "allow": { $0.allow = try $1.labels() },
    "deny": { $0.deny = try $1.labels() },
    "labels": { $0.labels = try $1.text() },
    "locale": { $0.locale = try $1.text() },
    "normalize": { $0.normalize = try $1.normalization() },
    "exact": { $0.exact = try $1.flag() },
    "family": { $0.family = try family($1) },
    "activation": {
      $0.activation = try $1.choice(["none": ScoreActivation.none, "sigmoid": .sigmoid, "softmax": .softmax])
    },
    "background": { $0.background = try $1.choice(["first": true, "none": false]) },
    "iou": { $0.iou = Double(try $1.number(0...1)) },
    "cross-class-iou": { $0.crossClassIoU = Double(try $1.number(0...1)) },
    "fit": { $0.fit = try $1.choice(["stretch": .stretch, "letterbox": .letterbox]) },
    "class-agnostic": { $0.classAgnostic = try $1.flag() },
    "threads": { $0.threads = try $1.count(1...256) },
    "sessions": { $0.sessions = try $1.count(1...1024) },
    "decode": { $0.isScaled = try $1.choice(["scaled": true, "full": false]) },
    "max-pixels": { $0.maxPixels = try $1.count(1...Int(Int32.max)) },
    "tracker": { $0.tracker = try tracker($1) },
    "every": { $0.every = try $1.count(1...100_000) },
    "frame-rate": { $0.frameRate = try $1.number(0.1...1_000) },
    "config": { $0.config = try $1.text() },
  ]

  private static func family(_ text: OptionText) throws(FoveaError) -> DetectorFamily {
    guard let family = DetectorFamily(name: text.value) else {
      throw text.refusal(
        "a family expected", "The families are \(DetectorFamily.all.map(\.name).joined(separator: ", "))")
    }
    return family
  }

  private static func tracker(_ text: OptionText) throws(FoveaError) -> TrackerKind {
    guard let kind = TrackerKind(rawValue: text.value) else {
      throw text.refusal(
        "a tracker expected",
        "The trackers are \(TrackerKind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return kind
  }
}
