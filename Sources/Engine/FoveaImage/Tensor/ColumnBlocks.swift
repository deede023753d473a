// SPDX-License-Identifier: Apache-2.0

import CPixels

/// The weights of a horizontal filter in the format of the shuffling kernel; see `fovea_column_blocks`.
///
/// The kernel's output equals transposing, filtering and transposing again, at a lower cost.
struct ColumnBlocks {
  private var width = 0
  private var taps = 0
  private var windows = 0
  private var starts: [Int32] = []
  private var picks: [UInt8] = []
  private var biases: [UInt16] = []
  private var weights: [UInt16] = []

  /// The number of bytes that the kernel may read beyond the end of a row.
  static let overrun = 16 + mostTaps
  // For more taps, a reduction to less than a seventh, transposing is faster.
  private static let mostTaps = 16

  /// Whether the kernel supports the filter on this machine.
  var isUsable: Bool { windows > 0 }

  /// Arranges the weights of a filter.
  /// - Parameters:
  ///   - filter: The filter.
  ///   - flips: Whether the outputs are in reverse order.
  mutating func prepare(_ filter: TriangleFilter, flips: Bool) {
    let outputs = filter.taps
    width = outputs.count
    taps = outputs.reduce(2) { max($0, Int($1.count)) }
    windows = 0
    guard fovea_can_filter_columns(), width >= 16, taps <= Self.mostTaps else { return }
    let first = filter.inputs.lowerBound
    func output(_ index: Int) -> TriangleFilter.Taps { outputs[flips ? width - 1 - index : index] }
    func firsts(_ range: Range<Int>) -> (least: Int32, most: Int32) {
      range.reduce((Int32.max, Int32.min)) { (min($0.0, output($1).first), max($0.1, output($1).first)) }
    }
    // Blocks of 16 from the left; the last one ends with the last output.
    let blocks = stride(from: 0, to: width, by: 16).map { min($0, width - 16) }
    func fits(_ windows: Int) -> Bool {
      let count = 8 / windows
      return blocks.allSatisfy { block in
        stride(from: block, to: block + 16, by: count).allSatisfy {
          let (least, most) = firsts($0..<($0 + count))
          return most - least <= 15
        }
      }
    }
    guard let windows = [1, 2, 4].first(where: { fits($0) }) else { return }
    self.windows = windows
    starts.removeAll(keepingCapacity: true)
    picks.removeAll(keepingCapacity: true)
    biases.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
    let perWindow = 8 / windows
    for block in blocks {
      for window in 0..<(2 * windows) {
        let place = block + window * perWindow
        starts.append(firsts(place..<(place + perWindow)).least - Int32(first))
      }
      for window in 0..<windows {
        for lane in 0..<2 {
          let start = starts[starts.count - 2 * windows + lane * windows + window]
          for index in 0..<8 {
            let isOwn = index / perWindow == window
            let offset = output(block + lane * 8 + index).first - Int32(first) - start
            picks += [0x80, isOwn ? UInt8(offset) : 0x80]
          }
        }
      }
      for index in 0..<16 { biases.append(UInt16(128 + (output(block + index).count - 1) / 2)) }
      for tap in 0..<taps {
        for index in 0..<16 {
          let taps = output(block + index)
          weights.append(tap < Int(taps.count) ? filter.weights[Int(taps.weights) + tap] : 0)
        }
      }
    }
  }

  /// Filters rows, starting with the first sample that any output needs; up to `overrun` bytes after the last
  /// sample are read and ignored.
  func filter(
    _ source: UnsafePointer<UInt8>, _ sourceStride: Int, into target: UnsafeMutablePointer<UInt8>,
    _ targetStride: Int, rows: Int
  ) {
    // SAFETY: `prepare` has filled the arrays as the kernel expects them.
    unsafe starts.withUnsafeBufferPointer { starts in
      unsafe picks.withUnsafeBufferPointer { picks in
        unsafe biases.withUnsafeBufferPointer { biases in
          unsafe weights.withUnsafeBufferPointer { weights in
            var blocks = unsafe fovea_column_blocks(
              width: Int32(width), taps: Int32(taps), windows: Int32(windows), starts: starts.baseAddress,
              picks: picks.baseAddress, biases: biases.baseAddress, weights: weights.baseAddress)
            unsafe fovea_filter_columns(source, sourceStride, target, targetStride, Int32(rows), &blocks)
          }
        }
      }
    }
  }
}
