// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// Creates a buffer from planes of the program's memory, without a copy.
/// - Parameters:
///   - allocator: Ignored.
///   - width: The width in pixels, 1…65,535.
///   - height: The height in pixels, 1…65,535.
///   - pixelFormatType: The format, any code; detectors refuse unsupported formats, and planes that do not
///     fit the format.
///   - dataPtr: The block that contains all planes; nil if they are separate.
///   - dataSize: The size of the block in bytes; nothing is read beyond its end.
///   - numberOfPlanes: The number of planes, 1…8.
///   - planeBaseAddress: The first row of each plane.
///   - planeWidth: The width of each plane in samples.
///   - planeHeight: The number of rows of each plane.
///   - planeBytesPerRow: The distance between the starts of two rows of each plane.
///   - releaseCallback: Called once, on any thread, when the memory is no longer used; not on failure.
///   - releaseRefCon: Passed to `releaseCallback`.
///   - pixelBufferAttributes: Ignored.
///   - pixelBufferOut: Receives the buffer; nil on failure.
/// - Returns: `kCVReturnSuccess`; `kCVReturnInvalidSize` for a side out of range; `kCVReturnInvalidArgument`
///   for invalid planes.
public func CVPixelBufferCreateWithPlanarBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
  _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
  _ planeWidth: UnsafeMutablePointer<Int>, _ planeHeight: UnsafeMutablePointer<Int>,
  _ planeBytesPerRow: UnsafeMutablePointer<Int>,
  _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  unsafe pixelBufferOut.pointee = nil
  let sides = 1...PixelLayout.maximumSide
  guard sides.contains(width), sides.contains(height) else { return kCVReturnInvalidSize }
  guard (1...8).contains(numberOfPlanes), dataSize >= 0 else { return kCVReturnInvalidArgument }
  var planes: [PlaneMemory.Plane] = []
  for index in 0..<numberOfPlanes {
    let plane = unsafe PlaneMemory.Plane(
      base: planeBaseAddress[index], width: planeWidth[index], height: planeHeight[index],
      bytesPerRow: planeBytesPerRow[index], within: dataPtr, dataSize)
    guard let plane else { return kCVReturnInvalidArgument }
    planes.append(plane)
  }
  // SAFETY: the addresses and the reference are the program's, passed back unchanged.
  let bases = unsafe planes.map { unsafe UnsafeRawPointer($0.base) }
  let memory = PlaneMemory(planes) {
    var bases = unsafe bases
    unsafe bases.withUnsafeMutableBufferPointer { bases in
      unsafe releaseCallback?(releaseRefCon, dataPtr, dataSize, bases.count, bases.baseAddress)
    }
  }
  unsafe pixelBufferOut.pointee = CVPixelBuffer(
    width: width, height: height, pixelFormatType: pixelFormatType, isPlanar: true, contents: .memory(memory))
  return kCVReturnSuccess
}

extension PlaneMemory.Plane {
  /// Creates a plane of a program's memory.
  /// - Returns: nil if there is no address, a size is invalid, or the plane lies outside the block.
  fileprivate init?(
    base: UnsafeMutableRawPointer?, width: Int, height: Int, bytesPerRow: Int,
    within block: UnsafeMutableRawPointer?, _ blockSize: Int
  ) {
    guard let base = unsafe base, width > 0, height > 0, height <= PixelLayout.maximumSide, bytesPerRow > 0,
      bytesPerRow <= Int(Int32.max)
    else { return nil }
    var byteCount = bytesPerRow * height
    if let block = unsafe block {
      let offset = UInt(bitPattern: base).subtractingReportingOverflow(UInt(bitPattern: block))
      guard !offset.overflow, offset.partialValue < blockSize else { return nil }
      byteCount = min(byteCount, blockSize - Int(offset.partialValue))
    }
    unsafe self.init(base: base, width: width, height: height, bytesPerRow: bytesPerRow, byteCount: byteCount)
  }
}
