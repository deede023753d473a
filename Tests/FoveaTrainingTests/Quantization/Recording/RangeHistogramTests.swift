// SPDX-License-Identifier: Apache-2.0

import FoveaTesting
import Testing

@testable import FoveaTraining

@Suite struct RangeHistogramTests {
  static func histogram(_ numbers: [Float]) -> RangeHistogram {
    var extremes = Extremes()
    unsafe numbers.withUnsafeBufferPointer { unsafe extremes.add($0) }
    var histogram = RangeHistogram(Double(extremes.low)...Double(extremes.high))
    unsafe numbers.withUnsafeBufferPointer { unsafe histogram.add($0) }
    return histogram
  }

  /// The squared error of 255 steps of a range over the numbers themselves.
  static func error(_ numbers: [Float], _ range: ClosedRange<Double>) -> Double {
    let step = max((range.upperBound - range.lowerBound) / 255, 1e-30)
    return numbers.reduce(0) { sum, number in
      let inside = min(max(Double(number), range.lowerBound), range.upperBound)
      let rounded = (inside / step).rounded() * step
      return sum + (Double(number) - rounded) * (Double(number) - rounded)
    }
  }

  @Test(
    arguments: [
      ([], 0...0), ([0, 0], 0...0), ([5], 0...5), ([-3], -3...0), ([-1, 1], -1...1),
    ] as [([Float], ClosedRange<Double>)])
  func `few numbers keep their full range`(numbers: [Float], range: ClosedRange<Double>) {
    #expect(Self.histogram(numbers).best == range)
  }

  @Test func `an outlier is given up for finer steps, and a wide spread keeps its range`() {
    var generator = SeededGenerator(seed: 2)
    let spread = (0..<200_000).map { _ in Float.random(in: -1...1, using: &generator) }
    let outlier = Self.histogram(spread + [3])
    #expect(outlier.best.upperBound < 2.9)
    #expect(outlier.best.lowerBound < -0.95)
    let whole = Self.histogram(spread).best
    #expect(whole.lowerBound < -0.99 && whole.upperBound > 0.99)
    #expect(Self.error(spread + [3], outlier.best) < Self.error(spread + [3], -1...3))
  }

  @Test func `histograms of other ranges join without losing a number`() {
    var generator = SeededGenerator(seed: 4)
    let small = (0..<5_000).map { _ in Float.random(in: 0...1, using: &generator) }
    let large = (0..<5_000).map { _ in Float.random(in: -6...2, using: &generator) }
    let joined = RangeHistogram.joined([Self.histogram(small), Self.histogram(large)])
    #expect(joined.bins.reduce(0, +) == 10_000)
    let direct = Self.histogram(small + large)
    #expect(abs(joined.best.lowerBound - direct.best.lowerBound) < 0.1)
    #expect(abs(joined.best.upperBound - direct.best.upperBound) < 0.1)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity], [0, 3, 15, 16, 40])
  func `a number that is not finite is noticed at any place`(number: Float, place: Int) {
    var numbers = [Float](repeating: 1, count: 41)
    numbers[place] = number
    var extremes = Extremes()
    unsafe numbers.withUnsafeBufferPointer { unsafe extremes.add($0) }
    #expect(!extremes.isFinite)
  }

  @Test func `extremes include 0`() {
    var extremes = Extremes()
    let numbers: [Float] = [3, 7]
    unsafe numbers.withUnsafeBufferPointer { unsafe extremes.add($0) }
    #expect(extremes.low == 0 && extremes.high == 7 && extremes.isFinite)
  }
}
