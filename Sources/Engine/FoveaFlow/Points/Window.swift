// SPDX-License-Identifier: Apache-2.0

/// A window to follow: its gradient, and sums of products with it.
///
/// For an image moved by a whole number of pixels plus a fraction, interpolated linearly, the sum of its
/// products with the gradient is the weighted mean of four such sums at whole pixels. These sums are
/// integers. They are computed once for the pixel that the window is in, and every further step inside that
/// pixel takes four multiplications.
@safe struct Window {
  // SAFETY: the caller that creates a window gives it memory that outlives it.

  /// The pixels in each direction.
  static let side = 15
  /// The pixels from the middle to the edge.
  static let half = 7
  /// The numbers in a gradient's memory: rows of 16, the last of each zero, in x and then in y.
  static let gradientCount = 2 * side * 16
  /// The offsets of the two vectors of a row.
  private static var halves: StrideTo<Int> { stride(from: 0, to: 16, by: 8) }
  /// The factor by which the Scharr filter scales the derivative: 3 + 10 + 3, over a distance of 2.
  static let gradientScale = 32.0

  /// The memory of the gradient.
  private let gradient: UnsafeMutablePointer<Int16>
  /// The sums of products of the gradient with itself: xx, xy, yy.
  private(set) var xx = 0.0
  private(set) var xy = 0.0
  private(set) var yy = 0.0
  /// The sums of products of the gradient with the window's own pixels.
  private(set) var template = (x: 0.0, y: 0.0)

  init(gradient: UnsafeMutablePointer<Int16>) { unsafe self.gradient = gradient }

  /// The smaller eigenvalue of the mean of the gradient's products, in (grey levels per pixel)²: 0 if the
  /// window is flat or changes in one direction only.
  var texture: Double {
    let (mean, difference) = ((xx + yy) / 2, (xx - yy) / 2)
    let smaller = mean - (difference * difference + xy * xy).squareRoot()
    return smaller / (Double(Self.side * Self.side) * Self.gradientScale * Self.gradientScale)
  }

  /// Reads the window around a pixel within `view`'s reach.
  ///
  /// **Source:** Scharr, "Optimale Operatoren in der Digitalen Bildverarbeitung", 2000: the derivative 3 10
  /// 3.
  mutating func take(_ view: GreyView, _ x: Int, _ y: Int) {
    let stride = unsafe view.stride * 2
    let start = unsafe UnsafeRawPointer(view.first + (y - Self.half) * view.stride + x - Self.half)
    unsafe differentiate(start, stride)
    unsafe addProducts(start, stride)
  }

  /// Computes the gradient.
  private func differentiate(_ start: UnsafeRawPointer, _ stride: Int) {
    let horizontal = unsafe UnsafeMutableRawPointer(gradient)
    let vertical = unsafe UnsafeMutableRawPointer(gradient + Self.side * 16)
    for offset in Self.halves {
      var at = unsafe start + offset &* 2
      var above = unsafe Self.columns(at - stride)
      var here = unsafe Self.columns(at)
      var place = offset &* 2
      for _ in 0..<Self.side {
        unsafe at += stride
        let below = unsafe Self.columns(at)
        let outer = above.slope &+ below.slope
        let gx = outer &+ (outer &<< 1) &+ (here.slope &<< 3) &+ (here.slope &<< 1)
        unsafe (horizontal + place).storeBytes(of: gx, as: SIMD8<Int16>.self)
        unsafe (vertical + place).storeBytes(of: below.smooth &- above.smooth, as: SIMD8<Int16>.self)
        (above, here) = (here, below)
        place &+= 32
      }
    }
    unsafe Self.center(horizontal)
    unsafe Self.center(vertical)
  }

  /// Subtracts the mean from a derivative, so that an equal change of brightness everywhere does not affect
  /// any sum of products; clears the last of each 16 numbers.
  private static func center(_ derivative: UnsafeMutableRawPointer) {
    let last = SIMD8<Int16>(-1, -1, -1, -1, -1, -1, -1, 0)
    var sum = SIMD8<Int32>()
    for line in 0..<side {
      let left = unsafe pixels(UnsafeRawPointer(derivative) + line &* 32)
      let right = unsafe pixels(UnsafeRawPointer(derivative) + (line &* 32 &+ 16)) & last
      // At most 4,080 each.
      sum &+= SIMD8<Int32>(truncatingIfNeeded: left &+ right)
    }
    let mean = (Double(sum.wrappedSum()) / Double(side * side)).rounded()
    let means = SIMD8<Int16>(repeating: Int16(mean))
    for line in 0..<side {
      let place = unsafe derivative + line &* 32
      let left = unsafe pixels(UnsafeRawPointer(place)) &- means
      let right = unsafe (pixels(UnsafeRawPointer(place) + 16) &- means) & last
      unsafe place.storeBytes(of: left, as: SIMD8<Int16>.self)
      unsafe (place + 16).storeBytes(of: right, as: SIMD8<Int16>.self)
    }
  }

