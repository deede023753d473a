// SPDX-License-Identifier: Apache-2.0

import CPixels
import CYUV
import FoveaGeometry
import FoveaImage
import FoveaTesting
import Testing

@Suite struct KernelTests {
  /// Paths with other kernels: two taps, floats, planes, bars.
  private static var specs: [ImageTensorSpec] {
    var twoTaps = ImageTensorSpec(size: PixelSize(width: 18, height: 40))
    twoTaps.sampling = .twoTaps
    var floats = ImageTensorSpec(
      size: PixelSize(width: 37, height: 20), elementType: .float32, channelOrder: .bgr,
      normalization: .init(mean: [123.675, 116.28, 103.53], standardDeviation: [58.395, 57.12, 57.375]))
    floats.letterbox = Letterbox()
    var planes = floats
    planes.layout = .planar
    return [twoTaps, floats, planes]
  }

  /// Filters and converts images of many widths.
  private static func tensors() throws -> [[UInt8]] {
    var results: [[UInt8]] = []
    for width in [1, 2, 15, 16, 17, 31, 33, 47, 64, 65, 130] {
      let canvas = TestImage.canvas(PixelSize(width: width, height: 90)) { x, y in
        RGB((x * 37 + y) % 256, (x * y) % 256, (x ^ (3 * y)) % 256)
      }
      for format in [ImageFormat.jpeg, .png] {
        let image = try EncodedImage(bytes: canvas.encoded(as: format), name: "kernel").decode()
        for side in [1, 19, 48] {
          results.append(try image.pixels(PixelSize(width: side, height: side)).bytes)
        }
        for spec in specs { results.append(try image.tensor(spec, upright: .down).bytes) }
        results.append(try turned(image))
      }
      let frame = TestFrame.gradient(PixelSize(width: width, height: 31))
      for format in FrameFormat.all {
        results.append(try frame.buffer(format).pixels(PixelSize(width: 19, height: 19)).bytes)
        results.append(try turned(try frame.buffer(format).decoded))
      }
    }
    return results
  }

  /// Samples a rotated rectangle that is a little larger than the image.
  private static func turned(_ image: DecodedImage) throws -> [UInt8] {
    let (width, height) = (Double(image.fullSize.width), Double(image.fullSize.height))
    let crop = OrientedBox(
      center: PixelPoint(x: width / 2, y: height / 2), width: width, height: height, angle: 0.3)
    return try TurnedCropTests.tensor(of: image, crop, TurnedCropTests.spec(.twoTaps))
  }

  @Test func `the generic kernels and the newer ones give the same bytes`() throws {
    let fast = try Self.tensors()
    // 1 means "initialised, no instruction set": libyuv's own functions use their generic code as well.
    MaskCpuFlags(1)
    defer { MaskCpuFlags(-1) }
    let plain = try Self.tensors()
    #expect(TestCpuFlag(kCpuHasAVX2) == 0)
    #expect(fast == plain)
  }

  @Test func `every colour converts as JFIF defines it, within one level`() {
    // 16 values of each component, all combinations, in one run of the kernel.
    var y: [UInt8] = []
    var cb: [UInt8] = []
    var cr: [UInt8] = []
    for index in 0..<4096 {
      y.append(UInt8(index & 15) * 17)
      cb.append(UInt8(index >> 4 & 15) * 17)
      cr.append(UInt8(index >> 8) * 17)
    }
    var (red, green, blue) = (y, cb, cr)
    unsafe fovea_ycbcr_to_rgb(&red, &green, &blue, 4096)
    for index in 0..<4096 {
      let (luma, u, v) = (Double(y[index]), Double(cb[index]) - 128, Double(cr[index]) - 128)
      let exact = [luma + 1.402 * v, luma - 0.344136 * u - 0.714136 * v, luma + 1.772 * u]
      for (value, expected) in zip([red[index], green[index], blue[index]], exact) {
        #expect(abs(Double(value) - min(max(expected, 0), 255)) < 0.6)
      }
    }
  }
}
