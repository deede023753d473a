// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaMetadata

@Suite struct JSONParserTests {
  struct GoodCase: CustomTestStringConvertible {
    let text: String
    let value: JSONValue
    var testDescription: String { text }
  }

  static let good: [GoodCase] = [
    GoodCase(text: "{}", value: .object([:])),
    GoodCase(text: " [ ] ", value: .array([])),
    GoodCase(text: "{\"a\": 1,}", value: .object(["a": .number(1)])),
    GoodCase(text: "[1, -2.5e3,]", value: .array([.number(1), .number(-2500)])),
    GoodCase(text: "[true,false,null]", value: .array([.bool(true), .bool(false), .null])),
    GoodCase(text: #""a\"\\\/\n\t\r\b\f\u00e9\ud83e\udd9c""#, value: .string("a\"\\/\n\t\r\u{8}\u{c}é🦜")),
    GoodCase(text: "\u{FEFF}\"ü\"", value: .string("ü")),
  ]

  @Test(arguments: good) func `JSON is read, a comma at the end included`(_ row: GoodCase) throws {
    #expect(try JSONParser.parse(Array(row.text.utf8)) == row.value)
  }

  struct BadCase: CustomTestStringConvertible {
    let text: String
    let reason: String
    var testDescription: String { text }

    init(_ text: String, _ reason: String) {
      self.text = text
      self.reason = reason
    }
  }

  static let bad: [BadCase] = [
    BadCase("", "1:1 the text ends where a value is expected"),
    BadCase("hello", "1:1 expected a value"),
    BadCase("{\n  \"a\" 1}", "2:7 expected : after the key 'a'"),
    BadCase("{\"a\":1 \"b\":2}", "1:8 expected , or }"),
    BadCase("{,}", "1:2 expected a key in quotes or }"),
    BadCase("[,]", "1:2 expected a value"),
    BadCase("[1,,]", "1:4 expected a value"),
    BadCase("[1", "1:3 expected , or ]"),
    BadCase("{} x", "1:4 there is more after the end"),
    BadCase("{\"a\":1,\"a\":2}", "1:13 the key 'a' stands twice"),
    BadCase("\"a\nb\"", "2:1 a line end or control character stands in a text"),
    BadCase("\"a", "1:3 the text has no closing quote"),
    BadCase("\"\\", "1:3 the text has no closing quote"),
    BadCase("\"\\q\"", "1:4 an unknown character follows \\"),
    BadCase("\"\\u12\"", "1:4 expected four hexadecimal digits after \\u"),
    BadCase("\"\\u+123\"", "1:4 expected four hexadecimal digits after \\u"),
    BadCase("\"\\ud800x\"", "1:8 half of a surrogate pair is missing"),
    BadCase("\"\\udc00\"", "1:8 half of a surrogate pair is missing"),
    BadCase("nan", "1:1 expected a value"),
    BadCase("0x10", "1:1 expected a value"),
    BadCase("1e999", "1:1 expected a value"),
    BadCase(String(repeating: "[", count: 100_000), "1:65 the nesting is deeper than 64"),
  ]

  @Test(arguments: bad) func `what is not JSON is refused with its place`(_ row: BadCase) {
    do {
      _ = try JSONParser.parse(Array(row.text.utf8))
      Issue.record("nothing was thrown")
    } catch {
      #expect("\(error.line):\(error.column) \(error.reason)" == row.reason)
    }
  }

  @Test func `a text that is not UTF-8 is refused`() {
    #expect(throws: JSONParser.Failure.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
  }
}
