// SPDX-License-Identifier: Apache-2.0

/// One way to read a label file: the names of the classes by index, and what was done to the file for it.
package struct LabelReading: Sendable, Hashable {
  /// The names by class index.
  var names: [String]
  var form: LabelForm
  /// What a reader of the file should know, as `numbered from 1`; empty for most.
  var remarks: [String] = []
  /// The line of the file that each name is from, counted from 1; 0 for a class that no line names, empty where lines do
  /// not matter.
  var lines: [Int] = []
  /// Whether numbers that begin above 0 are taken to count from 0, so that the first classes have no name.
  var lacksFirst = false

  /// What stands for a class that a file with numbers leaves out.
  static let placeholder = "???"
}

/// Labels that came with the numbers of their classes.
struct NumberedLabels {
  struct Entry {
    var number: Int
    var text: String
    var line = 0
  }

  /// Higher numbers are those of a damaged file.
  private static let limit = 100_000

  private let entries: [Entry]
  private let least: Int
  private let greatest: Int

  /// - Returns: nil where a number is there twice, or one can be none of a class.
  init?(_ entries: [Entry]) {
    let numbers = entries.map(\.number)
    guard let least = numbers.min(), let greatest = numbers.max(), least >= 0,
      greatest < NumberedLabels.limit, Set(numbers).count == numbers.count
    else { return nil }
    (self.entries, self.least, self.greatest) = (entries, least, greatest)
  }

  var count: Int { entries.count }
  /// Whether the classes have the numbers 0, 1, 2, … or 1, 2, 3, …, in any order.
  var isWhole: Bool { least <= 1 && greatest - least + 1 == entries.count }
  /// Whether numbers rise from line to line.
  var isSorted: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.number < $1.number } }
  /// Whether lines are in the order of their digits as texts, `1`, `10`, `2`, and not of their numbers.
  var isInTextOrder: Bool {
    !isSorted
      && zip(entries, entries.dropFirst()).allSatisfy { String($0.number) < String($1.number) }
  }
  var startsAtZero: Bool { least == 0 }
  /// Whether the numbers begin where classes do and most classes have one.
  var isDense: Bool { least <= 1 && entries.count >= 3 && entries.count * 2 > greatest }

  /// The ways to read them: numbers count from 0 where there is a 0, else from 1, or from 0 where the background is class 0
  /// and has no name.
  func readings(_ form: LabelForm) -> [LabelReading] {
    least == 0 ? [reading(form, from: 0)] : [reading(form, from: 1), reading(form, from: 0)]
  }

  /// The labels in the order of their numbers, for models that count only the classes that have a name.
  func closed(_ form: LabelForm) -> LabelReading {
    let sorted = entries.sorted { $0.number < $1.number }
    return LabelReading(
      names: sorted.map(\.text), form: form, remarks: ["in the order of its numbers, without gaps"],
      lines: sorted.map(\.line))
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
      names: names, form: form, remarks: remarks, lines: lines, lacksFirst: least > first && first == 0)
  }
}

/// In which form a file names classes.
public enum LabelForm: String, Sendable, Hashable, CaseIterable {
  /// One label a line, in the order of the classes.
  case lines
  /// Lines that begin with the number of their class.
  case numberedLines = "numbered-lines"
  /// Comma-separated columns, or columns between tabs or semicolons.
  case table = "csv"
  /// The label map of the Object Detection API: `item { id: 1 name: 'person' }`.
  case labelMap = "pbtxt"
  /// JSON: a list, a map, or a dictionary as Python prints it.
  case json
  /// YAML: the list or map of `names`, as in Ultralytics' `data.yaml`.
  case yaml

  /// The form in words, as `numbered lines`.
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
