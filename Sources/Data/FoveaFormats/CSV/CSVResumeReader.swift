// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// Rows of CSV: an image is done if it has as many rows as each row declares.
package struct CSVResumeReader: ResumeReader {
  private var scan = ResumeScan()
  private let kind: AnswerKind
  private let width: Int
  private var isFirst = true
  private var group: Group?
  package let honorsQuotes = true

  private struct Group {
    var image: String
    var count: Int
    var rows: Int
    var range: Range<Int>
    var isComplete: Bool { rows == max(1, count) }
  }

  package init(kind: AnswerKind) {
    self.kind = kind
    width = CSVWriter.columnNames(kind).count
  }

  package mutating func take(_ line: ArraySlice<UInt8>, at range: Range<Int>) {
    defer { isFirst = false }
    if isFirst {
      if CSVHeader.kind(line) == kind { return }
      scan.unreadable += 1
      return scan.drop(range)
    }
    let fields = CSVFields.split(line)
    guard fields.count == width, let count = Int(fields[CSVWriter.countColumn]), count >= 0 else {
      endGroup()
      scan.unreadable += 1
      return scan.drop(range)
    }
    let number = Int(fields[CSVWriter.countColumn + 1]) ?? 0
    if var current = group, current.image == fields[0], current.count == count, number == current.rows + 1 {
      current.rows += 1
      current.range = current.range.lowerBound..<range.upperBound
      group = current
    } else {
      endGroup()
      group = Group(
        image: fields[0], count: count, rows: number == (count == 0 ? 0 : 1) ? 1 : -1, range: range)
    }
  }

  package mutating func finish(whole: Int, length: Int) -> ResumeScan {
    endGroup()
    scan.length = length
    scan.drop(whole..<length)
    return scan
  }

  private mutating func endGroup() {
    guard let group else { return }
    if group.isComplete {
      scan.done.insert(ResumeScan.Image(csv: group.image))
    } else {
      scan.drop(group.range)
    }
    self.group = nil
  }
}
