// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
public import FoveaGeometry

/// The class of each part of an image: a grid of cells, and the place of the grid in the image.
///
/// A model has one class for each cell of several pixels. Cells are kept as they are; pixels are made when
/// ``mask(of:)`` or ``classes(in:)`` is called. Coordinates are pixels of the unrotated image.
public struct SegmentationMap: Sendable, Hashable {
  /// The part of the image that a class covers.
  public struct ClassShare: Sendable, Hashable {
    /// The index of the class.
    public let classIndex: Int
    /// The name of the class; nil if it has none.
    public let label: String?
    /// The fraction of the cells, 0…1.
    public let share: Double
  }

  /// The index of the class of each cell, row by row from the top left; 255 means none.
  public let classes: [UInt8]
  /// The probability of each cell's class, 0…255 for 0…1; empty for models that output only classes.
  public let confidences: [UInt8]
  /// The number of cells in a row.
  public let width: Int
  /// The number of rows of cells.
  public let height: Int
  /// The names of the classes by index; empty if neither the model nor the options have any.
  public let labels: [String]
  /// The region of the cells, in pixels: the left edge of the first column to the right edge of the last.
  public let region: BoundingBox
  /// The part of the image that was processed, in pixels.
  public let bounds: BoundingBox
  /// Whether confidences show the probabilities of both classes.
  private let isBinary: Bool

  /// Creates a map.
  /// - Parameters:
  ///   - cells: The classes and confidences, row by row from the top left.
  ///   - width: The number of cells in a row.
  ///   - labels: The names of the classes by index.
  ///   - isBinary: True if there are only two classes.
  ///   - region: The region of the cells, in pixels.
  ///   - bounds: The part of the image that was processed, in pixels.
  /// - Precondition: There is at least one whole row, and a confidence for each class or none.
  package init(
    _ cells: MapCells, width: Int, labels: [String], isBinary: Bool, region: BoundingBox, bounds: BoundingBox
  ) {
    precondition(width > 0 && !cells.classes.isEmpty && cells.classes.count % width == 0, "whole rows")
    precondition(cells.confidences.isEmpty || cells.confidences.count == cells.classes.count, "confidences")
    classes = cells.classes
    confidences = cells.confidences
    self.width = width
    height = cells.classes.count / width
    self.labels = labels
    self.isBinary = isBinary && !cells.confidences.isEmpty
    self.region = region
    self.bounds = bounds
  }

  /// The classes that the image has, the largest share first.
  public var shares: [ClassShare] {
    var counts = [Int](repeating: 0, count: 256)
    for number in classes { counts[Int(number)] += 1 }
    return counts.indices.filter { counts[$0] > 0 && $0 != Int(MapHead.noClass) }
      .sorted { (counts[$1], $0) < (counts[$0], $1) }
      .map { index in
        ClassShare(
          classIndex: index, label: label(of: index), share: Double(counts[index]) / Double(classes.count))
      }
  }

  /// Returns the name of a class; nil if it has none.
  package func label(of index: Int) -> String? { Self.label(of: index, in: labels) }

  /// Returns the name of a class among the names by index; nil if it has none.
  package static func label(of index: Int, in labels: [String]) -> String? {
    guard labels.indices.contains(index), !labels[index].isEmpty else { return nil }
    return labels[index]
  }

  /// Returns the mask of a class over the whole image.
  /// - Parameter label: The name of the class.
  /// - Returns: The mask, which covers nothing if the image does not show the class; nil for an unknown name.
  public func mask(of label: String) -> ObjectMask? {
    labels.firstIndex(of: label).flatMap { mask(ofClass: $0) }
  }

  /// Returns the mask of a class over the whole image.
  ///
  /// With two classes its values are the model's probabilities. With more, each cell is 0 or 1, so that every
  /// pixel belongs to the class that is the nearest.
  /// - Parameter index: The index of the class.
  /// - Returns: The mask, which covers nothing if the image does not show the class; nil for an index outside
  ///   0…254, or beyond the labels.
  public func mask(ofClass index: Int) -> ObjectMask? {
    guard (0..<Int(MapHead.noClass)).contains(index), labels.isEmpty || index < labels.count else {
      return nil
    }
    let wanted = UInt8(index)
    var cells = [UInt8](repeating: 0, count: classes.count)
    for place in cells.indices {
      let isClass = classes[place] == wanted
      if isBinary {
        cells[place] = isClass ? confidences[place] : 255 - confidences[place]
      } else {
        cells[place] = isClass ? 255 : 0
      }
    }
    return try? ObjectMask(cells: cells, columns: width, region: region, bounds: bounds)
  }
}

