// SPDX-License-Identifier: Apache-2.0

extension ObjectMask {
  /// Returns the pixels of the object: those whose middles have a probability above 0.5.
  /// - Returns: A bitmap of ``bounds``, which may reach beyond the image; at most 2³⁰ bytes.
  /// - Complexity: O(cells in the longer side × rows of pixels), and the memory to fill.
  public func bitmap() -> MaskBitmap {
    guard let lines = MaskLines(self) else {
      return MaskBitmap(x: 0, y: 0, size: PixelSize(width: 0, height: 0), pixels: [])
    }
    let (width, height) = (lines.along.pixels.count, lines.across.pixels.count)
    let (left, top) = (lines.along.pixels.lowerBound, lines.across.pixels.lowerBound)
    var pixels = [UInt8](repeating: 0, count: width * height)
    unsafe pixels.withUnsafeMutableBufferPointer { pixels in
      lines.forEachRun { row, start, end in
        let first = (row - top) * width - left
        unsafe pixels[(first + start)..<(first + end)].update(repeating: 1)
      }
    }
    return MaskBitmap(x: left, y: top, size: PixelSize(width: width, height: height), pixels: pixels)
  }

  /// The number of pixels of the object, in square pixels: those of ``bitmap()``.
  public var area: Int {
    var area = 0
    MaskLines(self)?.forEachRun { _, start, end in area += end - start }
    return area
  }

  /// Returns the object's pixels as COCO's run lengths over an image; pixels outside the image are left out.
  ///
  /// Makes no bitmap: each column is interpolated between cells, not between pixels.
  /// - Parameter size: The size of the image.
  /// - Returns: The run lengths, without pixels outside the image.
  /// - Throws: `GeometryError` `runLengthsInvalid` if the image has a negative side or 2³² or more pixels.
  public func runLengths(in size: PixelSize) throws(GeometryError) -> RunLengths {
    try RunLengths.check(size)
    var builder = RunLengths.Builder(size)
    MaskLines(self, isByColumn: true, within: size)?.forEachRun { column, start, end in
      builder.add(column * size.height + start, column * size.height + end)
    }
    return builder.finish()
  }

  /// Returns the intersection over union of the pixels of two objects of one image, 0…1; 0 if they share
  /// none.
  public func iou(with other: ObjectMask) -> Double {
    guard !bounds.intersection(other.bounds).isEmpty else { return 0 }
    let (first, second) = (runsByRow(), other.runsByRow())
    var shared = 0
    var (i, j) = (0, 0)
    while i < first.count, j < second.count {
      let (a, b) = (first[i], second[j])
      if a.row == b.row { shared += max(0, min(a.end, b.end) - max(a.start, b.start)) }
      if (a.row, a.end) < (b.row, b.end) { i += 1 } else { j += 1 }
    }
    guard shared > 0 else { return 0 }
    func area(_ runs: [(row: Int, start: Int, end: Int)]) -> Int { runs.reduce(0) { $0 + $1.end - $1.start } }
    return Double(shared) / Double(area(first) + area(second) - shared)
  }

  private func runsByRow() -> [(row: Int, start: Int, end: Int)] {
    var runs: [(row: Int, start: Int, end: Int)] = []
    MaskLines(self)?.forEachRun { row, start, end in runs.append((row, start, end)) }
    return runs
  }
}

/// The rows or the columns of a mask's pixels, one after the other.
struct MaskLines {
  /// The pixels of a line, and the lines.
  let along: MaskAxis
  let across: MaskAxis
  private let cells: [UInt8]
  /// The distance of neighbouring cells in `cells`, along a line and across.
  private let stepAlong: Int
  private let stepAcross: Int

  /// Creates the lines of a mask; nil for a mask that covers nothing.
  init?(_ mask: ObjectMask, isByColumn: Bool = false, within size: PixelSize? = nil) {
    guard !mask.isEmpty else { return nil }
    let x = MaskAxis(
      bounds: (mask.bounds.minX, mask.bounds.maxX), region: (mask.region.minX, mask.region.maxX),
      count: mask.columns, within: size.map { 0..<$0.width })
    let y = MaskAxis(
      bounds: (mask.bounds.minY, mask.bounds.maxY), region: (mask.region.minY, mask.region.maxY),
      count: mask.rows, within: size.map { 0..<$0.height })
    cells = mask.cells
    (along, across) = isByColumn ? (y, x) : (x, y)
    (stepAlong, stepAcross) = isByColumn ? (mask.columns, 1) : (1, mask.columns)
  }

  /// Calls `body` with each run of the object's pixels: the line, the first pixel, and the one after the
  /// last.
  @inline(__always)
  func forEachRun(_ body: (Int, Int, Int) -> Void) {
    guard !along.pixels.isEmpty else { return }
    var line = [Int32](repeating: 0, count: along.count)
    for (index, number) in across.pixels.enumerated() {
      let first = Int(across.cells[index]) * stepAcross
      let second = min(Int(across.cells[index]) + 1, across.count - 1) * stepAcross
      let share = across.shares[index]
      unsafe cells.withUnsafeBufferPointer { cells in
        unsafe line.withUnsafeMutableBufferPointer { line in
          for cell in 0..<line.count {
            let place = cell * stepAlong
            unsafe line[cell] =
              Int32(cells[first + place]) * (64 - share) + Int32(cells[second + place]) * share
          }
          unsafe along.forEachRun(UnsafeBufferPointer(line)) { start, end in body(number, start, end) }
        }
      }
    }
  }
}
