// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaFormats
import FoveaImage

/// Where a run of `fovea track` takes its frames from, one after the other.
protocol FrameFeed {
  /// Gives the next frame.
  mutating func next() async throws(FoveaError) -> FeedFrame?
  /// What is known of the source by now.
  var state: SourceState { get }
  /// Whether it is no failure that there is not a single frame.
  var mayBeEmpty: Bool { get }
}

extension FrameFeed {
  var mayBeEmpty: Bool { false }
}

/// A frame with its objects, and its image where there is one.
struct FeedFrame: Sendable {
  var record: FrameRecord
  var pixels: PixelBuffer?
}
