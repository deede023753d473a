// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

/// One who watches a source, with room for one event: a newer one takes the place of one that waits.
///
/// So a viewer that does not read holds two frames, the one that is being sent and the newest, and slows no one.
final class StreamViewer: Sendable {
  /// What a viewer wants of a frame.
  enum Need: Sendable {
    /// What is in it.
    case lines
    /// The same with the image.
    case messages
    /// The image with boxes.
    case annotated
  }

  enum Event: Sendable {
    case frame(StreamFrame)
    /// Time has passed.
    case tick
    /// The source has ended; nothing follows.
    case end(StreamStatus)
  }

  let need: Need
  private let events = Mailbox<Event>(.bufferingNewest(1))
  private let cutting = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ need: Need) { self.need = need }

  /// Puts an event in.
  /// - Returns: Whether a frame gave its place to it.
  @discardableResult
  func put(_ event: Event) -> Bool {
    if case .dropped(.frame) = events.put(event) { true } else { false }
  }

  /// Takes the newest event, and waits for it; nil after the end, and when the task is cancelled.
  func next() async -> Event? { await events.take() }

  /// Sets what ends the connection of this viewer, until nil takes it back.
  func whenCut(_ action: (@Sendable () -> Void)?) { cutting.withLock { $0 = action } }

  /// Ends the connection of a viewer that takes nothing, and would not see the end.
  func cut() { cutting.withLock(\.self)?() }

  /// Lets nothing in any more.
  func end() { events.finish() }
}
#endif
