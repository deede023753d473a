// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaGeometry
import FoveaImage

/// Stages that follow boxes between two runs of the detector.
enum FlowStages {
  static func all() throws -> [Benchmark] {
    let frames = try [0, 1, 2].map { try frame(shiftedBy: $0) }
    let pyramids = try frames.map { try GreyPyramid($0) }
    var filled = pyramids[2]
    var list = [Benchmark("flow pyramid 640 × 480") { try filled.update(from: frames[2]) }]
    for count in [1, 10] {
      let boxes = (0..<count).map { BoundingBox(x: 20 + 55 * Double($0), y: 100, width: 60, height: 140) }
      var flow = BoxFlow()
      let anchored = try flow.move(boxes, from: pyramids[0], to: pyramids[1]).enumerated().map {
        AnchoredBox(box: $1.box, anchor: boxes[$0])
      }
      list.append(
        Benchmark("flow move", boxes: count) {
          _ = try flow.move(anchored, from: pyramids[1], to: pyramids[2], anchor: pyramids[0])
        })
    }
    var camera = CameraFlow()
    list.append(
      Benchmark("flow camera 640 × 480") { _ = try camera.motion(from: pyramids[0], to: pyramids[1]) })
    return list
  }

  /// Smooth noise that moves right by some pixels in each frame.
  private static func frame(shiftedBy index: Int) throws -> PixelBuffer {
    let size = PixelSize(width: 640, height: 480)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.area)
    for y in 0..<size.height {
      for x in 0..<size.width { bytes.append(brightness(x + 1_000 - 3 * index, y + 1_000 + 2 * index)) }
    }
    return try PixelBuffer(PixelLayout(.grey, size: size), bytes: bytes)
  }

  /// Noise on a lattice of 8 pixels, interpolated between.
  private static func brightness(_ x: Int, _ y: Int) -> UInt8 {
    func lattice(_ x: Int, _ y: Int) -> Int { ((x &* 7919) ^ (y &* 104_729)) &* 31 >> 4 & 255 }
    let (column, row, right, below) = (x / 8, y / 8, x % 8, y % 8)
    let top = lattice(column, row) * (8 - right) + lattice(column + 1, row) * right
    let bottom = lattice(column, row + 1) * (8 - right) + lattice(column + 1, row + 1) * right
    return UInt8((top * (8 - below) + bottom * below) / 64)
  }
}
