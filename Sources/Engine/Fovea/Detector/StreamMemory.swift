// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// What a detector with a memory remembers of a stream after a frame; travels with the stream, whichever session sees the
/// next frame.
///
/// Empty before the first frame, and for models without a memory.
struct StreamMemory: Sendable {
  /// Of each tile, in the order of the tiles.
  private var tiles: [RecurrentState] = []
  private var size: PixelSize?
  private var orientation = Orientation.up

  /// Nothing was seen yet.
  init() {}

  init(_ tiles: [RecurrentState], of image: OpenedImage) {
    self.tiles = tiles
    size = image.size
    orientation = image.orientation
  }

  /// What is remembered of each tile of the next frame; nil for a frame of another size, orientation or number of tiles.
  func tiles(_ count: Int, of image: OpenedImage) -> [RecurrentState]? {
    tiles.count == count && size == image.size && orientation == image.orientation ? tiles : nil
  }
}

/// What a detector found in a frame, and what it remembers for the next one.
struct FrameFindings: Sendable {
  var result: DetectionResult
  var memory = StreamMemory()
}
