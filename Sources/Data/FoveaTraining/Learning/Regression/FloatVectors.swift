// SPDX-License-Identifier: Apache-2.0

/// Operations on parts of arrays, sixteen numbers at a time.
enum FloatVectors {
  private typealias Lanes = SIMD16<Float>

  /// Returns the dot product of `count` numbers from two start indices.
  static func dot(_ a: [Float], _ aStart: Int, _ b: [Float], _ bStart: Int, _ count: Int) -> Float {
    let (a, b) = (a.span, b.span)
    var sums = Lanes.zero
    var index = 0
    while index + Lanes.scalarCount <= count {
      // SAFETY: both spans have that many numbers from there on, and a vector of Floats accepts any bits.
      sums += a.lanes(aStart + index) * b.lanes(bStart + index)
      index += Lanes.scalarCount
    }
    var sum = sums.sum()
    while index < count {
      sum += a[aStart + index] * b[bStart + index]
      index += 1
    }
    return sum
  }

  /// Adds a multiple of `count` numbers, from a start index, to the numbers of another array.
  static func add(
    _ factor: Float, _ a: [Float], _ aStart: Int, to b: inout [Float], _ bStart: Int, _ count: Int
  ) {
    let a = a.span
    var b = b.mutableSpan
    for index in 0..<count { b[bStart + index] += factor * a[aStart + index] }
  }
}

extension Span<Float> {
  fileprivate func lanes(_ start: Int) -> SIMD16<Float> {
    precondition(start >= 0 && start + 16 <= count)
    // SAFETY: the bytes lie in the span, as just checked, and a vector of Floats accepts any bits.
    return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 4 * start, as: SIMD16<Float>.self)
  }
}
