// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCLI

@Suite struct JSONTests {
  struct TextCase: CustomTestStringConvertible {
    var value: String
    var expected: String
    var testDescription: String { expected }
  }

  @Test(arguments: [
    TextCase(value: "", expected: #""""#),
    TextCase(value: "a\"b\\c/", expected: #""a\"b\\c/""#),
    TextCase(value: "\n\r\t\u{0}\u{1F}", expected: #""\n\r\t\u0000\u001f""#),
    TextCase(value: "\u{7F}\u{9B}\u{2028}", expected: #""\u007f\u009b\u2028""#),
    TextCase(value: "Straße 🐈", expected: "\"Straße 🐈\""),
    TextCase(
      value: String(decoding: [0x61, 0xFF, 0x62] as [UInt8], as: UTF8.self), expected: "\"a\u{FFFD}b\""),
  ])
  func `a string is escaped and comes back`(_ test: TextCase) throws {
    var json = JSONText()
    json.string(test.value)
    #expect(json.text == test.expected)
    var reader = JSONReader(json.text.utf8)
    #expect(try reader.string() == test.value)
    try reader.end()
  }

  @Test func `members and elements are separated`() {
    var json = JSONText()
    json.object { json in
      json.member("a", 1)
      json.key("b")
      json.array { json in
        json.null()
        json.object { _ in }
        json.array { _ in }
        json.boolean(true)
      }
      json.member("c", nil as String?)
      json.member("d", 0.5, places: 2)
      json.key("e")
      json.literal(.nan)
    }
    #expect(json.text == #"{"a": 1, "b": [null, {}, [], true], "c": null, "d": 0.5, "e": null}"#)
  }

  @Test(arguments: [
    (#""\ud83d\ude00""#, "😀"), (#""\u0041\/\b\f""#, "A/\u{8}\u{C}"), (#""\ud83d""#, "\u{FFFD}"),
    (#""\ud83dA""#, "\u{FFFD}A"), (#""\ud83d\u0041""#, "\u{FFFD}"), (#""\ude00""#, "\u{FFFD}"),
  ])
  func `escapes are read`(_ text: String, _ expected: String) throws {
    var reader = JSONReader(text.utf8)
    #expect(try reader.string() == expected)
  }

  @Test(arguments: [
    "", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "[1,]", "[1 2]", "tru", "nul", "\"abc", "\"\\",
    "\"\\x\"",
    "\"\\u12\"", "\"\u{1}\"", "-", "1e", "+1", ".5", "nan", "0x10", "{1:2}", "[\"a\" \"b\"]", "1 1",
    String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
  ])
  func `what is no JSON is refused`(_ text: String) {
    #expect(throws: JSONReader.Failure.self) {
      var reader = JSONReader(text.utf8)
      try reader.skipValue()
      try reader.end()
    }
  }

  @Test(arguments: [
    "0", "-1.5e+10", "true", "false", "null", " [ ] ", "{\"a\": [1, {\"b\": \"c\"}], \"d\": -0.0}",
    String(repeating: "[", count: 64) + String(repeating: "]", count: 64),
  ])
  func `what is JSON is passed over`(_ text: String) throws {
    var reader = JSONReader(text.utf8)
    try reader.skipValue()
    try reader.end()
  }

  @Test func `a failure says where`() {
    var reader = JSONReader("[1, x]".utf8)
    #expect(throws: JSONReader.Failure(offset: 4, reason: "expected a value")) { try reader.skipValue() }
  }

  @Test(arguments: [("1.5", false), ("1e3", true), ("9223372036854775808", false), ("-5", true)])
  func `whole numbers only`(_ text: String, _ isWhole: Bool) {
    var reader = JSONReader(text.utf8)
    #expect(((try? reader.integer()) != nil) == isWhole)
  }
}
