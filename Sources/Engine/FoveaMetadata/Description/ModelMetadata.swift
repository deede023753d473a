// SPDX-License-Identifier: Apache-2.0

/// The metadata of a TFLite model: names, inputs, outputs, labels, thresholds, licence.
///
/// Read it with `read(_:)`; write it with `MetadataWriter`.
/// Source of the fields: `metadata_schema.fbs` of TFLite Support, schema 1.5.0.
public struct ModelMetadata: Sendable, Hashable {
  /// The display name of the model.
  public var name: String?
  /// The description of the model.
  public var description: String?
  /// The model's own version.
  public var version: String?
  /// The author of the model.
  public var author: String?
  /// The name or text of the licence.
  public var license: String?
  /// The lowest schema version that a reader must support, such as `1.0.0`.
  public var minParserVersion: String?
  /// The description in the TFLite file itself, outside the metadata.
  public var modelDescription: String?
  /// The subgraphs; all current models describe exactly one.
  public var subgraphs: [Subgraph] = []
  /// Files that belong to the model as a whole.
  public var files: [AssociatedFile] = []

  /// Creates an empty description.
  public init() {}

  /// A part of the model, with its inputs and outputs.
  public struct Subgraph: Sendable, Hashable {
    /// The part's name.
    public var name: String?
    /// The description of the part.
    public var description: String?
    /// The inputs, in the order of the model.
    public var inputs: [TensorMetadata] = []
    /// The outputs, in the order of the model.
    public var outputs: [TensorMetadata] = []
    /// Files that belong to the whole part.
    public var files: [AssociatedFile] = []
    /// Inputs that belong together.
    public var inputGroups: [TensorGroup] = []
    /// Outputs that belong together, such as the boxes, classes and scores of a detector.
    public var outputGroups: [TensorGroup] = []
    /// Custom metadata in its writer's own format, such as the anchors of a detector, see `AnchorMetadata`.
    package var customMetadata: [CustomMetadata] = []

    /// Creates an empty description.
    public init() {}
  }

  /// A group of tensors, listed by their names in the metadata.
  public struct TensorGroup: Sendable, Hashable {
    /// The group's name.
    public var name: String?
    /// The names of the tensors.
    public var tensorNames: [String]

    /// Creates a group.
    public init(name: String?, tensorNames: [String]) {
      self.name = name
      self.tensorNames = tensorNames
    }
  }

  /// The inputs of the first subgraph; empty if the metadata describes none.
  public var inputs: [TensorMetadata] { subgraphs.first?.inputs ?? [] }
  /// The outputs of the first subgraph; empty if the metadata describes none.
  public var outputs: [TensorMetadata] { subgraphs.first?.outputs ?? [] }

  /// All files named in the metadata: those of the whole model first, then by subgraph, inputs, outputs.
  package var allFiles: [AssociatedFile] {
    files + subgraphs.flatMap { $0.files + $0.inputs.flatMap(\.files) + $0.outputs.flatMap(\.files) }
  }
}

/// Custom metadata: named bytes whose meaning their writer defines.
package struct CustomMetadata: Sendable, Hashable {
  /// The name, such as `DETECTOR_METADATA`.
  package var name: String
  /// The content, usually a FlatBuffer of the writer's own schema.
  package var data: [UInt8]

  /// Creates custom metadata.
  package init(name: String, data: [UInt8]) {
    self.name = name
    self.data = data
  }
}
