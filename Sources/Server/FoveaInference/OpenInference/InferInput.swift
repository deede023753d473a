// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore

/// An input tensor of an Open Inference Protocol call.
struct InferInput: Sendable {
  /// The location of its values.
  enum Values: Sendable {
    /// After the JSON, in the protocol's layout.
    case bytes(ArraySlice<UInt8>)
    /// In the JSON: numbers and flags, in row-major order.
    case numbers([Double])
    /// In the JSON: base64.
    case texts([[UInt8]])
  }

  private(set) var name = ""
  private(set) var type = ""
  private(set) var shape: [Int] = []
  private(set) var values = Values.numbers([])
  /// The number of its bytes after the JSON; nil if its values are in the JSON.
  private(set) var byteCount: Int?

  /// Reads its values from the bytes after the JSON, if they are there.
  /// - Throws: A refusal if there are fewer than declared.
  mutating func take(from rest: inout ArraySlice<UInt8>) throws(Refusal) {
    guard let count = byteCount else { return }
    guard (0...rest.count).contains(count) else {
      throw InferRequest.mismatch(
        "The input '\(name.prefix(40))' declares \(count) bytes, but \(rest.count) follow")
    }
    values = .bytes(rest.prefix(count))
    rest = rest.dropFirst(count)
  }

  /// Reads an element of `inputs`.
  init(_ reader: inout JSONReader) throws(JSONFailure) {
    try reader.object("an input as an object") { (reader, member) throws(JSONFailure) in
      switch member {
      case "name": name = try reader.textOrNull("'name' of an input") ?? ""
      case "datatype": type = try reader.textOrNull("'datatype'") ?? ""
      case "shape":
        try reader.list("a shape") { reader throws(JSONFailure) in
          shape.append(try reader.identifier("a size"))
        }
      case "data": try readData(&reader)
      case "parameters":
        try reader.object("an object of parameters") { (reader, member) throws(JSONFailure) in
          guard member == "binary_data_size" else {
            throw reader.unknownMember(of: "'parameters' of an input", among: ["binary_data_size"])
          }
          byteCount = try reader.identifier("'binary_data_size'")
        }
      default:
        throw reader.unknownMember(
          of: "an input", among: ["name", "datatype", "shape", "data", "parameters"])
      }
    }
  }

  /// The maximum nesting depth of `data`.
  private static let maximumDepth = 8

  private mutating func readData(_ reader: inout JSONReader) throws(JSONFailure) {
    var numbers: [Double] = []
    var texts: [[UInt8]] = []
    try InferInput.readElements(&reader, &numbers, &texts, depth: 1)
    guard numbers.isEmpty || texts.isEmpty else { throw reader.mismatch("'data' mixes strings and numbers") }
    values = texts.isEmpty ? .numbers(numbers) : .texts(texts)
  }

  private static func readElements(
    _ reader: inout JSONReader, _ numbers: inout [Double], _ texts: inout [[UInt8]], depth: Int
  ) throws(JSONFailure) {
    try reader.list("a list of values", hasLimit: false) { reader throws(JSONFailure) in
      switch try reader.peek() {
      case UInt8(ascii: "["):
        guard depth < maximumDepth else { throw reader.mismatch("'data' is nested too deeply") }
        try readElements(&reader, &numbers, &texts, depth: depth + 1)
      case UInt8(ascii: "\""): texts.append(try reader.base64Value("an element of 'data'"))
      case UInt8(ascii: "t"), UInt8(ascii: "f"):
        numbers.append(try reader.flag("an element of 'data'") ? 1 : 0)
      default: numbers.append(try reader.double("an element of 'data'"))
      }
    }
  }
}
#endif
