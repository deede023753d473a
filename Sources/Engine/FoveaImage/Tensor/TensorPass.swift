// SPDX-License-Identifier: Apache-2.0

import CPixels
import CYUV
import FoveaGeometry

/// The red, green and blue planes of some rows of an upright image, without gaps between rows.
@unsafe struct TensorPlanes {
  var red: UnsafeMutablePointer<UInt8>
  var green: UnsafeMutablePointer<UInt8>
  var blue: UnsafeMutablePointer<UInt8>
  /// The range of rows in the upright image.
  var rows: Range<Int>

  /// Converts brightness and chroma, each stored in the plane of a colour, to red, green and blue.
  func convertToRGB(from encoding: YUVEncoding, count: Int) {
    var matrix = encoding.kernelMatrix
    unsafe fovea_yuv_to_rgb(red, green, blue, Int32(count), &matrix)
  }
}

/// Crops, scales and rotates the planes of an image.
///
/// Each plane is filtered along its columns, then along its rows if the machine has shuffle instructions for
/// that (`ColumnBlocks`). Otherwise, and for a quarter turn, it is transposed, filtered along its columns
/// again (the former rows), and transposed back unless the image is rotated. All filters therefore process
/// contiguous bytes, and mirroring is free: the filter reads its rows in reverse order.
///
/// Without transposing, this runs in bands of a few rows, so that the data stays in the first-level cache
/// from the decoded image to the tensor.
@safe struct TensorPass {
  // SAFETY: lives within the closure that `DecodedImage.withPlanes` calls with the planes.
  let image: PlanarImage
  let region: BoundingBox
  let orientation: Orientation
  /// The size of the upright result.
  let size: PixelSize
  var sampling = ImageTensorSpec.Sampling.antialiased

  /// The size of the result in the stored orientation.
  private var storedSize: PixelSize { orientation.isTransposed ? size.transposed : size }

  /// Whether the stored image is mirrored before it is transposed: upright = transposed(mirrored(stored)).
  private var flipsX: Bool {
    switch orientation {
    case .upMirrored, .down, .left, .rightMirrored: true
    case .up, .downMirrored, .leftMirrored, .right: false
    }
  }
  private var flipsY: Bool {
    switch orientation {
    case .down, .downMirrored, .right, .rightMirrored: true
    case .up, .upMirrored, .leftMirrored, .left: false
    }
  }

  /// The number of rows of the result in a band, unless a plane is transposed.
  private var bandHeight: Int { min(max(8_192 / size.width, 1), 16) }

  /// Offsets into the scratch memory; rows of the intermediate planes start at multiples of 32 bytes.
  private struct Arena {
    /// The size of a band in the stored orientation; of the whole image if it is transposed.
    let band: PixelSize
    var filtered = 0
    var split = 0
    var transposed = 0
    var turned = 0
    var planes = 0
    var count = 0
    let filteredStride: Int
    let splitStride: Int
    let turnedStride: Int

    /// - Parameters:
    ///   - columns: The largest number of samples in a row of any plane.
    ///   - rowBytes: The largest number of bytes in such a row.
    ///   - channels: The largest number of components that a plane interleaves and the model uses, 1…3.
    ///   - band: The size of a band in the stored orientation.
    init(columns: Int, rowBytes: Int, channels: Int, band: PixelSize) {
      func aligned(_ count: Int) -> Int { (count + 31) / 32 * 32 }
      self.band = band
      filteredStride = aligned(rowBytes)
      splitStride = aligned(columns)
      turnedStride = aligned(band.height)
      split = filteredStride * band.height
      transposed = split + (channels > 1 ? channels * splitStride * band.height : 0)
      turned = transposed + turnedStride * columns
      planes = turned + turnedStride * band.width
      count = planes + 3 * band.area + ColumnBlocks.overrun
    }
  }

