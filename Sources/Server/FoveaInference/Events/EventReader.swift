// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// Reads the messages of a journal in order, some at a time: older ones from files, then those in memory.
struct EventReader: Sendable {
  private let journal: EventJournal
  /// The number of the last message that was read.
  private var last: Int
  /// The segment being read.
  private var segment = 0
  /// The offset of its next line.
  private var offset = 0

  /// The most messages in memory that are read at a time.
  private static let batch = 100
  /// The bytes of a file that are read at a time; no line is as long.
  private static let chunk = 1 << 16

  /// Reads the messages with higher numbers than `last`.
  init(_ journal: EventJournal, after last: Int) {
    self.journal = journal
    self.last = last
  }

  /// Returns the next messages in memory, the oldest first; nil if files have the next one.
  mutating func recent() -> [(number: Int, text: String)]? {
    let ring = journal.ring
    guard last + 1 >= ring.first else { return nil }
    let start = min(last + 1, ring.next)
    let end = min(ring.next, start + EventReader.batch)
    last = max(last, end - 1)
    return (start..<end).map { ($0, ring[$0]) }
  }

  /// Returns the next messages of files, the oldest first; those in memory if files have no older ones.
  ///
  /// Waits for the disk.
  /// - Throws: The system's reason if a file cannot be read.
  mutating func older() throws(SystemError) -> [(number: Int, text: String)] {
    let (ring, segments) = journal.content
    files: for (index, file) in segments.enumerated() where file.first >= segment {
      // All of its messages have been read, or have lower numbers.
      if index + 1 < segments.count, segments[index + 1].first <= last + 1 { continue }
      if file.first != segment { (segment, offset) = (file.first, 0) }
      while offset < file.size {
        let (messages, reachesMemory) = try next(of: file, below: ring.first)
        if let message = messages.last {
          last = message.number
          return messages
        }
        if reachesMemory { break files }
      }
    }
    last = max(last, ring.first - 1)
    return recent() ?? []
  }

  /// Returns the messages in the next bytes of a segment, up to the first one that is in memory.
  private mutating func next(
    of file: EventSegment, below limit: Int
  ) throws(SystemError) -> (messages: [(number: Int, text: String)], reachesMemory: Bool) {
    let bytes = try journal.bytes(of: file, from: offset, count: EventReader.chunk)
    var messages: [(number: Int, text: String)] = []
    var begin = 0
    while let end = bytes[begin...].firstIndex(of: UInt8(ascii: "\n")) {
      if let line = EventLine(bytes[begin..<end]), line.number > last {
        // It is read from memory, which also has those that could not be written.
        guard line.number < limit else { return (messages, true) }
        messages.append((line.number, line.text))
      }
      offset += end + 1 - begin
      begin = end + 1
    }
    // Something else has changed or removed the file.
    if begin == 0 { offset = bytes.isEmpty ? file.size : offset + bytes.count }
    return (messages, false)
  }
}
#endif
