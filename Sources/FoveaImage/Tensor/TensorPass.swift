// SPDX-License-Identifier: Apache-2.0

import CYUV
import FoveaGeometry

/// The red, green and blue planes of an upright picture, without gaps between rows.
@unsafe struct TensorPlanes {
  var red: UnsafeMutablePointer<UInt8>
  var green: UnsafeMutablePointer<UInt8>
  var blue: UnsafeMutablePointer<UInt8>
  var size: PixelSize
}

/// Cuts, scales and turns the planes of a picture.
///
/// Each plane is filtered along its columns, transposed, filtered along its columns again, which were the rows, and
/// transposed back unless the picture is to be turned by a quarter. So both filters run over contiguous bytes, a
/// quarter turn saves work, and mirroring costs nothing: the filter writes its rows in the opposite order.
@safe struct TensorPass {
  // SAFETY: lives within the closure that `DecodedImage.withPlanes` gives the planes to.
  let image: PlanarPicture
  let region: BoundingBox
  let orientation: Orientation
  /// The size of the upright result.
  let size: PixelSize
  var sampling = ImageTensorSpec.Sampling.antialiased

  /// The size of the result in the stored orientation.
  private var storedSize: PixelSize { orientation.isTransposed ? size.transposed : size }

  /// Whether the stored picture is mirrored before it is transposed: upright = transposed(mirrored(stored)).
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

  /// Offsets into the scratch memory; rows of the intermediate planes begin at multiples of 32 bytes.
  private struct Arena {
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
    ///   - columns: The most samples of a row that any plane gives.
    ///   - rowBytes: The most bytes of them.
    ///   - channels: The most components that a plane interleaves and a model wants, 1…3.
    ///   - stored: The size of the result in the stored orientation.
    init(columns: Int, rowBytes: Int, channels: Int, stored: PixelSize) {
      func aligned(_ count: Int) -> Int { (count + 31) / 32 * 32 }
      filteredStride = aligned(rowBytes)
      splitStride = aligned(columns)
      turnedStride = aligned(stored.height)
      split = filteredStride * stored.height
      transposed = split + (channels > 1 ? channels * splitStride * stored.height : 0)
      turned = transposed + turnedStride * columns
      planes = turned + turnedStride * stored.width
      count = planes + 3 * stored.area
    }
  }

  /// - Returns: Planes inside the scratch memory, valid until the next use of `scratch`.
  func run(scratch: TensorScratch) throws(ImageError) -> TensorPlanes {
    let layout = unsafe image.layout
    unsafe Self.prepare(&scratch.vertical.main, &scratch.horizontal.main, for: image.planes[0], self)
    if layout.hasChroma {
      unsafe Self.prepare(&scratch.vertical.chroma, &scratch.horizontal.chroma, for: image.planes[1], self)
    }
    let columns = scratch.horizontal.main.inputs.count
    let chromaColumns = layout.hasChroma ? scratch.horizontal.chroma.inputs.count : 0
    let arena = Arena(
      columns: max(columns, chromaColumns),
      rowBytes: max(columns * layout.bytesPerSample, chromaColumns * layout.bytesPerChromaSample),
      channels: min(max(layout.bytesPerSample, layout.bytesPerChromaSample), 3), stored: storedSize)
    let memory = try unsafe scratch.reserve(arena.count, name: image.name)
    let base = unsafe memory.base
    let area = size.area
    let first = unsafe base + arena.planes
    let planes = unsafe TensorPlanes(red: first, green: first + area, blue: first + 2 * area, size: size)
    switch layout {
    case .grey:
      unsafe scalePlane(0, scratch.vertical.main, scratch.horizontal.main, arena, base, into: first)
      return unsafe TensorPlanes(red: first, green: first, blue: first, size: size)
    case .yCbCr:
      unsafe scalePlane(0, scratch.vertical.main, scratch.horizontal.main, arena, base, into: first)
      for index in 1...2 {
        unsafe scalePlane(
          index, scratch.vertical.chroma, scratch.horizontal.chroma, arena, base, into: first + index * area)
      }
      unsafe convertToRGB(planes)
    case .yCbCrPairs:
      unsafe scalePlane(0, scratch.vertical.main, scratch.horizontal.main, arena, base, into: first)
      unsafe scaleInterleaved(
        1, scratch.vertical.chroma, scratch.horizontal.chroma, arena, base, into: planes.green)
      unsafe convertToRGB(planes)
    case .rgb, .rgbx, .bgrx:
      unsafe scaleInterleaved(0, scratch.vertical.main, scratch.horizontal.main, arena, base, into: first)
    }
    return unsafe planes
  }

  /// Brightness and chroma, each in the place of a colour, become the colours.
  private func convertToRGB(_ planes: TensorPlanes) {
    var matrix = unsafe image.encoding.kernelMatrix
    unsafe fovea_yuv_to_rgb(planes.red, planes.green, planes.blue, Int32(size.area), &matrix)
  }

