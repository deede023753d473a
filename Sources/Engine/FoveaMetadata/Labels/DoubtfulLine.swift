// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A line of a label file that is a class or not, which only the number of the model's classes decides.
package struct DoubtfulLine: Sendable, Hashable {
  /// The reason for the doubt.
  package enum Kind: Sendable, Hashable {
    /// The first label, which names the background.
    case background
    /// A line without a label.
    case blank
    /// A first line such as `label`, which is hardly a class.
    case header
    /// A first line such as `text`, which is a header or a class.
    case possibleHeader
    /// A line such as `#1 seed`.
    case comment
  }

  package var kind: Kind
  /// The class that the line is read as.
  package var classIndex: Int
  /// The number of the line, from 1; 0 for a background whose line is unknown.
  package var number: Int
  /// The label, printable and shortened.
  package var text: String
}

extension LabelMap {
  /// The lines that might not be labels, in the order of their classes; empty if the names do not come from
  /// the likeliest reading of the file.
  package var doubtfulLines: [DoubtfulLine] {
    var found: [DoubtfulLine] = []
    if let backgroundFirst {
      found.append(
        DoubtfulLine(kind: .background, classIndex: 0, number: lines.first ?? 0, text: backgroundFirst))
    } else if let tableHeader {
      found.append(tableHeader)
    }
    let plain = readings.filter { $0.form == .lines }
    // The reading without any of these lines has the fewest.
    guard let first = plain.first, readings.first == first, first.names == names,
      let least = plain.min(by: { $0.names.count < $1.names.count }), least.names.count < names.count
    else { return found }
    let certain = Set(least.lines)
    let head = names.firstIndex { !$0.isEmpty }
    for (index, number) in first.lines.enumerated() where !certain.contains(number) {
      let line = LabelLine(number: number, text: names[index])
      let kind: DoubtfulLine.Kind =
        if line.text.isEmpty {
          .blank
        } else if index == head, line.mayBeHeader {
          line.isLikelyHeader ? .header : .possibleHeader
        } else {
          .comment
        }
      // No list of names has a header that is only the name of a column with numbers.
      if kind == .possibleHeader, !LabelTable.nameColumns.contains(LabelLine.letters(line.text)) { continue }
      found.append(
        DoubtfulLine(
          kind: kind, classIndex: index, number: number, text: String(line.text.prefix(40)).printable))
    }
    return found
  }

  /// The first line of a file in which all lines have as many columns, so that it may name them; nil for
  /// other files, and for labels such as `tench, Tinca tinca`.
  private var tableHeader: DoubtfulLine? {
    guard form == .lines, names.count > 1, let first = names.first, let number = lines.first,
      !names.contains(where: { LabelLine.contains(",", " ", in: $0) })
    else { return nil }
    let isTable = [",", "\t", ";", "|"].map { Array($0.utf8)[0] }.contains { separator in
      let columns = first.utf8.count { $0 == separator }
      return columns > 0 && names.allSatisfy { name in name.utf8.count { $0 == separator } == columns }
    }
    guard isTable else { return nil }
    return DoubtfulLine(
      kind: .possibleHeader, classIndex: 0, number: number, text: String(first.prefix(40)).printable)
  }
}
