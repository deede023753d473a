// SPDX-License-Identifier: Apache-2.0

/// Two pyramids of one size, and the memory of a window, for as long as a search between them takes.
@unsafe struct PyramidPair {
  let levels: [GreyLevel]
  let first: UnsafePointer<UInt16>
  let second: UnsafePointer<UInt16>
  let gradient: UnsafeMutablePointer<Int16>

  /// The same, from the second to the first.
  var reversed: PyramidPair {
    unsafe PyramidPair(levels: levels, first: second, second: first, gradient: gradient)
  }

  /// Follows the window around a pixel of the first level from coarse to fine.
  /// - Parameters:
  ///   - x: The column of the pixel.
  ///   - y: The row of the pixel.
  ///   - coarsest: The level to begin with.
  ///   - guess: The displacement to begin with, in pixels of the first level.
  /// - Returns: The displacement in pixels of the first level; nil where a window is flat or leaves the picture.
  func displacement(_ x: Int, _ y: Int, coarsest: Int, guess: SIMD2<Double>, finest: Int = 0) -> SIMD2<Double>? {
    var displacement = guess / Double(1 << coarsest)
    var window = unsafe Window(gradient: gradient)
    for index in stride(from: coarsest, through: finest, by: -1) {
      let level = unsafe levels[index]
      let half = (1 << index) / 2
      let (column, row) = (
        min((x + half) >> index, level.width - 1), min((y + half) >> index, level.height - 1)
      )
      unsafe window.take(GreyView(level, first), column, row)
      guard
        let refined = unsafe LucasKanade.refine(
          window, at: column, row, in: GreyView(level, second), from: displacement)
      else { return nil }
      displacement = index > finest ? 2 * refined : refined * Double(1 << finest)
    }
    return displacement
  }
}
