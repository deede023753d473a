// SPDX-License-Identifier: Apache-2.0

extension ObjectMask {
  /// Creates a mask whose cells are the pixels of run lengths, so that ``runLengths(in:)`` returns the same
  /// runs again.
  /// - Parameter runs: The pixels of the object in its image.
  /// - Throws: `GeometryError` `maskInvalid` if the box around the pixels has more than 2³⁰ pixels, or an
  ///   edge more than 10⁷ pixels from the origin.
  /// - Complexity: O(pixels of the box around the object), in time and memory.
  public init(_ runs: RunLengths) throws(GeometryError) {
    let bounds = runs.bounds
    guard !bounds.isEmpty else {
      try self.init(cells: [], columns: 0, region: bounds)
      return
    }
    guard ObjectMask.isPlace(bounds) else {
      throw GeometryError(
        .maskInvalid,
        "The pixels of a mask are in the box \(bounds), which is not of at most 2³⁰ pixels within 10⁷ of the "
          + "image",
        remedy: "Use the mask of a smaller image")
    }
    let (left, top, columns) = (Int(bounds.minX), Int(bounds.minY), Int(bounds.width))
    let height = runs.size.height
    var cells = [UInt8](repeating: 0, count: columns * Int(bounds.height))
    runs.forEachRun { start, end in
      var place = start
      // A run may continue at the top of the next column.
      while place < end {
        let column = place / height
        let next = min(end, (column + 1) * height)
        var cell = (place - column * height - top) * columns + column - left
        for _ in place..<next {
          cells[cell] = 255
          cell += columns
        }
        place = next
      }
    }
    try self.init(cells: cells, columns: columns, region: bounds)
  }
}
