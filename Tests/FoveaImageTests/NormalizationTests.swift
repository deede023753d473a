// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import Testing

@Suite struct NormalizationTests {
  /// Each pixel value once, in an image as large as the tensor.
  static let size = PixelSize(width: 32, height: 8)
  static func everyValue() throws -> DecodedImage {
    let canvas = TestImage.canvas(size) { x, y in RGB(y * 32 + x, y * 32 + x, y * 32 + x) }
    return try EncodedImage(bytes: canvas.encoded(as: .png), name: "every value").decode()
  }

  @Test(arguments: [ImageTensorSpec.Layout.interleaved, .planar])
  func `floats equal the quotient of the definition, to the last bit`(
    _ layout: ImageTensorSpec.Layout
  ) throws {
    let image = try Self.everyValue()
    let edges: [Float] = [1, -1, 3, 58.395, 127.5, 255, 0x1p-149, 1e-38, 1e-20, 1e20, 3e38, 0x1.fffffep0]
    for mean in [0, 127.5, 123.675, -1e-3, 1e30] as [Float] {
      for deviation in edges + (0..<50).map({ 0.7 + Float($0) * 1.37 }) {
        var spec = ImageTensorSpec(
          size: Self.size, elementType: .float32,
          normalization: .init(mean: [mean, 0, mean], standardDeviation: [deviation, 255, 2]))
        spec.layout = layout
        let bytes = try image.tensor(spec).bytes
        let bits = (0..<768).map { index in
          (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[4 * index + $1]) << (8 * $1) }
        }
        let expected = (0..<768).map { index in
          let (pixel, channel) = layout == .planar ? (index % 256, index / 256) : (index / 3, index % 3)
          return (Float(pixel) - [mean, 0, mean][channel]) / [deviation, 255, 2][channel]
        }
        // Bits, so that infinities and zeros of both signs count.
        #expect(bits == expected.map(\.bitPattern), "mean \(mean), deviation \(deviation)")
      }
    }
  }
}
