// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Hummingbird
import Synchronization

/// A viewer of a source, with a buffer for one event: a newer event replaces a waiting one.
///
/// So a viewer that does not read holds two frames, the one being sent and the newest, and delays no other
/// viewer.
final class StreamViewer: Sendable {
  /// The format of frames that a viewer needs.
  enum Need: Sendable {
    /// The contents.
    case lines
    /// The contents and the image.
    case messages
    /// The image with boxes.
    case annotated
  }

  enum Event: Sendable {
    case frame(StreamFrame)
    /// A tick of the timer.
    case tick
    /// The source has ended; nothing follows.
    case end(StreamStatus)
  }

  let need: Need
  private let events = Mailbox<Event>(.bufferingNewest(1))
  private let cutting = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ need: Need) { self.need = need }

  /// Adds an event.
  /// - Returns: Whether a waiting frame was replaced.
  @discardableResult
  func put(_ event: Event) -> Bool {
    if case .dropped(.frame) = events.put(event) { true } else { false }
  }

  /// Returns the newest event, waiting for one if necessary; nil after the end, and if the task is cancelled.
  func next() async -> Event? { await events.take() }

  /// Sets the action that closes this viewer's connection; nil removes it.
  func whenCut(_ action: (@Sendable () -> Void)?) { cutting.withLock { $0 = action } }

  /// Closes the connection of a viewer that does not read and would not notice the end.
  func cut() { cutting.withLock(\.self)?() }

  /// Accepts no more events.
  func end() { events.finish() }

  /// Disconnects several viewers, and cuts off those that do not read.
  static func end(_ viewers: [StreamViewer]) {
    for viewer in viewers { viewer.end() }
    guard !viewers.isEmpty else { return }
    Task {
      // Reading viewers have ended by then; the others are cut off.
      try? await Task.sleep(for: .seconds(1))
      for viewer in viewers { viewer.cut() }
    }
  }
}

/// A frame in the formats for viewers; all of them share its bytes.
struct StreamFrame: Sendable {
  let number: Int
  /// The line of `fovea track --format jsonl`, including its newline.
  let line: ByteBuffer
  /// Length, JSON and JPEG for WebSockets; nil if there was no such viewer when the frame was processed.
  let message: ByteBuffer?
  /// A JPEG with boxes; nil if there was no such viewer when the frame was processed.
  let annotated: ByteBuffer?

  /// Returns a message: the length of the JSON in four bytes, little endian, the JSON, and the image.
  static func message(_ json: String, _ image: [UInt8]) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.reserveCapacity(4 + json.utf8.count + image.count)
    buffer.writeInteger(UInt32(json.utf8.count), endianness: .little)
    buffer.writeString(json)
    buffer.writeBytes(image)
    return buffer
  }
}
#endif
