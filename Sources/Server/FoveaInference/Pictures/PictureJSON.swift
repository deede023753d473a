// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Reads `{"images": [{"base64": "…", "name": "…"}], "parameters": {"threshold": 0.5}}`.
enum PictureJSON {
  private static let images = JSONKey("images")
  private static let parameters = JSONKey("parameters")
  private static let base64 = JSONKey("base64")
  private static let name = JSONKey("name")
  private static let addresses = ["url", "source", "imageUri"].map { JSONKey($0) }

  static func read(_ body: [UInt8]) throws(JSONFailure) -> PictureRequest {
    var reader = JSONReader.body(body)
    var request = PictureRequest(pictures: [], isList: true, options: [])
    var isFirst = true
    try reader.expect(UInt8(ascii: "{"), "an object")
    while let key = try reader.nextKey(&isFirst) {
      switch key {
      case images: try readImages(&reader, into: &request)
      case parameters: try readParameters(&reader, into: &request)
      default: throw reader.unknownMember(among: ["images", "parameters"])
      }
    }
    try reader.expectEnd()
    guard !request.pictures.isEmpty else { throw reader.mismatch("'images' is missing or empty") }
    return request
  }

  private static func readImages(
    _ reader: inout JSONReader, into request: inout PictureRequest
  ) throws(JSONFailure) {
    try reader.expect(UInt8(ascii: "["), "a list of images")
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      try reader.expect(UInt8(ascii: "{"), "an image as an object")
      var picture = Picture(name: "-", bytes: [])
      var isFirstMember = true
      while let key = try reader.nextKey(&isFirstMember) {
        if key == base64 {
          picture.bytes = try reader.base64Value("'base64'")
        } else if key == name {
          guard let text = try reader.optionalString() else { throw reader.mismatch("'name' is no text") }
          picture.name = text
        } else if addresses.contains(key) {
          request.namesAddress = true
          try reader.skip()
        } else {
          throw reader.unknownMember(of: "an image", among: ["base64", "name"])
        }
      }
      guard !picture.bytes.isEmpty || request.namesAddress else {
        throw reader.mismatch("an image has no 'base64'")
      }
      request.pictures.append(picture)
    }
  }

  private static func readParameters(
    _ reader: inout JSONReader, into request: inout PictureRequest
  ) throws(JSONFailure) {
    try reader.expect(UInt8(ascii: "{"), "an object of options")
    var isFirst = true
    while try reader.nextKey(&isFirst) != nil {
      let name = reader.lastKey
      request.options.append((name, try reader.callValue("'\(name.prefix(40))'")))
    }
  }
}
#endif
