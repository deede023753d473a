// SPDX-License-Identifier: Apache-2.0

import CPixels
import FoveaGeometry

/// Samples a rotated rectangle of the planes of an image: two pixels in each direction, without antialiasing.
///
/// **Source:** MediaPipe, `image_to_tensor_converter_opencv.cc`, which calls OpenCV's `warpPerspective` with
/// INTER_LINEAR and BORDER_REPLICATE.
@safe struct TurnedPass {
  // SAFETY: lives within the closure that `DecodedImage.withPlanes` calls with the planes.
  let image: PlanarImage
  /// The rectangle, in pixels of the full-size upright image.
  let crop: OrientedBox
  let orientation: Orientation
  /// The size of the upright result.
  let size: PixelSize
  let sampling: ImageTensorSpec.Sampling

  /// Returns the red, green and blue planes of the result, in the scratch memory.
  func planes(in scratch: TensorScratch) throws(ImageError) -> TensorPlanes {
    let first = try unsafe scratch.reserve(3 * size.area, name: image.name).base
    let planes = unsafe TensorPlanes(
      red: first, green: first + size.area, blue: first + 2 * size.area, rows: 0..<size.height)
    let (main, chroma) = unsafe (image.planes[0], image.planes[1])
    switch unsafe image.layout {
    case .grey:
      unsafe sample(main, [main.base], into: [planes.red])
      return unsafe TensorPlanes(red: first, green: first, blue: first, rows: planes.rows)
    case .yCbCr:
      unsafe sample(main, [main.base], into: [planes.red])
      let red = unsafe image.planes[2]
      if unsafe (chroma.bytesPerRow, chroma.width, chroma.height) == (red.bytesPerRow, red.width, red.height)
      {
        unsafe sample(chroma, [chroma.base, red.base], into: [planes.green, planes.blue])
      } else {
        unsafe sample(chroma, [chroma.base], into: [planes.green])
        unsafe sample(red, [red.base], into: [planes.blue])
      }
      unsafe planes.convertToRGB(from: image.encoding, count: size.area)
    case .yCbCrPairs:
      unsafe sample(main, [main.base], into: [planes.red])
      unsafe sample(chroma, [chroma.base, chroma.base + 1], into: [planes.green, planes.blue])
      unsafe planes.convertToRGB(from: image.encoding, count: size.area)
    case .rgb, .rgbx:
      let channels = unsafe [main.base, main.base + 1, main.base + 2]
      unsafe sample(main, channels, into: [planes.red, planes.green, planes.blue])
    case .bgr, .bgrx:
      let channels = unsafe [main.base, main.base + 1, main.base + 2]
      unsafe sample(main, channels, into: [planes.blue, planes.green, planes.red])
    }
    return unsafe planes
  }

  /// Samples the channels of a plane.
  private func sample(
    _ plane: DecodedImage.Plane, _ channels: [UnsafePointer<UInt8>?],
    into targets: [UnsafeMutablePointer<UInt8>?]
  ) {
    let layout = unsafe image.layout
    let count = unsafe channels.count
    let step = count == 2 ? layout.bytesPerChromaSample : count == 3 ? layout.bytesPerSample : 1
    var turn = unsafe turn(of: plane)
    // SAFETY: the planes have these sizes, and the targets room for all pixels of the result.
    unsafe fovea_sample_turned(
      channels, plane.bytesPerRow, Int32(step), Int32(count), Int32(plane.width.rounded(.up)),
      Int32(plane.height.rounded(.up)), &turn, targets, Int32(size.width), Int32(size.height))
  }

  /// Returns the map from the pixels of the result to the samples of a plane.
  private func turn(of plane: DecodedImage.Plane) -> fovea_turn {
    let first = unsafe position(column: 0, row: 0, in: plane)
    let column = unsafe position(column: 1, row: 0, in: plane)
    let row = unsafe position(column: 0, row: 1, in: plane)
    return fovea_turn(
      x: Self.fixed(first.x), y: Self.fixed(first.y),
      column_x: Self.fixed(column.x - first.x), column_y: Self.fixed(column.y - first.y),
      row_x: Self.fixed(row.x - first.x), row_y: Self.fixed(row.y - first.y))
  }

  /// Returns the position of a pixel of the result in samples of a plane; 0 is the centre of the first one.
  ///
  /// With two taps the first pixel of the result is the centre of the crop's first pixel, at full size, as in
  /// `TensorPass`.
  private func position(column: Double, row: Double, in plane: DecodedImage.Plane) -> PixelPoint {
    let full = unsafe image.fullSize
    let (half, offset) = sampling == .antialiased ? (0.5, 0) : (0, 0.5)
    var point = NormalizedPoint(
      x: (column + half) / Double(size.width), y: (row + half) / Double(size.height)
    ).pixels(in: crop)
    point.x += offset
    point.y += offset
    let stored = orientation.storedPoint(fromUpright: point, stored: full)
    return unsafe PixelPoint(
      x: stored.x * plane.width / Double(full.width) - 0.5,
      y: stored.y * plane.height / Double(full.height) - 0.5)
  }

  /// Returns a position in 1/65,536, within limits that keep the kernel's numbers below 64 bits: any farther
  /// position shows the same edge.
  ///
  /// The difference of two positions beyond the range of numbers is 0.
  private static func fixed(_ position: Double) -> Int64 {
    let farthest = Double(1 << 30)
    return position.isNaN ? 0 : Int64((min(max(position, -farthest), farthest) * 65_536).rounded())
  }
}
