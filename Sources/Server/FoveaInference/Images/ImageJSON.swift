// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore

/// Reads `{"images": [{"base64": "…", "name": "…"}], "parameters": {"threshold": 0.5}}`.
enum ImageJSON {
  private static let addresses = ["url", "source", "imageUri"]

  static func read(_ body: [UInt8]) throws(JSONFailure) -> ImageRequest {
    var reader = JSONReader.body(body)
    var request = ImageRequest(images: [], isList: true, options: [])
    try reader.object("an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "images": try readImages(&reader, into: &request)
      case "parameters": try readParameters(&reader, into: &request)
      default: throw reader.unknownMember(among: ["images", "parameters"])
      }
    }
    try reader.expectEnd()
    guard !request.images.isEmpty else { throw reader.mismatch("'images' is missing or empty") }
    return request
  }

  private static func readImages(
    _ reader: inout JSONReader, into request: inout ImageRequest
  ) throws(JSONFailure) {
    try reader.list("a list of images") { reader throws(JSONFailure) in
      var image = ReceivedImage(name: "-", bytes: [])
      try reader.object("an image as an object") { (reader, member) throws(JSONFailure) in
        if member == "base64" {
          image.bytes = try reader.base64Value("'base64'")
        } else if member == "name" {
          guard let text = try reader.optionalString() else { throw reader.mismatch("'name' is not a text") }
          image.name = text
        } else if addresses.contains(member) {
          request.namesAddress = true
          try reader.skip()
        } else {
          throw reader.unknownMember(of: "an image", among: ["base64", "name"])
        }
      }
      guard !image.bytes.isEmpty || request.namesAddress else {
        throw reader.mismatch("an image has no 'base64'")
      }
      request.images.append(image)
    }
  }

  private static func readParameters(
    _ reader: inout JSONReader, into request: inout ImageRequest
  ) throws(JSONFailure) {
    try reader.object("an object of options") { (reader, name) throws(JSONFailure) in
      request.options.append((name, try reader.optionValue("'\(name.prefix(40))'")))
    }
  }
}
#endif
