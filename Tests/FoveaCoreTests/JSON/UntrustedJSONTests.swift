// SPDX-License-Identifier: Apache-2.0

import FoveaJSON
import Testing

@Suite struct UntrustedJSONTests {
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

  @Test(arguments: good) func `JSON is read, a comma at the end included`(_ row: GoodCase) throws {
    #expect(try UntrustedJSON().decode(Sample.self, from: Array(row.text.utf8)[...]) == row.value)
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
      "{\"s\":\"\\ud800x\"}", "{\"s\":\"\\udc00\"}", "{\"a\":nan}", "{\"a\":0x10}", "{\"a\":1e999}",
      "{\"a\":01}",
      "{\"a\":1147e0286}", "{\"a\":1e99999999999999999999}", "{\"a\":9223372036854775808}", "{\"a\":1.5}",
      "{\"a\":" + String(repeating: "9", count: 100_000) + "}",
    ].map { BadCase($0) }
    + [
      BadCase("[]", at: ""), BadCase("3", at: ""), BadCase("{\"a\":\"x\"}", at: "a"),
      BadCase("{\"list\":[{},{\"s\":3}]}", at: "list[1].s"),
      BadCase(Array("{\"s\":\"".utf8) + [0xFF] + Array("\"}".utf8)),
      BadCase(Array("{\"s".utf8) + [0xC3] + Array("\":1, \"list\":1".utf8)),
      // UTF-16 with and without its mark, UTF-32, and zeros.
      BadCase([0xFF, 0xFE, 0x7B, 0, 0x7D, 0]), BadCase([0xFE, 0xFF, 0, 0x7B, 0, 0x7D]),
      BadCase([0x7B, 0, 0x7D, 0]),
      BadCase([0, 0, 0, 0x7B, 0, 0, 0, 0x7D]), BadCase([0, 0, 0, 0]),
      BadCase([0x7B, 0x22, 0x61, 0x22, 0, 0]),
    ]

  @Test(arguments: bad) func `what is not the JSON expected is an error`(_ row: BadCase) {
    let error = #expect(throws: UntrustedJSON.Failure.self) {
      try UntrustedJSON().decode(Sample.self, from: row.bytes[...])
    }
    #expect(error?.path == row.path)
    #expect(error?.isMismatch == row.isMismatch)
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
    ("[]", "", "an object is expected, it is an array"),
    (#"{"name": 3}"#, "name", "a text is expected, it is a number"),
    (#"{"name": null}"#, "name", "a text is expected, it is null"),
    (#"{"name": "x", "inner": []}"#, "inner", "an object is expected, it is an array"),
    (#"{"name": "x", "inner": {}}"#, "inner", "the member 'count' is missing"),
    (#"{"name": "x", "inner": {"count": "3"}}"#, "inner.count", "a whole number is expected, it is a text"),
    (
      #"{"name": "x", "inner": {"count": true}}"#, "inner.count",
      "a whole number is expected, it is a boolean"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "share": []}}"#, "inner.share",
      "a number is expected, it is an array"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "isOn": {}}}"#, "inner.isOn",
      "true or false is expected, it is an object"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "names": {}}}"#, "inner.names",
      "an array is expected, it is an object"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "names": [3]}}"#, "inner.names[0]",
      "a text is expected, it is a number"
    ),
    (
      #"{"name": "x", "inner": {"count": 1, "map": "m"}}"#, "inner.map",
      "an object is expected, it is a text"
    ),
  ]

  @Test(arguments: reasons)
  func `what is missing or of another type is said in JSON's words`(
    _ text: String, _ path: String, _ reason: String
  ) {
    let error = #expect(throws: UntrustedJSON.Failure.self) {
      try UntrustedJSON().decode(Strict.self, from: Array(text.utf8)[...])
    }
    #expect(error?.path == path)
    #expect(error?.reason == reason)
  }

  /// Around the decoder's own limit of 512, where it would trap with the bracket as the last byte, and far beyond.
  @Test(arguments: [500, 510, 511, 512, 513, 514, 515, 100_000], ["[", "{\"a\":", "{\"list\":[", "[ "])
  func `deep nesting is an error`(_ depth: Int, _ opening: String) {
    for start in ["", "{\"b\":", "{\"b\": [", "\u{FEFF}"] {
      let text = Array((start + String(repeating: opening, count: depth)).utf8)
      #expect(throws: UntrustedJSON.Failure.self) { try UntrustedJSON().decode(Sample.self, from: text[...]) }
      let wide: [UInt8] = [0xFF, 0xFE] + text.flatMap { [$0, 0] }
      #expect(throws: UntrustedJSON.Failure.self) { try UntrustedJSON().decode(Sample.self, from: wide[...]) }
    }
    let closed = Array(Self.nested(depth) { "{\"b\": \($0)}" }.utf8)
    #expect(((try? UntrustedJSON().decode(Sample.self, from: closed[...])) != nil) == (depth < 512))
  }

  @Test func `a part of a larger array is read alone`() throws {
    let bytes = Array("x{\"a\": 1}{".utf8)
    #expect(try UntrustedJSON().decode(Sample.self, from: bytes[1..<9]) == Sample(a: 1))
  }
}