  /// Computes the rows of the upright image, from the top, and passes them to `body` in bands.
  ///
  /// The planes are in the scratch memory and valid within `body`.
  func run(scratch: TensorScratch, _ body: (TensorPlanes) -> Void) throws(ImageError) {
    let layout = unsafe image.layout
    unsafe Self.prepare(scratch.vertical.main, scratch.horizontal.main, for: image.planes[0], self)
    var inBands = scratch.horizontal.main.blocks.isUsable
    if layout.hasChroma {
      unsafe Self.prepare(scratch.vertical.chroma, scratch.horizontal.chroma, for: image.planes[1], self)
      inBands = inBands && scratch.horizontal.chroma.blocks.isUsable
    }
    let columns = scratch.horizontal.main.inputs.count
    let chromaColumns = layout.hasChroma ? scratch.horizontal.chroma.inputs.count : 0
    let height = inBands && !orientation.isTransposed ? min(bandHeight, size.height) : storedSize.height
    let arena = Arena(
      columns: max(columns, chromaColumns),
      rowBytes: max(columns * layout.bytesPerSample, chromaColumns * layout.bytesPerChromaSample),
      channels: min(max(layout.bytesPerSample, layout.bytesPerChromaSample), 3),
      band: PixelSize(width: storedSize.width, height: height))
    let memory = try unsafe scratch.reserve(arena.count, name: image.name)
    for start in stride(from: 0, to: storedSize.height, by: height) {
      let rows = start..<min(start + height, storedSize.height)
      let band = unsafe Band(rows: rows, arena: arena, base: memory.base)
      unsafe body(convert(band, scratch))
    }
  }

  /// Rows of the vertically filtered result, and the memory for them.
  @unsafe private struct Band {
    let rows: Range<Int>
    let arena: Arena
    let base: UnsafeMutablePointer<UInt8>
  }

  private func convert(_ band: Band, _ scratch: TensorScratch) -> TensorPlanes {
    let area = unsafe band.rows.count * band.arena.band.width
    let first = unsafe band.base + band.arena.planes
    let rows = unsafe orientation.isTransposed ? 0..<size.height : band.rows
    let planes = unsafe TensorPlanes(red: first, green: first + area, blue: first + 2 * area, rows: rows)
    switch unsafe image.layout {
    case .grey:
      unsafe scalePlane(0, scratch.vertical.main, scratch.horizontal.main, band, into: first)
      return unsafe TensorPlanes(red: first, green: first, blue: first, rows: rows)
    case .yCbCr:
      unsafe scalePlane(0, scratch.vertical.main, scratch.horizontal.main, band, into: first)
      for index in 1...2 {
        unsafe scalePlane(
          index, scratch.vertical.chroma, scratch.horizontal.chroma, band, into: first + index * area)
      }
      unsafe planes.convertToRGB(from: image.encoding, count: area)
    case .yCbCrPairs:
      unsafe scalePlane(0, scratch.vertical.main, scratch.horizontal.main, band, into: first)
      unsafe scaleInterleaved(1, scratch.vertical.chroma, scratch.horizontal.chroma, band, into: planes.green)
      unsafe planes.convertToRGB(from: image.encoding, count: area)
    case .rgb, .bgr, .rgbx, .bgrx:
      unsafe scaleInterleaved(0, scratch.vertical.main, scratch.horizontal.main, band, into: first)
    }
    return unsafe planes
  }

  private static func prepare(
    _ vertical: TriangleFilter, _ horizontal: TriangleFilter, for plane: DecodedImage.Plane,
    _ pass: TensorPass
  ) {
    let full = unsafe pass.image.fullSize
    let scaleX = unsafe plane.width / Double(full.width)
    let scaleY = unsafe plane.height / Double(full.height)
    let region = pass.region
    horizontal.prepare(
      TriangleFilter.Key(
        start: region.minX * scaleX, end: region.maxX * scaleX,
        limit: unsafe Int(plane.width.rounded(.up)), count: pass.storedSize.width,
        phase: pass.phase(step: region.width / Double(pass.storedSize.width), flips: pass.flipsX, scaleX),
        blockOrder: pass.orientation.isTransposed ? nil : pass.flipsX ? .opposite : .same))
    vertical.prepare(
      TriangleFilter.Key(
        start: region.minY * scaleY, end: region.maxY * scaleY,
        limit: unsafe Int(plane.height.rounded(.up)), count: pass.storedSize.height,
        phase: pass.phase(step: region.height / Double(pass.storedSize.height), flips: pass.flipsY, scaleY)))
  }

  /// Returns the offset of the first sample of two taps from the region's start, in samples of a plane.
  ///
  /// The first sample is the centre of the region's first pixel, in the upright image at full size, even if
  /// the image is decoded at a smaller size or mirrored.
  private func phase(step: Double, flips: Bool, _ scale: Double) -> Double? {
    sampling == .antialiased ? nil : (flips ? step - 0.5 : 0.5) * scale
  }

