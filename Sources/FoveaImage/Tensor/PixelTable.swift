// SPDX-License-Identifier: Apache-2.0

/// What each of the 256 pixel values becomes in a tensor.
///
/// A table is exact (each value goes through the division that the definition has) and as fast as arithmetic: the
/// three tables stay in the first-level cache.
enum PixelTable: Sendable, Equatable {
  /// The pixel as it is.
  case raw
  /// The pixel minus 128.
  case signed
  /// Three tables of 256 bytes, the first for the first channel.
  case bytes([UInt8])
  /// Three tables of 256 floats.
  case floats([Float])

  init(_ spec: ImageTensorSpec, imageName: String) throws(ImageError) {
    func invalid(_ message: String) -> ImageError {
      ImageError(
        code: .invalidTensor, message: message,
        remedy: "Correct the normalisation or quantisation of the model's input", imageName: imageName)
    }
    guard let normalization = spec.normalization else {
      switch spec.elementType {
      case .uint8: self = .raw
      case .int8: self = .signed
      case .float32: self = .floats((0..<768).map { Float($0 % 256) })
      }
      return
    }
    let means = normalization.mean
    let deviations = normalization.standardDeviation
    guard means.count == 1 || means.count == 3, deviations.count == 1 || deviations.count == 3 else {
      throw invalid(
        "the normalisation has \(means.count) means and \(deviations.count) deviations, 1 or 3 expected")
    }
    guard means.allSatisfy(\.isFinite), deviations.allSatisfy({ $0.isFinite && $0 != 0 }) else {
      throw invalid(
        "the normalisation has mean \(means) and deviation \(deviations), finite and not 0 expected")
    }
    let values = (0..<768).map { index in
      let channel = index / 256
      let mean = means[means.count == 3 ? channel : 0]
      return (Float(index % 256) - mean) / deviations[deviations.count == 3 ? channel : 0]
    }
    if spec.elementType == .float32 {
      self = .floats(values)
      return
    }
    guard let quantization = spec.quantization, quantization.scale.isFinite, quantization.scale > 0 else {
      throw invalid(
        "a \(spec.elementType) input with normalisation needs a quantisation scale above 0, got "
          + (spec.quantization.map { "\($0.scale)" } ?? "none"))
    }
    let range: ClosedRange<Double> = spec.elementType == .uint8 ? 0...255 : -128...127
    let numbers = values.map { value in
      let number = Double((value / quantization.scale).rounded()) + Double(quantization.zeroPoint)
      return Int(min(max(number, range.lowerBound), range.upperBound))
    }
    if spec.elementType == .uint8, numbers.enumerated().allSatisfy({ $1 == $0 % 256 }) {
      self = .raw
    } else if spec.elementType == .int8, numbers.enumerated().allSatisfy({ $1 == $0 % 256 - 128 }) {
      self = .signed
    } else {
      self = .bytes(numbers.map { UInt8(truncatingIfNeeded: $0) })
    }
  }
}
