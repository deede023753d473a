// SPDX-License-Identifier: Apache-2.0

extension ObjectMask {
  /// Returns the mask with its place moved and scaled as one box becomes another: with an object that moves
  /// between frames, or from a tile or a smaller copy to the whole image.
  ///
  /// The cells stay. The result covers nothing if a box is empty or not finite, or if the new place would be
  /// more than 10⁷ pixels away or have more than 2³⁰ pixels.
  public func moved(from old: BoundingBox, to new: BoundingBox) -> ObjectMask {
    guard !old.isEmpty, !new.isEmpty else { return nothing }
    let (scaleX, scaleY) = (new.width / old.width, new.height / old.height)
    func move(_ box: BoundingBox) -> BoundingBox {
      BoundingBox(
        minX: new.minX + (box.minX - old.minX) * scaleX, minY: new.minY + (box.minY - old.minY) * scaleY,
        maxX: new.minX + (box.maxX - old.minX) * scaleX, maxY: new.minY + (box.maxY - old.minY) * scaleY)
    }
    return placed(move(region), move(bounds)) ?? nothing
  }

  /// Returns the mask without its part outside an image; it covers nothing if no part is inside.
  package func clamped(to size: PixelSize) -> ObjectMask { clipped(to: bounds.clamped(to: size)) }

  /// Returns the mask without its part outside a box; it covers nothing if no part is inside.
  package func clipped(to box: BoundingBox) -> ObjectMask {
    let inside = bounds.intersection(box)
    return inside.isEmpty ? nothing : placed(region, inside) ?? nothing
  }

  /// Returns the mask with another place; nil if no mask may have it.
  private func placed(_ region: BoundingBox, _ bounds: BoundingBox) -> ObjectMask? {
    guard ObjectMask.isPlace(region), ObjectMask.isPlace(bounds) else { return nil }
    var mask = self
    mask.region = region
    mask.bounds = bounds
    return mask
  }

  /// A mask that covers nothing.
  private var nothing: ObjectMask {
    let box = BoundingBox(x: 0, y: 0, width: 0, height: 0)
    return ObjectMask(unchecked: [], columns: 0, rows: 0, region: box, bounds: box)
  }
}

extension Orientation {
  /// Maps a mask of the upright image to the pixels of the stored image.
  /// - Parameters:
  ///   - mask: A mask in pixels of the upright image.
  ///   - stored: The size of the stored image.
  /// - Returns: The same mask in pixels of the stored image, its cells in their new order.
  public func storedMask(fromUpright mask: ObjectMask, stored: PixelSize) -> ObjectMask {
    guard self != .up else { return mask }
    let grid = PixelSize(width: mask.columns, height: mask.rows)
    let rotated = isTransposed ? grid.transposed : grid
    var cells: [UInt8] = []
    cells.reserveCapacity(mask.cells.count)
    for row in 0..<rotated.height {
      for column in 0..<rotated.width {
        let middle = PixelPoint(x: Double(column) + 0.5, y: Double(row) + 0.5)
        let source = uprightPoint(fromStored: middle, stored: rotated)
        cells.append(mask.cells[Int(source.y) * mask.columns + Int(source.x)])
      }
    }
    return ObjectMask(
      unchecked: cells, columns: rotated.width, rows: rotated.height,
      region: storedBox(fromUpright: mask.region, stored: stored),
      bounds: storedBox(fromUpright: mask.bounds, stored: stored))
  }

  /// Maps a mask of the stored image to the pixels of the upright image.
  /// - Parameters:
  ///   - mask: A mask in pixels of the stored image.
  ///   - stored: The size of the stored image.
  /// - Returns: The same mask in pixels of the upright image, its cells in their new order.
  public func uprightMask(fromStored mask: ObjectMask, stored: PixelSize) -> ObjectMask {
    inverse.storedMask(fromUpright: mask, stored: uprightSize(ofStored: stored))
  }
}
