// SPDX-License-Identifier: Apache-2.0

extension MetadataEncoder {
  private typealias Schema = MetadataSchema

  /// Returns the content table of a tensor; nil if it has no content.
  static func contentNode(_ tensor: TensorMetadata) throws(MetadataError) -> FlatNode? {
    guard tensor.content != nil || tensor.contentRange != nil else { return nil }
    var node = FlatNode()
    var properties = FlatNode()
    switch tensor.content {
    case nil: break
    case .features: node.set(Schema.Content.propertiesType, .uint8(1))
    case .image(let colorSpace, let size):
      node.set(Schema.Content.propertiesType, .uint8(2))
      properties.set(Schema.Content.colorSpace, .uint8(colorSpace.rawValue))
      if let size {
        var sizeNode = FlatNode()
        sizeNode.set(Schema.Content.width, .uint32(UInt32(clamping: size.width)))
        sizeNode.set(Schema.Content.height, .uint32(UInt32(clamping: size.height)))
        properties.set(Schema.Content.defaultSize, .table(sizeNode))
      }
    case .boundingBoxes(let layout):
      guard layout.index.isEmpty || layout.index.sorted() == [0, 1, 2, 3] else {
        throw cannotWrite("The bounding box index is \(layout.index); expected an order of 0, 1, 2, 3")
      }
      node.set(Schema.Content.propertiesType, .uint8(3))
      let index = layout.index.map { UInt32($0) }
      properties.set(Schema.Content.boxIndex, index.isEmpty ? nil : .uint32s(index))
      properties.set(Schema.Content.boxType, .uint8(layout.kind.rawValue))
      properties.set(Schema.Content.boxCoordinates, .uint8(layout.coordinates.rawValue))
    case .other(let type):
      throw cannotWrite("A tensor's content is of type \(type), which this package cannot write")
    }
    if tensor.content != nil { node.set(Schema.Content.properties, .table(properties)) }
    if let range = tensor.contentRange {
      var rangeNode = FlatNode()
      rangeNode.set(Schema.Content.rangeMin, .uint32(UInt32(bitPattern: Int32(clamping: range.lowerBound))))
      rangeNode.set(Schema.Content.rangeMax, .uint32(UInt32(bitPattern: Int32(clamping: range.upperBound))))
      node.set(Schema.Content.range, .table(rangeNode))
    }
    return node
  }

  /// Returns the table of a step before or after the model.
  static func encode(_ unit: ProcessUnit) throws(MetadataError) -> FlatNode {
    var options = FlatNode()
    switch unit {
    case .normalization(let normalization):
      let mean = normalization.mean
      let deviation = normalization.standardDeviation
      guard mean.count == deviation.count, !mean.isEmpty, mean.allSatisfy(\.isFinite),
        deviation.allSatisfy({ $0.isFinite && $0.magnitude > .ulpOfOne })
      else {
        throw cannotWrite(
          "The normalisation is (x - \(mean)) / \(deviation); expected as many finite means as deviations, "
            + "none of them 0")
      }
      options.set(Schema.Unit.mean, floats: mean)
      options.set(Schema.Unit.std, floats: deviation)
    case .scoreCalibration(let calibration):
      options.set(Schema.Unit.transformation, .uint8(calibration.transformation.rawValue))
      options.set(Schema.Unit.defaultScore, .uint32(calibration.defaultScore.bitPattern))
    case .scoreThreshold(let threshold):
      guard threshold.isFinite else {
        throw cannotWrite("The score threshold is \(threshold); expected a number")
      }
      options.set(Schema.Unit.threshold, .uint32(threshold.bitPattern))
    case .other(let type):
      throw cannotWrite("A process unit is of type \(type), which this package cannot write")
    }
    var node = FlatNode()
    node.set(Schema.Unit.optionsType, .uint8(unit.kind))
    node.set(Schema.Unit.options, .table(options))
    return node
  }

  /// Returns the error for metadata that cannot be written.
  static func cannotWrite(_ message: String) -> MetadataError {
    MetadataError(.cannotWrite, message, remedy: "Change the metadata and write it again")
  }
}
