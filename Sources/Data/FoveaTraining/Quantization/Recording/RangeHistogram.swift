// SPDX-License-Identifier: Apache-2.0

/// A histogram of a tensor's numbers between their extremes, 0 included.
struct RangeHistogram: Sendable {
  static let binCount = 2_048
  private static let steps = 24
  /// The least part of the full range that is tried.
  private static let leastPart = 0.1
  private static let levels = 255.0

  let low: Double
  let high: Double
  private(set) var bins = [UInt64](repeating: 0, count: binCount)

  /// Creates an empty histogram.
  init(_ range: ClosedRange<Double>) {
    low = min(0, range.lowerBound)
    high = max(0, range.upperBound)
  }

  private var width: Double { (high - low) / Double(Self.binCount) }

  /// Adds numbers; those beyond the range count at its ends.
  mutating func add(_ numbers: UnsafeBufferPointer<Float>) {
    guard high > low else {
      bins[0] += UInt64(numbers.count)
      return
    }
    let (least, factor) = (Float(low), Float(Double(Self.binCount) / (high - low)))
    let last = Float(Self.binCount - 1)
    unsafe bins.withUnsafeMutableBufferPointer { bins in
      for index in 0..<numbers.count {
        let place = (unsafe numbers[index] - least) * factor
        // A range of few steps may give NaN, which is not above 0.
        unsafe bins[place > 0 ? Int(min(place, last)) : 0] += 1
      }
    }
  }

  /// Returns one histogram of the numbers of several.
  static func joined(_ parts: [RangeHistogram]) -> RangeHistogram {
    guard parts.count != 1 else { return parts[0] }
    let low = parts.reduce(0) { min($0, $1.low) }
    var whole = RangeHistogram(low...parts.reduce(0) { max($0, $1.high) })
    guard whole.high > whole.low else { return whole }
    for part in parts {
      for (index, count) in part.bins.enumerated() where count > 0 {
        let place = Int((part.center(index) - low) / whole.width)
        whole.bins[min(max(place, 0), binCount - 1)] += count
      }
    }
    return whole
  }

  private func center(_ index: Int) -> Double { low + (Double(index) + 0.5) * width }

  /// The range whose 255 steps have the least squared error over the numbers, with 0 inside.
  var best: ClosedRange<Double> {
    guard high > low else { return 0...0 }
    let filled = bins.indices.filter { bins[$0] > 0 }.map { (value: center($0), count: Double(bins[$0])) }
    var (below, above) = (low, high)
    for _ in 0..<2 {
      above = Self.least(high) { Self.error(filled, below, $0) }
      below = Self.least(low) { Self.error(filled, $0, above) }
    }
    return below...above
  }

  /// Returns the part of a bound that has the least error; of equal ones, the largest.
  private static func least(_ bound: Double, _ error: (Double) -> Double) -> Double {
    guard bound != 0 else { return 0 }
    var best = (bound: bound, error: error(bound))
    for step in 1..<steps {
      let part = bound * (1 - (1 - leastPart) * Double(step) / Double(steps - 1))
      let found = error(part)
      if found < best.error { best = (part, found) }
    }
    return best.bound
  }

  /// Returns the squared error of 255 steps from `below` to `above` over numbers with their counts.
  private static func error(
    _ numbers: [(value: Double, count: Double)], _ below: Double, _ above: Double
  ) -> Double {
    let step = (above - below) / levels
    let rounding = step * step / 12
    var sum = 0.0
    for (value, count) in numbers {
      // Near 0 a number becomes 0, which many are after a ReLU.
      let distance = value > above ? value - above : value < below ? below - value : 0
      let square = distance > 0 ? distance * distance : min(rounding, value * value)
      sum += count * square
    }
    return sum
  }
}
