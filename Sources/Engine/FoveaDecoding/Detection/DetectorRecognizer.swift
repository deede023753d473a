// SPDX-License-Identifier: Apache-2.0

public import FoveaMetadata
public import FoveaRuntime

/// Finds out of which family a detector is, from the model alone.
public struct DetectorRecognizer: Sendable {
  /// What errors call the model.
  public var modelName: String
  /// Inputs and outputs with the shapes that they have when the model runs.
  public var signature: ModelSignature
  /// How the model describes itself; nil where it does not.
  public var metadata: ModelMetadata?
  /// What is known of it besides that.
  public var hints: DetectorHints
  /// How many labels came with the model, which distinguishes families of the same shapes; nil without labels.
  public var labelCount: Int?
  /// Whether the labels are of a file next to the model, which can be another model's or have a line too many.
  package var hasLooseLabels = false
  /// The background that the labels begin or end with, which may be none of the classes; nil if they do not.
  package var spareBackground: SpareBackground?
  /// How duplicates are suppressed, where the model does not do it.
  public var suppression = SuppressionOptions()

  /// Makes a recognizer of one model.
  public init(
    modelName: String, signature: ModelSignature, metadata: ModelMetadata?,
    hints: DetectorHints = DetectorHints()
  ) {
    self.modelName = modelName
    self.signature = signature
    self.metadata = metadata
    self.hints = hints
  }

  /// Makes the decoder for the model.
  /// - Parameter family: The family that the caller asks for; nil tries all in order.
  /// - Returns: The decoder of the first family whose rule the model keeps.
  /// - Throws: `unknownFamily` with the model's tensors and the nearest family; `familyMismatch` when `family` does not
  ///   fit; `ambiguousFamily` with the families to choose from, `ambiguousModel` with the option that decides.
  public func decoder(family: DetectorFamily? = nil) throws(DetectionError) -> any DetectionDecoder {
    if let family {
      if let decoder = try family.recognize(self, true) { return decoder }
      throw DetectionError(
        .familyMismatch,
        "'\(modelName)' is not of the family '\(family)', which has \(family.rule); it has \(tensorList)",
        remedy: "Leave out the family to have it recognised, or give one of: \(Self.familyNames)")
    }
    for family in DetectorFamily.all {
      if let decoder = try family.recognize(self, false) { return decoder }
    }
    let nearest = NearestFamily(to: signature)
    throw DetectionError(
      .unknownFamily,
      "'\(modelName)' has no detector layout that Fovea knows: it has \(tensorList)."
        + " The nearest is '\(nearest.family)', which has \(nearest.family.rule); here \(nearest.difference)",
      remedy: nearest.remedy)
  }

  /// The numbers of classes that the labels can be for, the likelier first; empty without labels.
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

/// What is known of a detector besides its tensors and its metadata: by its graph, its files, and its caller.
///
/// Everything may be missing. What a family cannot do without is an error that says which option gives it.
public struct DetectorHints: Sendable, Hashable {
  /// The names of the classes, in the model's order.
  public var labels: LabelMap?
  /// What the graph does last with each output, by the tensor's name; nil where the graph was not read.
  public var activations: [String: OutputActivation]?
  /// What the model's post-processing operator is set to.
  public var postProcess: PostProcessOptions?
  /// The calibration of the scores.
  public var calibration: ScoreCalibration?
  /// What `tflite_metadata.json` says, for a model out of AutoML.
  public var autoML: AutoMLDetection?
  /// What the caller says the scores need.
  public var scores: ScoreActivation?
  /// Whether the caller says that the first score of a row is the background's.
  public var hasBackground: Bool?
  /// What the exporter describes the model for: `detect`, `segment`, `pose` or `obb`; nil where it is not described.
  package var task: String?

  /// Makes hints that say nothing.
  public init() {}
}
