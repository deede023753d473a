// SPDX-License-Identifier: Apache-2.0

/// Finds where a window of one picture lies in another.
///
/// **Source:** Lucas, Kanade, "An Iterative Image Registration Technique", IJCAI 1981; Baker, Matthews, "Lucas-Kanade
/// 20 Years On", IJCV 2004, section 3.2: the gradient is that of the window, made once.
enum LucasKanade {
  /// The most steps on a level.
  static let iterationLimit = 15
  /// A shorter step than this, in pixels, is the last one.
  static let lastStep = 0.03
  /// Windows with less texture than this, in (grey levels a pixel)², are not followed.
  static let leastTexture = 0.1

  /// Refines a displacement on one level.
  /// - Parameters:
  ///   - window: The window of the first picture, taken at (`x`, `y`).
  ///   - view: The level of the second picture.
  ///   - guess: Where the search begins, in pixels of the level relative to (`x`, `y`).
  /// - Returns: The displacement in pixels of the level; nil where the window is flat or leaves the picture.
  static func refine(
    _ window: Window, at x: Int, _ y: Int, in view: GreyView, from guess: SIMD2<Double>
  ) -> SIMD2<Double>? {
    let (xx, xy, yy) = (window.xx, window.xy, window.yy)
    let determinant = xx * yy - xy * xy
    guard window.texture >= leastTexture, determinant > 0 else { return nil }
    let factor = Window.gradientScale / determinant
    let template = window.template
    let middle = SIMD2(Double(x), Double(y))
    var displacement = guess
    var cell = SIMD2<Double>(.infinity, .infinity)
    var correlation = Window.Correlation()
    var before = SIMD2<Double>()
    for iteration in 0..<iterationLimit {
      let position = middle + displacement
      let whole = position.rounded(.down)
      if whole != cell {
        // Not a number compares as outside.
        guard abs(whole.x) < 1e6, abs(whole.y) < 1e6, unsafe view.reaches(Int(whole.x), Int(whole.y)) else {
          return nil
        }
        correlation = unsafe window.correlation(view, Int(whole.x), Int(whole.y))
        cell = whole
      }
      let part = position - whole
      let rest = SIMD2(1, 1) - part
      let weights = SIMD4(rest.x * rest.y, part.x * rest.y, rest.x * part.y, part.x * part.y)
      let errorX = (weights * correlation.x).sum() - template.x
      let errorY = (weights * correlation.y).sum() - template.y
      let step = factor * SIMD2(xy * errorY - yy * errorX, xy * errorX - xx * errorY)
      displacement += step
      let length = step.x * step.x + step.y * step.y
      if length < lastStep * lastStep { break }
      // Two steps that undo each other: the truth is between them.
      let both = step + before
      if iteration > 0, abs(both.x) < 0.01, abs(both.y) < 0.01 {
        displacement -= step / 2
        break
      }
      before = step
    }
    let end = middle + displacement
    guard abs(end.x) < 1e6, abs(end.y) < 1e6,
      unsafe view.reaches(Int(end.x.rounded(.down)), Int(end.y.rounded(.down)))
    else { return nil }
    return displacement
  }
}
