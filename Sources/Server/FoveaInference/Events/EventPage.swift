// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Messages of a journal for one answer.
struct EventPage: Sendable {
  /// The JSON of the messages.
  var lines: [String] = []
  /// The number below which older messages may match; nil if all have been read.
  var next: Int?
  /// The number of lines that are not messages, because something else has changed them.
  var unreadable = 0
}

extension EventPage: JSONObject {
  func appendMembers(to json: inout JSONText) {
    json.member("events", lines) { json, line in json.digits(line) }
    json.member("next", next)
    if unreadable > 0 { json.member("unreadable", unreadable) }
  }
}

extension EventJournal {
  /// Returns the messages that match a query, the newest first.
  /// - Throws: The system's reason if a file cannot be read.
  func page(_ query: EventQuery) throws(SystemError) -> EventPage {
    try page(from: query.highest, to: query.lowest) { line, page in
      if query.matches(line) { page.lines.append(line.text) }
      return page.lines.count < query.limit
    }
  }

  /// Returns the messages about an object, the oldest first.
  /// - Throws: The system's reason if a file cannot be read.
  func life(_ id: String) throws(SystemError) -> EventPage {
    var life = try page(from: nil, to: 1) { line, page in
      guard line["id"] == id else { return true }
      page.lines.append(line.text)
      return !line.isStart
    }
    life.lines.reverse()
    return life
  }

  /// Reads messages, the newest first, until `body` returns false or enough bytes of files are read.
  /// - Parameters:
  ///   - highest: The highest number; nil for any.
  ///   - lowest: The lowest number.
  ///   - body: Adds a message to the page if it belongs there.
  /// - Returns: The page.
  /// - Throws: The system's reason if a file cannot be read.
  private func page(
    from highest: Int?, to lowest: Int, _ body: (_ line: EventLine, _ page: inout EventPage) -> Bool
  ) throws(SystemError) -> EventPage {
    let (ring, segments) = content
    var page = EventPage()
    // All messages with this number and higher ones are done.
    var done = min(highest ?? .max, ring.next - 1) + 1
    while done > max(ring.first, lowest) {
      done -= 1
      guard let line = EventLine(ring[done].utf8) else { continue }
      guard body(line, &page) else {
        page.next = done > lowest ? done : nil
        return page
      }
    }
    var bytesLeft = options.mostBytes
    for segment in segments.reversed() where segment.first < done && lowest < done {
      // At least one file, so that the next request goes on.
      guard segment.size <= bytesLeft || bytesLeft == options.mostBytes else {
        page.next = done
        return page
      }
      let lines = try lines(of: segment)
      bytesLeft -= segment.size
      for text in lines.reversed() {
        guard let line = EventLine(text) else {
          page.unreadable += 1
          continue
        }
        guard line.number < done else { continue }
        guard line.number >= lowest else { return page }
        done = line.number
        guard body(line, &page) else {
          page.next = done > lowest ? done : nil
          return page
        }
      }
      // Also if its lines cannot be read: the next request must not read it again.
      done = min(done, segment.first)
    }
    return page
  }

  /// Returns the lines of a segment; none if it was removed in the meantime.
  /// - Throws: The system's reason.
  func lines(of segment: EventSegment) throws(SystemError) -> [ArraySlice<UInt8>] {
    EventSegment.lines(of: try bytes(of: segment))
  }
}
#endif
