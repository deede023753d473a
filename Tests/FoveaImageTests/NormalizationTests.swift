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

  @Test(arguments: [ImageTensorSpec.Layout.interleaved, .planar])
  func `integers of four bytes hold the pixels, the bars, and quantised values`(
    _ layout: ImageTensorSpec.Layout
  ) throws {
    let image = try Self.everyValue()
    func integers(_ spec: ImageTensorSpec) throws -> [Int32] {
      let bytes = try image.tensor(spec).bytes
      #expect(bytes.count == spec.byteCount && spec.byteCount == spec.size.area * 12)
      return (0..<bytes.count / 4).map { index in
        Int32(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << UInt32(8 * $1) })
      }
    }
    var spec = ImageTensorSpec(size: Self.size, elementType: .int32)
    spec.layout = layout
    let pixels = (0..<768).map { Int32(layout == .planar ? $0 % 256 : $0 / 3) }
    #expect(try integers(spec) == pixels)
    spec.normalization = .init(mean: [100], standardDeviation: [1])
    spec.quantization = .init(scale: 0.5, zeroPoint: -7)
    #expect(try integers(spec) == pixels.map { ($0 - 100) * 2 - 7 })
    spec = ImageTensorSpec(size: PixelSize(width: 32, height: 10), elementType: .int32)
    spec.layout = layout
    spec.letterbox = Letterbox(.center, padding: 114)
    let bars = try integers(spec)
    #expect(bars.count { $0 == 114 } == 3 * (2 * 32 + 1) && bars.first == 114 && bars.last == 114)
  }
}
