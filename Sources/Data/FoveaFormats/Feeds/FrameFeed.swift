// SPDX-License-Identifier: Apache-2.0

package import Fovea
package import FoveaImage

/// Where a run of `fovea track` takes its frames from, one after the other.
package protocol FrameFeed {
  /// Gives the next frame.
  mutating func next() async throws(FoveaError) -> FeedFrame?
  /// What is known of the source by now.
  var state: SourceState { get }
  /// Whether it is no failure that there is not a single frame.
  var mayBeEmpty: Bool { get }
}

extension FrameFeed {
  package var mayBeEmpty: Bool { false }
}

/// A frame with its objects, and its image where there is one.
package struct FeedFrame: Sendable {
  package var record: FrameRecord
  package var pixels: PixelBuffer?
  /// The identities that can still come back; nil where that is not known.
  package var known: [Int]?

  package init(record: FrameRecord, pixels: PixelBuffer? = nil, known: [Int]? = nil) {
    self.record = record
    self.pixels = pixels
    self.known = known
  }
}

/// Frames of a source, with what a detector finds in them.
package struct DetectorFeed: FrameFeed {
  private let name: String
  private var frames: TrackedFrames.Iterator

  package init(_ frames: TrackedFrames, name: String) {
    self.name = name
    self.frames = frames.makeAsyncIterator()
  }

  package var state: SourceState { frames.state }

  package mutating func next() async throws(FoveaError) -> FeedFrame? {
    guard let frame = try await frames.next(isolation: nil) else { return nil }
    return FeedFrame(
      record: FrameRecord(frame, source: name), pixels: frame.image, known: frame.knownIdentities)
  }
}
