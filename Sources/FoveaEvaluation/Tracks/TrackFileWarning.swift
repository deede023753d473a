// SPDX-License-Identifier: Apache-2.0

/// What was odd in a file that was read all the same, and what was done about it.
public struct TrackFileWarning: Sendable, Hashable {
  /// What the file is called, in quotes.
  public let file: String
  /// The first line that it is about, from 1; 0 where it is the whole file.
  public let line: Int
  /// How many lines it is about.
  public internal(set) var count: Int
  /// What was odd in the first of these lines, for example "width is -4.0".
  public let reason: String
  /// What was done, for example "the box is left out".
  public let action: String
}

extension TrackFileWarning: CustomStringConvertible {
  /// One line: file, place, what was odd, how often, and what was done.
  public var description: String {
    let place = line > 0 ? "\(file) line \(line)" : file
    let more = count > 1 ? " (and \(count - 1) more \(count == 2 ? "line" : "lines"))" : ""
    return "\(place): \(reason)\(more); \(action)"
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
      list.append(TrackFileWarning(file: file, line: line, count: 1, reason: reason(), action: action))
    }
  }
}
