// SPDX-License-Identifier: Apache-2.0

package import Fovea

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
