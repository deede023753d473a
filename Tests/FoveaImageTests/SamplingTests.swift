// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import Testing

/// **Source:** TensorFlow 1, `resize_bilinear_op.cc` without `align_corners` and `half_pixel_centers`: output
/// i samples its input at i · scale, between the two adjacent pixels.
@Suite struct SamplingTests {
  /// One number per pixel of a tensor of the image whose column x has the grey 20 · x.
  static func columns(
    _ width: Int, from sourceWidth: Int, _ sampling: ImageTensorSpec.Sampling,
    _ orientation: Orientation = .up
  ) throws -> [UInt8] {
    let canvas = TestImage.canvas(PixelSize(width: sourceWidth, height: 4)) { x, _ in
      RGB(20 * x, 20 * x, 20 * x)
    }
    let image = try EncodedImage(bytes: canvas.encoded(as: .png), name: "columns").decode(scaledFor: .full)
    var spec = ImageTensorSpec(size: PixelSize(width: width, height: 4))
    spec.sampling = sampling
    var bytes = [UInt8](repeating: 0, count: spec.byteCount)
    let scratch = TensorScratch()
    unsafe try bytes.withUnsafeMutableBytes { target in
      unsafe _ = try image.write(
        region: BoundingBox(x: 0, y: 0, width: Double(sourceWidth), height: 4), upright: orientation,
        spec: spec,
        into: target, scratch: scratch)
    }
    return (0..<width).map { bytes[$0 * 3] }
  }

  @Test func `two taps start at the first pixel and see only two`() throws {
    // Positions 0, 2.5, 5, 7.5.
    #expect(try Self.columns(4, from: 10, .twoTaps) == [0, 50, 100, 150])
    // Positions 0, 0.5, 1, 1.5, 2, 2.5: the last pixel is repeated.
    #expect(try Self.columns(6, from: 3, .twoTaps) == [0, 10, 20, 30, 40, 40])
    #expect(try Self.columns(5, from: 5, .twoTaps) == [0, 20, 40, 60, 80])
    #expect(try Self.columns(1, from: 7, .twoTaps) == [0])
  }

  @Test func `a mirrored image is sampled at its upright pixels`() throws {
    // Upright, the first pixel is the last stored one.
    #expect(try Self.columns(4, from: 10, .twoTaps, .upMirrored) == [180, 130, 80, 30])
  }

  @Test func `antialiasing keeps the middle of each pixel`() throws {
    #expect(try Self.columns(5, from: 5, .antialiased) == [0, 20, 40, 60, 80])
    let smaller = try Self.columns(2, from: 10, .antialiased)
    #expect(smaller[0] > 40 && smaller[1] < 140, "\(smaller)")
  }
}
