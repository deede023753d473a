// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension TensorDescription {
  /// The quantisation step of a tensor; nil if it is not quantised.
  var step: Float? {
    guard case .perTensor(let scale, _) = quantization, scale > 0 else { return nil }
    return scale
  }

  /// The range of numbers that a tensor of quantised bytes can hold; nil for other tensors.
  var numberRange: ClosedRange<Float>? {
    guard case .perTensor(let scale, let zeroPoint) = quantization, scale > 0, scale.isFinite else {
      return nil
    }
    let range: ClosedRange<Int>
    switch elementType {
    case .uint8: range = 0...255
    case .int8: range = -128...127
    default: return nil
    }
    let least = (Float(range.lowerBound) - Float(zeroPoint)) * scale
    let most = (Float(range.upperBound) - Float(zeroPoint)) * scale
    return least...most
  }

  /// Whether a quantised tensor can hold only probabilities.
  var holdsProbabilities: Bool {
    numberRange.map { $0.lowerBound >= -0.01 && $0.upperBound <= 1.01 } == true
  }
}
