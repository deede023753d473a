// SPDX-License-Identifier: Apache-2.0

/// The anchors of a detector without post-processing, and the options for decoding its raw outputs.
///
/// MediaPipe Model Maker writes it as the custom metadata `DETECTOR_METADATA`.
///
/// **Source:** MediaPipe, `tasks/metadata/object_detector_metadata_schema.fbs`, schema 1.0.0, and
/// `calculators/tensor/tensors_to_detections_calculator.cc`.
package struct AnchorMetadata: Sendable, Hashable {
  /// An anchor in fractions of the input.
  package struct Anchor: Sendable, Hashable {
    /// The x coordinate of the centre, from the left.
    package var centerX: Float
    /// The y coordinate of the centre, from the top.
    package var centerY: Float
    /// The width.
    package var width: Float
    /// The height.
    package var height: Float

    /// Creates an anchor.
    package init(centerX: Float, centerY: Float, width: Float, height: Float) {
      self.centerX = centerX
      self.centerY = centerY
      self.width = width
      self.height = height
    }
  }

  /// The anchors, one per row of the outputs.
  package var anchors: [Anchor] = []
  /// The number of scores per row.
  package var classCount = 0
  /// The number of values per box; the first four are centre y, centre x, height, width.
  package var valuesPerBox = 4
  /// The divisors of centre x, centre y, width and height.
  package var scales: (x: Float, y: Float, width: Float, height: Float) {
    get { (scale[0], scale[1], scale[2], scale[3]) }
    set { scale = [newValue.x, newValue.y, newValue.width, newValue.height] }
  }
  private var scale: [Float] = [1, 1, 1, 1]
  /// Whether width and height are logarithms.
  package var sizesAreLogarithms = false
  /// Whether the scores still need a sigmoid.
  package var scoresNeedSigmoid = false

  /// Creates metadata without anchors.
  package init() {}

  /// The name of the custom metadata.
  package static let name = "DETECTOR_METADATA"
}

extension AnchorMetadata {
  private enum Field {
    static let anchors = FlatField(1, "ssd_anchors_options")
    static let decoding = FlatField(2, "tensors_decoding_options")
    static let fixed = FlatField(0, "ssd_anchors_options.fixed_anchors_schema")
    static let list = FlatField(0, "fixed_anchors_schema.anchors")
    static let centerX = FlatField(0, "anchors.x_center")
    static let centerY = FlatField(1, "anchors.y_center")
    static let width = FlatField(2, "anchors.width")
    static let height = FlatField(3, "anchors.height")
    static let classes = FlatField(0, "tensors_decoding_options.num_classes")
    static let boxes = FlatField(1, "tensors_decoding_options.num_boxes")
    static let coordinates = FlatField(2, "tensors_decoding_options.num_coords")
    static let scales = [6, 7, 8, 9].map { FlatField($0, "tensors_decoding_options.scale") }
    static let exponential = FlatField(10, "tensors_decoding_options.apply_exponential_on_box_size")
    static let sigmoid = FlatField(11, "tensors_decoding_options.sigmoid_score")
  }

  private static let identifier = Array("V001".utf8)

  /// Reads the anchors in a model's metadata.
  /// - Parameter metadata: The model's metadata.
  /// - Returns: The anchors; nil if there are none.
  /// - Throws: `MetadataError` with `damagedMetadata` if they are broken.
  package static func read(_ metadata: ModelMetadata) throws(MetadataError) -> AnchorMetadata? {
    guard let part = metadata.subgraphs.first?.customMetadata.first(where: { $0.name == name }) else {
      return nil
    }
    do { return try AnchorMetadata(part.data.span) } catch {
      throw MetadataError(
        .damagedMetadata, "The model's \(name) is broken: \(error.message)", remedy: error.remedy)
    }
  }

  private init(_ bytes: Span<UInt8>) throws(MetadataError) {
    var budget = FlatBudget()
    guard bytes.count >= 8, bytes.copy(4..<8) == Self.identifier else {
      throw .damaged("bytes 4 to 7 must be V001, and it has \(bytes.count) bytes")
    }
    let root = try FlatTable.root(of: bytes, "the detector metadata")
    let options = try root.table(Field.anchors, in: bytes, &budget)
    guard let list = try options?.table(Field.fixed, in: bytes, &budget),
      let decoding = try root.table(Field.decoding, in: bytes, &budget)
    else { throw .damaged("it has no anchors or no decoding options") }
    for anchor in try list.tables(Field.list, in: bytes, &budget) {
      anchors.append(
        Anchor(
          centerX: try anchor.float(Field.centerX, in: bytes),
          centerY: try anchor.float(Field.centerY, in: bytes),
          width: try anchor.float(Field.width, in: bytes), height: try anchor.float(Field.height, in: bytes)))
    }
    classCount = Int(Int32(bitPattern: try decoding.uint32(Field.classes, in: bytes)))
    valuesPerBox = Int(Int32(bitPattern: try decoding.uint32(Field.coordinates, in: bytes)))
    let boxes = Int(Int32(bitPattern: try decoding.uint32(Field.boxes, in: bytes)))
    scale = []
    for field in Field.scales { scale.append(try decoding.float(field, in: bytes)) }
    sizesAreLogarithms = try decoding.uint8(Field.exponential, in: bytes) != 0
    scoresNeedSigmoid = try decoding.uint8(Field.sigmoid, in: bytes) != 0
    guard boxes == anchors.count, !anchors.isEmpty, classCount > 0, valuesPerBox >= 4 else {
      throw .damaged(
        "it has \(anchors.count) anchors for \(boxes) boxes of \(valuesPerBox) numbers and \(classCount) "
          + "classes")
    }
    guard scale.allSatisfy({ $0.isFinite && $0 > 0 }) else {
      throw .damaged("its scales are \(scale); expected numbers above 0")
    }
  }

  /// The anchors as custom metadata, for `ModelMetadata.Subgraph.customMetadata`.
  package var customMetadata: CustomMetadata {
    var list = FlatNode()
    list.set(
      Field.list,
      nodes: anchors.map { anchor in
        var node = FlatNode()
        node.set(Field.centerX, .uint32(anchor.centerX.bitPattern))
        node.set(Field.centerY, .uint32(anchor.centerY.bitPattern))
        node.set(Field.width, .uint32(anchor.width.bitPattern))
        node.set(Field.height, .uint32(anchor.height.bitPattern))
        return node
      })
    var options = FlatNode()
    options.set(Field.fixed, .table(list))
    var decoding = FlatNode()
    decoding.set(Field.classes, .uint32(UInt32(truncatingIfNeeded: classCount)))
    decoding.set(Field.boxes, .uint32(UInt32(truncatingIfNeeded: anchors.count)))
    decoding.set(Field.coordinates, .uint32(UInt32(truncatingIfNeeded: valuesPerBox)))
    for (field, value) in zip(Field.scales, scale) { decoding.set(field, .uint32(value.bitPattern)) }
    decoding.set(Field.exponential, .uint8(sizesAreLogarithms ? 1 : 0))
    decoding.set(Field.sigmoid, .uint8(scoresNeedSigmoid ? 1 : 0))
    var root = FlatNode()
    root.set(Field.anchors, .table(options))
    root.set(Field.decoding, .table(decoding))
    var writer = FlatBufferWriter(identifier: Self.identifier)
    writer.root(root)
    return CustomMetadata(name: Self.name, data: writer.bytes)
  }
}
