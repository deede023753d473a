// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
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
    #expect(try UntrustedJSON().decode(String.self, from: Array(json.text.utf8)[...]) == test.value)
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
}
