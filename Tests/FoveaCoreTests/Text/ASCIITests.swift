// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct ASCIITests {
  @Test func `only ASCII digits and letters count`() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(bytes.filter(\.isASCIIDigit) == Array("0123456789".utf8))
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    #expect(bytes.filter(\.isASCIILetterOrDigit) == Array(("0123456789" + letters).utf8))
  }

  @Test(arguments: [
    ("", true), ("a", true), ("Z9-._", true), ("a b", false), ("a/b", false), ("ä", false),
    ("a\u{301}", false),
    ("a\0", false), ("ａ", false),
  ])
  func `a word has letters, digits and marks`(_ text: String, _ isWord: Bool) {
    #expect(text.isASCIIWord(with: "-._") == isWord)
  }

  @Test(arguments: [
    (String(repeating: "a", count: 64), true), (String(repeating: "0", count: 64), true),
    (String(repeating: "f", count: 63), false), (String(repeating: "f", count: 65), false),
    (String(repeating: "A", count: 64), false), (String(repeating: "g", count: 64), false), ("", false),
    (String(repeating: "ä", count: 32), false),
  ])
  func `a checksum has 64 digits in lower case`(_ text: String, _ isChecksum: Bool) {
    #expect(text.isSHA256 == isChecksum)
    #expect(text.isLowerHexadecimal(64) == isChecksum)
  }
}
