// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRender

/// Reading images, preparing tensors, and drawing.
enum ImageStages {
  /// `photo` is a square JPEG, `wide` is not square.
  static func all(photo: String, wide: String) throws -> [Benchmark] {
    let image = try EncodedImage(path: photo)
    let decoder = ImageDecoder()
    let decoded = try decoder.decode(image)
    var list = [
      Benchmark("header") { _ = try EncodedImage(path: photo) },
      Benchmark("decode \(image.size)") { _ = try decoder.decode(image) },
    ]
    list.append(try prepare(decoded, "192² int8", size: 192, .int8))
    list.append(try prepare(decoded, "300² uint8", size: 300, .uint8))
    list.append(try prepare(decoded, "416² float32", size: 416, .float32))
    list.append(try prepare(decoded, "300² uint8, two taps", size: 300, .uint8) { $0.sampling = .twoTaps })
    // 600 × 400: bars below, or above and below.
    let wide = try decoder.decode(EncodedImage(path: wide))
    for size in [416, 640] {
      list.append(
        try prepare(wide, "\(size)² float32, YOLOX", size: size, .float32) {
          $0.letterbox = Letterbox(.topLeft)
          $0.channelOrder = .bgr
          $0.normalization = .init(mean: [0], standardDeviation: [1])
        })
      list.append(
        try prepare(wide, "\(size)² float32, planes", size: size, .float32) {
          $0.letterbox = Letterbox(.center)
          $0.layout = .planar
          $0.normalization = .init(mean: [0], standardDeviation: [255])
        })
    }
    list += try frames()
    for count in Benchmark.boxCounts { list.append(overlay(boxes: count)) }
    return list
  }

  private static func prepare(
    _ decoded: DecodedImage, _ name: String, size: Int, _ type: ImageTensorSpec.ElementType,
    _ change: (inout ImageTensorSpec) -> Void = { _ in }
  ) throws -> Benchmark {
    var spec = ImageTensorSpec(size: PixelSize(width: size, height: size), elementType: type)
    if type != .uint8 { spec.normalization = .init(mean: [127.5], standardDeviation: [127.5]) }
    if type == .int8 { spec.quantization = .init(scale: 1 / 127.5, zeroPoint: 0) }
    change(&spec)
    let scratch = TensorScratch()
    let wanted = spec
    // The memory is never freed.
    let tensor = UnsafeMutableRawBufferPointer.allocate(byteCount: spec.byteCount, alignment: 64)
    return Benchmark("prepare \(name)") {
      unsafe try decoded.write(spec: wanted, into: tensor, scratch: scratch)
    }
  }

  /// A frame of a video into an SSD's tensor.
  private static func frames() throws -> [Benchmark] {
    let size = PixelSize(width: 1920, height: 1080)
    let layout = try PixelLayout(.nv12(), size: size)
    let bytes = (0..<layout.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 9) }
    let frame = try PixelBuffer(layout, bytes: bytes)
    return [ImageTensorSpec.Sampling.antialiased, .twoTaps].map { sampling in
      var spec = ImageTensorSpec(size: PixelSize(width: 300, height: 300))
      spec.sampling = sampling
      let (wanted, scratch) = (spec, TensorScratch())
      let tensor = UnsafeMutableRawBufferPointer.allocate(byteCount: spec.byteCount, alignment: 64)
      return Benchmark("prepare 300² of NV12 1080p, \(sampling)") {
        unsafe try frame.write(spec: wanted, into: tensor, scratch: scratch)
      }
    }
  }

  private static func overlay(boxes: Int) -> Benchmark {
    let canvas = PixelCanvas(size: PixelSize(width: 640, height: 480))
    let items = (0..<boxes).map { index in
      OverlayItem(
        box: BoundingBox(x: Double(index * 37 % 560), y: Double(index * 53 % 400), width: 80, height: 80),
        caption: "object 0.\(index % 90 + 10)", colorKey: "class \(index % 20)")
    }
    return Benchmark("overlay 640 × 480", boxes: boxes) { try Overlay().draw(items, on: canvas) }
  }
}
