// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// The state of a detector after a frame; it belongs to the stream, whichever session processes the next
/// frame.
///
/// Empty before the first frame, and for models without a memory that no landmark model follows.
struct StreamMemory: Sendable {
  /// The state of each tile, in the order of the tiles.
  private var tiles: [RecurrentState] = []
  /// The objects with points, each with the crop that shows it in the next frame.
  private var objects: [DetectedObject] = []
  private var size: PixelSize?
  private var orientation = Orientation.up

  /// Creates an empty memory.
  init() {}

  init(_ tiles: [RecurrentState], _ objects: [DetectedObject], of image: OpenedImage) {
    self.tiles = tiles
    self.objects = objects
    size = image.size
    orientation = image.orientation
  }

  /// Returns the state of each tile for the next frame; nil for a frame of another size, orientation or
  /// number of tiles.
  func tiles(_ count: Int, of image: OpenedImage) -> [RecurrentState]? {
    tiles.count == count && fits(image) ? tiles : nil
  }

  /// Returns the objects of the previous frame; empty for a frame of another size or orientation.
  func objects(in image: OpenedImage) -> [DetectedObject] { fits(image) ? objects : [] }

  private func fits(_ image: OpenedImage) -> Bool { size == image.size && orientation == image.orientation }
}

/// The findings of a detector in a frame, and its memory for the next one.
struct FrameFindings: Sendable {
  var result: DetectionResult
  var memory = StreamMemory()
}
