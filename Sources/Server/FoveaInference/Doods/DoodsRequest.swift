// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaGeometry
import FoveaHTTP
import FoveaImage
import FoveaCore
import HTTPTypes

/// A DOODS call.
///
/// `{"detector_name": "default", "data": "<base64>", "detect": {"person": 60, "*": 50}}`
///
/// **Source:** DOODS2, `DetectRequest` in odrpc.py.
struct DoodsRequest: Sendable {
  private(set) var id = ""
  private(set) var detector = "default"
  private(set) var image = ReceivedImage(name: "-", bytes: [])
  /// The minimum confidence of each label in the whole image, 0…100; `*` stands for all others.
  private var confidences: [String: Double] = [:]
  /// Regions with their own minimum scores; an object is reported if the whole image or a region accepts it.
  private var regions: [DoodsRegion] = []
  /// The format of the requested image with boxes; nil for none.
  private(set) var annotatedFormat: ImageFormat?
  private var namesAddress = false

  private static let names = [
    "data", "detect", "detector_name", "id", "image", "preprocess", "regions", "throttle",
  ]
  private static let mostRegions = 100
  /// The rule for the query.
  static let query = BodyQuery(options: ["detect", "detector_name", "image", "regions"])

  init(_ body: [UInt8]) throws(Refusal) {
    do throws(JSONFailure) { try read(body) } catch {
      throw Refusal.malformed(
        error, remedy: #"Send {"detector_name": "default", "data": "<base64>", "detect": {"*": 50}}"#)
    }
    guard !namesAddress else { throw Refusal.addressNotFetched(remedy: "Send the image as base64 in 'data'") }
  }

  private mutating func read(_ body: [UInt8]) throws(JSONFailure) {
    var reader = JSONReader.body(body)
    try reader.object("an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "id": id = try reader.optionalString() ?? ""
      case "detector_name": detector = try reader.textOrNull("'detector_name'") ?? "default"
      case "data": try readImage(&reader)
      case "detect": confidences = try DoodsRequest.confidences(&reader)
      case "regions": try readRegions(&reader)
      case "image": annotatedFormat = try DoodsRequest.format(&reader)
      case "preprocess":
        try reader.takeNothing("preprocess", why: "images are not preprocessed")
      // The rate for answering a stream, which this is not.
      case "throttle": try reader.skip()
      default: throw reader.unknownMember(among: DoodsRequest.names)
      }
    }
    try reader.expectEnd()
    guard !image.bytes.isEmpty || namesAddress else { throw reader.mismatch("'data' is missing or empty") }
  }

  private mutating func readImage(_ reader: inout JSONReader) throws(JSONFailure) {
    namesAddress = try reader.isAddressNext()
    if namesAddress { try reader.skip() } else { image.bytes = try reader.base64Value("'data'") }
  }

  private mutating func readRegions(_ reader: inout JSONReader) throws(JSONFailure) {
    guard try reader.peek() != UInt8(ascii: "n") else { return try reader.literal("null") }
    try reader.list("a list of regions") { reader throws(JSONFailure) in
      regions.append(try DoodsRegion(&reader))
      guard regions.count <= DoodsRequest.mostRegions else {
        throw reader.mismatch("there are more than \(DoodsRequest.mostRegions) regions")
      }
    }
  }

  /// Reads DOODS's name for a format; a flag requests a JPEG.
  private static func format(_ reader: inout JSONReader) throws(JSONFailure) -> ImageFormat? {
    if [UInt8(ascii: "t"), UInt8(ascii: "f")].contains(try reader.peek()) {
      return try reader.flag("'image'") ? .jpeg : nil
    }
    switch try reader.textOrNull("'image'") {
    case nil, "", "false": return nil
    case "true", "jpg", ".jpg", "jpeg", "image/jpeg": return .jpeg
    case "png", ".png", "image/png": return .png
    case let other?: throw reader.notServed("image", other, why: "the formats are jpg and png")
    }
  }

  /// Reads the minimum confidence of each label.
  static func confidences(_ reader: inout JSONReader) throws(JSONFailure) -> [String: Double] {
    guard try reader.peek() != UInt8(ascii: "n") else {
      try reader.literal("null")
      return [:]
    }
    var confidences: [String: Double] = [:]
    var count = LabelCount()
    try reader.object("an object of labels", hasLimit: false) { (reader, label) throws(JSONFailure) in
      if let problem = count.add(label) { throw reader.mismatch("'detect' \(problem)") }
      let confidence = try reader.double("the confidence of '\(label.prefix(40))'")
      guard 0...100 ~= confidence else {
        throw reader.mismatch(
          "the confidence of '\(label.prefix(40))' is \(DecimalText.exact(confidence))",
          "confidences are percentages of 0 to 100")
      }
      confidences[label] = confidence
    }
    return confidences
  }

  /// The labels with a confidence in the whole image or a region, in alphabetical order, without `*`.
  var labels: [String] {
    let all = regions.reduce(Array(confidences.keys)) { $0 + $1.confidences.keys }
    return Set(all).subtracting(["*"]).sorted()
  }

  /// The lowest minimum score of any label, 0…1.
  var lowest: Float {
    let all = regions.reduce(Array(confidences.values)) { $0 + $1.confidences.values }
    return Float((all.min() ?? 0) / 100)
  }

  /// Returns whether the caller wants an object; all, if the request restricts none.
  /// - Parameters:
  ///   - label: The object's name.
  ///   - confidence: 0…100.
  ///   - box: The object's sides, 0…1 of the image.
  /// - Returns: Whether the object is part of the answer.
  func takes(_ label: String, _ confidence: Double, _ box: BoundingBox) -> Bool {
    if confidences.isEmpty, regions.isEmpty { return true }
    if let least = confidences[label] ?? confidences["*"], confidence >= least { return true }
    return regions.contains { $0.takes(label, confidence, box) }
  }
}
#endif
