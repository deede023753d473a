// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation
import FoveaGeometry

/// A mask in JSON: the member `segmentation` of COCO, or the member `mask` of Fovea's own results.
struct SegmentationJSON {
  /// The member that holds the mask.
  enum Member: String {
    /// Polygons, or run lengths with the size of their image.
    case segmentation
    /// An object with the size of the image, and run lengths or polygons.
    case mask
  }

  private let member: Member
  private var polygons: [[Double]] = []
  private var counts: [UInt32]?
  private var text: String?
  private var size: [Double]?
  private var isObject = false
  private var hasPolygons = false
  /// The first problem with the JSON values, as a sentence without a full stop.
  private var problem: String?

  private static let sizeKey = JSONKey("size")
  private static let countsKey = JSONKey("counts")
  private static let polygonsKey = JSONKey("polygons")

  /// Whether the member has no content.
  var isEmpty: Bool { !isObject && polygons.isEmpty && problem == nil }

  /// Reads the value of a member.
  init(_ reader: inout JSONReader, of member: Member = .segmentation) throws(JSONFailure) {
    self.member = member
    switch try reader.peek() {
    case UInt8(ascii: "[") where member == .segmentation: try readPolygons(&reader)
    case UInt8(ascii: "{"): try readRuns(&reader)
    case UInt8(ascii: "n"): try reader.skip()
    default:
      problem =
        switch member {
        case .segmentation: "an array of polygons, or an object with 'size' and 'counts', is needed"
        case .mask: "an object with 'size', and 'counts' or 'polygons', is needed"
        }
      try reader.skip()
    }
  }

  /// A reason why a segmentation is not a mask, as a sentence without a full stop.
  struct Problem: Error {
    let text: String
  }

  private func invalid(_ text: String) -> Problem { Problem(text: "\(member.rawValue): \(text)") }

  /// Returns the pixels of the mask in an image.
  /// - Parameter image: The size; nil if unknown, which only run lengths allow.
  /// - Returns: The pixels.
  /// - Throws: The problem with the segmentation.
  func mask(in image: PixelSize?) throws(Problem) -> RunLengths {
    guard !isObject else { return try runs(in: image) }
    try check()
    guard let image else {
      throw invalid("polygons need the image's width and height, which are missing")
    }
    return try filled(image)
  }

  /// Returns the pixels in the polygons.
  private func filled(_ image: PixelSize) throws(Problem) -> RunLengths {
    let points = polygons.map { polygon in
      stride(from: 0, to: polygon.count, by: 2).map { PixelPoint(x: polygon[$0], y: polygon[$0 + 1]) }
    }
    do throws(GeometryError) { return try RunLengths(polygons: points, size: image) } catch {
      throw invalid(error.message)
    }
  }

  /// Throws if this cannot be a mask of any image.
  func check() throws(Problem) {
    if isObject { _ = try runs(in: nil) }
    try checkPolygons()
  }

  private func checkPolygons() throws(Problem) {
    if let problem { throw invalid(problem) }
    for (index, polygon) in polygons.enumerated() {
      guard polygon.count % 2 == 0 else {
        throw invalid("Polygon \(index + 1) has \(polygon.count) numbers; pairs are needed")
      }
      guard polygon.count >= 6 else {
        throw invalid("Polygon \(index + 1) has \(polygon.count / 2) points; at least three are needed")
      }
    }
  }

  private func runs(in image: PixelSize?) throws(Problem) -> RunLengths {
    if let problem { throw invalid(problem) }
    guard let size, size.count == 2, let height = Int(exactly: size[0]), let width = Int(exactly: size[1])
    else {
      throw invalid("'size' is not two whole numbers, height and width")
    }
    let own = PixelSize(width: width, height: height)
    if let image, image != own {
      throw invalid("'size' is [\(height), \(width)]; the image has [\(image.height), \(image.width)]")
    }
    do throws(GeometryError) {
      if let text { return try RunLengths(text: text, size: own) }
      if let counts { return try RunLengths(counts: counts, size: own) }
    } catch {
      throw invalid(error.message)
    }
    guard hasPolygons else {
      throw invalid(member == .mask ? "neither 'counts' nor 'polygons' exists" : "'counts' is missing")
    }
    try checkPolygons()
    return try filled(own)
  }

  private mutating func readPolygons(_ reader: inout JSONReader) throws(JSONFailure) {
    _ = try reader.take(UInt8(ascii: "["))
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      guard try reader.peek() == UInt8(ascii: "[") else {
        note("Element \(polygons.count + 1) is not a polygon, which is an array of numbers")
        try reader.skip()
        continue
      }
      polygons.append(try numbers(&reader, "Polygon \(polygons.count + 1)"))
    }
  }

  private mutating func readRuns(_ reader: inout JSONReader) throws(JSONFailure) {
    isObject = true
    _ = try reader.take(UInt8(ascii: "{"))
    let longest = reader.longestString
    reader.longestString = 1 << 26
    defer { reader.longestString = longest }
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case Self.sizeKey: size = try numbers(&reader, "'size'")
      case Self.countsKey:
        switch try reader.peek() {
        case UInt8(ascii: "["): counts = try readCounts(&reader)
        case UInt8(ascii: "\""): text = try reader.optionalString()
        default:
          note("'counts' is neither a string nor an array of numbers")
          try reader.skip()
        }
      case Self.polygonsKey where member == .mask:
        hasPolygons = true
        if try reader.peek() == UInt8(ascii: "[") {
          try readPolygons(&reader)
        } else {
          note("'polygons' is not an array")
          try reader.skip()
        }
      default: try reader.skip()
      }
    }
  }

  private mutating func readCounts(_ reader: inout JSONReader) throws(JSONFailure) -> [UInt32] {
    let numbers = try numbers(&reader, "'counts'")
    var counts: [UInt32] = []
    counts.reserveCapacity(numbers.count)
    for (index, number) in numbers.enumerated() {
      guard let count = UInt32(exactly: number) else {
        let text = DecimalText.exact(number)
        note("number \(index + 1) of 'counts' is \(text); expected 0 to 4,294,967,295")
        break
      }
      counts.append(count)
    }
    return counts
  }

  /// Keeps a problem, unless there is one already.
  private mutating func note(_ text: String) { problem = problem ?? text }

  /// Reads an array of numbers, and notes any other value.
  private mutating func numbers(
    _ reader: inout JSONReader, _ name: String
  ) throws(JSONFailure) -> [Double] {
    guard try reader.take(UInt8(ascii: "[")) else {
      note("\(name) is not an array of numbers")
      try reader.skip()
      return []
    }
    var numbers: [Double] = []
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      if let word = try reader.nonFinite() {
        note("\(name) has \(word), which is not a finite number")
      } else if let number = try reader.optionalNumber() {
        numbers.append(number)
      } else {
        note("\(name) has a value that is not a number")
      }
    }
    return numbers
  }
}

extension JSONReader {
  /// Returns the error for a mask in the part of the text that ends here.
  func invalid(_ problem: SegmentationJSON.Problem, in part: String? = nil) -> JSONFailure {
    JSONFailure(.mismatch, name + (part.map { ", \($0)" } ?? "") + ", before \(place)", problem.text)
  }
}
