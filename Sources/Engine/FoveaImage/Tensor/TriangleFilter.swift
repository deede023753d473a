// SPDX-License-Identifier: Apache-2.0

import CPixels

/// The weights of an antialiased bilinear resize along one axis.
///
/// A triangle as wide as two output pixels, and at least two input pixels: Pillow's BILINEAR, with which most
/// models were trained and evaluated. libyuv's own scaler uses two neighbours below a reduction by 2 and
/// skips the pixels between.
///
/// This is a class so that lending it to each band of an image does not retain its arrays.
final class TriangleFilter {
  /// The parameters that determine the weights.
  struct Key: Equatable {
    /// The range of the input, in samples; fractional.
    var start: Double
    var end: Double
    /// The number of input samples.
    var limit: Int
    /// The number of output samples.
    var count: Int
    /// The offset of the first output sample from `start`, for two taps; nil uses the whole triangle.
    var phase: Double?
    /// The order of the outputs in `blocks`; nil if the filter is not needed in blocks.
    var blockOrder: BlockOrder?
  }

  /// The order of the outputs relative to the inputs.
  enum BlockOrder { case same, opposite }

  /// The taps of one output sample.
  struct Taps {
    var first: Int32
    var count: Int32
    var weights: Int32
  }

  private(set) var key = Key(start: 0, end: 0, limit: 0, count: 0, phase: nil)
  private(set) var taps: [Taps] = []
  /// Weights in units of 1/65,536 that sum to 65,535: the kernels multiply 16-bit numbers.
  private(set) var weights: [UInt16] = []
  /// The input samples that the outputs need.
  private(set) var inputs: Range<Int> = 0..<0
  /// The filter in the format of the shuffling kernel.
  private(set) var blocks = ColumnBlocks()
  private var exact: [Double] = []

  /// Computes the weights, unless the parameters have not changed since the last call.
  func prepare(_ new: Key) {
    guard new != key else { return }
    key = new
    taps.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
    // Samples outside the region do not bleed into it.
    let lowest = min(max(Int(key.start.rounded(.down)), 0), key.limit - 1)
    let highest = min(max(Int(key.end.rounded(.up)), lowest + 1), key.limit)
    let scale = (key.end - key.start) / Double(key.count)
    // Two taps: a triangle of two input pixels at any scale, skipping the pixels between.
    let support = key.phase == nil ? max(scale, 1) : 1
    let phase = key.phase ?? 0.5 * scale
    inputs = lowest..<highest
    for index in 0..<key.count {
      let center = key.start + Double(index) * scale + phase
      let first = min(max(Int((center - support + 0.5).rounded(.down)), lowest), highest - 1)
      let end = min(max(Int((center + support + 0.5).rounded(.down)), first + 1), highest)
      exact.removeAll(keepingCapacity: true)
      var sum = 0.0
      for sample in first..<end {
        let weight = max(0, 1 - abs((Double(sample) + 0.5 - center) / support))
        exact.append(weight)
        sum += weight
      }
      append(first: first, sum: sum)
    }
    guard let order = key.blockOrder else { return }
    blocks.prepare(self, flips: order == .opposite)
  }

  /// Rounds the weights so that they sum to exactly 65,535 and flat areas keep their value.
  private func append(first: Int, sum: Double) {
    var first = first
    var slice = exact[...]
    while slice.count > 1, slice.first == 0 {
      slice.removeFirst()
      first += 1
    }
    while slice.count > 1, slice.last == 0 { slice.removeLast() }
    taps.append(Taps(first: Int32(first), count: Int32(slice.count), weights: Int32(weights.count)))
    var cumulated = 0.0
    var given = 0
    for weight in slice {
      cumulated += sum > 0 ? weight / sum : 1 / Double(slice.count)
      let target = Int((min(cumulated, 1) * 65_535).rounded())
      weights.append(UInt16(target - given))
      given = target
    }
  }

  /// Filters rows; output row i is the weighted sum of its input rows.
  /// - Parameters:
  ///   - source: The row of the first sample of `inputs`.
  ///   - sourceStride: The distance between input rows in bytes.
  ///   - target: The first output row to write.
  ///   - targetStride: The distance between output rows in bytes.
  ///   - width: The number of bytes in a row.
  ///   - outputs: The range of output rows to compute.
  ///   - flips: Whether output rows are counted from the bottom.
  func filterRows(
    _ source: UnsafePointer<UInt8>, _ sourceStride: Int, into target: UnsafeMutablePointer<UInt8>,
    _ targetStride: Int, width: Int, outputs: Range<Int>, flips: Bool
  ) {
    unsafe weights.withUnsafeBufferPointer { weights in
      guard let base = weights.baseAddress else { return }
      for index in outputs {
        let tap = taps[flips ? taps.count - 1 - index : index]
        unsafe fovea_blend_rows(
          source + (Int(tap.first) - inputs.lowerBound) * sourceStride, sourceStride, base + Int(tap.weights),
          tap.count,
          target + (index - outputs.lowerBound) * targetStride, Int32(width))
      }
    }
  }
}
