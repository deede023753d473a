// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata

/// The lines of a label file that might not be labels, for a detector whose outputs do not show its number of
/// classes.
///
/// Each line is the class of its place. If it is not a label, it shifts the names after it by one. A first
/// line that names the background or is blank is class 0 of models that count from 1.
struct UnsettledLabels: Sendable, Hashable {
  /// At least one line.
  let lines: [DoubtfulLine]
  /// The label file.
  let source: String
  let modelName: String

  /// The assumptions made until an object is of such a class: sentences without the full stop.
  var assumptions: [Advice] {
    let what = "'\(modelName)' does not show how many classes it has;"
    var assumptions: [Advice] = []
    for line in lines {
      switch line.kind {
      case .background:
        assumptions.append(
          "\(what) '\(line.text)', the first label of '\(source)', is used as class 0."
            + " Remove that label if the classes begin with the next")
      case .blank where line.classIndex == 0:
        assumptions.append(
          "\(what) the blank line at the start of '\(source)' is used as class 0."
            + " Remove it if the classes begin with the next line")
      case .possibleHeader, .comment:
        let kind = line.kind == .comment ? "comment" : "header"
        assumptions.append(
          "\(what) line \(line.number) of '\(source)', '\(line.text)', is used as class \(line.classIndex)."
            + " Remove it if it is a \(kind)")
      // Blank lines have one note, and a header is an error.
      case .blank, .header: break
      }
    }
    return assumptions + blankLines(what)
  }

  private func blankLines(_ what: String) -> [Advice] {
    let blanks = lines.filter { $0.kind == .blank && $0.classIndex > 0 }
    guard let first = blanks.first else { return [] }
    guard blanks.count > 1 else {
      return [
        "\(what) line \(first.number) of '\(source)', which is blank, is used as class \(first.classIndex)."
          + " Remove it if it is not a class"
      ]
    }
    return [
      "\(what) \(blanks.count) blank lines of '\(source)' are used as classes, the first of them, line"
        + " \(first.number), as class \(first.classIndex). Remove them if they are not classes"
    ]
  }

  /// The error of a first line that is hardly a class; nil if there is none.
  var headerError: FoveaError? {
    guard let line = lines.first(where: { $0.kind == .header }) else { return nil }
    return FoveaError(
      FoveaCode(DetectionCode.labelsDoNotFit),
      "'\(modelName)' does not show how many classes it has, and line \(line.number) of '\(source)',"
        + " '\(line.text)', may be a header or class \(line.classIndex)",
      remedy:
        "Remove that line if it is a header. If it is a class, number the lines from 0, beginning with"
        + " '0 \(line.text)'")
  }

  /// Returns the error of an object whose class is a background or a blank line; nil for other classes.
  func error(ofClass index: Int?) -> FoveaError? {
    guard let index, let line = lines.first(where: { $0.classIndex == index }) else { return nil }
    let code = FoveaCode(DetectionCode.labelsDoNotFit)
    switch line.kind {
    case .background:
      return FoveaError(
        code, "'\(modelName)' returned class 0, which is the background '\(line.text)' in '\(source)'",
        remedy: "Remove that label if the classes begin with the next, or set the name of class 0")
    case .blank where index == 0:
      return FoveaError(
        code, "'\(modelName)' returned class 0, which is a blank line in '\(source)'",
        remedy: "Remove that line if the classes begin with the next, or set the name of class 0")
    case .blank:
      return FoveaError(
        code,
        "'\(modelName)' returned class \(index), which is a blank line, line \(line.number), in '\(source)'",
        remedy: "Remove the blank lines if they are not classes, or set the name of class \(index)")
    case .header, .possibleHeader, .comment: return nil
    }
  }
}

extension LabelMap {
  /// Throws `labels-do-not-fit` for a class of a detector that has no label.
  func check(class index: Int, of modelName: String) throws(FoveaError) {
    guard !names.indices.contains(index) else { return }
    throw FoveaError(
      FoveaCode(DetectionCode.labelsDoNotFit),
      "'\(modelName)' returned class \(index), but \(source) has \(count)"
        + " \(count == 1 ? "label" : "labels")",
      remedy: "Give the label file that belongs to the model, one line for each class")
  }
}
