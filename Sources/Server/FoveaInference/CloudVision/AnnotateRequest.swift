// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// The body of Cloud Vision's `images:annotate`.
struct AnnotateRequest: Sendable {
  /// A feature requested for an image.
  struct Feature: Sendable, Equatable {
    /// The name, or the number that Google's client sends instead.
    var type = ""
    /// The maximum number of results; nil for all of the model's results.
    var maximum: Int?
    /// A model of this server; nil for the first model with the task.
    var model: String?
    /// Whether features of this kind name different models.
    var namesSeveralModels = false

    var isLocalization: Bool { type == "OBJECT_LOCALIZATION" || type == "19" }
    var isLabels: Bool { type == "LABEL_DETECTION" || type == "4" }

    /// Returns whether both features share one list of answers; all unsupported features count as one kind.
    func isSameKind(as other: Feature) -> Bool {
      isLocalization == other.isLocalization && isLabels == other.isLabels
    }

    /// Adds the requirements of another feature of the same kind.
    mutating func merge(_ other: Feature) {
      if let number = maximum, let otherNumber = other.maximum {
        maximum = max(number, otherNumber)
      } else {
        maximum = nil
      }
      namesSeveralModels = namesSeveralModels || model != other.model
    }
  }

  /// An image and the features requested for it.
  struct Item: Sendable {
    var image = ReceivedImage(name: "-", bytes: [])
    /// Whether the image is given by its address.
    var namesAddress = false
    /// At most one feature of each kind, so that no model runs twice on an image.
    private(set) var features: [Feature] = []

    mutating func add(_ feature: Feature) {
      if let index = features.firstIndex(where: { $0.isSameKind(as: feature) }) {
        features[index].merge(feature)
      } else {
        features.append(feature)
      }
    }
  }

  private(set) var items: [Item] = []

  init(_ body: [UInt8]) throws(JSONFailure) {
    var reader = JSONReader.body(body)
    try reader.object("an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "requests":
        try reader.list("a list of requests") { reader throws(JSONFailure) in
          items.append(try AnnotateRequest.item(&reader))
        }
      // These select Google's region and tag its bill.
      case "parent", "labels": try reader.skip()
      default: throw reader.unknownMember(among: ["requests", "parent", "labels"])
      }
    }
    try reader.expectEnd()
    guard !items.isEmpty else { throw reader.mismatch("'requests' is missing or empty") }
  }

  private static func item(_ reader: inout JSONReader) throws(JSONFailure) -> Item {
    var item = Item()
    try reader.object("a request as an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "image": try readImage(&reader, into: &item)
      case "features":
        try reader.list("a list of features") { reader throws(JSONFailure) in item.add(try feature(&reader)) }
      // Its members apply only to features that are refused: text, crops, products, faces, the web.
      case "imageContext": try reader.skip()
      default: throw reader.unknownMember(of: "a request", among: ["image", "features", "imageContext"])
      }
    }
    return item
  }

  private static func readImage(_ reader: inout JSONReader, into item: inout Item) throws(JSONFailure) {
    try reader.object("an image as an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "content": item.image.bytes = try reader.base64Value("'content'")
      case "source":
        item.namesAddress = true
        try reader.skip()
      default: throw reader.unknownMember(of: "an image", among: ["content", "source"])
      }
    }
  }

  /// Reads the highest number of results; nil for null and 0, which stand for the default.
  private static func maximum(_ reader: inout JSONReader) throws(JSONFailure) -> Int? {
    guard let number = try reader.numberOrNull("'maxResults'"), number != 0 else { return nil }
    do throws(Refusal) { return try CallNumbers.count("maxResults", number) } catch {
      throw reader.mismatch(error.message, "0 is the default")
    }
  }

  private static func feature(_ reader: inout JSONReader) throws(JSONFailure) -> Feature {
    var feature = Feature()
    try reader.object("a feature as an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "type":
        feature.type =
          try reader.peek() == UInt8(ascii: "\"")
          ? try reader.stringValue() : String(try reader.identifier("'type'"))
      // The second is the name in the protocol buffers, which Google's JSON accepts too.
      case "maxResults", "max_results":
        feature.maximum = try maximum(&reader)
      case "model": feature.model = try reader.textOrNull("'model'")
      default: throw reader.unknownMember(of: "a feature", among: ["type", "maxResults", "model"])
      }
    }
    // Google's own model names, such as builtin/stable, select the first model with the task.
    if let name = feature.model, name.isEmpty || name.hasPrefix("builtin/") { feature.model = nil }
    return feature
  }
}
#endif
