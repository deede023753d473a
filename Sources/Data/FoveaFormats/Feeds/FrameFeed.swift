// SPDX-License-Identifier: Apache-2.0

package import Fovea
package import FoveaImage

/// The source of frames for a run of `fovea track`.
package protocol FrameFeed {
  /// Returns the next frame; nil at the end.
  mutating func next() async throws(FoveaError) -> FeedFrame?
  /// The facts about the source known so far.
  var state: SourceState { get }
  /// Whether an empty source is allowed rather than an error.
  var mayBeEmpty: Bool { get }
}

extension FrameFeed {
  package var mayBeEmpty: Bool { false }
}

/// A frame with its objects, and its image if there is one.
package struct FeedFrame: Sendable {
  package var record: FrameRecord
  package var pixels: PixelBuffer?
  /// The identities that can still return; nil if unknown.
  package var known: [Int]?
  /// The objects as they were detected, also those without an identity, in the space of the record.
  package var found: [DetectedObject] = []

  package init(record: FrameRecord, pixels: PixelBuffer? = nil, known: [Int]? = nil) {
    self.record = record
    self.pixels = pixels
    self.known = known
  }

  /// Creates a frame with its objects and its image.
  init(_ frame: TrackedFrame, source: String) {
    self.init(
      record: FrameRecord(frame, source: source), pixels: frame.image, known: frame.knownIdentities)
    found = frame.found
  }
}

/// Frames of a source with the objects that a detector finds.
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
    return FeedFrame(frame, source: name)
  }
}