  private static func prepare(
    _ vertical: inout TriangleFilter, _ horizontal: inout TriangleFilter, for plane: DecodedImage.Plane,
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
        phase: pass.phase(step: region.width / Double(pass.storedSize.width), flips: pass.flipsX, scaleX)))
    vertical.prepare(
      TriangleFilter.Key(
        start: region.minY * scaleY, end: region.maxY * scaleY,
        limit: unsafe Int(plane.height.rounded(.up)), count: pass.storedSize.height,
        phase: pass.phase(step: region.height / Double(pass.storedSize.height), flips: pass.flipsY, scaleY)))
  }

  /// Where the first sample of two taps lies behind the region's start, in samples of a plane.
  ///
  /// The first sample is the middle of the region's first pixel, in the upright picture at its full size: also of a
  /// picture that is decoded smaller, or mirrored.
  private func phase(step: Double, flips: Bool, _ scale: Double) -> Double? {
    sampling == .antialiased ? nil : (flips ? step - 0.5 : 0.5) * scale
  }

  private func scalePlane(
    _ index: Int, _ vertical: borrowing TriangleFilter, _ horizontal: borrowing TriangleFilter,
    _ arena: Arena,
    _ base: UnsafeMutablePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
  ) {
    let plane = unsafe image.planes[index]
    let filtered = unsafe base + arena.filtered
    let source =
      unsafe plane.base + vertical.inputs.lowerBound * plane.bytesPerRow + horizontal.inputs.lowerBound
    unsafe filterColumns(
      vertical, source, plane.bytesPerRow, into: filtered, arena.filteredStride,
      width: horizontal.inputs.count, flips: flipsY)
    unsafe turn(filtered, arena.filteredStride, horizontal, arena, base, into: target)
  }

  /// Scales the components that a plane interleaves, and writes one plane after the other.
  private func scaleInterleaved(
    _ index: Int, _ vertical: borrowing TriangleFilter, _ horizontal: borrowing TriangleFilter,
    _ arena: Arena, _ base: UnsafeMutablePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
  ) {
    let plane = unsafe image.planes[index]
    let columns = horizontal.inputs.count
    let bytesPerSample =
      unsafe index == 0 ? image.layout.bytesPerSample : image.layout.bytesPerChromaSample
    let filtered = unsafe base + arena.filtered
    let offset =
      unsafe vertical.inputs.lowerBound * plane.bytesPerRow + horizontal.inputs.lowerBound * bytesPerSample
    let source = unsafe plane.base + offset
    unsafe filterColumns(
      vertical, source, plane.bytesPerRow, into: filtered, arena.filteredStride,
      width: columns * bytesPerSample, flips: flipsY)
    let split = unsafe base + arena.split
    let planeSize = arena.splitStride * storedSize.height
    unsafe self.split(
      filtered, arena.filteredStride, columns, bytesPerSample, into: split, arena.splitStride, planeSize)
    for component in 0..<min(bytesPerSample, 3) {
      unsafe turn(
        split + component * planeSize, arena.splitStride, horizontal, arena, base,
        into: target + component * size.area)
    }
  }

  /// Parts interleaved components into planes: red, green, blue, or Cb, Cr.
  private func split(
    _ filtered: UnsafePointer<UInt8>, _ filteredStride: Int, _ columns: Int, _ bytesPerSample: Int,
    into split: UnsafeMutablePointer<UInt8>, _ splitStride: Int, _ planeSize: Int
  ) {
    let source = Int32(filteredStride)
    let stride = Int32(splitStride)
    let (width, height) = (Int32(columns), Int32(storedSize.height))
    let (first, second, third) = unsafe (split, split + planeSize, split + 2 * planeSize)
    switch bytesPerSample {
    case 2: unsafe SplitUVPlane(filtered, source, first, stride, second, stride, width, height)
    case 3:
      unsafe SplitRGBPlane(filtered, source, first, stride, second, stride, third, stride, width, height)
    default:
      // What libyuv calls ARGB is blue, green, red, alpha in memory; without a plane for alpha it is dropped.
      let (red, blue) = unsafe image.layout == .rgbx ? (third, first) : (first, third)
      unsafe SplitARGBPlane(
        filtered, source, red, stride, second, stride, blue, stride, nil, 0, width, height)
    }
  }

  private func filterColumns(
    _ filter: borrowing TriangleFilter, _ source: UnsafePointer<UInt8>, _ sourceStride: Int,
    into target: UnsafeMutablePointer<UInt8>, _ targetStride: Int, width: Int, flips: Bool
  ) {
    let last = (filter.key.count - 1) * targetStride
    unsafe filter.filterRows(
      source, sourceStride, into: flips ? target + last : target, flips ? -targetStride : targetStride,
      width: width)
  }

  /// The second half: a vertically filtered plane becomes an upright one.
  private func turn(
    _ filtered: UnsafeMutablePointer<UInt8>, _ filteredStride: Int, _ horizontal: borrowing TriangleFilter,
    _ arena: Arena, _ base: UnsafeMutablePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
  ) {
    let stored = storedSize
    let transposed = unsafe base + arena.transposed
    unsafe TransposePlane(
      filtered, Int32(filteredStride), transposed, Int32(arena.turnedStride),
      Int32(horizontal.inputs.count), Int32(stored.height))
    if orientation.isTransposed {
      unsafe filterColumns(
        horizontal, transposed, arena.turnedStride, into: target, stored.height, width: stored.height,
        flips: flipsX)
      return
    }
    let turned = unsafe base + arena.turned
    unsafe filterColumns(
      horizontal, transposed, arena.turnedStride, into: turned, arena.turnedStride, width: stored.height,
      flips: flipsX)
    unsafe TransposePlane(
      turned, Int32(arena.turnedStride), target, Int32(stored.width), Int32(stored.height),
      Int32(stored.width))
  }
}
