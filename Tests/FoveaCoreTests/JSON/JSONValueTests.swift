// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCore

@Suite struct JSONValueTests {
  struct GoodCase: CustomTestStringConvertible {
    let text: String
    let value: JSONValue
    var testDescription: String { text }

    init(_ text: String, _ value: JSONValue) {
      self.text = text
      self.value = value
    }
  }

  static func object(_ name: String, _ value: JSONValue) -> JSONValue {
    .object([JSONValue.Member(name, value)])
  }

  static let good: [GoodCase] = [
    GoodCase("null", .null), GoodCase(" true ", .boolean(true)), GoodCase("false", .boolean(false)),
    GoodCase("-1.5e1", .number("-1.5e1")), GoodCase("1e999", .number("1e999")),
    GoodCase(#""a\n\u00e9\ud83e\udd9c""#, .string("a\né🦜")),
    GoodCase("[]", .array([])), GoodCase("[1,]", .array([.number("1")])),
    GoodCase("[[],[1,],]", .array([.array([]), .array([.number("1")])])),
    GoodCase("{}", .object([])), GoodCase("{\"a\": null,}", object("a", .null)),
    GoodCase("{\"a\": {\"a\": [true]}}", object("a", object("a", .array([.boolean(true)])))),
    GoodCase("\u{FEFF}[\"\"]", .array([.string("")])),
  ]

  @Test(arguments: good) func `a text becomes a tree, also with a trailing comma`(_ row: GoodCase) throws {
    #expect(try JSONValue(Array(row.text.utf8), name: "T") == row.value)
  }

  @Test(arguments: [
    "", " ", "[", "[,]", "[1,,]", "{,}", "{\"a\":1,,}", "{\"a\" 1}", "{1:2}", "[1] x", "nul", "01", "nan",
    "\"a",
    "\"\\ud800\"", "{} {}",
  ]) func `a text that is not JSON is an error with its place`(_ text: String) {
    let error = #expect(throws: JSONFailure.self) { try JSONValue(Array(text.utf8), name: "T") }
    #expect(error?.kind == (text.isEmpty ? .empty : .notJSON))
    #expect(error?.reason.contains("line 1") == true)
  }

  @Test(arguments: [(512, true), (513, false), (100_000, false)])
  func `values nest 512 levels deep`(_ depth: Int, _ isRead: Bool) {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let read: JSONValue?
    do throws(JSONFailure) { read = try JSONValue(Array(text.utf8), name: "T") } catch { read = nil }
    #expect((read != nil) == isRead)
  }

  @Test(arguments: [
    ("1", true), ("[1,2,3]", true), ("[1,2,3,]", true), ("[1,2,3,4]", false), (#"{"a":[1,{}]}"#, true),
    (#"{"a":[1,2,{}]}"#, false), ("[[[[]]]]", true), ("[[[[[]]]]]", false),
  ])
  func `a tree has no more members and elements than its reader allows`(_ text: String, _ isRead: Bool) {
    var reader = JSONReader(bytes: Array(text.utf8), name: "T")
    (reader.takesLastComma, reader.maximumValues) = (true, 3)
    var reason = ""
    do throws(JSONFailure) { _ = try reader.wholeValue() } catch { reason = error.reason }
    #expect(isRead ? reason.isEmpty : reason.hasPrefix("there are more than 3 values at line 1"))
  }

  @Test func `a member is found by its name, the first of two`() throws {
    let json = try JSONValue(Array(#"{"a": 1, "b": null, "a": 2, "": "x"}"#.utf8), name: "T")
    #expect(json["a"] == .number("1"))
    #expect(json["b"] == .null)
    #expect(json["c"] == nil)
    #expect(json[""] == .string("x"))
    #expect(JSONValue.array([])["a"] == nil)
  }

  @Test func `a number is stored as written`() throws {
    let digits = ["0", "-0", "1.50", "1E+2", "12345678901234567890", "-0.1e-9", "1e999"]
    let text = "[" + digits.joined(separator: ", ") + "]"
    let json = try JSONValue(Array(text.utf8), name: "T")
    #expect(json == .array(digits.map(JSONValue.number)))
    #expect(JSONValue.number("1E+2").double == 100 && JSONValue.number("-1e999").double == -.infinity)
    var written = JSONText()
    json.append(to: &written)
    #expect(written.text == text)
  }

  static let appleTexts: [GoodCase] = [
    GoodCase("{a:'x'}", object("a", .string("x"))), GoodCase("{ a : 'x' , }", object("a", .string("x"))),
    GoodCase("{'a':\"x\"}", object("a", .string("x"))), GoodCase("{\"a\":'\"'}", object("a", .string("\""))),
    GoodCase(
      "[1, -2.5, 1x, nil, null, true, trueish]",
      .array([
        .string("1"), .string("-2.5"), .string("1x"), .null, .null, .boolean(true), .string("trueish"),
      ])),
    GoodCase(
      "['it's', 'it\\'s', 'a\\nb', '']",
      .array([.string("it's"), .string("it's"), .string("a\\nb"), .string("")])),
    GoodCase(
      "{a:'b', c', d:'e'}",
      .object([.init("a", .string("b', c")), .init("d", .string("e"))])),
    GoodCase("{a:{b:[{}]}}", object("a", object("b", .array([.object([])])))),
  ]

  @Test(arguments: appleTexts) func `text of Apple's client is read`(_ row: GoodCase) throws {
    #expect(try Self.apple(row.text) == row.value)
  }

  @Test(arguments: [
    "", "{", "{:1}", "{a}", "{a 1}", "{a:}", "{a:'x}", "{a:1 b:2}", "[1 2]", "{a:1} x", "'", "{,}", "{a:'",
    "[[[[[]]]]]",
  ]) func `a text that is not even Apple's is an error`(_ text: String) {
    #expect(throws: JSONFailure.self) { try Self.apple(text) }
  }

  /// At most four levels.
  private static func apple(_ text: String) throws(JSONFailure) -> JSONValue {
    var reader = JSONReader(bytes: Array(text.utf8), name: "T")
    reader.takesAppleText = true
    reader.takesLastComma = true
    reader.maximumDepth = 4
    return try reader.wholeValue()
  }
}
