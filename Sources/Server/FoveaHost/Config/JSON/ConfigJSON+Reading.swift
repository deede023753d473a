// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension ConfigJSON {
  /// Deeper values are refused; no template needs a tenth of it.
  static let maximumDepth = 40

  /// Reads a text strictly: JSON of RFC 8259 in UTF-8, in which no object has a name twice.
  /// - Parameters:
  ///   - bytes: The text.
  ///   - name: What messages call it, as `The template`.
  /// - Throws: `invalid`, with the place of the first fault.
  package init(_ bytes: [UInt8], name: String) throws(HostError) {
    var reader = Reader(bytes, name: name)
    do throws(JSONFailure) { self = try reader.read() } catch {
      throw HostError(.invalid, error.message, remedy: "Correct the text, and send it again")
    }
  }

  private struct Reader: ~Copyable {
    private let bytes: [UInt8]
    private var json: JSONReader

    init(_ bytes: [UInt8], name: String) {
      self.bytes = bytes
      json = JSONReader(bytes: bytes, name: name)
      // A parameter's value may be most of a template.
      json.longestString = 1 << 22
    }

    mutating func read() throws(JSONFailure) -> ConfigJSON {
      let value = try value(path: "", depth: 0)
      try json.expectEnd()
      return value
    }

    private mutating func value(path: String, depth: Int) throws(JSONFailure) -> ConfigJSON {
      guard depth < ConfigJSON.maximumDepth else {
        throw json.mismatch("\(shown(path)) is nested deeper than \(ConfigJSON.maximumDepth) levels")
      }
      switch try json.peek() {
      case UInt8(ascii: "{"): return try object(path: path, depth: depth)
      case UInt8(ascii: "["):
        try json.expect(UInt8(ascii: "["), "an array")
        var values: [ConfigJSON] = []
        var isFirst = true
        while try json.nextElement(&isFirst) {
          values.append(try value(path: "\(path)[\(values.count)]", depth: depth + 1))
        }
        return .array(values)
      case UInt8(ascii: "\""): return .string(try json.stringValue())
      case UInt8(ascii: "t"):
        try json.literal("true")
        return .boolean(true)
      case UInt8(ascii: "f"):
        try json.literal("false")
        return .boolean(false)
      case UInt8(ascii: "n"):
        try json.literal("null")
        return .null
      default:
        let start = json.offset
        _ = try json.number()
        return .number(String(decoding: bytes[start..<json.offset], as: UTF8.self))
      }
    }

    private mutating func object(path: String, depth: Int) throws(JSONFailure) -> ConfigJSON {
      try json.expect(UInt8(ascii: "{"), "an object")
      var members: [Member] = []
      var names: Set<String> = []
      var isFirst = true
      while try json.nextKey(&isFirst) != nil {
        let key = json.lastKey
        let place = path.isEmpty ? key : "\(path).\(key)"
        guard names.insert(key).inserted else { throw json.mismatch("\(shown(place)) is there twice") }
        members.append(Member(key, try value(path: place, depth: depth + 1)))
      }
      return .object(members)
    }

    private func shown(_ path: String) -> String {
      path.isEmpty ? "the value" : "'\(ConfigFault.shortened(path))'"
    }
  }
}
#endif
