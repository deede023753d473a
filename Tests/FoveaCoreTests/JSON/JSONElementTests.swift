// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaCore

@Suite struct JSONElementTests {
  struct GoodCase: CustomTestStringConvertible {
    let text: String
    let value: JSONElement
    var testDescription: String { text }

    init(_ text: String, _ value: JSONElement) {
      self.text = text
      self.value = value
    }
  }

  static func object(_ name: String, _ value: JSONElement) -> JSONElement {
    .object([JSONElement.Member(name: name, value: value)])
  }

  static let good: [GoodCase] = [
    GoodCase("null", .null), GoodCase(" true ", .flag(true)), GoodCase("false", .flag(false)),
    GoodCase("-1.5e1", .number(-15)), GoodCase("1e999", .number(.infinity)),
    GoodCase(#""a\n\u00e9\ud83e\udd9c""#, .text("a\né🦜")),
    GoodCase("[]", .array([])), GoodCase("[1,]", .array([.number(1)])),
    GoodCase("[[],[1,],]", .array([.array([]), .array([.number(1)])])),
    GoodCase("{}", .object([])), GoodCase("{\"a\": null,}", object("a", .null)),
    GoodCase("{\"a\": {\"a\": [true]}}", object("a", object("a", .array([.flag(true)])))),
    GoodCase("\u{FEFF}[\"\"]", .array([.text("")])),
  ]

  @Test(arguments: good) func `a text becomes a tree, a comma at the end included`(_ row: GoodCase) throws {
    #expect(try JSONElement(Array(row.text.utf8), name: "T") == row.value)
  }

  @Test(arguments: [
    "", " ", "[", "[,]", "[1,,]", "{,}", "{\"a\":1,,}", "{\"a\" 1}", "{1:2}", "[1] x", "nul", "01", "nan",
    "\"a",
    "\"\\ud800\"", "{} {}",
  ]) func `what is not JSON is an error with its place`(_ text: String) {
    let error = #expect(throws: JSONFailure.self) { try JSONElement(Array(text.utf8), name: "T") }
    #expect(error?.kind == (text.isEmpty ? .empty : .notJSON))
    #expect(error?.reason.contains("line 1") == true)
  }

  @Test(arguments: [(512, true), (513, false), (100_000, false)])
  func `values nest 512 levels deep`(_ depth: Int, _ isRead: Bool) {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let read: JSONElement?
    do throws(JSONFailure) { read = try JSONElement(Array(text.utf8), name: "T") } catch { read = nil }
    #expect((read != nil) == isRead)
  }

  @Test func `a member is found by its name, the first of two`() throws {
    let json = try JSONElement(Array(#"{"a": 1, "b": null, "a": 2, "": "x"}"#.utf8), name: "T")
    #expect(json["a"] == .number(1))
    #expect(json["b"] == nil)
    #expect(json["c"] == nil)
    #expect(json[""] == .text("x"))
    #expect(JSONElement.array([])["a"] == nil)
  }
}
