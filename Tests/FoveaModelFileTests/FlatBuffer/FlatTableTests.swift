// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FoveaModelFile

@Suite struct FlatTableTests {
  /// A FlatBuffer by hand: root offset 12, vtable at 4 (8 bytes: two fields), table at 12 (12 bytes), then `tail`.
  static func bytes(
    root: UInt32 = 12, vtable: [UInt16] = [8, 12, 4, 8], distance: Int32 = 8, fields: [UInt32] = [8, 7],
    tail: [UInt8] = [2, 0, 0, 0, 0x61, 0x62, 0, 0]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: root)
    for value in vtable { bytes.append(littleEndian: value) }
    bytes.append(littleEndian: distance)
    for value in fields { bytes.append(littleEndian: value) }
    return bytes + tail
  }

  static let text = FlatField(0, "text")
  static let number = FlatField(1, "number")

  @Test func `a table made by hand is read`() throws {
    let bytes = Self.bytes()
    var budget = FlatBudget()
    let table = try FlatTable.root(of: bytes.span, "it")
    let text = try table.string(Self.text, in: bytes.span, &budget)
    let number = try table.uint32(Self.number, in: bytes.span)
    let absent = try table.uint32(FlatField(2, "absent"), in: bytes.span)
    let beyond = try table.string(FlatField(9000, "beyond"), in: bytes.span, &budget)
    #expect(text == "ab")
    #expect(number == 7)
    #expect(absent == 0)
    #expect(beyond == nil)
    #expect(table.fieldCount == 2)
  }

  struct Broken: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let message: String
  }

  static let broken: [Broken] = [
    Broken(
      testDescription: "no bytes", bytes: [],
      message: "the root offset of it needs 4 bytes at byte 0, but the data ends at byte 0"),
    Broken(
      testDescription: "a root offset of zero", bytes: bytes(root: 0),
      message: "the root offset of it is 0, which points at itself"),
    Broken(
      testDescription: "a root beyond the end", bytes: bytes(root: .max),
      message: "the root offset of it points to byte 4294967295, but the data ends at byte 32"),
    Broken(
      testDescription: "a root at the end", bytes: bytes(root: 30),
      message: "the table of it needs 4 bytes at byte 30, but the data ends at byte 32"),
    Broken(
      testDescription: "a vtable before the start", bytes: bytes(distance: 100),
      message: "the vtable of it would be before the first byte"),
    Broken(
      testDescription: "a vtable far before the start", bytes: bytes(distance: .min),
      message: "the vtable of it needs 2 bytes at byte 2147483660, but the data ends at byte 32"),
    Broken(
      testDescription: "a vtable beyond the end", bytes: bytes(vtable: [0xFFFE, 12, 4, 8]),
      message: "the vtable of it needs 65534 bytes at byte 4, but the data ends at byte 32"),
    Broken(
      testDescription: "an odd vtable", bytes: bytes(vtable: [7, 12, 4, 8]),
      message: "the vtable of it is 7 bytes long; expected an even number from 4"),
    Broken(
      testDescription: "an empty vtable", bytes: bytes(vtable: [0, 12, 4, 8]),
      message: "the vtable of it is 0 bytes long; expected an even number from 4"),
    Broken(
      testDescription: "an empty table", bytes: bytes(vtable: [8, 3, 4, 8]),
      message: "the table of it is 3 bytes long; expected at least 4"),
    Broken(
      testDescription: "a table beyond the end", bytes: bytes(vtable: [8, 21, 4, 8]),
      message: "the table of it needs 21 bytes at byte 12, but the data ends at byte 32"),
    Broken(
      testDescription: "a field beyond the table", bytes: bytes(vtable: [8, 12, 9, 8]),
      message: "the field 'text' lies at byte 9 of a table of 12 bytes and needs 4"),
    Broken(
      testDescription: "a field on the table's head", bytes: bytes(vtable: [8, 12, 3, 8]),
      message: "the field 'text' lies at byte 3 of a table of 12 bytes and needs 4"),
    Broken(
      testDescription: "a text beyond the end", bytes: bytes(fields: [.max, 7]),
      message: "the field 'text' points to byte 4294967311, but the data ends at byte 32"),
    Broken(
      testDescription: "an offset of zero", bytes: bytes(fields: [0, 7]),
      message: "the field 'text' is 0, which points at itself"),
    Broken(
      testDescription: "no room for a length", bytes: bytes(tail: [2, 0, 0]),
      message: "the length of 'text' needs 4 bytes at byte 24, but the data ends at byte 27"),
    Broken(
      testDescription: "a text one byte too long", bytes: bytes(tail: [3, 0, 0, 0, 0x61, 0x62]),
      message: "the vector 'text' declares 3 elements of 1 bytes, but only 2 bytes are left"),
    Broken(
      testDescription: "a text of four gigabytes", bytes: bytes(tail: [255, 255, 255, 255, 0x61, 0x62]),
      message: "the vector 'text' declares 4294967295 elements of 1 bytes, but only 2 bytes are left"),
    Broken(
      testDescription: "a text that is not UTF-8", bytes: bytes(tail: [2, 0, 0, 0, 0xC3, 0x28]),
      message: "the text of 'text' is not UTF-8"),
  ]

  @Test(arguments: broken) func `an offset outside the file is an error`(_ row: Broken) {
    var message: String?
    do {
      var budget = FlatBudget()
      let table = try FlatTable.root(of: row.bytes.span, "it")
      _ = try table.string(Self.text, in: row.bytes.span, &budget)
    } catch {
      message = error.message
    }
    #expect(message == row.message)
  }

  @Test func `the budget has an end`() {
    var budget = FlatBudget()
    let copied = failure { () throws(MetadataError) in try budget.spend(bytes: 32 << 20 + 1) }
    let tables = failure { () throws(MetadataError) in try budget.spend(tables: 200_001) }
    #expect(
      copied?.message == "the model's strings and vectors have more than 33554432 bytes in total")
    #expect(tables?.message == "the model describes more than 200000 tables, far more than real models")
  }
}
