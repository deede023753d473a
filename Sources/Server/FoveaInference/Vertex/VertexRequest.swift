// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import HTTPTypes

/// The body of Vertex AI's `:predict` for image models.
///
/// **Source:** Vertex AI, "Get predictions from an image object detection model" and its schemata
/// `predict/instance/image_object_detection` and `predict/params/image_object_detection`.
struct VertexRequest: Sendable {
  private(set) var images: [ReceivedImage] = []
  private(set) var threshold: Float?
  private(set) var maximum: Int?
  /// The names of the options.
  static let parameters = ["confidenceThreshold", "maxPredictions"]
  private var givenThreshold: Double?
  private var givenMaximum: Double?

  /// Reads `{"instances": [{"content": "…"}], "parameters": {"confidenceThreshold", "maxPredictions"}}`.
  init(_ body: [UInt8]) throws(Refusal) {
    do throws(JSONFailure) { try read(body) } catch {
      throw Refusal.malformed(error, remedy: #"Send {"instances": [{"content": "BASE64"}]}"#)
    }
    threshold = try CallNumbers.score("confidenceThreshold", givenThreshold)
    maximum = try CallNumbers.count("maxPredictions", givenMaximum)
  }

  private mutating func read(_ body: [UInt8]) throws(JSONFailure) {
    var reader = JSONReader.body(body)
    try reader.object("an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "instances":
        try reader.list("a list of instances") { reader throws(JSONFailure) in
          images.append(try VertexRequest.image(&reader))
        }
      case "parameters": try readParameters(&reader)
      default: throw reader.unknownMember(among: ["instances", "parameters"])
      }
    }
    try reader.expectEnd()
    guard !images.isEmpty else { throw reader.mismatch("'instances' is missing or empty") }
  }

  private static func image(_ reader: inout JSONReader) throws(JSONFailure) -> ReceivedImage {
    var image = ReceivedImage(name: "-", bytes: [])
    try reader.object("an instance as an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "content": image.bytes = try reader.base64Value("'content'")
      // The bytes show the type.
      case "mimeType": try reader.skip()
      default: throw reader.unknownMember(of: "an instance", among: ["content", "mimeType"])
      }
    }
    guard !image.bytes.isEmpty else { throw reader.mismatch("an instance has no 'content'") }
    return image
  }

  private mutating func readParameters(_ reader: inout JSONReader) throws(JSONFailure) {
    try reader.object("an object of parameters") { (reader, member) throws(JSONFailure) in
      switch member {
      case "confidenceThreshold": givenThreshold = try reader.numberOrNull("'confidenceThreshold'")
      case "maxPredictions": givenMaximum = try reader.numberOrNull("'maxPredictions'")
      default:
        throw reader.unknownMember(of: "'parameters'", among: VertexRequest.parameters)
      }
    }
  }
}
#endif
