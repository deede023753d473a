// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaEvaluation

extension TrackFileWarning {
  /// Returns the warning about boxes without a score, whose score is 1.
  static func unscored(_ count: Int, file: String) -> TrackFileWarning {
    TrackFileWarning(
      file: file, line: 0, reason: "\(DecimalText.counted(count, "box has", "boxes have")) no score",
      action: "the score 1 is used")
  }

  /// Returns the warning about boxes without an area.
  static func flat(_ count: Int, file: String) -> TrackFileWarning {
    TrackFileWarning(
      file: file, line: 0, reason: "\(DecimalText.counted(count, "box has", "boxes have")) no area",
      action: "left out")
  }
}

/// Collects warnings: one for each kind, with the first line and the number of lines.
struct TrackFileWarnings {
  enum Kind: Int {
    case empty, noScores, unsorted, notFinite, noSize, scoreRange, otherClasses
  }

  let file: String
  private var kinds: [Kind] = []
  private(set) var list: [TrackFileWarning] = []

  init(file: String) { self.file = file }

  mutating func add(_ kind: Kind, line: Int, _ reason: @autoclosure () -> String, _ action: String) {
    if let index = kinds.firstIndex(of: kind) {
      list[index].count += 1
    } else {
      kinds.append(kind)
      list.append(TrackFileWarning(file: file, line: line, reason: reason(), action: action))
    }
  }

  /// Adds the warning about a score that is not a probability.
  mutating func addScore(_ score: Double, line: Int) {
    add(.scoreRange, line: line, "score is \(score), outside 0 to 1", "the score is kept")
  }
}
