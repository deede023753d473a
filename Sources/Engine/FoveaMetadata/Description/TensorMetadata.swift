// SPDX-License-Identifier: Apache-2.0

/// The metadata of one input or output.
public struct TensorMetadata: Sendable, Hashable {
  /// The name for display and for finding outputs, such as `location`; it may differ from the graph's.
  public var name: String?
  /// The description of the tensor.
  public var description: String?
  /// The names of the dimensions.
  public var dimensionNames: [String] = []
  /// The meaning of the values; nil if the metadata does not declare it.
  public var content: TensorContent?
  /// The dimensions of the content, such as 2…2 of `[1, 10, 4]`; nil for all but the batch.
  public var contentRange: ClosedRange<Int>?
  /// The steps before or after the model, at most one of each kind.
  public var processUnits: [ProcessUnit] = []
  /// The smallest observed values, one or one per channel.
  public var minimum: [Float] = []
  /// The largest observed values, one or one per channel.
  public var maximum: [Float] = []
  /// The files for this tensor, such as labels and calibration.
  public var files: [AssociatedFile] = []

  /// Creates a description.
  public init(name: String? = nil, description: String? = nil, content: TensorContent? = nil) {
    self.name = name
    self.description = description
    self.content = content
  }

  /// The normalisation of an image input; nil if the metadata has none.
  public var normalization: Normalization? {
    for case .normalization(let value) in processUnits { return value }
    return nil
  }

  /// The score below which results are omitted; nil if the metadata has none.
  public var scoreThreshold: Float? {
    for case .scoreThreshold(let value) in processUnits { return value }
    return nil
  }

  /// The options of the score calibration; nil if the metadata has none.
  public var scoreCalibration: ScoreCalibrationOptions? {
    for case .scoreCalibration(let value) in processUnits { return value }
    return nil
  }

  /// Returns the files of one kind, in the order of the metadata.
  package func files(_ kind: AssociatedFile.Kind) -> [AssociatedFile] { files.filter { $0.kind == kind } }
}
