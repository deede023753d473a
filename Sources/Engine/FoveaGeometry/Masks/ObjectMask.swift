// SPDX-License-Identifier: Apache-2.0

/// The shape of an object: a grid of probabilities, and the place of the grid in the image.
///
/// A model has one probability for each cell of several pixels. They are kept as they are, a byte each, and
/// are interpolated when pixels, run lengths or outlines are requested: 0.5 kB an object, whatever the size
/// of the photo. Moving, rotating and clipping a mask never makes pixels.
///
/// Pixels are those of ``BoundingBox``: continuous edges, the middle of the top-left pixel is (0.5, 0.5).
public struct ObjectMask: Sendable, Hashable {
  /// The object's box, in pixels; outside it the probability is 0.
  public internal(set) var bounds: BoundingBox
  /// The region of the cells, in pixels: the left edge of the first column to the right edge of the last.
  ///
  /// Usually a little larger than ``bounds``, so that the values at its edges are interpolated too.
  public internal(set) var region: BoundingBox
  /// The number of cells in a row; 0 for a mask that covers nothing.
  public let columns: Int
  /// The number of rows of cells; 0 for a mask that covers nothing.
  public let rows: Int
  /// The probabilities, 0…255 for 0…1, row by row from the top left.
  public let cells: [UInt8]

  /// The largest number of pixels of ``bounds``.
  static let maximumArea = Double(1 << 30)
  /// The largest distance of an edge from the image's origin, in pixels.
  static let farthestEdge = 1e7

  /// Creates a mask from its cells.
  /// - Parameters:
  ///   - cells: The probabilities, 0…255 for 0…1, row by row from the top left.
  ///   - columns: The number of cells in a row.
  ///   - region: The region of the cells, in pixels.
  ///   - bounds: The object's box, in pixels; ``region`` if nil, the default.
  /// - Throws: `GeometryError` `maskInvalid` if `cells` is not rows of `columns` cells, or an edge is not
  ///   finite, more than 10⁷ pixels from the origin, or beyond the opposite one, or the bounds have more than
  ///   2³⁰ pixels.
  public init(
    cells: [UInt8], columns: Int, region: BoundingBox, bounds: BoundingBox? = nil
  ) throws(GeometryError) {
    guard columns >= 1, cells.count % columns == 0, !cells.isEmpty else {
      guard columns != 0 || !cells.isEmpty else {
        try self.init(cells: [], columns: 0, rows: 0, region: region, bounds: bounds ?? region)
        return
      }
      throw GeometryError(
        .maskInvalid, "A mask has \(cells.count) cells in rows of \(columns); whole rows are needed",
        remedy: "Use columns × rows cells, or neither cells nor columns for an empty mask")
    }
    try self.init(
      cells: cells, columns: columns, rows: cells.count / columns, region: region, bounds: bounds ?? region)
  }

  /// Creates a mask after checking its place.
  init(
    cells: [UInt8], columns: Int, rows: Int, region: BoundingBox, bounds: BoundingBox
  ) throws(GeometryError) {
    for (name, box) in [("region", region), ("bounds", bounds)] where !ObjectMask.isPlace(box) {
      throw GeometryError(
        .maskInvalid,
        "The \(name) \(box) of a mask is not a box of at most 2³⁰ pixels within 10⁷ of the image",
        remedy: "Use finite edges in pixels, each maximum at or above its minimum")
    }
    self.init(unchecked: cells, columns: columns, rows: rows, region: region, bounds: bounds)
  }

  init(unchecked cells: [UInt8], columns: Int, rows: Int, region: BoundingBox, bounds: BoundingBox) {
    self.cells = cells
    self.columns = columns
    self.rows = rows
    self.region = region
    self.bounds = bounds
  }

  /// Whether a box may be the place of a mask; an empty one may.
  static func isPlace(_ box: BoundingBox) -> Bool {
    let farthest = max(-box.minX, -box.minY, box.maxX, box.maxY)
    return farthest <= farthestEdge && box.width >= 0 && box.height >= 0
      && box.width * box.height <= maximumArea
  }

  /// Whether the mask has no cells or an empty place, and so covers nothing.
  public var isEmpty: Bool { cells.isEmpty || bounds.isEmpty || region.isEmpty }

  /// Returns the probability that a point belongs to the object, 0…1, interpolated between the middles of the
  /// four nearest cells.
  ///
  /// 0 outside ``bounds``, for an empty mask, and for a point that is not finite.
  public func probability(at point: PixelPoint) -> Float {
    guard !isEmpty, point.x >= bounds.minX, point.x < bounds.maxX, point.y >= bounds.minY,
      point.y < bounds.maxY
    else { return 0 }
    return value(
      MaskScale(region.minX, region.width, columns).place(of: point.x),
      MaskScale(region.minY, region.height, rows).place(of: point.y)) / 255
  }

  /// Returns the interpolated value between cells, 0…255.
  func value(_ x: MaskScale.Place, _ y: MaskScale.Place) -> Float {
    let first = y.cell * columns
    let second = min(y.cell + 1, rows - 1) * columns
    let next = min(x.cell + 1, columns - 1)
    func mix(_ row: Int) -> Float {
      let left = Float(cells[row + x.cell])
      return left + (Float(cells[row + next]) - left) * x.share
    }
    let top = mix(first)
    return top + (mix(second) - top) * y.share
  }
}

/// The conversion of pixels along one axis to places between the middles of cells.
struct MaskScale {
  /// A place between the middle of a cell and that of the next one.
  struct Place {
    var cell: Int
    /// 0…1, from the cell to the next one.
    var share: Float
  }

  private let cellsPerPixel: Double
  private let offset: Double
  private let last: Double

  /// Creates the scale of `count` cells, at least 1, over `length` pixels from `start` on.
  init(_ start: Double, _ length: Double, _ count: Int) {
    cellsPerPixel = Double(count) / length
    offset = -start * cellsPerPixel - 0.5
    last = Double(count - 1)
  }

  /// Returns the place of a coordinate; beyond the middles of the first and the last cell, those.
  func place(of coordinate: Double) -> Place {
    // The order of the arguments makes 0 of what is not a number, as in a region of nearly no width.
    let place = min(max(0, coordinate * cellsPerPixel + offset), last)
    let cell = max(min(Int(place), Int(last) - 1), 0)
    return Place(cell: cell, share: Float(place - Double(cell)))
  }
}
