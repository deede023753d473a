// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// The numbers in lists, tables and comments.
extension UnreadNumbers {
  /// Returns the error for labels in the order of a list or table that have such numbers; nil for others.
  static func error(inOrder labels: [String], _ form: LabelForm, source: String) -> MetadataError? {
    switch form {
    case .yaml:
      error(
        labels, "is a YAML list with a number in each item", source,
        "Write the class number and a colon before each label, as in '- 0: cat', or the labels in quotes if"
          + " the numbers belong to them")
    case .table:
      error(
        labels, "has a number in each label", source, "Write the class numbers, from 0 or 1, in a column 'id'"
      )
    default:
      error(
        labels, "is a list with a number in each item", source,
        "Write a map of class numbers and labels, as in {\"0\": \"cat\"}, also if the numbers belong to them")
    }
  }

  private static func error(
    _ labels: [String], _ what: String, _ source: String, _ remedy: Advice
  ) -> MetadataError? {
    guard areMisplaced(in: labels) else { return nil }
    let examples = labels.prefix(2).map { "'\(String($0.prefix(40)).printable)'" }.joined(separator: ", ")
    return MetadataError(
      .badLabels, "\(source) \(what), like those of classes, but not in their order: \(examples)",
      remedy: remedy)
  }

  /// Returns the error for such numbers in the comments behind or above the labels of a file; nil without
  /// them, or if the labels have class numbers of their own.
  static func error(
    inComments lines: [LabelLine], of reading: LabelReading, source: String
  ) -> MetadataError? {
    let isYAML = reading.form == .yaml
    guard !reading.isNumbered,
      lines.contains(where: { $0.text.contains(part: "#") || $0.text.contains(part: "//") })
    else { return nil }
    var notes: [String] = []
    var above = ""
    for line in lines where !line.text.isEmpty {
      let (text, comment) = LabelLine.parts(line.text, isYAML: isYAML)
      // A list or a member begins, `names = [  # 3 classes`.
      if let last = text.last, !"[({:".contains(last), !(comment + above).isEmpty {
        notes.append("\(comment.isEmpty ? above : comment) \(text)")
      }
      above = text.isEmpty ? comment : ""
    }
    return !isMost(notes.count, of: reading.names.count)
      ? nil
      : error(
        notes, "has a number in the comment of each label", source,
        "Write the labels in the order of the classes, or remove the comments")
  }

  /// Returns whether each field has one of the numbers 0, 1, 2, … or 1, 2, 3, …, and these are not in order:
  /// `cls2`, `cls0`, `cls1`.
  static func areShuffled(_ fields: [String]) -> Bool {
    let rows = fields.map { NumberRow(LabelLine(number: 0, text: $0)) }
    return [rows.compactMap(\.numbers.first), rows.compactMap(\.numbers.last)].contains { numbers in
      let labels = NumberedLabels(numbers.map { .init(number: $0.value, text: "") })
      return numbers.count == fields.count && labels.map { $0.isWhole && !$0.isSorted } == true
    }
  }
}
