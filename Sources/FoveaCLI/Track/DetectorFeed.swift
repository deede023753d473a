// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats

/// Frames of a source, with what a detector finds in them.
struct DetectorFeed: FrameFeed {
  let name: String
  var frames: TrackedFrames.Iterator

  var state: SourceState { frames.state }

  mutating func next() async throws(FoveaError) -> FeedFrame? {
    guard let frame = try await frames.next(isolation: nil) else { return nil }
    return FeedFrame(record: FrameRecord(frame, source: name), pixels: frame.image)
  }
}
