// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct Base64Tests {
  /// **Source:** RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `base64 matches the standard`(_ text: String, _ expected: String) {
    #expect(Base64.encode(Array(text.utf8)) == expected)
    #expect(Base64.decode(expected) == Array(text.utf8))
  }

  @Test func `base64 has all 64 letters`() {
    #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
    #expect(Base64.encode([0xFF, 0xFE, 0xFB, 0xEF, 0xBE]) == "//77774=")
    #expect(Base64.encode([0x00, 0x10, 0x83, 0x10, 0x51, 0x87, 0x20, 0x92, 0x8B]) == "ABCDEFGHIJKL")
  }

  @Test(arguments: ["a", "ab", "abc", "ab!=", "====", "a===", "=abc"])
  func `text that is not base64 has no bytes`(_ text: String) { #expect(Base64.decode(text) == nil) }
}
