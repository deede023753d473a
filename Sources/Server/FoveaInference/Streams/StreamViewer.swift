// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Hummingbird
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

/// A frame in the forms that viewers get; all of them share its bytes.
struct StreamFrame: Sendable {
  let number: Int
  /// The line that `fovea track --format jsonl` prints, with its end.
  let line: ByteBuffer
  /// Length, JSON and JPEG for WebSockets; nil where none watched when the frame was taken.
  let message: ByteBuffer?
  /// A JPEG with boxes; nil where no one watched for it when the frame was taken.
  let annotated: ByteBuffer?

  /// A message: the length of the JSON in four bytes, little endian, the JSON, the image.
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
