// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP

/// A frame of a live connection, with the settings that it came under.
struct LiveFrame: Sendable {
  /// The client's number of it, which rises.
  let sequence: UInt32
  /// An encoded image.
  let image: [UInt8]
  let settings: LiveSettings
  let model: ServedModel
  /// When it came, from the first message of the connection.
  let seconds: Double

  /// Bytes before the image: the sequence and a word that is 0, both little endian.
  static let headerCount = 8

  /// The sequence and the image of a message; nil where it is too short or its second word is not 0.
  static func parts(_ message: [UInt8]) -> (sequence: UInt32, image: [UInt8])? {
    guard message.count > headerCount, message[4..<headerCount].allSatisfy({ $0 == 0 }) else { return nil }
    let sequence = message[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return (sequence, Array(message[headerCount...]))
  }
}

/// Room for one frame between the reader of a connection and its worker: a newer frame replaces the one that waits.
final class FramePlace: Sendable {
  private let frames: AsyncStream<LiveFrame>
  private let input: AsyncStream<LiveFrame>.Continuation

  init() { (frames, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Puts a frame in.
  /// - Returns: The frame that it has replaced; nil where none waited.
  func put(_ frame: LiveFrame) -> LiveFrame? {
    if case .dropped(let old) = input.yield(frame) { old } else { nil }
  }

  /// Takes the newest frame, and waits for it where there is none; nil when the task is cancelled.
  func take() async -> LiveFrame? {
    var iterator = frames.makeAsyncIterator()
    return await iterator.next()
  }
}
#endif
