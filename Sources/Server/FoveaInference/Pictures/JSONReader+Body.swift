// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension JSONReader {
  /// A reader of the body of a request, where half of a surrogate pair is the caller's mistake.
  static func body(_ bytes: [UInt8]) -> JSONReader {
    var reader = JSONReader(bytes: bytes, name: "The body")
    reader.takesHalfPairs = false
    reader.refusesTwins = true
    return reader
  }

  /// Takes an object: `body` takes the value of each member, by its name.
  mutating func object(
    _ what: String, _ body: (_ reader: inout JSONReader, _ member: String) throws(JSONFailure) -> Void
  ) throws(JSONFailure) {
    var isFirst = true
    try expect(UInt8(ascii: "{"), what)
    while try nextKey(&isFirst) != nil {
      let member = lastKey
      try body(&self, member)
    }
  }

  /// Takes a list: `body` takes each entry.
  mutating func list(
    _ what: String, _ body: (_ reader: inout JSONReader) throws(JSONFailure) -> Void
  ) throws(JSONFailure) {
    var isFirst = true
    try expect(UInt8(ascii: "["), what)
    while try nextElement(&isFirst) { try body(&self) }
  }

  /// The failure for a field of a protocol that is known, and not served.
  func notServed(_ member: String, _ value: String? = nil, why: String) -> JSONFailure {
    let place = place
    let given =
      value.map { "'\(member)' is '\($0.prefix(40))' at \(place), and" } ?? "'\(member)' at \(place)"
    return JSONFailure(.mismatch, name, "\(given) is not served: \(why)")
  }

  /// Takes a member that changes nothing where it is null, false, 0, empty, or a text of some; else it is not served.
  mutating func takeNothing(_ name: String, besides texts: Set<String> = [], why: String)
    throws(JSONFailure)
  {
    switch try peek() {
    case UInt8(ascii: "n"): try literal("null")
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      guard try !flag("'\(name)'") else { throw notServed(name, why: why) }
    case UInt8(ascii: "\""):
      let text = try stringValue()
      guard text.isEmpty || texts.contains(text) else { throw notServed(name, text, why: why) }
    case UInt8(ascii: "["):
      try list("a list") { reader throws(JSONFailure) in throw reader.notServed(name, why: why) }
    case UInt8(ascii: "{"):
      try object("an object") { (reader, _) throws(JSONFailure) in throw reader.notServed(name, why: why) }
    default: guard try double("'\(name)'") == 0 else { throw notServed(name, why: why) }
    }
  }

  /// Whether the next value is the address of an image where its bytes are wanted.
  mutating func isAddressNext() throws(JSONFailure) -> Bool {
    for scheme in ["http://", "https://", "gs://"] where try isText(beginningWith: scheme) { return true }
    return false
  }

  /// Takes a number, or one in a text, as Google's JSON has it; nil for null.
  mutating func numberOrNull(_ what: String) throws(JSONFailure) -> Double? {
    switch try peek() {
    case UInt8(ascii: "n"):
      try literal("null")
      return nil
    case UInt8(ascii: "\""):
      let text = try stringValue()
      guard let number = Double(text), number.isFinite else {
        throw mismatch("\(what) is '\(text.prefix(40))'", "a number is needed")
      }
      return number
    default: return try double(what)
    }
  }

  /// Takes a text; nil for null.
  mutating func textOrNull(_ what: String) throws(JSONFailure) -> String? {
    switch try peek() {
    case UInt8(ascii: "n"):
      try literal("null")
      return nil
    case UInt8(ascii: "\""): return try stringValue()
    default: throw mismatch("\(what) is not a text")
    }
  }
}
#endif
