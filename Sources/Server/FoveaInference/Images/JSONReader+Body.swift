// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

extension JSONReader {
  /// Returns a reader for a request's body, which treats half of a surrogate pair as the caller's error.
  static func body(_ bytes: [UInt8]) -> JSONReader {
    var reader = JSONReader(bytes: bytes, name: "The body")
    reader.takesHalfPairs = false
    reader.refusesTwins = true
    return reader
  }

  /// The maximum number of members of an object, and of entries of a list that does not hold a tensor's
  /// values.
  private static let mostEntries = 1_000

  /// Reads an object of at most 1,000 members, or of any number if it has no limit: `body` reads the value of
  /// each, given its name.
  mutating func object(
    _ what: String, hasLimit: Bool = true,
    _ body: (_ reader: inout JSONReader, _ member: String) throws(JSONFailure) -> Void
  ) throws(JSONFailure) {
    var isFirst = true
    try expect(UInt8(ascii: "{"), what)
    var count = 0
    while try nextKey(&isFirst) != nil {
      let member = lastKey
      count += 1
      guard !hasLimit || count <= JSONReader.mostEntries else {
        throw mismatch("\(what) has more than 1,000 members")
      }
      try body(&self, member)
    }
  }

  /// Reads a list of at most 1,000 entries, or of any number if it has no limit: `body` reads each.
  mutating func list(
    _ what: String, hasLimit: Bool = true,
    _ body: (_ reader: inout JSONReader) throws(JSONFailure) -> Void
  ) throws(JSONFailure) {
    var isFirst = true
    try expect(UInt8(ascii: "["), what)
    var count = 0
    while try nextElement(&isFirst) {
      count += 1
      guard !hasLimit || count <= JSONReader.mostEntries else {
        throw mismatch("\(what) has more than 1,000 entries")
      }
      try body(&self)
    }
  }

  /// Returns the failure for a known field of a protocol that is not supported.
  func notServed(_ member: String, _ value: String? = nil, why: String) -> JSONFailure {
    let place = place
    let given =
      value.map { "'\(member)' is '\($0.prefix(40))' at \(place), which" } ?? "'\(member)' at \(place)"
    return JSONFailure(.mismatch, name, "\(given) is not supported: \(why)")
  }

  /// Reads a member that has no effect if its value is null, false, 0, empty, or one of the given strings;
  /// any other value is not supported.
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

  /// Returns whether the next value is an image's address instead of its bytes.
  mutating func isAddressNext() throws(JSONFailure) -> Bool {
    for scheme in ["http://", "https://", "gs://"] where try isText(beginningWith: scheme) { return true }
    return false
  }

  /// Reads a number, or a string with a number, as in Google's JSON; nil for null.
  mutating func numberOrNull(_ what: String) throws(JSONFailure) -> Double? {
    switch try peek() {
    case UInt8(ascii: "n"):
      try literal("null")
      return nil
    case UInt8(ascii: "\""):
      let text = try stringValue()
      guard let number = Double(text), number.isFinite else {
        throw mismatch("\(what) is '\(text.prefix(40))'", "it must be a number")
      }
      return number
    default: return try double(what)
    }
  }

  /// Reads a string; nil for null.
  mutating func textOrNull(_ what: String) throws(JSONFailure) -> String? {
    switch try peek() {
    case UInt8(ascii: "n"):
      try literal("null")
      return nil
    case UInt8(ascii: "\""): return try stringValue()
    default: throw mismatch("\(what) is not a string")
    }
  }
}
#endif
