// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation
import FoveaFormats

/// The classifier's names for classes with other names in a set: a CSV file of lines `class,label`.
///
/// Several classes may share a label. A first line that is `class,label` itself is a header; lines for
/// unknown classes are ignored, so one file works for several sets.
package struct LabelRenaming: Sendable, Equatable {
  private let labels: [String: String]

  private static let maximumByteCount = 16 << 20

  /// Creates a renaming without entries.
  package init() { labels = [:] }

  /// Reads a file.
  /// - Throws: `EvaluationError` `unreadable`, `invalidMap` with the number of the invalid line.
  package init(path: String) throws(EvaluationError) {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try SmallFile.bytes(of: path, limit: LabelRenaming.maximumByteCount)
    } catch {
      throw EvaluationError(
        .unreadable, "it cannot be read: \(error.message)", remedy: "Check the path and its permissions",
        subject: path)
    }
    try self.init(csv: bytes, path: path)
  }

  init(csv bytes: [UInt8], path: String) throws(EvaluationError) {
    var labels: [String: String] = [:]
    for (number, line) in CSVLines(bytes).enumerated() {
      let fields = CSVFields.split(line).map(\.trimmed)
      if fields.allSatisfy(\.isEmpty) || (number == 0 && fields == ["class", "label"]) { continue }
      guard !CSVFields.hasSemicolons(line) else {
        throw LabelRenaming.invalid(CSVFields.semicolonProblem, path)
      }
      guard fields.count == 2, fields.allSatisfy({ !$0.isEmpty }) else {
        throw LabelRenaming.invalid("line \(number + 1) does not have two names", path)
      }
      if let known = labels.updateValue(fields[1], forKey: fields[0]), known != fields[1] {
        throw LabelRenaming.invalid(
          "line \(number + 1) assigns a second label to '\(fields[0].printable)', "
            + "'\(fields[1].printable)' after '\(known.printable)'", path)
      }
    }
    self.labels = labels
  }

  /// The classifier's label for a class; nil if the file does not list the class.
  subscript(name: String) -> String? { labels[name] }

  private static func invalid(_ problem: String, _ path: String) -> EvaluationError {
    EvaluationError(
      .invalidMap, problem,
      remedy: "Write a line class,label for each class that has another name in the classifier",
      subject: path)
  }
}