extension SegmentationMap {
  /// Returns the class of each pixel of the image.
  ///
  /// With two classes the probabilities are interpolated between cells. With more, the nearest four cells
  /// vote, the nearer the stronger.
  /// - Parameter size: The size of the image.
  /// - Returns: The index of the class of each pixel, row by row from the top left; 255 outside ``bounds``.
  /// - Complexity: O(pixels).
  public func classes(in size: PixelSize) -> [UInt8] {
    var pixels = [UInt8](repeating: MapHead.noClass, count: size.area)
    let across = CellAxis(region.minX, region.width, width, within: (bounds.minX, bounds.maxX), size.width)
    let down = CellAxis(region.minY, region.height, height, within: (bounds.minY, bounds.maxY), size.height)
    for (row, y) in zip(down.pixels, down.places) {
      let first = y.cell * width
      let second = min(y.cell + 1, height - 1) * width
      for (column, x) in zip(across.pixels, across.places) {
        let next = min(x.cell + 1, width - 1)
        pixels[row * size.width + column] = mixed(
          (first + x.cell, first + next, second + x.cell, second + next), x.share, y.share)
      }
    }
    return pixels
  }

  /// Returns the class between four cells: the upper left and right, the lower left and right.
  private func mixed(_ cells: (Int, Int, Int, Int), _ x: Float, _ y: Float) -> UInt8 {
    let found = (classes[cells.0], classes[cells.1], classes[cells.2], classes[cells.3])
    if found.0 == found.1, found.0 == found.2, found.0 == found.3 { return found.0 }
    let weights = ((1 - x) * (1 - y), x * (1 - y), (1 - x) * y, x * y)
    if isBinary {
      func value(_ cell: Int) -> Float {
        Float(classes[cell] == 1 ? confidences[cell] : 255 - confidences[cell])
      }
      let sum =
        value(cells.0) * weights.0 + value(cells.1) * weights.1 + value(cells.2) * weights.2
        + value(cells.3) * weights.3
      return sum > 127.5 ? 1 : 0
    }
    func votes(_ number: UInt8) -> Float {
      (found.0 == number ? weights.0 : 0) + (found.1 == number ? weights.1 : 0)
        + (found.2 == number ? weights.2 : 0) + (found.3 == number ? weights.3 : 0)
    }
    var (best, most) = (found.0, votes(found.0))
    for number in [found.1, found.2, found.3] where number != best {
      let count = votes(number)
      if count > most { (best, most) = (number, count) }
    }
    return best
  }

  /// Returns the map in pixels of the upright image, its cells in their new order.
  /// - Parameters:
  ///   - orientation: The rotation that makes the stored image upright.
  ///   - stored: The size of the stored image.
  /// - Returns: The same map of the upright image.
  public func upright(_ orientation: Orientation, stored: PixelSize) -> SegmentationMap {
    guard orientation != .up else { return self }
    return placed { orientation.uprightMask(fromStored: $0, stored: stored) }
  }

  /// Returns a map of the upright image in pixels of the stored image.
  package func stored(_ orientation: Orientation, stored: PixelSize) -> SegmentationMap {
    guard orientation != .up else { return self }
    return placed { orientation.storedMask(fromUpright: $0, stored: stored) }
  }

  /// Returns the map in pixels of a smaller or larger copy of the image, with the same cells.
  /// - Precondition: Neither size is empty.
  package func scaled(from old: PixelSize, to new: PixelSize) -> SegmentationMap {
    precondition(old.area > 0 && new.area > 0, "\(old) and \(new)")
    func frame(_ size: PixelSize) -> BoundingBox {
      BoundingBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    }
    return placed { $0.moved(from: frame(old), to: frame(new)) }
  }

  /// Returns the map with its cells moved as a mask's.
  private func placed(_ place: (ObjectMask) -> ObjectMask) -> SegmentationMap {
    func moved(_ cells: [UInt8]) -> ObjectMask? {
      (try? ObjectMask(cells: cells, columns: width, region: region, bounds: bounds)).map(place)
    }
    // A mask that covers nothing has no cells.
    guard let turned = moved(classes), !turned.cells.isEmpty else { return self }
    let probabilities = confidences.isEmpty ? [] : moved(confidences)?.cells ?? []
    return SegmentationMap(
      MapCells(classes: turned.cells, confidences: probabilities),
      width: turned.columns, labels: labels, isBinary: isBinary, region: turned.region, bounds: turned.bounds)
  }
}

/// The pixels of one axis, and the cells between which the middle of each lies.
private struct CellAxis {
  let pixels: Range<Int>
  let places: [(cell: Int, share: Float)]

  /// - Parameters:
  ///   - start: The edge of the first cell.
  ///   - length: The length of all cells.
  ///   - count: The number of cells.
  ///   - edges: The edges of the pixels.
  ///   - limit: The number of pixels of the image.
  init(_ start: Double, _ length: Double, _ count: Int, within edges: (Double, Double), _ limit: Int) {
    let first = min(max(Int((edges.0 - 0.5).rounded(.up)), 0), limit)
    let end = min(max(Int((edges.1 - 0.5).rounded(.up)), first), limit)
    pixels = first..<end
    let scale = Double(count) / length
    places = pixels.map { pixel in
      let place = min(max(0, (Double(pixel) + 0.5 - start) * scale - 0.5), Double(count - 1))
      let cell = min(Int(place), max(count - 2, 0))
      return (cell, Float(place - Double(cell)))
    }
  }
}
