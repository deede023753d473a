// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes

/// A call of Roboflow's `inference`.
///
/// `{"model_id": "birds", "image": {"type": "base64", "value": "…"}, "confidence": 0.5, "api_key": "…"}`;
/// `image` may be a list.
///
/// **Source:** Roboflow's `inference`, core/entities/requests/inference.py, and the requests of its SDK.
struct RoboflowRequest: Sendable {
  private(set) var model: String?
  private(set) var key: String?
  private(set) var images: [ReceivedImage] = []
  /// Whether the images were given as a list, in which case the answers are a list too.
  private(set) var isList = false
  private(set) var selection = RoboflowSelection()
  private var givenConfidence: Double?
  private var givenOverlap: Double?
  private var givenMaximum: Double?
  private var namesAddress = false
  /// The members that only affect drawing and ask for another style.
  private var drawing: [(name: String, value: String)] = []

  private static let names = [
    "api_key", "class_agnostic_nms", "class_filter", "confidence", "image", "iou_threshold",
    "max_detections", "model_id", "visualization_labels", "visualization_stroke_width",
    "visualize_predictions",
  ]
  /// Members without effect, such as the caller's identity.
  private static let unused = RoboflowSelection.unused.union(["id", "model_type", "start"])
  /// The rule for the query.
  static let query = BodyQuery(options: names.filter { !["api_key", "image"].contains($0) }, unused: unused)

  /// Reads a body.
  /// - Parameters:
  ///   - body: JSON.
  ///   - needsImage: Whether a body without an image is an error.
  /// - Throws: A refusal with the error.
  init(_ body: [UInt8], needsImage: Bool) throws(Refusal) {
    do throws(JSONFailure) { try read(body) } catch {
      throw Refusal.malformed(
        error, remedy: #"Send {"model_id": "MODEL", "image": {"type": "base64", "value": "…"}}"#)
    }
    guard !namesAddress else { throw Refusal.addressNotFetched(remedy: "Send the image as base64") }
    guard !needsImage || !images.isEmpty else {
      throw Refusal(
        .badRequest, "request-empty", "The request has no image", remedy: "Send the image as base64")
    }
    for option in drawing where selection.isDrawn {
      throw RoboflowQuery.styleNotServed(option.name, option.value)
    }
    selection.confidence = try RoboflowSelection.part("confidence", givenConfidence).map { Float($0) }
    selection.overlap = try RoboflowSelection.part("iou_threshold", givenOverlap)
    selection.maximum = try CallNumbers.count("max_detections", givenMaximum)
  }

  private mutating func read(_ body: [UInt8]) throws(JSONFailure) {
    var reader = JSONReader.body(body)
    try reader.object("an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "model_id": model = try reader.textOrNull("'model_id'")
      case "api_key": key = try reader.textOrNull("'api_key'")
      case "confidence": givenConfidence = try reader.numberOrNull("'confidence'")
      case "iou_threshold": givenOverlap = try reader.numberOrNull("'iou_threshold'")
      case "max_detections": givenMaximum = try reader.numberOrNull("'max_detections'")
      case "class_filter": try readClasses(&reader)
      case "class_agnostic_nms": selection.isClassAgnostic = try RoboflowRequest.flag(&reader)
      case "visualize_predictions": selection.isDrawn = try RoboflowRequest.flag(&reader)
      case "image": try readImages(&reader)
      case let name: try readOther(name, &reader)
      }
    }
    try reader.expectEnd()
  }

  private mutating func readOther(_ name: String, _ reader: inout JSONReader) throws(JSONFailure) {
    switch name {
    case "disable_preproc_auto_orient":
      try reader.takeNothing(name, why: "boxes always refer to the upright image")
    case "max_candidates": try reader.takeNothing(name, why: "the model sets its own")
    case "include_anomaly_map": try reader.takeNothing(name, why: "anomaly maps are not supported")
    // Labels are always drawn, with a fixed line width.
    case "visualization_labels":
      if try reader.peek() == UInt8(ascii: "n") { return try reader.literal("null") }
      if try !reader.flag("'\(name)'") { drawing.append((name: name, value: "false")) }
    case "visualization_stroke_width":
      guard let width = try reader.numberOrNull("'\(name)'") else { return }
      drawing.append((name: name, value: Int(exactly: width).map { String($0) } ?? String(width)))
    default:
      guard RoboflowRequest.unused.contains(name) else {
        throw reader.unknownMember(among: RoboflowRequest.names)
      }
      try reader.skip()
    }
  }

  private static func flag(_ reader: inout JSONReader) throws(JSONFailure) -> Bool {
    guard try reader.peek() == UInt8(ascii: "n") else { return try reader.flag("'\(reader.lastKey)'") }
    try reader.literal("null")
    return false
  }

  private mutating func readClasses(_ reader: inout JSONReader) throws(JSONFailure) {
    guard try reader.peek() != UInt8(ascii: "n") else { return try reader.literal("null") }
    var classes: Set<String> = []
    var count = LabelCount()
    try reader.list("a list of classes", hasLimit: false) { reader throws(JSONFailure) in
      let text = try reader.textOrNull("a class") ?? ""
      if let problem = count.add(text, noun: "classes") {
        throw reader.mismatch("'class_filter' \(problem)")
      }
      classes.insert(text)
    }
    selection.classes = classes
  }

  private mutating func readImages(_ reader: inout JSONReader) throws(JSONFailure) {
    guard try reader.peek() == UInt8(ascii: "[") else { return try readImage(&reader) }
    isList = true
    try reader.list("a list of images") { reader throws(JSONFailure) in try readImage(&reader) }
  }

  private mutating func readImage(_ reader: inout JSONReader) throws(JSONFailure) {
    var bytes: [UInt8] = []
    try reader.object("an image as an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "type":
        let type = try reader.textOrNull("'type'") ?? "base64"
        if type == "url" { namesAddress = true }
        guard type == "base64" || type == "url" else {
          throw reader.mismatch("an image has the type '\(type.prefix(20))'", "it must be base64")
        }
      case "value":
        // The type may follow the value.
        if try reader.isAddressNext() { namesAddress = true }
        if namesAddress { try reader.skip() } else { bytes = try reader.base64Value("'value'") }
      default: throw reader.unknownMember(of: "an image", among: ["type", "value"])
      }
    }
    guard !bytes.isEmpty || namesAddress else { throw reader.mismatch("an image has no 'value'") }
    images.append(ReceivedImage(name: "-", bytes: bytes))
  }
}
#endif
