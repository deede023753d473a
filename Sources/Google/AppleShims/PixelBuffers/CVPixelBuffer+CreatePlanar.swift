// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// Makes a buffer of planes of memory that belong to the program, without a copy.
/// - Parameters:
///   - allocator: Ignored.
///   - width: The width in pixels, 1…65,535.
///   - height: The height in pixels, 1…65,535.
///   - pixelFormatType: The format, any code; detectors refuse what they do not read, and planes that do not fit it.
///   - dataPtr: The block that holds all planes; nil where they lie apart.
///   - dataSize: The size of the block in bytes; nothing is read beyond its end.
///   - numberOfPlanes: How many planes there are, 1…8.
///   - planeBaseAddress: The first row of each plane.
///   - planeWidth: The width of each plane in samples.
///   - planeHeight: The rows of each plane.
///   - planeBytesPerRow: The distance between the starts of two rows of each plane.
///   - releaseCallback: Called once, on any thread, when nothing uses the memory any more; not when this fails.
///   - releaseRefCon: Handed to `releaseCallback`.
///   - pixelBufferAttributes: Ignored.
///   - pixelBufferOut: Takes the buffer; nil where there is none.
/// - Returns: `kCVReturnSuccess`; `kCVReturnInvalidSize` for a side out of range; `kCVReturnInvalidArgument` for planes
///   that cannot be.
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
  var planes: [PixelMemory.Plane] = []
  for index in 0..<numberOfPlanes {
    let plane = unsafe PixelMemory.Plane(
      base: planeBaseAddress[index], width: planeWidth[index], height: planeHeight[index],
      bytesPerRow: planeBytesPerRow[index], within: dataPtr, dataSize)
    guard let plane else { return kCVReturnInvalidArgument }
    planes.append(plane)
  }
  // SAFETY: the addresses and the reference are the program's, handed back to it unchanged.
  let bases = unsafe planes.map { unsafe UnsafeRawPointer($0.base) }
  let memory = PixelMemory(planes) {
    var bases = unsafe bases
    unsafe bases.withUnsafeMutableBufferPointer { bases in
      unsafe releaseCallback?(releaseRefCon, dataPtr, dataSize, bases.count, bases.baseAddress)
    }
  }
  unsafe pixelBufferOut.pointee = CVPixelBuffer(
    width: width, height: height, pixelFormatType: pixelFormatType, isPlanar: true, contents: .memory(memory))
  return kCVReturnSuccess
}

extension PixelMemory.Plane {
  /// A plane of a program's memory.
  /// - Returns: nil where there is no address, a size cannot be, or the plane lies outside of the block.
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
