// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes

/// The interface of a model for callers with images: one input of encoded images, and rows of findings.
enum ImageInterface {
  /// The only input, BYTES with the shape [n] or [n, 1].
  static let input = TensorSummary(name: "image", type: "BYTES", shape: [-1])

  /// The outputs; -1 is the number of rows.
  static let outputs = [
    TensorSummary(name: "boxes", type: "FP32", shape: [-1, 4]),
    TensorSummary(name: "scores", type: "FP32", shape: [-1]),
    TensorSummary(name: "classes", type: "INT32", shape: [-1]),
    TensorSummary(name: "labels", type: "BYTES", shape: [-1]),
    TensorSummary(name: "image_index", type: "INT32", shape: [-1]),
  ]

  /// Returns the encoded images of a call.
  /// - Throws: A refusal that names the tensor, with the expected and the actual values.
  static func images(of request: InferRequest) throws(Refusal) -> [[UInt8]] {
    guard request.inputs.count == 1, let input = request.inputs.first, input.name == "image" else {
      throw InferRequest.mismatch(
        "The model expects one input, 'image', but the request has \(request.inputNames)")
    }
    guard input.type == "BYTES" else {
      throw InferRequest.mismatch(
        "The input 'image' has the type BYTES, but the request has "
          + (input.type.isEmpty ? "no 'datatype'" : "'\(input.type.prefix(20))'"))
    }
    let images: [[UInt8]]
    switch input.values {
    case .bytes(let bytes): images = try elements(bytes)
    case .texts(let texts): images = texts
    case .numbers: images = []
    }
    let count = input.shape.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
    guard (1...2).contains(input.shape.count), input.shape.allSatisfy({ (0...1_000_000).contains($0) }),
      count == images.count, count > 0
    else {
      let found = DecimalText.counted(images.count, "image", "images")
      throw InferRequest.mismatch(
        "The input 'image' has the shape \(input.shape) and \(found); the shape"
          + " [\(max(images.count, 1))] is expected")
    }
    return images
  }

  /// Splits a BYTES tensor: each element has a length of four bytes, little endian, before it.
  private static func elements(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> [[UInt8]] {
    var elements: [[UInt8]] = []
    var rest = bytes
    while !rest.isEmpty {
      guard rest.count >= 4 else {
        throw InferRequest.mismatch(
          "An element of 'image' starts with a length of 4 bytes, but only \(rest.count) follow")
      }
      let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard rest.count - 4 >= length else {
        throw InferRequest.mismatch(
          "An element of 'image' declares \(length) bytes, but only \(rest.count - 4) follow")
      }
      elements.append(Array(rest.dropFirst(4).prefix(length)))
      rest = rest.dropFirst(4 + length)
    }
    return elements
  }
}
#endif
