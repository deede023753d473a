// SPDX-License-Identifier: Apache-2.0

/// The prototype masks of an image, of which each object's mask is a weighted sum, as models of the YOLO-seg
/// kind return them.
///
/// The probability of a cell is the sigmoid of the sum of coefficient × prototype. Only cells around an
/// object's box are computed.
///
/// **Source:** Bolya et al., "YOLACT", arXiv 1904.02689, section 3.1; interpolated before it is cut, as in
/// roboflow/inference, `core/utils/postprocess.py`, `process_mask_accurate` (Apache-2.0).
public struct MaskPrototypes: Sendable {
  /// The order of the values.
  public enum Layout: Sendable, Hashable {
    /// `[1, rows, columns, count]`, as in exports of TensorFlow.
    case channelsLast
    /// `[1, count, rows, columns]`, as in exports of litert-torch.
    case channelsFirst
  }

  /// The number of prototypes: the number of coefficients that each object has.
  package let count: Int
  /// The number of cells in a row.
  package let columns: Int
  /// The number of rows of cells.
  package let rows: Int
  /// The region of all cells in pixels, including the bars of a letterbox: `ImagePlace.grown(_:)`.
  package let region: BoundingBox
  /// The order of the values.
  package let layout: Layout
  private let values: [Float]

  /// Creates prototypes from a tensor; the values are not copied.
  /// - Parameters:
  ///   - values: The tensor's values.
  ///   - size: The number of columns and rows of cells.
  ///   - layout: The order of the values.
  ///   - region: The region that the tensor shows, in pixels, including the bars of a letterbox.
  /// - Throws: `GeometryError` `maskInvalid` if there are no cells, the values are not a whole number of
  ///   prototypes, at least one, or the region is empty, not finite, or more than 10⁷ pixels away.
  public init(
    values: [Float], size: PixelSize, layout: Layout, region: BoundingBox
  ) throws(GeometryError) {
    guard size.width > 0, size.height > 0, !values.isEmpty, values.count % size.area == 0 else {
      throw GeometryError(
        .maskInvalid, "\(values.count) values are not mask prototypes of \(size) cells",
        remedy: "Use the size of the model's prototype tensor, and all its values")
    }
    guard ObjectMask.isPlace(region), !region.isEmpty else {
      throw GeometryError(
        .maskInvalid, "The region \(region) of mask prototypes is not a box of at most 2³⁰ pixels within 10⁷",
        remedy: "Use the region of the image that the model was run on, in pixels")
    }
    self.values = values
    self.layout = layout
    self.region = region
    (columns, rows, count) = (size.width, size.height, values.count / size.area)
  }

  /// Returns the mask of one object.
  ///
  /// A cell whose sum is not a number has the probability 0.
  /// - Parameters:
  ///   - coefficients: The object's coefficients, one for each prototype.
  ///   - box: The object's box in pixels. The part outside `region` is left out; if no part is left, or an
  ///     edge is not a number, the mask covers nothing.
  /// - Returns: The mask, with the box's part inside `region` as its bounds.
  /// - Throws: `GeometryError` `maskInvalid` if there are more or fewer coefficients than prototypes.
  /// - Complexity: O(cells in the box × prototypes).
  public func mask(coefficients: [Float], box: BoundingBox) throws(GeometryError) -> ObjectMask {
    guard coefficients.count == count else {
      throw GeometryError(
        .maskInvalid, "An object has \(coefficients.count) mask coefficients; there are \(count) prototypes",
        remedy: "Use the coefficients of the same model and run")
    }
    let bounds = box.isEmpty ? box : region.intersection(box)
    guard !bounds.isEmpty else {
      let empty = BoundingBox(x: region.minX, y: region.minY, width: 0, height: 0)
      return ObjectMask(unchecked: [], columns: 0, rows: 0, region: empty, bounds: empty)
    }
    let (width, height) = (region.width / Double(columns), region.height / Double(rows))
    let across = MaskPrototypes.cells(bounds.minX - region.minX, bounds.maxX - region.minX, width, columns)
    let down = MaskPrototypes.cells(bounds.minY - region.minY, bounds.maxY - region.minY, height, rows)
    var cells = [UInt8](repeating: 0, count: across.count * down.count)
    unsafe values.withUnsafeBufferPointer { values in
      unsafe coefficients.withUnsafeBufferPointer { weights in
        unsafe cells.withUnsafeMutableBufferPointer { cells in
          switch layout {
          case .channelsLast: unsafe sumLast(values, weights, across, down, into: cells)
          case .channelsFirst: unsafe sumFirst(values, weights, across, down, into: cells)
          }
        }
      }
    }
    let covered = BoundingBox(
      x: region.minX + Double(across.lowerBound) * width, y: region.minY + Double(down.lowerBound) * height,
      width: Double(across.count) * width, height: Double(down.count) * height)
    return ObjectMask(
      unchecked: cells, columns: across.count, rows: down.count, region: covered, bounds: bounds)
  }

