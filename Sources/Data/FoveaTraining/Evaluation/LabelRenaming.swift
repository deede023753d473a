// SPDX-License-Identifier: Apache-2.0

import FoveaCore
package import FoveaEvaluation
import FoveaFormats

/// What a classifier calls the classes of photos that have other names: a CSV file with a line `class,label` for each.
///
/// Several classes may have one label. A first line that is `class,label` itself is a header; names of no class are passed over,
/// so that one file serves several sets.
package struct LabelRenaming: Sendable, Equatable {
  private let labels: [String: String]

  private static let maximumByteCount = 16 << 20

  /// No other names.
  package init() { labels = [:] }

  /// Reads a file.
  /// - Throws: `EvaluationError` `unreadable`, `invalidMap` with the line that is wrong.
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
      guard fields.count == 2, fields.allSatisfy({ !$0.isEmpty }) else {
        throw LabelRenaming.invalid("line \(number + 1) has not two names", path)
      }
      if let known = labels.updateValue(fields[1], forKey: fields[0]), known != fields[1] {
        throw LabelRenaming.invalid(
          "line \(number + 1) gives '\(fields[0].printable)' a second label, "
            + "'\(fields[1].printable)' after '\(known.printable)'", path)
      }
    }
    self.labels = labels
  }

  /// What the classifier calls a class; nil where the file does not have it.
  subscript(name: String) -> String? { labels[name] }

  private static func invalid(_ problem: String, _ path: String) -> EvaluationError {
    EvaluationError(
      .invalidMap, problem,
      remedy: "Write a line class,label for each class of the photos that the classifier calls otherwise",
      subject: path)
  }
}
