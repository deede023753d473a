// SPDX-License-Identifier: Apache-2.0

/// The quantisation of a tensor: its integers represent scale · (integer − zeroPoint).
package struct TensorScale: Sendable, Hashable {
  package enum Kind: Sendable { case int8, uint8 }

  package var kind: Kind
  package var scale: Float
  package var zeroPoint: Int

  package init(_ kind: Kind, scale: Float, zeroPoint: Int) {
    self.kind = kind
    self.scale = scale
    self.zeroPoint = zeroPoint
  }

  /// Returns the scale of scores: 256 steps from 0 to just below 1.
  package static func scores(_ kind: Kind) -> TensorScale {
    TensorScale(kind, scale: 1 / 256, zeroPoint: kind == .int8 ? -128 : 0)
  }

  /// Creates the finest scale that covers a range of numbers and 0.
  package init(_ kind: Kind, holding range: ClosedRange<Float>) {
    let low = min(range.lowerBound, 0)
    // Divided separately, as the difference of two finite numbers may be infinite; never 0 or subnormal.
    let scale = max(max(range.upperBound, 0) / 255 - low / 255, 0x1p-100)
    let offset = kind == .int8 ? -128 : 0
    self.init(kind, scale: scale, zeroPoint: offset + Int(min(255, (-low / scale).rounded())))
  }
}