  private func scalePlane(
    _ index: Int, _ vertical: TriangleFilter, _ horizontal: TriangleFilter,
    _ band: Band, into target: UnsafeMutablePointer<UInt8>
  ) {
    let plane = unsafe image.planes[index]
    let source =
      unsafe plane.base + vertical.inputs.lowerBound * plane.bytesPerRow + horizontal.inputs.lowerBound
    let filtered = unsafe band.base + band.arena.filtered
    unsafe vertical.filterRows(
      source, plane.bytesPerRow, into: filtered, band.arena.filteredStride,
      width: horizontal.inputs.count, outputs: band.rows, flips: flipsY)
    unsafe turn(filtered, band.arena.filteredStride, horizontal, band, into: target)
  }

  /// Scales the interleaved components of a plane, and writes one plane after the other.
  private func scaleInterleaved(
    _ index: Int, _ vertical: TriangleFilter, _ horizontal: TriangleFilter,
    _ band: Band, into target: UnsafeMutablePointer<UInt8>
  ) {
    let plane = unsafe image.planes[index]
    let arena = unsafe band.arena
    let rows = unsafe band.rows
    let columns = horizontal.inputs.count
    let bytesPerSample = unsafe index == 0 ? image.layout.bytesPerSample : image.layout.bytesPerChromaSample
    let filtered = unsafe band.base + arena.filtered
    let offset =
      unsafe vertical.inputs.lowerBound * plane.bytesPerRow + horizontal.inputs.lowerBound * bytesPerSample
    let source = unsafe plane.base + offset
    unsafe vertical.filterRows(
      source, plane.bytesPerRow, into: filtered, arena.filteredStride, width: columns * bytesPerSample,
      outputs: rows, flips: flipsY)
    let split = unsafe band.base + arena.split
    let planeSize = arena.splitStride * rows.count
    unsafe self.split(
      filtered, arena.filteredStride, columns, rows.count, bytesPerSample, into: split, arena.splitStride,
      planeSize)
    for component in 0..<min(bytesPerSample, 3) {
      unsafe turn(
        split + component * planeSize, arena.splitStride, horizontal, band,
        into: target + component * rows.count * arena.band.width)
    }
  }

  /// Splits interleaved components into planes: red, green, blue, or Cb, Cr.
  private func split(
    _ filtered: UnsafePointer<UInt8>, _ filteredStride: Int, _ columns: Int, _ rows: Int,
    _ bytesPerSample: Int, into split: UnsafeMutablePointer<UInt8>, _ splitStride: Int, _ planeSize: Int
  ) {
    let source = Int32(filteredStride)
    let stride = Int32(splitStride)
    let (width, height) = (Int32(columns), Int32(rows))
    let (first, second, third) = unsafe (split, split + planeSize, split + 2 * planeSize)
    switch bytesPerSample {
    case 2: unsafe SplitUVPlane(filtered, source, first, stride, second, stride, width, height)
    case 3:
      let (red, blue) = unsafe image.layout == .bgr ? (third, first) : (first, third)
      unsafe SplitRGBPlane(filtered, source, red, stride, second, stride, blue, stride, width, height)
    default:
      // libyuv's ARGB is blue, green, red, alpha in memory; without a plane for alpha it is dropped.
      let (red, blue) = unsafe image.layout == .rgbx ? (third, first) : (first, third)
      unsafe SplitARGBPlane(
        filtered, source, red, stride, second, stride, blue, stride, nil, 0, width, height)
    }
  }

  /// The second half: converts a vertically filtered plane to an upright one.
  private func turn(
    _ filtered: UnsafeMutablePointer<UInt8>, _ filteredStride: Int, _ horizontal: TriangleFilter,
    _ band: Band, into target: UnsafeMutablePointer<UInt8>
  ) {
    let arena = unsafe band.arena
    let (width, height) = unsafe (arena.band.width, band.rows.count)
    if !orientation.isTransposed, horizontal.blocks.isUsable {
      unsafe horizontal.blocks.filter(filtered, filteredStride, into: target, width, rows: height)
      return
    }
    let transposed = unsafe band.base + arena.transposed
    unsafe TransposePlane(
      filtered, Int32(filteredStride), transposed, Int32(arena.turnedStride),
      Int32(horizontal.inputs.count), Int32(height))
    if orientation.isTransposed {
      unsafe horizontal.filterRows(
        transposed, arena.turnedStride, into: target, height, width: height, outputs: 0..<width,
        flips: flipsX)
      return
    }
    let turned = unsafe band.base + arena.turned
    unsafe horizontal.filterRows(
      transposed, arena.turnedStride, into: turned, arena.turnedStride, width: height, outputs: 0..<width,
      flips: flipsX)
    unsafe TransposePlane(
      turned, Int32(arena.turnedStride), target, Int32(width), Int32(height), Int32(width))
  }
}
