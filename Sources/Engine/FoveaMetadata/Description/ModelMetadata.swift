// SPDX-License-Identifier: Apache-2.0

/// How a TFLite model describes itself: names, inputs, outputs, labels, thresholds, licence.
///
/// Read it with `read(_:)`; write it with `MetadataWriter`.
/// Source of the fields: `metadata_schema.fbs` of TFLite Support, schema 1.5.0.
public struct ModelMetadata: Sendable, Hashable {
  /// The model's name for people.
  public var name: String?
  /// What the model does.
  public var description: String?
  /// The model's own version.
  public var version: String?
  /// Who made the model.
  public var author: String?
  /// The licence's name or text.
  public var license: String?
  /// The least schema version that a reader must know, for example `1.0.0`.
  public var minParserVersion: String?
  /// The description in the TFLite file itself, outside the metadata.
  public var modelDescription: String?
  /// The subgraphs; all models of today describe one.
  public var subgraphs: [Subgraph] = []
  /// Files that belong to the model as a whole.
  public var files: [AssociatedFile] = []

  /// Makes an empty description.
  public init() {}

  /// A part of the model, with its inputs and outputs.
  public struct Subgraph: Sendable, Hashable {
    /// The part's name.
    public var name: String?
    /// What the part does.
    public var description: String?
    /// The inputs, in the order of the model.
    public var inputs: [TensorMetadata] = []
    /// The outputs, in the order of the model.
    public var outputs: [TensorMetadata] = []
    /// Files that belong to the whole part.
    public var files: [AssociatedFile] = []
    /// Inputs that belong together.
    public var inputGroups: [TensorGroup] = []
    /// Outputs that belong together, for example the boxes, classes and scores of a detector.
    public var outputGroups: [TensorGroup] = []
    /// Parts in the formats of their writers, for example the anchors of a detector, see `AnchorMetadata`.
    public var customMetadata: [CustomMetadata] = []

    /// Makes an empty description.
    public init() {}
  }

  /// Tensors that belong together, by the names in their metadata.
  public struct TensorGroup: Sendable, Hashable {
    /// The group's name.
    public var name: String?
    /// The names of the tensors.
    public var tensorNames: [String]

    /// Makes a group.
    public init(name: String?, tensorNames: [String]) {
      self.name = name
      self.tensorNames = tensorNames
    }
  }

  /// The inputs of the first subgraph; empty where the metadata describes none.
  public var inputs: [TensorMetadata] { subgraphs.first?.inputs ?? [] }
  /// The outputs of the first subgraph; empty where the metadata describes none.
  public var outputs: [TensorMetadata] { subgraphs.first?.outputs ?? [] }

  /// Every file that the metadata names, whole model first, then by subgraph, inputs, outputs.
  public var allFiles: [AssociatedFile] {
    files + subgraphs.flatMap { $0.files + $0.inputs.flatMap(\.files) + $0.outputs.flatMap(\.files) }
  }
}

/// A part of the metadata whose meaning only its writer defines: bytes with a name.
public struct CustomMetadata: Sendable, Hashable {
  /// The name, for example `DETECTOR_METADATA`.
  public var name: String
  /// The content, usually a FlatBuffer of the writer's own schema.
  public var data: [UInt8]

  /// Makes a part.
  public init(name: String, data: [UInt8]) {
    self.name = name
    self.data = data
  }
}
