// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaCore
import FoveaDecoding
public import FoveaEvaluation
import FoveaGeometry

/// Reads the records that ``JSONWriter`` and ``JSONLinesWriter`` write, one at a time, so that files may have
/// any size.
///
/// Numbers have the precision of the file: two decimals for boxes, six for scores. The cells of a mask are
/// the pixels of its box, so that its run lengths are those of the file. Times are not read.
public struct JSONRecordReader: Sendable {
  /// Creates a reader.
  public init() {}

  /// Reads a file.
  /// - Parameters:
  ///   - path: The file: an array, or one object per line.
  ///   - body: Called with each record.
  /// - Throws: `EvaluationError` `unreadable`, `notJSON` or `invalidDetections`.
  public func read(path: String, _ body: (DetectionRecord) -> Void) throws(EvaluationError) {
    try read({ () throws(JSONFailure) in try JSONReader.file(path) }, readsMasks: true, body)
  }

  /// Reads JSON text in the same formats.
  /// - Throws: `EvaluationError` `notJSON` or `invalidDetections`.
  public func read(json: [UInt8], _ body: (DetectionRecord) -> Void) throws(EvaluationError) {
    try read({ JSONReader(bytes: json, name: "The text of the records") }, readsMasks: true, body)
  }

  /// Reads a file or an open pipe, without masks.
  func read(_ input: ResultInput, _ body: (DetectionRecord) -> Void) throws(EvaluationError) {
    try read({ () throws(JSONFailure) in try input.json() }, readsMasks: false, body)
  }

  private func read(
    _ open: () throws(JSONFailure) -> JSONReader, readsMasks: Bool, _ body: (DetectionRecord) -> Void
  ) throws(EvaluationError) {
    do throws(JSONFailure) {
      var reader = try open()
      try reader.elements("records") { (reader) throws(JSONFailure) in
        body(try Self.record(&reader, readsMasks: readsMasks))
        return true
      }
    } catch {
      throw EvaluationError(error)
    }
  }

  private static let keys = (
    image: JSONKey("image"), imageBytes: JSONKey("imageBytes"), width: JSONKey("width"),
    height: JSONKey("height"), orientation: JSONKey("orientation"), space: JSONKey("space"),
    objects: JSONKey("objects"), labels: JSONKey("labels"), error: JSONKey("error"), code: JSONKey("code"),
    message: JSONKey("message"), remedy: JSONKey("remedy")
  )

  private static func record(
    _ reader: inout JSONReader, readsMasks: Bool
  ) throws(JSONFailure) -> DetectionRecord {
    var image: String?
    var bytes: String?
    var failure: FoveaError?
    var findings = DetectionRecord.Findings(
      size: PixelSize(width: 0, height: 0), orientation: .up, content: .labels([]))
    var found: [ObjectJSON]?
    var labels: [Label]?
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case keys.image:
        try reader.refuse(twin: image != nil, "image")
        image = try reader.optionalString()
      case keys.imageBytes: bytes = try reader.optionalString()
      case keys.width: findings.size.width = try reader.identifier("width")
      case keys.height: findings.size.height = try reader.identifier("height")
      case keys.orientation:
        findings.orientation = try reader.optionalString().flatMap(Orientation.init(name:)) ?? .up
      case keys.space:
        findings.space = try reader.optionalString().flatMap { .init(rawValue: $0) } ?? .stored
      case keys.objects:
        try reader.refuse(twin: found != nil, "objects")
        var objects: [ObjectJSON] = []
        try reader.objects("objects") { (reader) throws(JSONFailure) in
          objects.append(try ObjectJSON(&reader, readsMasks: readsMasks))
        }
        found = objects
      case keys.labels:
        try reader.refuse(twin: labels != nil, "labels")
        labels = try ObjectJSON.scoredLabels(&reader)
      case keys.error:
        try reader.refuse(twin: failure != nil, "error")
        failure = try self.failure(&reader)
      default: try reader.skip()
      }
    }
    guard let image else { throw reader.mismatch("a record has no image") }
    guard found != nil || labels != nil || failure != nil else {
      throw reader.mismatch("a record has no objects, labels or error")
    }
    if let labels { findings.content = .labels(labels) }
    if let found { findings.content = .objects(try objects(found, in: findings.size, reader)) }
    return DetectionRecord(
      name: ImageName(text: image, base64: bytes), result: failure.map { .failure($0) } ?? .success(findings))
  }

  /// The maximum number of pixels in the boxes around the masks of one record, which are a byte each.
  private static let maskLimit = 1 << 30

  /// Returns the objects of a record with their masks, in an image of a size.
  private static func objects(
    _ found: [ObjectJSON], in size: PixelSize, _ reader: borrowing JSONReader
  ) throws(JSONFailure) -> [DetectedObject] {
    var objects = found.map(\.object)
    var pixels = 0.0
    for (index, element) in found.enumerated() {
      guard let runs = element.mask else { continue }
      if let problem = element.maskProblem(in: size) {
        throw reader.invalid(.init(text: problem), in: "object \(index + 1)")
      }
      pixels += runs.bounds.width * runs.bounds.height
      guard pixels <= Double(maskLimit) else {
        throw reader.mismatch("the masks of a record have more than 2³⁰ pixels")
      }
      do throws(GeometryError) { objects[index].mask = try ObjectMask(runs) } catch {
        throw reader.invalid(.init(text: "mask: \(error.message)"), in: "object \(index + 1)")
      }
    }
    return objects
  }

  private static func failure(_ reader: inout JSONReader) throws(JSONFailure) -> FoveaError {
    guard try reader.take(UInt8(ascii: "{")) else { throw reader.mismatch("error is not an object") }
    var texts = (code: "", message: "", remedy: "")
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case keys.code: texts.code = try reader.optionalString() ?? ""
      case keys.message: texts.message = try reader.optionalString() ?? ""
      case keys.remedy: texts.remedy = try reader.optionalString() ?? ""
      default: try reader.skip()
      }
    }
    return FoveaError(FoveaCode(rawValue: texts.code), texts.message, remedy: Advice(texts.remedy))
  }
}
