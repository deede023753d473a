// SPDX-License-Identifier: Apache-2.0

extension MetadataReader {
  private typealias Schema = MetadataSchema

  /// Reads the content of a tensor; nil if the union is empty.
  mutating func content(_ table: FlatTable, in bytes: Span<UInt8>) throws(MetadataError) -> TensorContent? {
    let type = try table.uint8(Schema.Content.propertiesType, in: bytes)
    guard type != 0 else { return nil }
    guard let properties = try table.table(Schema.Content.properties, in: bytes, &budget) else {
      // Features have no properties, and some writers omit the empty table.
      if type == 1 { return .features }
      throw .damaged("the content has type \(type) but no properties")
    }
    switch type {
    case 1: return .features
    case 2: return try image(properties, in: bytes)
    case 3: return .boundingBoxes(try boxes(properties, in: bytes))
    default: return .other(type)
    }
  }

  private mutating func image(_ table: FlatTable, in bytes: Span<UInt8>) throws(MetadataError)
    -> TensorContent
  {
    let value = try table.uint8(Schema.Content.colorSpace, in: bytes)
    guard let colorSpace = ColorSpace(rawValue: value) else {
      throw .damaged("the colour space is \(value); expected 0 (unknown), 1 (RGB) or 2 (greyscale)")
    }
    guard let size = try table.table(Schema.Content.defaultSize, in: bytes, &budget) else {
      return .image(colorSpace: colorSpace, defaultSize: nil)
    }
    let width = Int(try size.uint32(Schema.Content.width, in: bytes))
    let height = Int(try size.uint32(Schema.Content.height, in: bytes))
    return .image(colorSpace: colorSpace, defaultSize: ImageSize(width: width, height: height))
  }

  private mutating func boxes(
    _ table: FlatTable, in bytes: Span<UInt8>
  ) throws(MetadataError) -> BoundingBoxLayout {
    let kindValue = try table.uint8(Schema.Content.boxType, in: bytes)
    let unitValue = try table.uint8(Schema.Content.boxCoordinates, in: bytes)
    guard let kind = BoundingBoxLayout.Kind(rawValue: kindValue) else {
      throw .damaged("the bounding box type is \(kindValue); expected 0 to 3")
    }
    guard let unit = BoundingBoxLayout.Coordinates(rawValue: unitValue) else {
      throw .damaged("the coordinate type is \(unitValue); expected 0 (ratio) or 1 (pixel)")
    }
    let index = try table.uint32s(Schema.Content.boxIndex, in: bytes, &budget).map { Int($0) }
    guard index.isEmpty || index.sorted() == [0, 1, 2, 3] else {
      throw .damaged("the bounding box index is \(index); expected an order of 0, 1, 2, 3")
    }
    return BoundingBoxLayout(kind: kind, coordinates: unit, index: index)
  }

  /// Reads the dimensions of the content.
  mutating func contentRange(
    _ table: FlatTable, in bytes: Span<UInt8>
  ) throws(MetadataError) -> ClosedRange<Int>? {
    guard let range = try table.table(Schema.Content.range, in: bytes, &budget) else { return nil }
    let low = Int(Int32(bitPattern: try range.uint32(Schema.Content.rangeMin, in: bytes)))
    let high = Int(Int32(bitPattern: try range.uint32(Schema.Content.rangeMax, in: bytes)))
    guard low <= high else { throw .damaged("the content's dimensions are \(low) to \(high)") }
    return low...high
  }

  /// Reads a step before or after the model; nil if the union is empty.
  mutating func processUnit(_ table: FlatTable, in bytes: Span<UInt8>) throws(MetadataError) -> ProcessUnit? {
    let type = try table.uint8(Schema.Unit.optionsType, in: bytes)
    guard type != 0 else { return nil }
    guard let options = try table.table(Schema.Unit.options, in: bytes, &budget) else {
      throw .damaged("a process unit has type \(type) but no options")
    }
    switch type {
    case 1: return .normalization(try normalization(options, in: bytes))
    case 2:
      let value = try options.uint8(Schema.Unit.transformation, in: bytes)
      guard let transformation = ScoreCalibrationOptions.Transformation(rawValue: value) else {
        throw .damaged("the score transformation is \(value); expected 0, 1 or 2")
      }
      let defaultScore = try options.float(Schema.Unit.defaultScore, in: bytes)
      return .scoreCalibration(
        ScoreCalibrationOptions(transformation: transformation, defaultScore: defaultScore))
    case 3:
      let threshold = try options.float(Schema.Unit.threshold, in: bytes)
      guard !threshold.isNaN else { throw .damaged("the score threshold is not a number") }
      return .scoreThreshold(threshold)
    default: return .other(type)
    }
  }

  private mutating func normalization(
    _ table: FlatTable, in bytes: Span<UInt8>
  ) throws(MetadataError) -> Normalization {
    let mean = try table.floats(Schema.Unit.mean, in: bytes, &budget)
    let deviation = try table.floats(Schema.Unit.std, in: bytes, &budget)
    guard mean.count == deviation.count, !mean.isEmpty else {
      throw .damaged(
        "the normalisation has \(mean.count) means and \(deviation.count) deviations; "
          + "expected equal numbers of both")
    }
    guard mean.allSatisfy(\.isFinite), deviation.allSatisfy({ $0.isFinite && $0.magnitude > .ulpOfOne })
    else {
      throw .damaged(
        "the normalisation is (x - \(mean)) / \(deviation); expected finite numbers, none divided by 0")
    }
    return Normalization(mean: mean, standardDeviation: deviation)
  }
}
