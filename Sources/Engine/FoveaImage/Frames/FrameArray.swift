// SPDX-License-Identifier: Apache-2.0

public import FoveaCore
import Synchronization

/// A source of frames that are already in memory.
public struct FrameArray: FrameSource {
  /// The source's name in messages.
  public let name: String
  /// The frames, in the order of their numbers.
  package let frames: [VideoFrame]

  /// Creates a source.
  /// - Parameters:
  ///   - frames: The frames, in the order of their numbers.
  ///   - name: The source's name in messages.
  public init(_ frames: [VideoFrame], name: String = "frames") {
    self.frames = frames
    self.name = name
  }

  /// Returns a reader that starts at the first frame.
  public func open() throws(FoveaError) -> any FrameReader { Reader(frames: frames) }

  private final class Reader: FrameReader {
    private let frames: [VideoFrame]
    private let position = Mutex(0)

    init(frames: [VideoFrame]) { self.frames = frames }

    func next() throws(FoveaError) -> VideoFrame? {
      position.withLock { position in
        guard position < frames.count else { return nil }
        defer { position += 1 }
        return frames[position]
      }
    }

    func cancel() { position.withLock { $0 = frames.count } }
  }
}
