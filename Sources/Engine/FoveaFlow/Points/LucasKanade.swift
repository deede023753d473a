// SPDX-License-Identifier: Apache-2.0

/// Finds the position of a window of one image in another.
///
/// **Source:** Lucas, Kanade, "An Iterative Image Registration Technique", IJCAI 1981; Baker, Matthews,
/// "Lucas-Kanade 20 Years On", IJCV 2004, section 3.2: the gradient is computed once, from the window.
enum LucasKanade {
  /// The maximum number of steps on a level.
  ///
  /// With 15 the boxes of the clips in the tests are no better, and windows without a match cost twice as
  /// much.
  static let iterationLimit = 8
  /// The length in pixels below which the search stops.
  static let lastStep = 0.03
  /// The texture below which windows are not followed, in (grey levels per pixel)².
  static let leastTexture = 0.1

  /// Refines a displacement on one level.
  /// - Parameters:
  ///   - window: The window of the first image.
  ///   - x: The column of its centre.
  ///   - y: The row of its centre.
  ///   - view: The level of the second image.
  ///   - guess: The start of the search, in pixels of the level relative to (`x`, `y`).
  /// - Returns: The displacement in pixels of the level; nil if the window is flat or leaves the image.
  static func refine(
    _ window: Window, at x: Int, _ y: Int, in view: GreyView, from guess: SIMD2<Double>
  ) -> SIMD2<Double>? {
    let (xx, xy, yy) = (window.xx, window.xy, window.yy)
    let determinant = xx * yy - xy * xy
    guard window.texture >= leastTexture, determinant > 0 else { return nil }
    let factor = Window.gradientScale / determinant
    let template = window.template
    var (dx, dy) = (guess.x, guess.y)
    var (cellX, cellY) = (Int.max, Int.max)
    var correlation = Window.Correlation()
    var (lastX, lastY) = (0.0, 0.0)
    for iteration in 0..<iterationLimit {
      let (px, py) = (Double(x) + dx, Double(y) + dy)
      guard let cell = unsafe view.cell(px, py) else { return nil }
      if cell.x != cellX || cell.y != cellY {
        (cellX, cellY) = cell
        correlation = unsafe window.correlation(view, cellX, cellY)
      }
      let (right, below) = (px - Double(cellX), py - Double(cellY))
      let (left, above) = (1 - right, 1 - below)
      let weights = SIMD4(left * above, right * above, left * below, right * below)
      let errorX = (weights * correlation.x).sum() - template.x
      let errorY = (weights * correlation.y).sum() - template.y
      let stepX = factor * (xy * errorY - yy * errorX)
      let stepY = factor * (xy * errorX - xx * errorY)
      dx += stepX
      dy += stepY
      if stepX * stepX + stepY * stepY < lastStep * lastStep { break }
      // If two steps undo each other, the solution is between them.
      if iteration > 0, abs(stepX + lastX) < 0.01, abs(stepY + lastY) < 0.01 {
        dx -= stepX / 2
        dy -= stepY / 2
        break
      }
      (lastX, lastY) = (stepX, stepY)
    }
    guard unsafe view.cell(Double(x) + dx, Double(y) + dy) != nil else { return nil }
    return SIMD2(dx, dy)
  }
}
