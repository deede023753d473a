// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Testing

@Suite struct XXHash64Tests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let zero: UInt64
    let fortyTwo: UInt64
  }

  /// Values of the Python package xxhash 4.1.0.
  static let rows = [
    Row(testDescription: "nothing", bytes: [], zero: 0xEF46_DB37_51D8_E999, fortyTwo: 0x98B1_582B_0977_E704),
    Row(
      testDescription: "one byte", bytes: Array("a".utf8), zero: 0xD24E_C4F1_A98C_6E5B,
      fortyTwo: 0x88E4_FE59_ADF7_B0CC),
    Row(
      testDescription: "three bytes", bytes: Array("abc".utf8), zero: 0x44BC_2CF5_AD77_0999,
      fortyTwo: 0x13C1_D910_7027_70E6),
    Row(
      testDescription: "a word and two bytes", bytes: Array("street.jpg".utf8), zero: 0xBCDF_F34F_D288_7256,
      fortyTwo: 0x3247_9BA7_E8F9_E41E),
    Row(
      testDescription: "31 bytes", bytes: Array("0123456789abcdef0123456789abcde".utf8),
      zero: 0x1FDF_C63F_EBAC_FDE7, fortyTwo: 0x5624_9CA4_D987_76D0),
    Row(
      testDescription: "32 bytes, which go into lanes", bytes: Array("0123456789abcdef0123456789abcdef".utf8),
      zero: 0x642A_9495_8E71_E6C5, fortyTwo: 0x666B_1F69_D245_5DA5),
    Row(
      testDescription: "every byte", bytes: Array(0...255), zero: 0x1FAC_BE84_06CD_904B,
      fortyTwo: 0xE212_741F_A701_583D),
  ]

  @Test(arguments: rows) func `hashes match the reference, with and without a seed`(_ row: Row) {
    #expect(XXHash64.hash(of: row.bytes) == row.zero)
    #expect(XXHash64.hash(of: row.bytes, seed: 42) == row.fortyTwo)
  }
}
