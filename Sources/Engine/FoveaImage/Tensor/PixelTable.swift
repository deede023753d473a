// SPDX-License-Identifier: Apache-2.0

import CPixels
import FoveaGeometry

/// The value in a tensor for each of the 256 pixel values.
///
/// Each value is bit-identical to the division in the definition.
enum PixelTable: Sendable {
  /// The pixel itself.
  case raw
  /// The pixel minus 128.
  case signed
  /// Three tables of 256 bytes, in channel order.
  case bytes([UInt8])
  /// Three tables of 256 numbers of four bytes, floats or integers, as bit patterns.
  case words([UInt32])
  /// (pixel − mean) / deviation if the vector kernel computes it exactly: for interleaved pixels, then for
  /// the planes of the three channels.
  case affine([fovea_affine])

  init(_ spec: ImageTensorSpec, imageName: String) throws(ImageError) {
    func invalid(_ message: String) -> ImageError {
      ImageError(
        .invalidTensor, message,
        remedy: "Correct the normalisation or quantisation of the model's input", subject: imageName)
    }
    guard let normalization = spec.normalization else {
      switch spec.elementType {
      case .uint8: self = .raw
      case .int8: self = .signed
      case .int32: self = .words((0..<768).map { UInt32($0 % 256) })
      case .float32: self = Self.affine([0, 0, 0], [1, 1, 1])
      }
      return
    }
    let (means, deviations) = (normalization.mean, normalization.standardDeviation)
    guard means.count == 1 || means.count == 3, deviations.count == 1 || deviations.count == 3 else {
      throw invalid(
        "the normalisation has \(means.count) means and \(deviations.count) deviations;"
          + " 1 or 3 of each are needed")
    }
    guard spec.channelOrder != .grey || means.count == 1 && deviations.count == 1 else {
      throw invalid(
        "the normalisation has \(means.count) means and \(deviations.count) deviations;"
          + " grey pixels need 1 of each")
    }
    guard means.allSatisfy(\.isFinite), deviations.allSatisfy({ $0.isFinite && $0 != 0 }) else {
      throw invalid(
        "the normalisation has mean \(means) and deviation \(deviations);"
          + " all must be finite, and no deviation 0")
    }
    let values = (0..<768).map { index in
      let channel = index / 256
      let mean = means[means.count == 3 ? channel : 0]
      return (Float(index % 256) - mean) / deviations[deviations.count == 3 ? channel : 0]
    }
    if spec.elementType == .float32 {
      let mean = (0..<3).map { means[means.count == 3 ? $0 : 0] }
      let deviation = (0..<3).map { deviations[deviations.count == 3 ? $0 : 0] }
      let isExact = values.indices.allSatisfy { index in
        let quotient = Self.quotient(Float(index % 256) - mean[index / 256], deviation[index / 256])
        return quotient.bitPattern == values[index].bitPattern
      }
      self = isExact ? Self.affine(mean, deviation) : .words(values.map(\.bitPattern))
      return
    }
    guard let quantization = spec.quantization, quantization.scale.isFinite, quantization.scale > 0 else {
      throw invalid(
        "a \(spec.elementType) input with normalisation needs a quantisation scale above 0, got "
          + (spec.quantization.map { "\($0.scale)" } ?? "none"))
    }
    let range: ClosedRange<Double> =
      switch spec.elementType {
      case .uint8: 0...255
      case .int8: -128...127
      case .int32, .float32: Double(Int32.min)...Double(Int32.max)
      }
    let numbers = values.map { value in
      let number = Double((value / quantization.scale).rounded()) + Double(quantization.zeroPoint)
      return Int(min(max(number, range.lowerBound), range.upperBound))
    }
    if spec.elementType == .int32 {
      self = .words(numbers.map { UInt32(truncatingIfNeeded: $0) })
    } else if spec.elementType == .uint8, numbers.enumerated().allSatisfy({ $1 == $0 % 256 }) {
      self = .raw
    } else if spec.elementType == .int8, numbers.enumerated().allSatisfy({ $1 == $0 % 256 - 128 }) {
      self = .signed
    } else {
      self = .bytes(numbers.map { UInt8(truncatingIfNeeded: $0) })
    }
  }

  private static func affine(_ mean: [Float], _ deviation: [Float]) -> PixelTable {
    func kernel(_ channels: [Int]) -> fovea_affine {
      unsafe fovea_affine_of(channels.map { mean[$0] }, channels.map { deviation[$0] })
    }
    return .affine([kernel([0, 1, 2])] + (0..<3).map { kernel([$0, $0, $0]) })
  }

  /// Returns the value that `fovea_normalize` computes instead of a division.
  private static func quotient(_ value: Float, _ divisor: Float) -> Float {
    let reciprocal = 1 / divisor
    let near = value * reciprocal
    return near.addingProduct(value.addingProduct(-near, divisor), reciprocal)
  }
}
