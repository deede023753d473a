// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry
import FoveaImage
import FoveaRender

/// Reading pictures, preparing tensors, and drawing.
enum PictureStages {
  static func all(photo: String) throws -> [Benchmark] {
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
    for count in Benchmark.boxCounts { list.append(overlay(boxes: count)) }
    return list
  }

  private static func prepare(
    _ decoded: DecodedImage, _ name: String, size: Int, _ type: ImageTensorSpec.ElementType
  ) throws -> Benchmark {
    var spec = ImageTensorSpec(size: PixelSize(width: size, height: size), elementType: type)
    if type != .uint8 { spec.normalization = .init(mean: [127.5], standardDeviation: [127.5]) }
    if type == .int8 { spec.quantization = .init(scale: 1 / 127.5, zeroPoint: 0) }
    let scratch = TensorScratch()
    let wanted = spec
    // The memory lives as long as the process.
    let tensor = UnsafeMutableRawBufferPointer.allocate(byteCount: spec.byteCount, alignment: 64)
    return Benchmark("prepare \(name)") {
      unsafe try decoded.write(spec: wanted, into: tensor, scratch: scratch)
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
