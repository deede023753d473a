// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaGeometry
import FoveaImage
import FoveaTesting
import FoveaVideo
import Testing

/// The clips of Tests/Fixtures/video: left half 0xC04020, right half 0x2060A0.
enum Clip {
  static func path(_ name: String) -> String { PackageRoot.path + "/Tests/Fixtures/video/" + name }

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// Reads all frames.
  static func read(_ path: String, options: VideoReader.Options = .init()) throws -> (
    VideoReader, [VideoFrame]
  ) {
    let reader = try VideoReader(path: path, options: options)
    var frames: [VideoFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return (reader, frames)
  }

  /// The code of the error when opening; nil if there is none.
  static func code(_ path: String) -> VideoCode? {
    do throws(VideoError) {
      _ = try VideoReader(path: path)
      return nil
    } catch {
      return error.code
    }
  }

  /// Red, green and blue of a pixel of the upright image.
  static func color(_ pixels: PixelBuffer, x: Int, y: Int) throws -> [Int] {
    let canvas = try pixels.canvas()
    let start = y * canvas.bytesPerRow + x * 4
    return unsafe canvas.withUnsafeMutableBytes { bytes in
      unsafe [Int(bytes[start + 2]), Int(bytes[start + 1]), Int(bytes[start])]
    }
  }

  /// The largest difference of an image's two halves from the clips' colours; of 255 levels.
  static func difference(_ pixels: PixelBuffer) throws -> Int {
    let size = pixels.uprightSize
    let left = try color(pixels, x: size.width / 4, y: size.height / 2)
    let right = try color(pixels, x: size.width * 3 / 4, y: size.height / 2)
    return zip(left + right, [0xC0, 0x40, 0x20, 0x20, 0x60, 0xA0]).map { abs($0 - $1) }.max() ?? .max
  }
}

extension Clip {
  static func bytesOfFile(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
