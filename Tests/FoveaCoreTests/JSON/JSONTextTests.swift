// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaCore

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
  func `a string is escaped and round-trips`(_ test: TextCase) throws {
    var json = JSONText()
    json.string(test.value)
    #expect(json.text == test.expected)
    #expect(try JSONValue(Array(json.text.utf8), name: "T") == .string(test.value))
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

  /// Bytes that begin, end or are characters which are escaped, and some that are not.
  private static let scalars = Array(
    ("\0\u{1}\t\n\r\u{1F} !\"#[\\]~\u{7F}\u{80}\u{9F}\u{A0}\u{BF}\u{C0}ßé\u{7FF}\u{800}\u{1FFF}\u{2000}\u{2027}\u{2028}"
      + "\u{2029}\u{202A}\u{2FFF}\u{3000}\u{D7FF}\u{E000}\u{FFFD}\u{FFFF}🐈\u{10FFFF}").unicodeScalars)

  @Test func `ten thousand random strings are escaped character by character`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<10_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        // Mostly plain, so that plain strings of all lengths come up as well.
        let plain = Unicode.Scalar(UInt8.random(in: 0x61...0x7A, using: &random))
        text.append(
          Int.random(in: 0..<16, using: &random) == 0
            ? Self.scalars.randomElement(using: &random) ?? plain : plain)
      }
      let value = String(text)
      var json = JSONText()
      json.string(value)
      #expect(json.text == Self.quoted(value))
    }
  }

  /// The rules, one character after the other.
  private static func quoted(_ value: String) -> String {
    var text = "\""
    for scalar in value.unicodeScalars {
      switch scalar.value {
      case 0x22: text += #"\""#
      case 0x5C: text += #"\\"#
      case 0x0A: text += #"\n"#
      case 0x0D: text += #"\r"#
      case 0x09: text += #"\t"#
      case ..<0x20, 0x7F...0x9F, 0x2028...0x2029:
        let digits = "000" + String(scalar.value, radix: 16)
        text += #"\u"# + digits.suffix(4)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  @Test(arguments: [0, 1, -1, 9, 10, 1_000_000, .max, .min]) func `integers are written`(_ value: Int) {
    var json = JSONText()
    json.integer(value)
    #expect(json.text == "\(value)")
  }
}
