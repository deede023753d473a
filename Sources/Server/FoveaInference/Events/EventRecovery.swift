// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The content of a journal's folder at the start: its files, and the events that have no `end`.
struct EventRecovery {
  /// The segments, the oldest first.
  private(set) var segments: [EventSegment] = []
  /// The last segment, open at its end; nil if there is none.
  private(set) var descriptor: Int32?
  /// The events without an `end`, and the number of the next message.
  private(set) var open = OpenEvents(next: 1)
  /// The moment before which no line of the last segment was written, in seconds since 1970; 0 if it is
  /// unknown.
  private(set) var began = 0.0
  /// The numbers of all messages so far.
  private(set) var totals = EventTotals()
  /// True if the numbers are those of the segments only: the file with those before is missing or damaged.
  private(set) var isRecounted = false

  /// The largest file that is read; a segment is smaller unless another program has changed it.
  static let longestSegment = 1 << 24

  /// Reads the segments since the open events were written, all if they were not, and cuts off a last line
  /// that was written only in part; there are none without a folder.
  /// - Throws: `events-unusable`.
  init(_ folder: EventFolder?) throws(FoveaError) {
    guard let folder else { return }
    segments = try folder.segments()
    open = OpenEvents(next: segments.first?.first ?? 1)
    if let written = OpenEvents.written(in: folder), let last = segments.last,
      written.events.next <= last.first
    {
      (open, began, totals) = written
    } else {
      isRecounted = !segments.isEmpty
    }
    let first = open.next
    var isCut = false
    do throws(SystemError) {
      for (index, segment) in segments.enumerated() where segment.first >= first {
        var bytes = try SmallFile.bytes(
          of: folder.path(of: segment.first), limit: EventRecovery.longestSegment)
        var number = 0
        let isLast = index == segments.count - 1
        if isLast {
          (segments[index].size, number) = EventRecovery.wholeLines(of: bytes)
          isCut = segments[index].size < bytes.count
          bytes.removeSubrange(segments[index].size...)
        }
        for line in EventSegment.lines(of: bytes) {
          open.add(line)
          totals.add(line)
        }
        if isLast { open.skip(to: max(segment.first, number + 1)) }
      }
      if let segment = segments.last {
        let file = try EventRecovery.open(folder.path(of: segment.first), 0)
        // Not otherwise: it would set the time of the last line.
        guard !isCut || ftruncate(file, off_t(segment.size)) == 0, lseek(file, 0, SEEK_END) >= 0 else {
          let error = SystemError(errno)
          Descriptor.close(file)
          throw error
        }
        descriptor = file
      }
    } catch {
      throw EventFolder.failure(folder.path, error)
    }
  }

  /// Opens a segment to write it.
  /// - Throws: The system's reason.
  static func open(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
    let descriptor = systemOpen(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags)
    guard descriptor >= 0 else { throw SystemError(errno) }
    return descriptor
  }

  /// Returns the end of the last line that is a message, and the message's number, 0 if there is none.
  private static func wholeLines(of bytes: [UInt8]) -> (end: Int, number: Int) {
    let newline = UInt8(ascii: "\n")
    var end = bytes.lastIndex(of: newline).map { $0 + 1 } ?? 0
    while end > 0 {
      let begin = bytes[..<(end - 1)].lastIndex(of: newline).map { $0 + 1 } ?? 0
      // After a power failure, whole lines may be missing or zero.
      if let line = EventLine(bytes[begin..<(end - 1)]) { return (end, line.number) }
      end = begin
    }
    return (0, 0)
  }
}

// Outside the structure, whose own `open` would hide the system's.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags, 0o600) }
#endif
