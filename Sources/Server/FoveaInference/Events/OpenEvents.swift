// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The events of a journal that have no `end` yet, with their last messages.
struct OpenEvents: Sendable {
  private struct Last: Sendable {
    /// The message, without the end of the line.
    let line: [UInt8]
    /// The number of messages before it that are in no file.
    let missing: Int
  }

  private var last: [ArraySlice<UInt8>: Last] = [:]
  /// The number of the next message.
  private(set) var next: Int
  /// The number of messages that are in no file, because the disk was full.
  private var missing = 0

  /// Creates a journal's events before a message.
  init(next: Int) { self.next = next }

  /// Adds the next line of the journal; one that is not a message changes nothing.
  mutating func add(_ line: ArraySlice<UInt8>) {
    guard let head = EventLine.Head(line) else { return }
    skip(to: head.number)
    next = head.number + 1
    // Copied, because a slice keeps all of a file in memory.
    last[Array(head.id)[...]] = head.isEnd ? nil : Last(line: Array(line), missing: missing)
  }

  /// Continues with a later number: the messages before it are in no file.
  mutating func skip(to number: Int) {
    missing += max(0, number - next)
    next = number
  }

  /// The last message of each event in their order, and how many messages after it may be in no file.
  var ends: [(last: EventLine, missing: Int)] {
    last.values.compactMap { event in EventLine(event.line).map { ($0, missing - event.missing) } }
      .sorted { $0.last.number < $1.last.number }
  }
}

extension OpenEvents {
  private static let file = "open.json"

  /// Reads the events that a journal wrote when a file began.
  /// - Returns: The events, the moment in seconds since 1970, and the numbers of all messages before; nil if
  ///   they were not written, or if the file is damaged.
  static func written(
    in folder: EventFolder
  ) -> (events: OpenEvents, moment: Double, totals: EventTotals)? {
    let path = FilePath.joined(folder.path, OpenEvents.file)
    guard let bytes = try? SmallFile.bytes(of: path, limit: EventRecovery.longestSegment),
      let value = try? JSONValue(bytes, name: OpenEvents.file), case .array(let events) = value["events"],
      let next = value["number"]?.digits.flatMap({ Int($0) }), (1..<Int.max / 2).contains(next),
      let time = value["time"]?.text.flatMap({ CivilDate.milliseconds(text: $0) }),
      let totals = EventTotals(value["counts"])
    else { return nil }
    var open = OpenEvents(next: next)
    for case .object(let members) in events {
      let line = Array(JSONText.text { JSONValue.write(members, to: &$0) }.utf8)
      guard let head = EventLine.Head(line[...]) else { continue }
      open.last[Array(head.id)[...]] = Last(line: line, missing: 0)
    }
    return (open, Double(time) / 1_000, totals)
  }

  /// Writes the events into a journal's folder, when its next file begins.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - moment: The present moment in seconds since 1970.
  ///   - totals: The numbers of all messages before the next one.
  /// - Throws: The system's reason.
  func write(
    in folder: EventFolder, at moment: Double, totals: EventTotals
  ) throws(SystemError) {
    let text = JSONText.line { json in
      json.member("number", next)
      json.member("time", CivilDate.text(milliseconds: Int64(moment * 1_000)))
      json.member("events", ends.map(\.last.text)) { json, line in json.digits(line) }
      totals.append(to: &json)
    }
    try ReplacedFile.write(text.utf8, to: FilePath.joined(folder.path, OpenEvents.file), isPrivate: true)
  }
}
#endif
