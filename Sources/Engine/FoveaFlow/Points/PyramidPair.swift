// SPDX-License-Identifier: Apache-2.0

/// Two pyramids of the same size, and the memory for a window, for the duration of a search between them.
@unsafe struct PyramidPair {
  let levels: [GreyLevel]
  let first: UnsafePointer<UInt16>
  let second: UnsafePointer<UInt16>
  let gradient: UnsafeMutablePointer<Int16>

  /// The same pair, from the second to the first.
  var reversed: PyramidPair {
    unsafe PyramidPair(levels: levels, first: second, second: first, gradient: gradient)
  }

  /// Calls `body` with the pixels of two pyramids that have the same size.
  /// - Returns: The result of `body`; nil if a pyramid is empty.
  static func with<R>(_ first: GreyPyramid, _ second: GreyPyramid, _ body: (PyramidPair) -> R) -> R? {
    // SAFETY: the pixels and the window's memory are valid only during `body`.
    let found: R?? = unsafe first.withPixels { firstPixels in
      unsafe second.withPixels { secondPixels in
        unsafe withUnsafeTemporaryAllocation(of: Int16.self, capacity: Window.gradientCount) { gradient in
          guard let base = gradient.baseAddress else { return nil }
          return unsafe body(
            PyramidPair(levels: first.levels, first: firstPixels, second: secondPixels, gradient: base))
        } as R?
      } ?? nil
    }
    return found ?? nil
  }

  /// Returns whether a pixel of the first level is in the image.
  func contains(_ x: Int, _ y: Int) -> Bool {
    unsafe x >= 0 && y >= 0 && x < levels[0].width && y < levels[0].height
  }

  /// Follows the window around a pixel of the first level from coarse to fine.
  ///
  /// Levels above the finest on which the window is flat or leaves the image are skipped.
  /// - Parameters:
  ///   - x: The column of the pixel.
  ///   - y: The row of the pixel.
  ///   - range: The levels to search, from the finest to the coarsest.
  ///   - guess: The displacement to start with, in pixels of the first level.
  /// - Returns: The displacement in pixels of the first level; nil if the window is flat or leaves the image
  ///   on the finest level.
  func displacement(
    _ x: Int, _ y: Int, levels range: ClosedRange<Int>, from guess: SIMD2<Double>
  ) -> SIMD2<Double>? {
    var displacement = guess
    var window = unsafe Window(gradient: gradient)
    for index in range.reversed() {
      let level = unsafe levels[index]
      let size = Double(1 << index)
      let half = (1 << index) / 2
      // A window near the point has the same displacement, so whole pixels are used and nothing is
      // interpolated.
      let column = min((x + half) >> index, level.width - 1)
      let row = min((y + half) >> index, level.height - 1)
      unsafe window.take(GreyView(level, first), column, row)
      let found = unsafe LucasKanade.refine(
        window, at: column, row, in: GreyView(level, second), from: displacement / size)
      if let found {
        displacement = found * size
      } else if index == range.lowerBound {
        return nil
      }
    }
    return displacement
  }

  /// Follows a window forward and backward; the backward search starts from the opposite of `guess`.
  /// - Returns: The displacement, and the distance by which the backward search misses the start, both in
  ///   pixels of the first level; nil if either search fails.
  func displacementAndError(
    _ x: Int, _ y: Int, levels range: ClosedRange<Int>, from guess: SIMD2<Double>
  ) -> (displacement: SIMD2<Double>, error: Double)? {
    guard let there = unsafe displacement(x, y, levels: range, from: guess) else { return nil }
    let end = unsafe GreyView(levels[0], second).cell(Double(x) + there.x + 0.5, Double(y) + there.y + 0.5)
    guard let end, unsafe contains(end.x, end.y) else { return nil }
    guard let again = unsafe reversed.displacement(end.x, end.y, levels: range, from: -guess) else {
      return nil
    }
    let miss = there + again
    return (there, (miss * miss).sum().squareRoot())
  }
}
