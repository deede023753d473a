// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension TensorDescription {
  /// The step between two numbers of a quantised tensor; nil for others.
  var step: Float? {
    guard case .perTensor(let scale, _) = quantization, scale > 0 else { return nil }
    return scale
  }

  /// Whether a quantised tensor can hold nothing but probabilities.
  var holdsProbabilities: Bool {
    guard case .perTensor(let scale, let zeroPoint) = quantization, scale > 0 else { return false }
    let range: ClosedRange<Int>
    switch elementType {
    case .uint8: range = 0...255
    case .int8: range = -128...127
    default: return false
    }
    let least = (Float(range.lowerBound) - Float(zeroPoint)) * scale
    let most = (Float(range.upperBound) - Float(zeroPoint)) * scale
    return least >= -0.01 && most <= 1.01
  }
}
