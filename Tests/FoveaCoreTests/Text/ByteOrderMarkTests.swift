// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct ByteOrderMarkTests {
  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x61, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x61], "UTF-16"), ([0xFF, 0xFE], "UTF-16"),
      ([0xFF, 0xFE, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], "UTF-32"),
      ([0xFF, 0xFE, 0], "UTF-16"), ([0xEF, 0xBB, 0xBF, 0x61], nil), ([0xFF], nil), ([0, 0, 0xFE], nil),
      ([0x61, 0x62], nil), ([], nil),
    ] as [([UInt8], String?)])
  func `the first bytes name the encoding`(_ bytes: [UInt8], encoding: String?) {
    #expect(ByteOrderMark.encoding(of: bytes) == encoding)
    #expect(
      ByteOrderMark.refusal(of: bytes[...]).map { "\($0.remedy)" }
        == encoding.map { "Save the file as UTF-8 text, or convert it with iconv -f \($0) -t UTF-8" })
  }
}
