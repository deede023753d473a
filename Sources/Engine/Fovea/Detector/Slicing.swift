// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Options for processing an image in overlapping tiles, so that small objects are found.
///
/// A model shrinks an image to its own input size, which hides small objects. With tiles, the model runs on
/// the whole image, then on a grid of tiles at about the model's input size, and on grids between the two for
/// large images; the detections are merged so that each object is reported once. Each tile costs one
/// inference; the image is decoded once. An image no larger than a tile is processed once, as without
/// slicing.
///
/// docs/how-to/small-objects.md shows when it helps and what it costs.
public struct Slicing: Sendable, Hashable {
  /// The longer side of a tile in pixels of the stored image, 16 or more; the other side follows from the
  /// aspect ratio of the model's input.
  ///
  /// Nil, the default, uses the model's input size, so that a tile is not scaled; more if an image would have
  /// over 100 tiles. Smaller tiles find smaller objects, take more time, and give more false detections.
  public var tileSize: Int?
  /// The minimum part of a tile that its neighbour also shows, 0…0.75; 0.25 by default.
  ///
  /// An object up to that size is whole in at least one tile. A larger overlap needs more tiles.
  public var overlap = 0.25

  /// Creates tiles of the model's input size that overlap by a quarter.
  public init() {}
}

extension Slicing {
  /// The maximum number of tiles of an image if their size is automatic.
  static let mostAutomaticTiles = 100
  /// The maximum number of tiles of an image.
  static let mostTiles = 1000
  /// The default minimum of `maxObjects` for an image in tiles: as many as COCO's evaluation counts.
  static let defaultMaxObjects = 100

  func check() throws(FoveaError) {
    try OptionChecks.range(
      "slice-size", tileSize, 16...(1 << 20), property: "slicing.tileSize",
      remedy: "Give about the model's input size, or leave it out")
    try OptionChecks.range(
      "slice-overlap", overlap, 0...TileLayout.maximumOverlap, property: "slicing.overlap",
      remedy: "Set a fraction of the tile such as 0.25")
  }

  /// Lays out the tiles of a region of an image.
  /// - Parameters:
  ///   - region: The region in stored pixels.
  ///   - upright: The model's input size for an upright image.
  ///   - orientation: The rotation that makes the stored image upright.
  ///   - imageName: The image's name in errors.
  /// - Returns: The layout; only the region if it is no larger than a tile.
  /// - Throws: `optionInvalid` if the requested size needs too many tiles.
  func layout(
    of region: BoundingBox, input upright: PixelSize, orientation: Orientation, imageName: String
  ) throws(FoveaError) -> TileLayout {
    let input = orientation.isTransposed ? upright.transposed : upright
    let longer = Double(max(input.width, input.height, 1))
    var side = Double(tileSize ?? max(input.width, input.height))
    func count(_ side: Double) -> Int {
      TileLayout.count(
        region: region, tileWidth: side * Double(input.width) / longer,
        tileHeight: side * Double(input.height) / longer, overlap: overlap)
    }
    if tileSize == nil {
      // The number falls with the square of the side, so even large images need few of these steps.
      while count(side) > Self.mostAutomaticTiles + 1 { side *= 1.05 }
    } else if case let tiles = count(side), tiles > Self.mostTiles {
      var error = FoveaError.optionInvalid(
        "the image would have \(tiles) tiles of \(Int(side)) pixels that overlap by \(overlap); at most"
          + " \(Self.mostTiles) are processed",
        remedy: "Give a larger tile, or leave its size out")
      error.subject = imageName
      throw error
    }
    return TileLayout(
      region: region, tileWidth: side * Double(input.width) / longer,
      tileHeight: side * Double(input.height) / longer, overlap: overlap)
  }
}
