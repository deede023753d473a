// SPDX-License-Identifier: Apache-2.0

public import FoveaCore
import Synchronization

/// Frames that are in memory already, as a source.
public struct FrameArray: FrameSource {
  /// What messages call it.
  public let name: String
  /// The frames, in the order of their numbers.
  public let frames: [VideoFrame]

  /// Makes a source.
  /// - Parameters:
  ///   - frames: The frames, in the order of their numbers.
  ///   - name: What messages call it.
  public init(_ frames: [VideoFrame], name: String = "frames") {
    self.frames = frames
    self.name = name
  }

  /// Begins with the first frame.
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
