// SPDX-License-Identifier: Apache-2.0

/// Halves a grey image: the binomial filter 1 4 6 4 1 in each direction, then every second pixel of every
/// second row.
///
/// The centre of pixel (x, y) of the result is the centre of pixel (2x, 2y) of the source. Pixels beyond the
/// edge repeat the edge.
///
/// **Source:** Burt, Adelson, "The Laplacian Pyramid as a Compact Image Code", IEEE Transactions on
/// Communications, 1983.
enum BinomialReduction {
  /// The sums before and after a row that repeat its ends; a multiple of 8 for aligned loads.
  private static let margin = 8

  /// Returns the number of elements that `sums` needs.
  static func sumCount(width: Int) -> Int { width + 4 * margin + 16 }

  /// Writes ⌈width ÷ 2⌉ × ⌈height ÷ 2⌉ pixels.
  static func halve<Pixel: FixedWidthInteger & SIMDScalar>(
    _ source: UnsafePointer<Pixel>, stride: Int, width: Int, height: Int,
    into target: UnsafeMutablePointer<UInt16>, targetStride: Int, sums: UnsafeMutablePointer<UInt16>
  ) {
    let sums = unsafe sums + margin
    let last = height - 1
    for y in 0..<(height + 1) / 2 {
      func row(_ offset: Int) -> UnsafePointer<Pixel> {
        unsafe source + min(max(2 * y + offset, 0), last) * stride
      }
      unsafe addRows(row(-2), row(-1), row(0), row(1), row(2), width, sums)
      unsafe sums[-1] = sums[0]
      unsafe sums[-2] = sums[0]
      unsafe (sums + width).update(repeating: sums[width - 1], count: 3)
      unsafe addColumns(sums, (width + 1) / 2, target + y * targetStride)
    }
  }

  /// Writes a + 4 b + 6 c + 4 d + e of each column: at most 4,080.
  @inline(__always)
  private static func addRows<Pixel: FixedWidthInteger & SIMDScalar>(
    _ a: UnsafePointer<Pixel>, _ b: UnsafePointer<Pixel>, _ c: UnsafePointer<Pixel>,
    _ d: UnsafePointer<Pixel>, _ e: UnsafePointer<Pixel>, _ width: Int, _ sums: UnsafeMutablePointer<UInt16>
  ) {
    var x = 0
    while x + 16 <= width {
      let outer = unsafe wide(a + x) &+ wide(e + x)
      let inner = unsafe wide(b + x) &+ wide(d + x)
      let middle = unsafe wide(c + x)
      let sum = outer &+ ((inner &+ middle) &<< 2) &+ (middle &<< 1)
      unsafe UnsafeMutableRawPointer(sums + x).storeBytes(of: sum, as: SIMD16<UInt16>.self)
      x += 16
    }
    while x < width {
      let outer = unsafe UInt16(a[x]) &+ UInt16(e[x])
      let inner = unsafe UInt16(b[x]) &+ UInt16(d[x])
      unsafe sums[x] = outer &+ 4 &* inner &+ 6 &* UInt16(c[x])
      x += 1
    }
  }

  /// Applies the same weights along a row, for every second column, rounded and divided by the sum of the
  /// weights, 256.
  @inline(__always)
  private static func addColumns(
    _ sums: UnsafePointer<UInt16>, _ count: Int, _ target: UnsafeMutablePointer<UInt16>
  ) {
    var x = 0
    while x + 8 <= count {
      let at = unsafe UnsafeRawPointer(sums + 2 * x)
      let before = unsafe (at - 4).loadUnaligned(as: SIMD16<UInt16>.self)
      let here = unsafe at.loadUnaligned(as: SIMD16<UInt16>.self)
      let after = unsafe (at + 4).loadUnaligned(as: SIMD16<UInt16>.self)
      let outer = before.evenHalf &+ after.evenHalf
      let inner = before.oddHalf &+ here.oddHalf
      let middle = here.evenHalf
      let sum = outer &+ ((inner &+ middle) &<< 2) &+ (middle &<< 1)
      let mean = (sum &+ SIMD8(repeating: 128)) &>> 8
      unsafe UnsafeMutableRawPointer(target + x)
        .storeBytes(of: mean, as: SIMD8<UInt16>.self)
      x += 8
    }
    while x < count {
      let at = unsafe sums + 2 * x
      let outer = unsafe at[-2] &+ at[2]
      let inner = unsafe at[-1] &+ at[1]
      let sum = unsafe outer &+ 4 &* inner &+ 6 &* at[0]
      unsafe target[x] = (sum &+ 128) &>> 8
      x += 1
    }
  }

  @inline(__always)
  private static func wide<Pixel: FixedWidthInteger & SIMDScalar>(
    _ pixels: UnsafePointer<Pixel>
  ) -> SIMD16<UInt16> {
    SIMD16(truncatingIfNeeded: unsafe UnsafeRawPointer(pixels).loadUnaligned(as: SIMD16<Pixel>.self))
  }
}
