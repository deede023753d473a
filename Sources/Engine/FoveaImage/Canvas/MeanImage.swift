// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry

/// The mean of the frames of a video, in memory that does not grow with their number.
///
/// The mean is that of at most 256 frames. When there are more, those so far count half, and from then on
/// every second frame is used, so that all parts of the video count the same.
package struct MeanImage: Sendable {
  /// The largest number of frames whose sum of 8 bits is at most 16 bits.
  private static let limit = 256

  private let size: PixelSize
  /// The sums of blue, green and red of each pixel.
  private var sums: [UInt16]
  private var count = 0
  private var seen = 0
  private var interval = 1

  /// Creates the mean of no frames.
  /// - Parameter size: The size of the frames.
  package init(size: PixelSize) {
    self.size = size
    sums = Array(repeating: 0, count: size.area * 3)
  }

  /// Counts a frame.
  /// - Returns: True if the frame is to be added.
  package mutating func needsFrame() -> Bool {
    defer { seen += 1 }
    return seen.isMultiple(of: interval)
  }

  /// Adds a frame; one of another size is ignored.
  package mutating func add(_ canvas: PixelCanvas) {
    guard canvas.size == size else { return }
    if count == Self.limit { halve() }
    count += 1
    let (size, bytesPerRow) = (size, canvas.bytesPerRow)
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe canvas.withUnsafeMutableBytes { bytes in
        for row in 0..<size.height {
          for column in 0..<size.width {
            let (from, to) = (row &* bytesPerRow &+ column &* 4, (row &* size.width &+ column) &* 3)
            unsafe sums[to] &+= UInt16(bytes[from])
            unsafe sums[to &+ 1] &+= UInt16(bytes[from &+ 1])
            unsafe sums[to &+ 2] &+= UInt16(bytes[from &+ 2])
          }
        }
      }
    }
  }

  /// Returns the mean; black without frames.
  package func canvas() -> PixelCanvas {
    let canvas = PixelCanvas(size: size)
    guard count > 0 else { return canvas }
    unsafe canvas.withUnsafeMutableBytes { bytes in
      for row in 0..<size.height {
        for column in 0..<size.width {
          for channel in 0..<3 {
            let sum = Int(sums[(row * size.width + column) * 3 + channel])
            unsafe bytes[row * canvas.bytesPerRow + column * 4 + channel] = UInt8((sum + count / 2) / count)
          }
        }
      }
    }
    return canvas
  }

  private mutating func halve() {
    for index in sums.indices { sums[index] /= 2 }
    count /= 2
    interval *= 2
  }
}
