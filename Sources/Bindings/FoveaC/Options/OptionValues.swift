// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry
import FoveaMetadata
import FoveaTracking

/// What a caller wants of a detector, a labeler or a tracker, by the long names of the command line.
struct OptionValues {
  var threshold: Float?
  var maxObjects: Int?
  var single: Bool?
  var slice: Bool?
  var sliceSize: Int?
  var sliceOverlap: Double?
  var classifier: String?
  var noClassify: Bool?
  var labelThreshold: Float?
  var maxLabels: Int?
  var maxResults: Int?
  var allow: [String]?
  var deny: [String]?
  var labels: String?
  var locale: String?
  var normalize: Normalization?
  var exact: Bool?
  var family: DetectorFamily?
  var activation: ScoreActivation?
  var background: Bool?
  var iou: Double?
  var crossClassIoU: Double?
  var fit: PictureFit?
  var classAgnostic: Bool?
  var threads: Int?
  var sessions: Int?
  var isScaled: Bool?
  var maxPixels: Int?
  var tracker: TrackerKind?
  var every: Int?
  var frameRate: Double?
  var config: String?

  /// The names that were said.
  private var given: Set<String> = []

  init() {}

  /// Says one option; a second value replaces the first.
  mutating func set(_ name: String, _ value: String) throws(FoveaError) {
    guard let option = Self.options[name] else {
      let near = NameDistance.nearest(to: name, among: Self.options.keys.sorted()).first
      throw .optionInvalid(
        "There is no option '\(name.prefix(80))'",
        remedy: near.map { "Did you mean '\($0)'?" } ?? "fovea.h lists the options")
    }
    do {
      try option(&self, OptionText(name: name, value: value))
    } catch {
      throw FoveaError(error)
    }
    given.insert(name)
  }

  /// Refuses what was said and means nothing for a user of options.
  func check(_ known: Set<String>, of user: String) throws(FoveaError) {
    guard let unknown = given.subtracting(known).min() else { return }
    throw .optionInvalid(
      "The option '\(unknown)' means nothing for a \(user)",
      remedy: "Leave it out; fovea.h lists what there is")
  }
}
