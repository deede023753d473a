// SPDX-License-Identifier: Apache-2.0

public import FoveaCore

/// An int8 model with the figures of its making.
public struct QuantizedModel: Sendable {
  /// A layer with its part of the error.
  public struct Layer: Sendable, Hashable {
    /// The name of the layer's output.
    public let name: String
    /// The noise of the layer, if no other computes in int8, relative to that of all layers, 0…1.
    public let share: Double
    /// Whether the layer stays float.
    public let isFloat: Bool
    /// True if the search chose it for its error, or the caller named it.
    ///
    /// Other float layers are so small that the conversions around them would take longer than int8 saves.
    package let isChosen: Bool
  }

  /// Operators of one name that are float for one reason.
  package struct Island: Sendable {
    package let name: String
    package let count: Int
    /// The reason in kebab case, such as `few-weights`.
    package let reason: String
    /// The operators with this reason, for people.
    package let reasonText: String

    package init(name: String, count: Int, reason: String, reasonText: String) {
      (self.name, self.count, self.reason, self.reasonText) = (name, count, reason, reasonText)
    }
  }

  /// The model file.
  public let bytes: [UInt8]
  /// The layers, those with the most error first.
  public let layers: [Layer]
  /// The number of operators of the decoding, which stays float.
  package let tailCount: Int
  /// The operators in front of the decoding that are float in any case.
  package let islands: [Island]
  /// The number of photos that chose the ranges, and of those that were compared.
  package let photoCounts: (calibration: Int, compared: Int)
  /// True if the photos were too few to be divided, so that the same ones chose the ranges and were compared.
  package var comparesCalibration = false
  /// The number of photos of one colour, and of copies of other photos, which are left out.
  package var leftOutCounts: (plain: Int, copies: Int) = (0, 0)
  /// The agreement with the float model; nil if there was nothing to compare.
  package let agreement: Double?
  /// All figures of both models: the float model is the first, the int8 model the second.
  public let comparison: ComparedModels
  /// The photos that could not be read.
  package let failed: [ComparedModels.Failed]
  /// The assumptions about facts that the model does not declare, on which the ranges depend, as sentences
  /// without the full stop.
  package var assumptions: [Advice] = []

  /// The errors of the photos that could not be read; the subject of each is the photo's name.
  public var errors: [FoveaError] { failed.map(\.named) }

  /// Remarks on figures that few photos make rough, on photos that are left out, and on classes without
  /// ground truth, as sentences without the full stop.
  package var notes: [String] {
    (ComparedModels.isFew(photoCounts.compared)
      ? [
        "the agreement is that of \(DecimalText.counted(photoCounts.compared, "photo", "photos"))"
          + (comparesCalibration ? ", which also chose the ranges," : "")
          + " and may be lower on others; give 100 photos or more, of which at least 20 are compared"
      ] : []) + [leftOutNote].compactMap(\.self) + comparison.accuracyNotes
  }

  private var leftOutNote: String? {
    let (plain, copies) = leftOutCounts
    let parts = [
      plain > 0 ? DecimalText.counted(plain, "photo", "photos") + " of one colour" : nil,
      copies > 0 ? DecimalText.counted(copies, "copy of another photo", "copies of other photos") : nil,
    ].compactMap(\.self)
    guard !parts.isEmpty else { return nil }
    return parts.joined(separator: " and ") + (plain + copies == 1 ? " is" : " are") + " left out"
  }

  /// The layers that stay float for their error, or because the caller named them.
  package var chosenLayers: [Layer] { layers.filter(\.isChosen) }

  /// The number of the other layers that stay float.
  package var smallLayerCount: Int { layers.count { $0.isFloat && !$0.isChosen } }

  /// The ratio of processor times from which an int8 model counts as slower.
  private static let slowRatio = 0.95

  /// Whether the int8 model is hardly faster than the float model, or slower.
  package var isSlow: Bool { comparison.times?.ratio.map { $0 > Self.slowRatio } ?? false }
}

extension QuantizedModel {
  /// Adds the members of the schema `quantize/1` that follow the names of the files.
  package func appendMembers(to json: inout JSONText) {
    json.objects("noise", layers) { json, layer in
      json.member("layer", layer.name)
      json.member("share", layer.share, places: 4)
      json.member("float", layer.isFloat)
    }
    json.member("tailOperators", tailCount)
    json.objects("floatOperators", islands) { json, island in
      json.member("name", island.name)
      json.member("count", island.count)
      json.member("reason", island.reason)
    }
    json.member("calibrationPhotos", photoCounts.calibration)
    json.member("unreadablePhotos", failed.count)
    comparison.appendMembers(to: &json)
  }
}
