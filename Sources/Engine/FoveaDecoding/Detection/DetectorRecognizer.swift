// SPDX-License-Identifier: Apache-2.0

public import FoveaMetadata
public import FoveaRuntime

/// Recognises the family of a detector from the model itself.
public struct DetectorRecognizer: Sendable {
  /// The model's name in error messages.
  package var modelName: String
  /// The inputs and outputs, with the shapes that they have when the model runs.
  package var signature: ModelSignature
  /// The model's metadata; nil if it has none.
  package var metadata: ModelMetadata?
  /// Further facts about the model.
  package var hints: DetectorHints
  /// The number of labels with the model, which distinguishes families of equal shapes; nil without labels.
  package var labelCount: Int?
  /// Whether the labels are from a file next to the model, which may be another's or have an extra line.
  package var hasLooseLabels = false
  /// The background at the start or end of the labels, which may not be a class; nil if there is none.
  package var spareBackground: SpareBackground?
  /// The suppression of duplicates, for models that do not do it themselves.
  public var suppression = SuppressionOptions()

  /// Creates a recognizer for one model.
  public init(
    modelName: String, signature: ModelSignature, metadata: ModelMetadata?,
    hints: DetectorHints = DetectorHints()
  ) {
    self.modelName = modelName
    self.signature = signature
    self.metadata = metadata
    self.hints = hints
  }

  /// Creates the decoder for the model.
  /// - Parameter family: The family that the caller names; nil tries all in order.
  /// - Returns: The decoder of the first family whose rule the model satisfies.
  /// - Throws: `unknownFamily` with the model's tensors and the nearest family; `familyMismatch` if `family`
  ///   does not fit; `ambiguousFamily` with the families to choose from; `ambiguousModel` with the option
  ///   that decides.
  public func decoder(family: DetectorFamily? = nil) throws(DetectionError) -> any DetectionDecoder {
    if let family {
      if let decoder = try family.decoder(of: self, isAsked: true) { return decoder }
      throw DetectionError(
        .familyMismatch,
        "\(model: modelName) is not of the family '\(family)', which has \(family.rule); it has"
          + " \(tensorList)",
        remedy: "Leave out the family to have it recognised, or give one of: \(Self.familyNames)")
    }
    for family in DetectorFamily.all {
      if let decoder = try family.decoder(of: self, isAsked: false) { return decoder }
    }
    let nearest = NearestFamily(to: signature)
    throw DetectionError(
      .unknownFamily,
      "\(model: modelName) has no detector layout that Fovea knows: it has \(tensorList)."
        + " The nearest is '\(nearest.family)', which has \(nearest.family.rule); here \(nearest.difference)",
      remedy: nearest.remedy)
  }

  /// The possible numbers of classes for these labels, the likelier first; empty without labels.
  var labelledCounts: [Int] {
    guard let labelCount else { return [] }
    return switch spareBackground {
    case nil: [labelCount]
    case .possible: [labelCount, labelCount - 1]
    case .certain, .blank: [labelCount - 1, labelCount]
    }
  }

  /// "1 input: 'image' uint8 [1, 300, 300, 3]; 2 outputs: …", for error messages.
  var tensorList: String {
    func list(_ tensors: [TensorDescription], _ noun: String) -> String {
      "\(tensors.count) \(noun)\(tensors.count == 1 ? "" : "s"): "
        + tensors.map(\.description).joined(separator: ", ")
    }
    return list(signature.inputs, "input") + "; " + list(signature.outputs, "output")
  }

  private static var familyNames: String { DetectorFamily.all.map(\.name).joined(separator: ", ") }
}

/// Facts about a detector other than its tensors and metadata: from its graph, its files and its caller.
///
/// All are optional. If a family needs one that is missing, the error names the option that provides it.
public struct DetectorHints: Sendable, Hashable {
  /// The names of the classes, in the model's order.
  public var labels: LabelMap?
  /// The last operation of the graph for each output, by tensor name; nil if the graph was not read.
  public var activations: [String: OutputActivation]?
  /// The settings of the model's post-processing operator.
  package var postProcess: PostProcessOptions?
  /// The calibration of the scores.
  public var calibration: ScoreCalibration?
  /// The contents of `tflite_metadata.json`, for a model from AutoML.
  package var autoML: AutoMLDetection?
  /// The activation for the scores that the caller sets.
  public var scores: ScoreActivation?
  /// Whether the first score of a row is the background's, if the caller sets it.
  public var hasBackground: Bool?
  /// The task that the exporter declares: `detect`, `segment`, `pose` or `obb`; nil if it declares none.
  package var task: String?
  /// The number of keypoints and the numbers of each that the exporter declares; nil if it declares none.
  package var keypointShape: [Int]?

  /// Creates empty hints.
  public init() {}
}
