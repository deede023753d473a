// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The body of `:predict`, in TF Serving's row form `{"instances": […]}` or column form `{"inputs": …}`.
struct PredictRequest: Sendable {
  /// An image with the key to repeat in its answer; nil if the caller gave none.
  struct Instance: Sendable {
    var image = ReceivedImage(name: "-", bytes: [])
    var key: String?
  }

  var instances: [Instance] = []
  /// Whether the answer is `outputs`, an object of columns, instead of `predictions`, a list of rows.
  var isColumns = false

  init(_ body: [UInt8]) throws(JSONFailure) {
    var reader = JSONReader.body(body)
    try reader.object("an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "instances", "inputs":
        guard instances.isEmpty else { throw reader.mismatch("both 'instances' and 'inputs' are given") }
        if member == "instances" { try readRows(&reader) } else { try readColumns(&reader) }
      case "signature_name": try readSignature(&reader)
      default: throw reader.unknownMember(among: ["instances", "inputs", "signature_name"])
      }
    }
    try reader.expectEnd()
    guard !instances.isEmpty, instances.allSatisfy({ !$0.image.bytes.isEmpty }) else {
      throw reader.mismatch("there is no 'image_bytes' in 'instances' or 'inputs'")
    }
  }

  /// Reads the name of a signature; those with and without keys are equivalent here.
  private mutating func readSignature(_ reader: inout JSONReader) throws(JSONFailure) {
    let name = try reader.textOrNull("'signature_name'") ?? ""
    guard ["", "serving_default", "serving_default_without_key"].contains(name) else {
      throw reader.notServed("signature_name", name, why: "the signature is 'serving_default'")
    }
  }

  private mutating func readRows(_ reader: inout JSONReader) throws(JSONFailure) {
    try reader.list("a list of instances") { reader throws(JSONFailure) in
      var instance = Instance()
      try reader.object("an instance as an object") { (reader, member) throws(JSONFailure) in
        switch member {
        case "image_bytes": instance.image.bytes = try PredictRequest.bytes(&reader)
        case "key": instance.key = try reader.textOrNull("'key'")
        default: throw reader.unknownMember(of: "an instance", among: ["image_bytes", "key"])
        }
      }
      instances.append(instance)
    }
  }

  /// Reads `{"image_bytes": [{"b64": …}], "key": ["…"]}`, each a list or one value.
  private mutating func readColumns(_ reader: inout JSONReader) throws(JSONFailure) {
    isColumns = true
    var images: [[UInt8]] = []
    var keys: [String?] = []
    try reader.object("an object of columns") { (reader, member) throws(JSONFailure) in
      switch member {
      case "image_bytes":
        images = try PredictRequest.list(&reader) { reader throws(JSONFailure) in
          try PredictRequest.bytes(&reader)
        }
      case "key":
        keys = try PredictRequest.list(&reader) { reader throws(JSONFailure) in
          try reader.textOrNull("'key'")
        }
      default: throw reader.unknownMember(of: "'inputs'", among: ["image_bytes", "key"])
      }
    }
    guard keys.isEmpty || keys.count == images.count else {
      let counts = (
        DecimalText.counted(images.count, "image", "images"), DecimalText.counted(keys.count, "key", "keys")
      )
      throw reader.mismatch("'inputs' has \(counts.0) and \(counts.1)")
    }
    for (index, bytes) in images.enumerated() {
      instances.append(
        Instance(
          image: ReceivedImage(name: "-", bytes: bytes), key: index < keys.count ? keys[index] : nil))
    }
  }

  private static func list<Element>(
    _ reader: inout JSONReader, _ element: (inout JSONReader) throws(JSONFailure) -> Element
  ) throws(JSONFailure) -> [Element] {
    guard try reader.peek() == UInt8(ascii: "[") else { return [try element(&reader)] }
    var elements: [Element] = []
    try reader.list("a column") { reader throws(JSONFailure) in elements.append(try element(&reader)) }
    return elements
  }

  /// Reads the bytes of `{"b64": "…"}`.
  private static func bytes(_ reader: inout JSONReader) throws(JSONFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    try reader.object("an object with 'b64'") { (reader, member) throws(JSONFailure) in
      guard member == "b64" else { throw reader.unknownMember(of: "an image", among: ["b64"]) }
      bytes = try reader.base64Value("'b64'")
    }
    return bytes
  }
}
#endif
