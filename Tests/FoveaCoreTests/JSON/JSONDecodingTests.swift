// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct JSONDecodingTests {
  struct Sample: Decodable, Equatable {
    var a: Int?
    var s: String?
    var list: [Sample]?
  }

  struct GoodCase: CustomTestStringConvertible {
    let text: String
    let value: Sample
    var testDescription: String { String(text.prefix(40)) }

    init(_ text: String, _ value: Sample = Sample()) {
      self.text = text
      self.value = value
    }
  }

  static func nested(_ depth: Int, in text: (String) -> String = { $0 }) -> String {
    text(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
  }

  static let good: [GoodCase] = [
    GoodCase("{}"), GoodCase(" { } \r\n"),
    GoodCase("{\"a\": 1,}", Sample(a: 1)),
    GoodCase("{\"list\": [{\"a\": 2},],}", Sample(list: [Sample(a: 2)])),
    GoodCase("{\"a\": 1, \"a\": 2}", Sample(a: 1)),
    GoodCase("{\"a\": 1e3, \"b\": 1e999}", Sample(a: 1000)),
    GoodCase(#"{"s": "a\"\\\/\n\t\r\b\f\u00e9\ud83e\udd9c"}"#, Sample(s: "a\"\\/\n\t\r\u{8}\u{c}é🦜")),
    GoodCase("\u{FEFF}{\"s\": \"ü\"}", Sample(s: "ü")),
    GoodCase(nested(511) { "{\"b\": \($0)}" }),
  ]

  @Test(arguments: good) func `JSON is read, also with a trailing comma`(_ row: GoodCase) throws {
    #expect(try JSONValue.decode(Sample.self, from: Array(row.text.utf8)) == row.value)
  }

  struct BadCase: CustomTestStringConvertible {
    let bytes: [UInt8]
    let path: String
    let isMismatch: Bool
    var testDescription: String { String(decoding: bytes.prefix(40), as: UTF8.self) + " (\(bytes.count))" }

    init(_ text: String, at path: String? = nil) { self.init(Array(text.utf8), at: path) }

    init(_ bytes: [UInt8], at path: String? = nil) {
      self.bytes = bytes
      self.path = path ?? ""
      isMismatch = path != nil
    }
  }

  static let bad: [BadCase] =
    [
      "", " ", "hello", "{", "{\"a\"", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{,}", "{\"b\":[1,,]}", "{} x",
      "{\"a\":1,\"b\":[1}", "{\"s\":\"a\nb\"}", "{\"s\":\"a", "{\"s\":\"\\", "{\"s\":\"\\q\"}",
      "{\"s\":\"\\u12\"}",
      "{\"s\":\"\\ud800x\"}", "{\"s\":\"\\udc00\"}", "{\"a\":nan}", "{\"a\":0x10}", "{\"a\":01}",
      "{\"a\":" + String(repeating: "9", count: 100_000) + "}",
    ].map { BadCase($0) }
    + [
      "1e999", "1147e0286", "1e99999999999999999999", "9223372036854775808", "-9223372036854775809", "1.5",
      "9007199254740993.0", "true",
    ].map { BadCase("{\"list\":[{\"a\":1},{\"a\":\($0)}]}", at: "list[1].a") }
    + [
      BadCase("[]", at: ""), BadCase("3", at: ""), BadCase("{\"a\":\"x\"}", at: "a"),
      BadCase("{\"list\":[{},{\"s\":3}]}", at: "list[1].s"),
      BadCase(Array("{\"s\":\"".utf8) + [0xFF] + Array("\"}".utf8)),
      BadCase(Array("{\"s".utf8) + [0xC3] + Array("\":1, \"list\":1".utf8)),
      // UTF-16 with and without its BOM, UTF-32, and zeros.
      BadCase([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]), BadCase([0xFE, 0xFF, 0, 0x7B, 0, 0x7D]),
      BadCase([0x7B, 0, 0x7D, 0]),
      BadCase([0, 0, 0, 0x7B, 0, 0, 0, 0x7D]), BadCase([0, 0, 0, 0]),
      BadCase([0x7B, 0x22, 0x61, 0x22, 0, 0]),
    ]

  @Test(arguments: bad) func `anything but the expected JSON is an error`(_ row: BadCase) {
    let error = #expect(throws: JSONFailure.self) {
      try JSONValue.decode(Sample.self, from: row.bytes)
    }
    #expect(error?.path == row.path)
    #expect((error?.kind == .mismatch) == row.isMismatch)
    #expect(error?.reason.isEmpty == false)
  }

  struct Strict: Decodable {
    struct Inner: Decodable {
      var count: Int
      var share: Double?
      var isOn: Bool?
      var names: [String]?
      var map: [String: String]?
    }
    var name: String
    var inner: Inner?
  }

  static let reasons: [(String, String, String)] = [
    ("{}", "", "the member 'name' is missing"),
    ("[]", "", "expected an object, got an array"),
    (#"{"name": 3}"#, "name", "expected a string, got a number"),
    (#"{"name": null}"#, "name", "expected a string, got null"),
    (#"{"name": "x", "inner": []}"#, "inner", "expected an object, got an array"),
    (#"{"name": "x", "inner": {}}"#, "inner", "the member 'count' is missing"),
    (#"{"name": "x", "inner": {"count": "3"}}"#, "inner.count", "expected a whole number, got a string"),
    (
      #"{"name": "x", "inner": {"count": true}}"#, "inner.count",
      "expected a whole number, got a boolean"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "share": []}}"#, "inner.share",
      "expected a number, got an array"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "isOn": {}}}"#, "inner.isOn",
      "expected true or false, got an object"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "names": {}}}"#, "inner.names",
      "expected an array, got an object"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "names": [3]}}"#, "inner.names[0]",
      "expected a string, got a number"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "map": "m"}}"#, "inner.map",
      "expected an object, got a string"
    ),
  ]

  @Test(arguments: reasons)
  func `a missing or mistyped member is reported in JSON's terms`(
    _ text: String, _ path: String, _ reason: String
  ) {
    let error = #expect(throws: JSONFailure.self) {
      try JSONValue.decode(Strict.self, from: Array(text.utf8))
    }
    #expect(error?.path == path)
    #expect(error?.reason == reason)
  }

  struct Numbers: Decodable, Equatable {
    var least = Int64.min
    var most = UInt64.max
    var byte: UInt8 = 255
    var share = 0.1
    var float: Float = -1e-3
    var large = 1e300
  }

  @Test func `integers are exact, and other numbers the nearest`() throws {
    let text =
      #"{"least": -9223372036854775808, "most": 18446744073709551615, "byte": 2.55e2, "share": 0.1, "#
      + #""float": -0.001, "large": 1E+300}"#
    #expect(try JSONValue.decode(Numbers.self, from: text.utf8) == Numbers())
    for text in ["256", "-1", "1.5", "1e999"] {
      let error = #expect(throws: JSONFailure.self) {
        try JSONValue.decode([UInt8].self, from: "[\(text)]".utf8)
      }
      #expect(error?.reason == "expected a whole number, got \(text)")
    }
    let error = #expect(throws: JSONFailure.self) { try JSONValue.decode([Float].self, from: "[1e39]".utf8) }
    #expect(error?.reason == "expected a number, got 1e39")
  }

  /// Reads its members through each kind of container.
  struct ByHand: Decodable {
    enum Key: CodingKey { case inner, list }
    let names: [String]
    let numbers: [Int?]
    let kind: String

    init(from decoder: any Decoder) throws {
      let outer = try decoder.container(keyedBy: Key.self)
      names = outer.allKeys.map(\.stringValue).sorted()
      var list = try outer.nestedUnkeyedContainer(forKey: .list)
      var numbers: [Int?] = []
      numbers.append(try list.decodeNil() ? nil : list.decode(Int.self))
      numbers.append(try list.decodeNil() ? nil : list.decode(Int.self))
      var pair = try list.nestedUnkeyedContainer()
      while !pair.isAtEnd { numbers.append(try pair.decode(Int.self)) }
      numbers.append(try list.superDecoder().singleValueContainer().decode(Int.self))
      self.numbers = numbers
      let inner = try outer.nestedContainer(keyedBy: Key.self, forKey: .inner)
      kind = try inner.superDecoder(forKey: .list).singleValueContainer().decode(String.self)
      if list.isAtEnd { _ = try? list.decode(Int.self) } else { _ = try list.decode(String.self) }
    }
  }

  @Test func `nested containers are read`() throws {
    let text = #"{"inner": {"list": "x"}, "list": [null, 1, [2, 3], 4], "other": {}}"#
    let read = try JSONValue.decode(ByHand.self, from: text.utf8)
    #expect(read.names == ["inner", "list"] && read.numbers == [nil, 1, 2, 3, 4] && read.kind == "x")
    let error = #expect(throws: JSONFailure.self) {
      try JSONValue.decode(ByHand.self, from: text.replacing("4]", with: "4, 5]").utf8)
    }
    #expect(error?.path == "list[4]")
  }

  @Test func `a name of digits is a name, and a type may have its own form`() throws {
    let error = #expect(throws: JSONFailure.self) {
      try JSONValue.decode([String: [Int]].self, from: #"{"7": [1, "x"]}"#.utf8)
    }
    #expect(error?.path == "7[1]")
    let upper: JSONValue.Conversions = [ObjectIdentifier(String.self): { $0.text?.uppercased() }]
    #expect(try JSONValue.decode([String].self, from: #"["a"]"#.utf8, converting: upper) == ["A"])
    let other = #expect(throws: JSONFailure.self) {
      try JSONValue.decode([String].self, from: "[1]".utf8, converting: upper)
    }
    #expect(other?.reason == "expected a value of type String, got a number")
  }

  /// Around the limit of 512, and far beyond.
  @Test(arguments: [500, 510, 511, 512, 513, 514, 515, 100_000], ["[", "{\"a\":", "{\"list\":[", "[ "])
  func `deep nesting is an error`(_ depth: Int, _ opening: String) {
    for start in ["", "{\"b\":", "{\"b\": [", "\u{FEFF}"] {
      let text = Array((start + String(repeating: opening, count: depth)).utf8)
      #expect(throws: JSONFailure.self) { try JSONValue.decode(Sample.self, from: text) }
      let wide: [UInt8] = [0xFF, 0xFE] + text.flatMap { [$0, 0] }
      #expect(throws: JSONFailure.self) { try JSONValue.decode(Sample.self, from: wide) }
    }
    let closed = Array(Self.nested(depth) { "{\"b\": \($0)}" }.utf8)
    #expect(((try? JSONValue.decode(Sample.self, from: closed)) != nil) == (depth < 512))
  }

  @Test func `one part of a larger array is read without the rest`() throws {
    let bytes = Array("x{\"a\": 1}{".utf8)
    #expect(try JSONValue.decode(Sample.self, from: bytes[1..<9]) == Sample(a: 1))
  }
}