  /// Adds up the products of the gradient with itself and with the window.
  private mutating func addProducts(_ start: UnsafeRawPointer, _ stride: Int) {
    let horizontal = unsafe UnsafeRawPointer(gradient)
    let vertical = unsafe UnsafeRawPointer(gradient + Self.side * 16)
    var (sumXX, sumXY, sumYY) = (SIMD8<Int32>(), SIMD8<Int32>(), SIMD8<Int32>())
    var (sumX, sumY) = (SIMD8<Int32>(), SIMD8<Int32>())
    for offset in Self.halves {
      var at = unsafe start + offset &* 2
      var place = offset &* 2
      for _ in 0..<Self.side {
        let gx = unsafe (horizontal + place).loadUnaligned(as: SIMD8<Int16>.self)
        let gy = unsafe (vertical + place).loadUnaligned(as: SIMD8<Int16>.self)
        let pixels = unsafe Self.pixels(at)
        sumXX &+= Self.products(gx, gx)
        sumXY &+= Self.products(gx, gy)
        sumYY &+= Self.products(gy, gy)
        sumX &+= Self.products(pixels, gx)
        sumY &+= Self.products(pixels, gy)
        unsafe at += stride
        place &+= 32
      }
    }
    // 225 products of at most 4,080 squared: 32 bits without a sign hold the squares.
    xx = Double(UInt32(bitPattern: sumXX.wrappedSum()))
    xy = Double(sumXY.wrappedSum())
    yy = Double(UInt32(bitPattern: sumYY.wrappedSum()))
    template = (Double(sumX.wrappedSum()), Double(sumY.wrappedSum()))
  }

  /// The sums of products of a gradient with the pixels of a window at whole pixels, and one to the right,
  /// below, and both.
  struct Correlation {
    var x = SIMD4<Double>()
    var y = SIMD4<Double>()
  }

  /// Correlates the gradient with the window around a pixel within `view`'s reach.
  func correlation(_ view: GreyView, _ x: Int, _ y: Int) -> Correlation {
    let start = unsafe UnsafeRawPointer(view.first + (y - Self.half) * view.stride + x - Self.half)
    let stride = unsafe view.stride * 2
    let left = unsafe columnCorrelation(start, stride)
    let right = unsafe columnCorrelation(start + 2, stride)
    return Correlation(
      x: SIMD4<Double>(SIMD4(left.x, right.x, left.z, right.z)),
      y: SIMD4<Double>(SIMD4(left.y, right.y, left.w, right.w)))
  }

  /// Returns the sums of a window in x and y, and of the window below it in x and y.
  ///
  /// Including the window to the right in this loop would be slower: the compiler would build both from
  /// single pixels.
  @inline(never)
  private func columnCorrelation(_ start: UnsafeRawPointer, _ stride: Int) -> SIMD4<Int32> {
    var (hereX, hereY, belowX, belowY) = (SIMD8<Int32>(), SIMD8<Int32>(), SIMD8<Int32>(), SIMD8<Int32>())
    let horizontal = unsafe UnsafeRawPointer(gradient)
    let vertical = unsafe UnsafeRawPointer(gradient + Self.side * 16)
    for offset in Self.halves {
      var at = unsafe start + offset &* 2
      var place = offset &* 2
      for _ in 0..<Self.side {
        let gx = unsafe Self.pixels(horizontal + place)
        let gy = unsafe Self.pixels(vertical + place)
        let here = unsafe Self.pixels(at)
        hereX &+= Self.products(here, gx)
        hereY &+= Self.products(here, gy)
        unsafe at += stride
        let below = unsafe Self.pixels(at)
        belowX &+= Self.products(below, gx)
        belowY &+= Self.products(below, gy)
        place &+= 32
      }
    }
    return SIMD4(hereX.wrappedSum(), hereY.wrappedSum(), belowX.wrappedSum(), belowY.wrappedSum())
  }

  /// Loads eight pixels.
  @inline(__always)
  private static func pixels(_ row: UnsafeRawPointer) -> SIMD8<Int16> {
    unsafe row.loadUnaligned(as: SIMD8<Int16>.self)
  }

  /// Returns the difference of each pixel's neighbours in a row, and the pixel and its neighbours weighted 3
  /// 10 3.
  @inline(__always)
  private static func columns(_ row: UnsafeRawPointer) -> (slope: SIMD8<Int16>, smooth: SIMD8<Int16>) {
    let (left, here, right) = unsafe (pixels(row - 2), pixels(row), pixels(row + 2))
    let both = left &+ right
    return (right &- left, both &+ (both &<< 1) &+ (here &<< 3) &+ (here &<< 1))
  }

  /// Returns products of pixels or gradients as 32-bit numbers.
  ///
  /// Summed in a loop and finally over the lanes, each pair of products compiles to one instruction.
  @inline(__always)
  private static func products(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int32> {
    SIMD8<Int32>(truncatingIfNeeded: a) &* SIMD8<Int32>(truncatingIfNeeded: b)
  }
}
