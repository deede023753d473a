// SPDX-License-Identifier: Apache-2.0

/// Something unusual in a file that was read anyway, and what was done about it.
public struct TrackFileWarning: Sendable, Hashable {
  /// What the file is called, in quotes.
  public let file: String
  /// The first line that it is about, from 1; 0 where it is the whole file.
  public let line: Int
  /// How many lines it is about.
  public package(set) var count: Int
  /// What was odd in the first of these lines, for example "width is -4.0".
  public let reason: String
  /// What was done, for example "the box is left out".
  public let action: String
  /// Whether it is about the order in which images become frames, which does not count if their names place them.
  package let isOfOrder: Bool

  package init(
    file: String, line: Int, count: Int = 1, reason: String, action: String, isOfOrder: Bool = false
  ) {
    self.file = file
    self.line = line
    self.count = count
    self.reason = reason
    self.action = action
    self.isOfOrder = isOfOrder
  }
}

extension TrackFileWarning: CustomStringConvertible {
  /// One line: file, place, what was odd, how often, and what was done.
  public var description: String {
    let place = line > 0 ? "\(file) line \(line)" : file
    let more = count > 1 ? " (and \(count - 1) more \(count == 2 ? "line" : "lines"))" : ""
    return "\(place): \(reason)\(more); \(action)"
  }
}
