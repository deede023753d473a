// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// How an image is processed in overlapping tiles, so that small objects are found.
///
/// A model shrinks an image to its own input size, and what is small there is lost. With tiles, the model is shown the
/// whole image, then a grid of tiles at about the model's input size, and grids between the two for large images;
/// what it finds is merged so that each object comes once. Each tile costs one inference; the image is decoded once.
/// An image no larger than a tile is processed once, as without slicing.
///
/// docs/how-to/small-objects.md shows when it helps and what it costs.
public struct Slicing: Sendable, Hashable {
  /// The longer side of a tile in pixels of the stored image, 16 or more; the other side has the proportion of the
  /// model's input.
  ///
  /// Nil, the default, takes the model's input size, so that a tile is shown as it is; larger where an image would have
  /// more than 100 tiles. A smaller side finds smaller objects, takes more time, and gives more false ones.
  public var tileSize: Int?
  /// The least part of a tile that its neighbour shows too, 0…0.75; 0.25 by default.
  ///
  /// An object up to that size is shown whole by some tile. Raising it takes more tiles.
  public var overlap = 0.25

  /// Tiles of the model's input size that overlap by a quarter.
  public init() {}
}

extension Slicing {
  /// The most tiles of an image where their size is chosen for it.
  static let mostAutomaticTiles = 100
  /// The most tiles of an image at all.
  static let mostTiles = 1000
  /// The least number of results that is the default where an image has tiles: as many as COCO's evaluation counts.
  static let defaultMaxObjects = 100

  func check() throws(FoveaError) {
    try OptionChecks.range(
      "slice-size", tileSize, 16...(1 << 20), property: "slicing.tileSize",
      remedy: "Give about the model's input size, or leave it out")
    try OptionChecks.range(
      "slice-overlap", overlap, 0...TileLayout.maximumOverlap, property: "slicing.overlap",
      remedy: "Give a part of the tile such as 0.25")
  }

  /// Lays the tiles over a region of an image.
  /// - Parameters:
  ///   - region: The region in stored pixels.
  ///   - upright: The model's input size, which shows the image upright.
  ///   - orientation: How the stored image must be rotated to be upright.
  ///   - imageName: The image's name in errors.
  /// - Returns: The layout; the region alone where it is no larger than a tile.
  /// - Throws: `optionInvalid` when tiles of the size asked for would be too many.
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
      // The number falls with the square of the side, so an image of any size needs few of these steps.
      while count(side) > Self.mostAutomaticTiles + 1 { side *= 1.05 }
    } else if case let tiles = count(side), tiles > Self.mostTiles {
      var error = FoveaError.optionInvalid(
        "tiles of \(Int(side)) pixels that overlap by \(overlap) would be \(tiles) for this image; at most"
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
