// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaImage
import FoveaTesting
import Testing

/// Each shared image: opened or rejected as in the table, and as by Pillow unless the table explains why not.
@Suite struct ImageVerdictTests {
  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `every image gets the verdict of the table, and Pillow's unless explained`() throws {
    try Self.check(part: 0)
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared test data (../shared/data)"))
  func `every image of the other half gets its verdict`() throws {
    try Self.check(part: 1)
  }

  /// Every second image, starting with the first or the second; all of them if the table is written.
  static func check(part: Int) throws {
    let isWriting = ProcessInfo.processInfo.environment["FOVEA_VERDICTS_OUT"] != nil
    guard part == 0 || !isWriting else { return }
    let rows = try VerdictTable.rows()
    #expect(rows.count > 600)
    var written = ""
    for (index, row) in rows.enumerated() where index % 2 == part || isWriting {
      let found = VerdictTable.verdict(SharedData.path(row.file))
      written += "\(row.file.contains(",") ? "\"\(row.file)\"" : row.file),\(found.code),\(found.size)\n"
      #expect(
        found.code == row.fovea && found.size == row.foveaSize, "\(row.file): \(found.code) \(found.size)")
      let isDecided = (row.pillow == "ok") == (found.code == "ok")
      let areRead = row.pillow == "ok" && found.code == "ok"
      let isSameSize = !areRead || row.pillowSize == found.size
      let difference = areRead ? Self.difference(found.thumbnail, row.thumbnail) : 0
      // An explanation starts with the difference; everything else must agree.
      let what = row.explanation.split(separator: ":").first.map(String.init) ?? ""
      #expect(["", "read", "refused", "size", "pixels"].contains(what), "\(row.file): \(row.explanation)")
      #expect(isDecided == !["read", "refused"].contains(what), "\(row.file): Pillow says \(row.pillow)")
      #expect(isSameSize == (what != "size"), "\(row.file): \(found.size), Pillow has \(row.pillowSize)")
      #expect((difference <= 2) == (what != "pixels"), "\(row.file): differs by \(difference) of 255")
    }
    if let path = ProcessInfo.processInfo.environment["FOVEA_VERDICTS_OUT"] {
      try Data(written.utf8).write(to: URL(fileURLWithPath: path))
    }
  }

  private static func difference(_ first: [UInt8], _ second: [UInt8]) -> Double {
    guard first.count == second.count, !first.isEmpty else { return 255 }
    return Double(zip(first, second).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(first.count)
  }
}
