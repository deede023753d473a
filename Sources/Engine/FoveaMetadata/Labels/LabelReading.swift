// SPDX-License-Identifier: Apache-2.0

/// A possible reading of a label file: the class names by index, and how they were read.
package struct LabelReading: Sendable, Hashable {
  /// The names by class index.
  var names: [String]
  var form: LabelForm
  /// Remarks on the reading, such as `numbered from 1`; empty for most.
  var remarks: [String] = []
  /// The line number of each name, from 1; 0 for a class without a line, empty if lines do not matter.
  var lines: [Int] = []
  /// True if the labels are in the order of their numbers, and not in that of the file.
  var isNumbered = false
  /// Whether numbers that start above 0 are assumed to count from 0, so that the first classes have no name.
  var lacksFirst = false

  /// The placeholder for a class that is missing from a numbered file.
  static let placeholder = "???"
}

/// Labels with the numbers of their classes.
struct NumberedLabels {
  struct Entry {
    var number: Int
    var text: String
    var line = 0
    /// A sign or a column separates the number from the text.
    var isMarked = false
    /// The number is written as `0xf`.
    var isHexadecimal = false
    /// A comma, a semicolon or a tab separates the number from a text that begins with a letter, or a dash.
    var isColumn = false
    /// The text may continue the number, as in `1,4-dioxane`.
    var isLocant = false
  }

  /// The numbers that classes can have; higher ones indicate a damaged file.
  static let range = 0..<100_000

  let entries: [Entry]
  let least: Int
  private let greatest: Int

  /// Creates the labels; returns nil if a number is duplicate or cannot be a class.
  init?(_ entries: [Entry]) {
    let numbers = entries.map(\.number)
    guard let least = numbers.min(), let greatest = numbers.max(),
      NumberedLabels.range.contains(least), NumberedLabels.range.contains(greatest),
      Set(numbers).count == numbers.count
    else { return nil }
    (self.entries, self.least, self.greatest) = (entries, least, greatest)
  }

  var count: Int { entries.count }
  /// Whether the classes have the numbers 0, 1, 2, … or 1, 2, 3, …, in any order.
  var isWhole: Bool { least <= 1 && greatest - least + 1 == entries.count }
  /// Whether numbers rise from line to line.
  var isSorted: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.number < $1.number } }
  /// Whether lines are sorted by their numbers as strings, `1`, `10`, `2`, and not numerically.
  var isInTextOrder: Bool {
    !isSorted
      && zip(entries, entries.dropFirst()).allSatisfy { String($0.number) < String($1.number) }
  }
  var startsAtZero: Bool { least == 0 }
  /// Whether the numbers start at 0 or 1 and most classes have one.
  var isDense: Bool { least <= 1 && entries.count >= 3 && entries.count * 2 > greatest }

  /// Returns the possible readings: numbers count from 0 if there is a 0, else from 1, or from 0 with class 0
  /// as a nameless background.
  func readings(_ form: LabelForm) -> [LabelReading] {
    least == 0 ? [reading(form, from: 0)] : [reading(form, from: 1), reading(form, from: 0)]
  }

  /// Returns the labels in the order of their numbers, for models with only the named classes.
  func closed(_ form: LabelForm) -> LabelReading {
    let sorted = entries.filter { !$0.text.isEmpty }.sorted { $0.number < $1.number }
    return LabelReading(
      names: sorted.map(\.text), form: form, remarks: ["in the order of its numbers, without gaps"],
      lines: sorted.map(\.line), isNumbered: true)
  }

  private func reading(_ form: LabelForm, from first: Int) -> LabelReading {
    var names = [String](repeating: LabelReading.placeholder, count: greatest - first + 1)
    var lines = [Int](repeating: 0, count: names.count)
    for entry in entries {
      names[entry.number - first] = entry.text.isEmpty ? LabelReading.placeholder : entry.text
      lines[entry.number - first] = entry.line
    }
    var remarks = ["numbered from \(first)"]
    let gaps = names.count - entries.count
    if gaps > 0 { remarks.append("\(gaps) \(gaps == 1 ? "class" : "classes") without a label") }
    return LabelReading(
      names: names, form: form, remarks: remarks, lines: lines, isNumbered: true,
      lacksFirst: least > first && first == 0)
  }
}

/// The form of a label file.
public enum LabelForm: String, Sendable, Hashable, CaseIterable {
  /// One label per line, in the order of the classes.
  case lines
  /// Lines that start with the class number.
  case numberedLines = "numbered-lines"
  /// Comma-separated columns, or columns between tabs or semicolons.
  case table = "csv"
  /// The label map of the Object Detection API: `item { id: 1 name: 'person' }`.
  case labelMap = "pbtxt"
  /// JSON: a list, a map, or a dictionary as Python prints it.
  case json
  /// YAML: the list or map of `names`, as in Ultralytics' `data.yaml`.
  case yaml

  /// The form in words, such as `numbered lines`.
  package var words: String {
    switch self {
    case .lines: "a label a line"
    case .numberedLines: "numbered lines"
    case .table: "columns (CSV)"
    case .labelMap: "a label map (pbtxt)"
    case .json: "JSON"
    case .yaml: "YAML"
    }
  }
}
