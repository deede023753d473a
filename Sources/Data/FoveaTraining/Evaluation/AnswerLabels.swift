// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaEvaluation

/// The labels that a classifier answers with, numbered, and which of them the classes of photos are.
struct AnswerLabels {
  /// Each name once.
  private(set) var names: [String] = []
  private var numbers: [String: Int] = [:]

  private static let shownNames = 3

  /// Takes names; of those that are there twice the first place counts.
  init(_ names: some Sequence<String>) { for name in names { add(name) } }

  /// The number of an answer's label.
  subscript(label: Label) -> Int? { numbers[label.name] }

  @discardableResult
  private mutating func add(_ name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    return names.count - 1
  }

  /// The numbers of classes, by their names.
  /// - Throws: `unknownLabel` for a class that no label is, with the nearest.
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

  /// The numbers of classes, where the labels are known from answers alone: a class that was never answered gets the next one.
  /// - Returns: The numbers, and the classes that were never answered.
  /// - Throws: `unknownLabel` for such a class whose name is near that of a label that is no class: they are probably the same.
  mutating func numbersOfAnswered(
    _ classes: [String], _ renaming: LabelRenaming, source: String
  ) throws(EvaluationError) -> (numbers: [Int], unanswered: [String]) {
    let wanted = classes.map { renaming[$0] ?? $0 }
    let missing = wanted.indices.filter { numbers[wanted[$0]] == nil }
    let others = names.filter { !wanted.contains($0) }
    // A name in the file of other names is meant as it is.
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
    return EvaluationError(
      .unknownLabel, "\(verb) none of the \(names.count) that are answered",
      remedy: remedy(missing[0], candidates), subject: source)
  }

  private func remedy(_ name: String, _ candidates: [String]) -> Advice {
    if name == TrainingSet.otherName {
      return
        "Leave these photos out, or train with photos of none of the classes (\(flag: "other", "others"))"
    }
    if names.first == Label(text: nil, index: 0, confidence: 0).name {
      return "The classifier names no classes; give \(option: "labels", "FILE")"
    }
    guard let near = NameDistance.nearest(to: name, among: candidates).first else {
      return
        "Leave it out, or write a line \(name.printable),LABEL into a file for \(flag: "map", "LabelRenaming")"
    }
    return
      "Did you mean '\(near.printable)'? Rename the class, or write a line \(name.printable),\(near.printable) into a file for \(flag: "map", "LabelRenaming")"
  }
}

extension Label {
  /// Its name, or what stands for one.
  var name: String { text ?? "class \(index)" }
}
