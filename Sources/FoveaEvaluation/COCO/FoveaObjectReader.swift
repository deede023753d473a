// SPDX-License-Identifier: Apache-2.0

/// Reads the `objects` of a record of `fovea detect`.
struct FoveaObjectReader {
  /// One object: its box, its score and its first label's text.
  struct Object {
    var box = COCOBox(x: 0, y: 0, width: 0, height: 0)
    var score = 0.0
    var label: String?
  }

  private static let box = JSONKey("box")
  private static let score = JSONKey("score")
  private static let labels = JSONKey("labels")
  private static let text = JSONKey("text")
  private static let x = JSONKey("x")
  private static let y = JSONKey("y")
  private static let width = JSONKey("width")
  private static let height = JSONKey("height")

  /// What the last call read.
  private(set) var found: [Object] = []

  mutating func read(_ reader: inout JSONReader) throws(EvaluationError) {
    found.removeAll(keepingCapacity: true)
    guard try reader.take(UInt8(ascii: "[")) else { throw reader.mismatch("objects is not an array") }
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      guard try reader.take(UInt8(ascii: "{")) else {
        throw reader.mismatch("an element of objects is not an object")
      }
      found.append(try FoveaObjectReader.object(&reader))
    }
  }

  private static func object(_ reader: inout JSONReader) throws(EvaluationError) -> Object {
    var object = Object()
    var box: COCOBox?
    var score: Double?
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case FoveaObjectReader.box: box = try FoveaObjectReader.box(&reader)
      case FoveaObjectReader.score: score = try reader.double("score")
      case labels: object.label = try firstLabel(&reader)
      default: try reader.skip()
      }
    }
    guard let box, let score else {
      throw reader.mismatch("an object has no \(box == nil ? "box" : "score")")
    }
    object.box = box
    object.score = score
    return object
  }

  private static func box(_ reader: inout JSONReader) throws(EvaluationError) -> COCOBox {
    guard try reader.take(UInt8(ascii: "{")) else { throw reader.mismatch("box is not an object") }
    var box = COCOBox(x: .nan, y: .nan, width: .nan, height: .nan)
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case x: box.x = try reader.double("x")
      case y: box.y = try reader.double("y")
      case width: box.width = try reader.double("width")
      case height: box.height = try reader.double("height")
      default: try reader.skip()
      }
    }
    guard !box.x.isNaN, !box.y.isNaN, !box.width.isNaN, !box.height.isNaN else {
      throw reader.mismatch("box does not have x, y, width and height")
    }
    return box
  }

  private static func firstLabel(_ reader: inout JSONReader) throws(EvaluationError) -> String? {
    guard try reader.take(UInt8(ascii: "[")) else { throw reader.mismatch("labels is not an array") }
    var label: String?
    var isFirst = true
    var isFirstLabel = true
    while try reader.nextElement(&isFirst) {
      guard isFirstLabel, try reader.take(UInt8(ascii: "{")) else {
        try reader.skip()
        continue
      }
      isFirstLabel = false
      var isFirstKey = true
      while let key = try reader.nextKey(&isFirstKey) {
        if key == text { label = try reader.optionalString() } else { try reader.skip() }
      }
    }
    return label
  }
}

/// Finds images by file name and categories by name.
struct GroundTruthNames {
  private var images: [String: Int] = [:]
  private var categories: [String: Int] = [:]

  init(_ groundTruth: COCOGroundTruth) {
    for (index, image) in groundTruth.images.enumerated() {
      if let name = image.fileName { images[name] = index }
    }
    for (index, category) in groundTruth.categories.enumerated() { categories[category.name] = index }
  }

  /// The image with that path, or else with that file name.
  func imageIndex(of path: String) -> Int? {
    images[path] ?? images[String(path.split(separator: "/").last ?? "")]
  }

  func categoryIndex(of label: String?) -> Int? { label.flatMap { categories[$0] } }
}
