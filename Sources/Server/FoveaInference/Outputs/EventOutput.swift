// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import Logging
import Synchronization

/// A receiver of a journal's messages, such as a broker or a web hook.
///
/// It gets each message at least once and in order, also over restarts of the server if the journal has a
/// folder. It holds some messages at a time, and so delays neither frames nor other receivers. One task at a
/// time uses it.
final class EventOutput: Sendable {
  /// The end of a message's delivery.
  enum Outcome: Sendable {
    case sent
    /// Refused, or too old.
    case lost
    /// Not for this receiver.
    case unwanted
  }

  private struct State {
    var reader: EventReader
    /// The highest number that was read.
    var highest: Int
    /// True after the files could not be read.
    var isFailing = false
  }

  private let journal: EventJournal
  /// The place up to which messages are passed.
  let cursor: EventCursor
  private let state: Mutex<State>
  private let id: Int
  private let viewer: StreamViewer

  /// The time after which files that cannot be read are tried again.
  private static let pause = Duration.seconds(10)

  /// Starts after the last message that the receiver has; a new one starts with the next message.
  /// - Parameters:
  ///   - name: The receiver's name for its file, metrics and the log: letters, digits, `.`, `_` and `-`.
  ///   - journal: The journal.
  init(_ name: String, of journal: EventJournal) {
    self.journal = journal
    let cursor = EventCursor(name, of: journal)
    self.cursor = cursor
    let number = cursor.number
    state = Mutex(State(reader: EventReader(journal, after: number), highest: number))
    (id, viewer) = journal.receivers.join()
    journal.cursors.withLock { $0.append(cursor) }
  }

  deinit { journal.receivers.leave(id) }

  /// The receiver's name.
  var name: String { cursor.name }

  /// Waits for the messages after those that it has returned; about a hundred at most.
  /// - Returns: The messages, the oldest first; nil if the task is cancelled.
  func next() async -> [EventLine]? {
    while !Task.isCancelled {
      do throws(SystemError) {
        let messages = try await read()
        if !messages.isEmpty { return messages }
        guard await viewer.next() != nil else { return nil }
      } catch {
        report(error)
        try? await Task.sleep(for: EventOutput.pause)
      }
    }
    return nil
  }

  /// Moves past a message, and all before it: it is not delivered again.
  func pass(_ message: EventLine, as outcome: Outcome) async {
    switch outcome {
    case .sent: journal.metrics.add("fovea_output_sent_total", ["output", name])
    case .lost: countLost(1)
    case .unwanted: break
    }
    guard cursor.move(past: message) else { return }
    await BlockingWork.run { [cursor] _ in cursor.save() }
  }

  private func read() async throws(SystemError) -> [EventLine] {
    let texts: [(number: Int, text: String)]
    if let recent = state.withLock({ $0.reader.recent() }) {
      texts = recent
    } else {
      texts = try await BlockingWork.run { [self] _ throws(SystemError) in
        try state.withLock { state throws(SystemError) in
          let older = try state.reader.older()
          state.isFailing = false
          return older
        }
      }
    }
    countGaps(texts.map(\.number))
    return texts.compactMap { EventLine($0.text.utf8) }
  }

  /// Counts the messages that were removed, or never written, before they were read.
  private func countGaps(_ numbers: [Int]) {
    let count = state.withLock { state in
      numbers.reduce(into: 0) { count, number in
        guard number > state.highest else { return }
        count += number - state.highest - 1
        state.highest = number
      }
    }
    if count > 0 { countLost(count) }
  }

  private func countLost(_ count: Int) {
    journal.metrics.add("fovea_output_lost_total", ["output", name], by: Double(count))
  }

  private func report(_ error: SystemError) {
    let isNew = state.withLock { state in
      defer { state.isFailing = true }
      return !state.isFailing
    }
    guard isNew else { return }
    journal.logger.warning(
      "events are not read", metadata: ["output": "\(name)", "error": "\(error.message)"])
  }
}
#endif
