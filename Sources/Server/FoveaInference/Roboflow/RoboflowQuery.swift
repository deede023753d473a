// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaHTTP
import FoveaCore
import HTTPTypes
import Hummingbird

/// A call at `/PROJECT/VERSION`: options in the query, and as the body an image, a form with an image file,
/// or base64.
///
/// **Source:** Roboflow's `inference`, `legacy_infer_from_request` in routes/legacy.py, and "Hosted API" in
/// its documentation.
struct RoboflowQuery: Sendable {
  /// The kind of answer.
  enum Format: String, Sendable {
    case json, image
    case both = "image_and_json"
  }

  private(set) var selection = RoboflowSelection()
  private(set) var format = Format.json
  private(set) var image = ReceivedImage(name: "-", bytes: [])
  /// The options that only affect drawing.
  private var drawing: [(name: String, value: String)] = []

  private static let names = [
    "api_key", "class_agnostic_nms", "classes", "confidence", "format", "image", "image_type", "labels",
    "max_detections", "overlap", "stroke",
  ]

  /// The other names of options.
  private static let synonyms = ["class_filter": "classes", "iou_threshold": "overlap", "key": "api_key"]

  /// Reads a request.
  /// - Throws: A refusal that names the option: unknown, unsupported, given twice, or out of range.
  init(_ request: Request, _ body: [UInt8]) throws(Refusal) {
    selection.confidence = 0.4
    var options = try RequestQuery(of: request).items.map { (name: $0.name, value: $0.value) }
    let type = request.headers[.contentType] ?? ""
    if type.lowercased().hasPrefix("multipart/form-data") {
      options += try readForm(body, type)
    } else {
      image.bytes = try RoboflowQuery.imageBytes(body)
    }
    var given: Set<String> = []
    for option in options {
      let name = RoboflowQuery.synonyms[option.name] ?? option.name
      // The key was read earlier.
      guard given.insert(name).inserted || name == "api_key" else {
        throw RoboflowQuery.givenTwice(name)
      }
      try set(option.name, option.value)
    }
    for option in drawing where format != .json {
      throw RoboflowQuery.styleNotServed(option.name, option.value)
    }
    selection.isDrawn = format != .json
  }

  private mutating func set(_ name: String, _ value: String) throws(Refusal) {
    switch name {
    case "confidence": selection.confidence = Float(try RoboflowSelection.part(name, value))
    case "overlap", "iou_threshold": selection.overlap = try RoboflowSelection.part(name, value)
    case "max_detections": selection.maximum = try RoboflowQuery.count(name, value)
    case "classes", "class_filter":
      var count = LabelCount()
      selection.classes = Set(try CallOptions.labels(name, .text(value), &count))
    case "class_agnostic_nms":
      selection.isClassAgnostic = try CallOptions.flag(name, .text(value.lowercased()))
    case "format":
      guard let format = Format(rawValue: value) else {
        throw CallOptions.invalid(
          name, "is '\(value.prefix(40))'", "Use json, image or image_and_json, or omit it")
      }
      self.format = format
    case "labels" where ["on", "true", "1"].contains(value.lowercased()): break
    case "labels", "stroke": drawing.append((name, value))
    case "image_type" where value == "base64": break
    case "image_type": throw RoboflowQuery.notServed(name, value, "Images must be encoded, as JPEG or PNG")
    case "image": throw Refusal.addressNotFetched(remedy: "Send the image as the body")
    case "disable_preproc_auto_orient", "include_anomaly_map":
      guard try !CallOptions.flag(name, .text(value.lowercased())) else {
        throw RoboflowQuery.notServed(
          name, value,
          name == "include_anomaly_map"
            ? "Anomaly maps are not supported" : "Boxes always refer to the upright image")
      }
    case "api_key", "key": break
    default:
      guard RoboflowSelection.unused.contains(name) else {
        throw CallOptions.unknown(name, among: RoboflowQuery.names)
      }
    }
  }

  private static func givenTwice(_ name: String) -> Refusal {
    CallOptions.invalid(
      name, "is given twice",
      name == "classes" ? "Give it only once, with commas between the classes" : "Give it only once")
  }

  /// Returns the refusal of an option for drawing.
  static func styleNotServed(_ name: String, _ value: String) -> Refusal {
    notServed(name, value, "The style of boxes and labels is fixed")
  }

  private static func notServed(_ name: String, _ value: String, _ why: String) -> Refusal {
    Refusal(
      .badRequest, "option-invalid", "'\(name)' is '\(value.prefix(40))', which is not supported. \(why)",
      remedy: "Omit it")
  }

  private static func count(_ name: String, _ value: String) throws(Refusal) -> Int {
    guard let number = Int(value), (1...CallNumbers.limit).contains(number) else {
      throw CallOptions.invalid(
        name, "is '\(value.prefix(40))'; it must be 1…\(CallNumbers.limit)", "Give a whole number from 1")
    }
    return number
  }

  /// Reads the file of a form.
  /// - Returns: The other fields.
  private mutating func readForm(
    _ body: [UInt8], _ type: String
  ) throws(Refusal) -> [(name: String, value: String)] {
    let form = try MultipartForm(body, contentType: type)
    let files = form.parts.filter { $0.fileName != nil }
    guard files.count == 1, let file = files.first else {
      throw Refusal(
        .badRequest, files.isEmpty ? "request-empty" : "request-malformed",
        "The form has \(files.count) files; expected one image",
        remedy: "Send one file, such as 'curl -F file=@FILE'")
    }
    image.bytes = Array(file.content)
    return form.parts.filter { $0.fileName == nil }.map { part in
      (part.name, String(decoding: part.content, as: UTF8.self))
    }
  }

  /// Returns an image's bytes, decoded from base64 if necessary; other bytes are returned unchanged, and
  /// decoding reports them.
  private static func imageBytes(_ body: [UInt8]) throws(Refusal) -> [UInt8] {
    let isText = body.allSatisfy { (0x20...0x7E).contains($0) || [0x09, 0x0A, 0x0D].contains($0) }
    guard isText, !body.isEmpty else { return body }
    var text = body.filter { $0 > 0x20 }
    if text.contains(UInt8(ascii: "%")) {
      text = PercentText.decode(String(decoding: text, as: UTF8.self)).map { Array($0.utf8) } ?? text
    }
    let quote = [UInt8(ascii: "\"")]
    var reader = JSONReader.body(quote + text + quote)
    if (try? reader.isAddressNext()) == true {
      throw Refusal.addressNotFetched(remedy: "Send the image as the body")
    }
    do throws(JSONFailure) {
      let bytes = try reader.base64Value("the body")
      try reader.expectEnd()
      return bytes
    } catch {
      throw Refusal(
        .badRequest, "request-malformed", "The body is text, but not the base64 of an image",
        remedy: "Send the image's bytes, its base64, or a form with the image as a file")
    }
  }
}
#endif
