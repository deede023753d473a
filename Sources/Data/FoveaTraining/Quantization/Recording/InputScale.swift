// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry
import FoveaModelFile

/// The scale of an int8 input, from the normalisation of bytes.
enum InputScale {
  /// Chooses the scale at which each byte is a step, if there is one.
  /// - Parameters:
  ///   - normalization: The normalisation of bytes; nil for raw pixels.
  ///   - readsValues: True if the quantised model is given normalised values, which are rounded, not bytes.
  /// - Returns: The scale with the range of its values.
  static func of(_ normalization: Normalization?, readsValues: Bool) -> TensorScales.Input {
    let means = normalization?.mean ?? [0]
    let deviations = normalization?.standardDeviation ?? [1]
    let ends = (0..<max(means.count, deviations.count)).flatMap { channel in
      let (mean, deviation) = (means[channel % means.count], deviations[channel % deviations.count])
      return [Double(0 - mean) / Double(deviation), Double(255 - mean) / Double(deviation)]
    }
    let range = min(0, ends.min() ?? 0)...max(0, ends.max() ?? 0)
    guard means.count == 1, deviations.count == 1, deviations[0] > 0, (0...255).contains(means[0]) else {
      return TensorScales.Input(TensorScale(holding: range), range: range)
    }
    let (mean, deviation) = (means[0], deviations[0])
    let whole = mean.rounded(.down)
    if whole == mean || !readsValues {
      // A zero between two bytes is taken back in the first layer's bias.
      let scale = TensorScale(.int8, scale: 1 / deviation, zeroPoint: Int(whole) - 128)
      return TensorScales.Input(scale, range: range, offset: (whole - mean) / deviation)
    }
    // 254 steps, so that a zero in the middle is one of them.
    let step = (range.upperBound - range.lowerBound) / 254
    let zeroPoint = Int((-range.lowerBound / step).rounded()) - 127
    return TensorScales.Input(
      TensorScale(.int8, scale: Float(step), zeroPoint: max(-128, min(127, zeroPoint))), range: range)
  }
}
