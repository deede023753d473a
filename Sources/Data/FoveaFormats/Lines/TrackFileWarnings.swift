// SPDX-License-Identifier: Apache-2.0

import FoveaEvaluation

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
}
