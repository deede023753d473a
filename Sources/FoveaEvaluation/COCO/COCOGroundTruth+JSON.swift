// SPDX-License-Identifier: Apache-2.0

extension COCOGroundTruth {
  /// Reads an instances file, of any size; outlines and whatever else is not needed is passed over.
  ///
  /// `area` may be missing (the box's area is taken) and so may `iscrowd` (no crowd); pycocotools stops at either.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON` or `invalidGroundTruth`.
  public init(path: String) throws(EvaluationError) {
    var reader = try JSONReader.file(path)
    try self.init(&reader)
  }

  /// Reads the text of an instances file.
  /// - Throws: `EvaluationError` `notJSON` or `invalidGroundTruth`.
  public init(json: [UInt8]) throws(EvaluationError) {
    var reader = JSONReader(bytes: json, name: "The ground truth")
    try self.init(&reader)
  }

  private init(_ reader: inout JSONReader) throws(EvaluationError) {
    let parts: InstancesParts
    do throws(EvaluationError) {
      parts = try InstancesParts(&reader)
    } catch {
      // The values' own reader does not know what it reads.
      guard error.code == .invalidDetections else { throw error }
      throw EvaluationError(.invalidGroundTruth, error.message, remedy: error.remedy)
    }
    try self.init(
      images: parts.images, categories: parts.categories, annotations: parts.annotations, name: reader.name)
  }
}

/// The three lists of an instances file.
private struct InstancesParts {
  var images: [COCOGroundTruth.Image] = []
  var categories: [COCOGroundTruth.Category] = []
  var annotations: [COCOGroundTruth.Annotation] = []

  private static let imagesKey = JSONKey("images")
  private static let categoriesKey = JSONKey("categories")
  private static let annotationsKey = JSONKey("annotations")

  init(_ reader: inout JSONReader) throws(EvaluationError) {
    guard try reader.take(UInt8(ascii: "{")) else {
      if try reader.peek() == UInt8(ascii: "[") {
        throw reader.mismatch(
          "an object with images, categories and annotations is needed, an array is there")
      }
      throw try reader.unexpected("an object is expected")
    }
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case InstancesParts.imagesKey:
        images.removeAll()
        try InstancesParts.list(&reader, "images") { (reader, isFirst) throws(EvaluationError) in
          images.append(try InstancesParts.image(&reader, &isFirst, number: images.count + 1))
        }
      case InstancesParts.categoriesKey:
        categories.removeAll()
        try InstancesParts.list(&reader, "categories") { (reader, isFirst) throws(EvaluationError) in
          categories.append(try InstancesParts.category(&reader, &isFirst, number: categories.count + 1))
        }
      case InstancesParts.annotationsKey:
        annotations.removeAll()
        try InstancesParts.list(&reader, "annotations") { (reader, isFirst) throws(EvaluationError) in
          annotations.append(try AnnotationReader.read(&reader, &isFirst, number: annotations.count + 1))
        }
      default: try reader.skip()
      }
    }
    try reader.expectEnd()
  }

  /// Reads an array of objects; `member` reads one object's inside.
  private static func list(
    _ reader: inout JSONReader, _ name: String,
    _ object: (inout JSONReader, inout Bool) throws(EvaluationError) -> Void
  ) throws(EvaluationError) {
    guard try reader.take(UInt8(ascii: "[")) else { throw reader.mismatch("\(name) is not an array") }
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      guard try reader.take(UInt8(ascii: "{")) else {
        throw reader.mismatch("an element of \(name) is not an object")
      }
      var isFirstKey = true
      try object(&reader, &isFirstKey)
    }
  }

  private static let idKey = JSONKey("id")
  private static let fileNameKey = JSONKey("file_name")
  private static let nameKey = JSONKey("name")

  private static func image(
    _ reader: inout JSONReader, _ isFirst: inout Bool, number: Int
  ) throws(EvaluationError) -> COCOGroundTruth.Image {
    var id: Int?
    var name: String?
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case idKey: id = try reader.identifier("the id of an image")
      case fileNameKey: name = try reader.optionalString()
      default: try reader.skip()
      }
    }
    guard let id else { throw reader.mismatch("image \(number) has no id") }
    return COCOGroundTruth.Image(id: id, fileName: name)
  }

  private static func category(
    _ reader: inout JSONReader, _ isFirst: inout Bool, number: Int
  ) throws(EvaluationError) -> COCOGroundTruth.Category {
    var id: Int?
    var name: String?
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case idKey: id = try reader.identifier("the id of a category")
      case nameKey: name = try reader.optionalString()
      default: try reader.skip()
      }
    }
    guard let id else { throw reader.mismatch("category \(number) has no id") }
    return COCOGroundTruth.Category(id: id, name: name ?? "\(id)")
  }
}
