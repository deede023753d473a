// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaEvaluation

/// The numbered labels of a classifier's answers, and their mapping from the classes of photos.
struct AnswerLabels {
  /// The names, each once.
  private(set) var names: [String] = []
  private var numbers: [String: Int] = [:]
  /// Whether a file can rename the classes, as errors then advise.
  private let canRename: Bool

  private static let shownNames = 3

  /// Creates the list from names; a repeated name keeps its first position.
  init(_ names: some Sequence<String>, canRename: Bool = true) {
    self.canRename = canRename
    for name in names { add(name) }
  }

  /// The number of an answer's label.
  subscript(label: Label) -> Int? { numbers[label.name] }

  @discardableResult
  private mutating func add(_ name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }

  /// Returns the numbers of classes, by their names.
  /// - Throws: `unknownLabel` for a class that is not a label, with the nearest one.
  func numbers(
    of classes: [String], _ renaming: LabelRenaming, source: String
  ) throws(EvaluationError) -> [Int] {
    let wanted = classes.map { renaming[$0] ?? $0 }
    let missing = wanted.indices.filter { numbers[wanted[$0]] == nil }
    guard missing.isEmpty else {
      throw unknown(missing.map { wanted[$0] }, among: names, source: source)
    }
    return wanted.compactMap { numbers[$0] }
  }

  /// Returns the numbers of classes if labels are known only from answers; a class that was never answered
  /// gets the next number.
  /// - Returns: The numbers, and the classes that were never answered.
  /// - Throws: `unknownLabel` for such a class if its name is similar to a label that is not a class.
  mutating func numbersOfAnswered(
    _ classes: [String], _ renaming: LabelRenaming, source: String
  ) throws(EvaluationError) -> (numbers: [Int], unanswered: [String]) {
    let wanted = classes.map { renaming[$0] ?? $0 }
    let missing = wanted.indices.filter { numbers[wanted[$0]] == nil }
    let others = names.filter { !wanted.contains($0) }
    // A name from the renaming file is intended.
    let near = missing.filter { index in
      renaming[classes[index]] == nil
        && !NameDistance.nearest(to: wanted[index], among: others).isEmpty
    }
    guard near.isEmpty else { throw unknown(near.map { wanted[$0] }, among: others, source: source) }
    let unanswered = missing.map { wanted[$0] }
    return (wanted.map { add($0) }, unanswered)
  }

  private func unknown(_ missing: [String], among candidates: [String], source: String) -> EvaluationError {
    let shown = missing.prefix(AnswerLabels.shownNames).map { "'\($0.printable)'" }.joined(separator: ", ")
    let rest = missing.count - min(missing.count, AnswerLabels.shownNames)
    let what = shown + (rest > 0 ? " and \(rest) more" : "")
    let verb =
      missing.count == 1 ? "the label \(what) of the photos is" : "the labels \(what) of the photos are"
    let known = DecimalText.counted(names.count, "label", "labels")
    return EvaluationError(
      .unknownLabel,
      names.isEmpty
        ? "\(verb) unknown, as the classifier has no labels" : "\(verb) not among the classifier's \(known)",
      remedy: remedy(missing[0], candidates), subject: source)
  }

  private func remedy(_ name: String, _ candidates: [String]) -> Advice {
    if name == TrainingSet.otherName, canRename {
      return
        "Leave out these photos, or train with photos that show none of the classes"
        + " (\(flag: "other", "others"))"
    }
    if names.isEmpty || names.first == Label(text: nil, index: 0, confidence: 0).name {
      return "The classifier has no class names; set \(option: "labels", "FILE")"
    }
    guard canRename else {
      let near = NameDistance.nearest(to: name, among: candidates).first
      let question = near.map { "Did you mean '\($0.printable)'? " } ?? ""
      return "\(question)Rename or leave out the class, or leave the ground truth out"
    }
    guard let near = NameDistance.nearest(to: name, among: candidates).first else {
      return
        """
        Leave out the class, or add a line \(line(name, "LABEL")) to a file for \
        \(flag: "map", "LabelRenaming")
        """
    }
    return
      """
      Did you mean '\(near.printable)'? Rename the class, or add a line \(line(name, near)) \
      to a file for \(flag: "map", "LabelRenaming")
      """
  }

  /// Returns the line that renames a class, with quotes around names with commas.
  private func line(_ name: String, _ other: String) -> String {
    String(CSVFields.line([name, other]).dropLast()).printable
  }
}

extension Label {
  /// The label's text, or "class" and its index.
  var name: String { text ?? "class \(index)" }
}
