// SPDX-License-Identifier: Apache-2.0

import FoveaFlow
import FoveaGeometry
import FoveaImage
import FoveaTesting

/// A clip of one object whose box is known in each frame.
///
/// The files hold one box per line: x, y, width and height in pixels, separated by tabs or commas.
struct Clip {
  let frames: [GreyPyramid]
  let truth: [BoundingBox]

  /// Reads the first frames of a clip of the shared data's folder `sot`.
  init(_ name: String, frameLimit: Int = .max) throws {
    let text = String(decoding: try SharedData.bytes("sot/\(name)/groundtruth_rect.txt"), as: UTF8.self)
    truth = text.split(whereSeparator: \.isNewline).prefix(frameLimit).map { line in
      let numbers = line.split { !"0123456789.-".contains($0) }.compactMap { Double($0) }
      return BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    let (decoder, scratch) = (ImageDecoder(), TensorScratch())
    frames = try truth.indices.map { index in
      let number = String(repeating: "0", count: 4 - "\(index + 1)".count) + "\(index + 1)"
      let image = try EncodedImage(path: SharedData.path("sot/\(name)/img/\(number).jpg"))
      let spec = ImageTensorSpec(size: image.size)
      var bytes = [UInt8](repeating: 0, count: spec.byteCount)
      try unsafe bytes.withUnsafeMutableBytes { memory in
        _ = try unsafe decoder.decode(image).write(spec: spec, into: memory, scratch: scratch)
      }
      return try GreyPyramid(PixelBuffer(PixelLayout(.rgb, size: image.size), bytes: bytes))
    }
  }

  /// The quality of following the box if a detector returns the true one every `interval` frames.
  ///
  /// The mean, over the thresholds 0, 0.05 … 1, of the share of frames whose IoU with the truth exceeds the
  /// threshold. The detector's own frames do not count.
  ///
  /// **Source:** Wu, Lim, Yang, "Online Object Tracking: A Benchmark", CVPR 2013, section 4: the area under the success
  /// plot.
  func success(detectingEvery interval: Int) throws -> Double {
    let overlaps = try overlaps(detectingEvery: interval)
    let shares = (0...20).map { step in
      Double(overlaps.count { $0 > 0.05 * Double(step) }) / Double(overlaps.count)
    }
    return shares.reduce(0, +) / 21
  }

  /// The IoU with the truth in each frame that is not the detector's.
  func overlaps(detectingEvery interval: Int) throws -> [Double] {
    var follower = BoxFollower()
    var overlaps: [Double] = []
    for index in frames.indices {
      var frame = frames[index]
      if index % interval == 0 {
        follower.begin(frame, boxes: [truth[index]])
      } else {
        overlaps.append(try follower.advance(to: &frame)[0].box.iou(with: truth[index]))
      }
    }
    return overlaps
  }
}
