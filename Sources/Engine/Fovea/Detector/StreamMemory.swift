// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// The state of a detector with a memory after a frame; it belongs to the stream, whichever session processes
/// the next frame.
///
/// Empty before the first frame, and for models without a memory.
struct StreamMemory: Sendable {
  /// The state of each tile, in the order of the tiles.
  private var tiles: [RecurrentState] = []
  private var size: PixelSize?
  private var orientation = Orientation.up

  /// Creates an empty memory.
  init() {}

  init(_ tiles: [RecurrentState], of image: OpenedImage) {
    self.tiles = tiles
    size = image.size
    orientation = image.orientation
  }

  /// Returns the state of each tile for the next frame; nil for a frame of another size, orientation or
  /// number of tiles.
  func tiles(_ count: Int, of image: OpenedImage) -> [RecurrentState]? {
    tiles.count == count && size == image.size && orientation == image.orientation ? tiles : nil
  }
}

/// The findings of a detector in a frame, and its memory for the next one.
struct FrameFindings: Sendable {
  var result: DetectionResult
  var memory = StreamMemory()
}
