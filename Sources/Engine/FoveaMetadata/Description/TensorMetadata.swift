// SPDX-License-Identifier: Apache-2.0

/// How the metadata describes one input or output.
public struct TensorMetadata: Sendable, Hashable {
  /// The name for people and for finding outputs, for example `location`; it may differ from the graph's.
  public var name: String?
  /// What the tensor holds, in words.
  public var description: String?
  /// The names of the dimensions.
  public var dimensionNames: [String] = []
  /// What the values are; nil where the metadata does not say.
  public var content: TensorContent?
  /// The dimensions that the content takes up, for example 2…2 of `[1, 10, 4]`; nil for all but the batch.
  public var contentRange: ClosedRange<Int>?
  /// The steps before or after the model, at most one of each kind.
  public var processUnits: [ProcessUnit] = []
  /// The smallest values that were seen, one or one per channel.
  public var minimum: [Float] = []
  /// The largest values that were seen, one or one per channel.
  public var maximum: [Float] = []
  /// Label files, calibration and the like.
  public var files: [AssociatedFile] = []

  /// Makes an empty description with a name.
  public init(name: String? = nil, description: String? = nil, content: TensorContent? = nil) {
    self.name = name
    self.description = description
    self.content = content
  }

  /// The normalisation of an image input, where the metadata has one.
  public var normalization: Normalization? {
    for case .normalization(let value) in processUnits { return value }
    return nil
  }

  /// The score below which results are left out, where the metadata has one.
  public var scoreThreshold: Float? {
    for case .scoreThreshold(let value) in processUnits { return value }
    return nil
  }

  /// The options of the score calibration, where the metadata has one.
  public var scoreCalibration: ScoreCalibrationOptions? {
    for case .scoreCalibration(let value) in processUnits { return value }
    return nil
  }

  /// The files of one kind, in the order of the metadata.
  public func files(_ kind: AssociatedFile.Kind) -> [AssociatedFile] { files.filter { $0.kind == kind } }
}
