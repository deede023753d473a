// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct HexadecimalTests {
  @Test(arguments: [("", []), ("00ff1a", [0, 255, 26])] as [(String, [UInt8])])
  func `hexadecimal digits round-trip`(text: String, bytes: [UInt8]) {
    #expect(Hexadecimal.encode(bytes) == text)
    #expect(Hexadecimal.decode(text) == bytes)
  }

  @Test(arguments: ["0", "0G", "FF", " 00", "é0"]) func `other digits are rejected`(_ text: String) {
    #expect(Hexadecimal.decode(text) == nil)
  }

  @Test(arguments: [0, 1, 16]) func `random bytes have two digits each`(_ count: Int) {
    let text = Hexadecimal.random(byteCount: count)
    #expect(text.utf8.count == 2 * count && Hexadecimal.decode(text)?.count == count)
  }
}
