// SPDX-License-Identifier: Apache-2.0

/// Something unusual in a file that was read anyway, and how it was handled.
public struct TrackFileWarning: Sendable, Hashable {
  /// The name of the file, in quotes.
  public let file: String
  /// The first affected line, from 1; 0 for the entire file.
  public let line: Int
  /// The number of affected lines.
  public package(set) var count: Int
  /// The problem in the first of these lines, for example "width is -4.0".
  public let reason: String
  /// The handling, for example "the box is left out".
  public let action: String
  /// Whether it concerns the order of images as frames, which does not matter if they are matched by name.
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
  /// One line: file, place, problem, number of lines, and handling.
  public var description: String {
    let place = line > 0 ? "\(file) line \(line)" : file
    let more = count > 1 ? " (and \(count - 1) more \(count == 2 ? "line" : "lines"))" : ""
    return "\(place): \(reason)\(more); \(action)"
  }
}
