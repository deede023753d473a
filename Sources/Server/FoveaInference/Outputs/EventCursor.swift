// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Logging
import Synchronization

/// The place of a receiver in a journal: the last message that it has, in a file that a kill cannot damage.
final class EventCursor: Sendable {
  private struct Place: Sendable {
    /// The number of the last message that needs no delivery any more; 0 before the first.
    var number: Int
    /// The moment of that message in milliseconds since 1970; nil if it is unknown.
    var moment: Int64?
    /// The number of messages since the file was written.
    var unsaved = 0
  }

  private struct File {
    /// The number in the file; nil if there is none.
    var number: Int?
    /// True after the file could not be written.
    var isFailing = false
  }

  /// The most messages between two writes of the file: a killed server repeats them.
  private static let interval = 80

  /// The receiver's name in the file's name, metrics and the log.
  let name: String
  /// The file; nil if the journal is only in memory.
  private let path: String?
  private let logger: Logger
  private let place: Mutex<Place>
  private let file: Mutex<File>

  /// Reads the file.
  ///
  /// A new receiver starts with the next message, and one whose file is damaged with the oldest.
  /// - Parameters:
  ///   - name: The receiver's name: letters, digits, `.`, `_` and `-`.
  ///   - journal: The journal.
  init(_ name: String, of journal: EventJournal) {
    self.name = name
    logger = journal.logger
    path = journal.options.folder.map { FilePath.joined($0, "cursor-\(name).json") }
    var place = Place(number: journal.next - 1)
    var kept: Int?
    do throws(SystemError) {
      if let path {
        let bytes = try SmallFile.bytes(of: path, limit: 4_096)
        if let (number, moment) = EventCursor.content(bytes) {
          kept = number
          // After a power failure, the journal may have lost messages of its last second.
          place.number = min(number, place.number)
          place.moment = moment
        } else {
          place.number = journal.oldest - 1
          logger.warning(
            "the place of a receiver is damaged, so it gets all events",
            metadata: ["output": "\(name)", "file": "\(path)"])
        }
      }
    } catch {
      if error.number != ENOENT {
        place.number = journal.oldest - 1
        logger.warning(
          "the place of a receiver cannot be read, so it gets all events",
          metadata: ["output": "\(name)", "error": "\(error.message)"])
      }
    }
    self.place = Mutex(place)
    file = Mutex(File(number: kept))
    // At once: a server that is killed in its first second must not start with a later message.
    save()
  }

  private static func content(_ bytes: [UInt8]) -> (number: Int, moment: Int64?)? {
    guard let value = try? JSONValue(bytes, name: "the place"),
      let number = value["number"]?.digits.flatMap({ Int($0) }), number >= 0
    else { return nil }
    return (number, value["time"]?.text.flatMap { CivilDate.milliseconds(text: $0) })
  }

  /// The number of the last message that needs no delivery any more.
  var number: Int { place.withLock(\.number) }

  /// The moment of that message in milliseconds since 1970; nil if it is unknown.
  var moment: Int64? { place.withLock(\.moment) }

  /// Moves past a message; a message before the place changes nothing.
  /// - Returns: Whether the file should be written now.
  func move(past message: EventLine) -> Bool {
    place.withLock { place in
      guard message.number > place.number else { return false }
      (place.number, place.moment) = (message.number, message.moment)
      place.unsaved += 1
      return place.unsaved >= EventCursor.interval
    }
  }

  /// Writes the file if the place has changed; waits for the disk.
  func save() {
    guard let path else { return }
    file.withLock { file in
      let place = place.withLock { place in
        place.unsaved = 0
        return place
      }
      guard place.number != file.number else { return }
      let text = JSONText.line { json in
        json.member("number", place.number)
        json.member("time", place.moment.map { CivilDate.text(milliseconds: $0) })
      }
      do throws(SystemError) {
        try ReplacedFile.write(text.utf8, to: path, isPrivate: true)
        file = File(number: place.number)
      } catch {
        // Once until it is written: a full disk stays full for many messages.
        if !file.isFailing {
          logger.warning(
            "the place of a receiver is not kept",
            metadata: ["output": "\(name)", "error": "\(error.message)"])
        }
        file.isFailing = true
      }
    }
  }
}

extension EventJournal {
  /// Adds the metrics of the receivers; counters begin at 0, so that their first increase is one.
  func describeOutputs() {
    metrics.describe("fovea_output_sent_total", "Messages that a receiver has taken.")
    metrics.describe(
      "fovea_output_lost_total", "Messages that a receiver cannot get: refused, too old, or removed.")
    metrics.gauge("fovea_output_lag_seconds", help: "The age of the oldest message that a receiver lacks.") {
      [weak self] in
      guard let self else { return [] }
      let now = WallClock.milliseconds
      return cursors.withLock(\.self).map { .init(lag(of: $0, at: now), ["output", $0.name]) }
    }
    for cursor in cursors.withLock(\.self) {
      metrics.add("fovea_output_sent_total", ["output", cursor.name], by: 0)
      metrics.add("fovea_output_lost_total", ["output", cursor.name], by: 0)
    }
  }

  /// Returns the age in seconds of the oldest message that a receiver lacks; 0 if it has all.
  /// - Parameters:
  ///   - cursor: The receiver's place.
  ///   - now: The present moment in milliseconds since 1970.
  /// - Returns: The seconds; for a message in files, at most some more than its age.
  func lag(of cursor: EventCursor, at now: Int64) -> Double {
    let (ring, next) = (ring, cursor.number + 1)
    guard next < ring.next else { return 0 }
    // Files are not read for it: messages follow each other closely if so many wait.
    let moment = next >= ring.first ? EventLine(ring[next].utf8)?.moment : cursor.moment
    return max(0, Double(now - (moment ?? opened)) / 1_000)
  }
}
#endif