  /// Returns the cells between whose middles an interval lies, at least one.
  private static func cells(_ start: Double, _ end: Double, _ length: Double, _ count: Int) -> Range<Int> {
    let first = min(max(Int((start / length - 0.5).rounded(.down)), 0), count - 1)
    let last = min(max(Int((end / length - 0.5).rounded(.down)) + 1, first), count - 1)
    return first..<(last + 1)
  }

  private func sumLast(
    _ values: UnsafeBufferPointer<Float>, _ weights: UnsafeBufferPointer<Float>, _ across: Range<Int>,
    _ down: Range<Int>, into cells: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let start = values.baseAddress, let weight = weights.baseAddress else { return }
    let whole = count & ~7
    unsafe Sigmoid.bytes.withUnsafeBufferPointer { bytes in
      var place = 0
      for row in down {
        var cell = unsafe start + (row * columns + across.lowerBound) * count
        for _ in 0..<across.count {
          var sums = SIMD8<Float>.zero
          var index = 0
          while index < whole {
            unsafe sums +=
              UnsafeRawPointer(cell + index).loadUnaligned(as: SIMD8<Float>.self)
              * UnsafeRawPointer(weight + index).loadUnaligned(as: SIMD8<Float>.self)
            index &+= 8
          }
          var sum = sums.sum()
          while index < count {
            unsafe sum += cell[index] * weight[index]
            index &+= 1
          }
          unsafe cells[place] = bytes[Sigmoid.index(sum)]
          place &+= 1
          unsafe cell += count
        }
      }
    }
  }

  private func sumFirst(
    _ values: UnsafeBufferPointer<Float>, _ weights: UnsafeBufferPointer<Float>, _ across: Range<Int>,
    _ down: Range<Int>, into cells: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let start = values.baseAddress else { return }
    var sums = [Float](repeating: 0, count: across.count)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe Sigmoid.bytes.withUnsafeBufferPointer { bytes in
        var place = 0
        for row in down {
          unsafe sums.update(repeating: 0)
          for index in 0..<count {
            let weight = unsafe weights[index]
            let line = unsafe start + ((index * rows + row) * columns + across.lowerBound)
            for column in 0..<sums.count { unsafe sums[column] += weight * line[column] }
          }
          for column in 0..<sums.count {
            unsafe cells[place] = bytes[Sigmoid.index(sums[column])]
            place &+= 1
          }
        }
      }
    }
  }
}

/// The sigmoid function in bytes, by steps of 1/64: less than a quarter of a byte's step.
private enum Sigmoid {
  static let bytes: [UInt8] = (0...2_048).map { index in
    UInt8((255 / (1 + exp(-(Double(index) - 1_024) / 64))).rounded())
  }

  /// Returns the place of a sum in `bytes`; the first for one that is not a number.
  @inline(__always)
  static func index(_ sum: Float) -> Int {
    let step = sum * 64 + 1_024.5
    return step > 0 ? Int(step < 2_048 ? step : 2_048) : 0
  }
}
