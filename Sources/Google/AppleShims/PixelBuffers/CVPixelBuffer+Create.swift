// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// Makes a buffer with memory of its own, all zeros; rows begin at multiples of 64 bytes.
/// - Parameters:
///   - allocator: Ignored.
///   - width: The width in pixels, 1…65,535.
///   - height: The height in pixels, 1…65,535.
///   - pixelFormatType: One of the codes of `PixelFormat`: "BGRA", "RGBA", 24, "L008", "420v", "420f", "y420", "f420".
///   - pixelBufferAttributes: Ignored.
///   - pixelBufferOut: Takes the buffer; nil where there is none.
/// - Returns: `kCVReturnSuccess`, `kCVReturnInvalidSize`, `kCVReturnInvalidPixelFormat` or `kCVReturnAllocationFailed`.
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  unsafe pixelBufferOut.pointee = nil
  guard (1...PixelLayout.maximumSide).contains(width), (1...PixelLayout.maximumSide).contains(height) else {
    return kCVReturnInvalidSize
  }
  guard let shapes = PlaneShape.planes(of: pixelFormatType, width: width, height: height) else {
    return kCVReturnInvalidPixelFormat
  }
  guard let memory = PixelMemory(shapes) else { return kCVReturnAllocationFailed }
  unsafe pixelBufferOut.pointee = CVPixelBuffer(
    width: width, height: height, pixelFormatType: pixelFormatType, isPlanar: shapes.count > 1,
    contents: .memory(memory))
  return kCVReturnSuccess
}

/// Makes a buffer of memory that belongs to the program, without a copy.
/// - Parameters:
///   - allocator: Ignored.
///   - width: The width in pixels, 1…65,535.
///   - height: The height in pixels, 1…65,535.
///   - pixelFormatType: The format, any code; detectors refuse what they do not read.
///   - baseAddress: The first row; `bytesPerRow` · `height` bytes that stay valid until they are given back.
///   - bytesPerRow: The distance between the starts of two rows, at least a row's bytes.
///   - releaseCallback: Called once, on any thread, when nothing uses the memory any more; not when this fails.
///   - releaseRefCon: Handed to `releaseCallback`.
///   - pixelBufferAttributes: Ignored.
///   - pixelBufferOut: Takes the buffer; nil where there is none.
/// - Returns: `kCVReturnSuccess`; `kCVReturnInvalidSize` for a side out of range; `kCVReturnInvalidArgument` for rows that
///   are too short, or a format with several planes.
public func CVPixelBufferCreateWithBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
  _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  unsafe pixelBufferOut.pointee = nil
  guard (1...PixelLayout.maximumSide).contains(width), (1...PixelLayout.maximumSide).contains(height) else {
    return kCVReturnInvalidSize
  }
  let shapes = PlaneShape.planes(of: pixelFormatType, width: width, height: height)
  let least = shapes.map { $0.count == 1 ? $0[0].rowBytes : .max } ?? 1
  guard bytesPerRow >= least, bytesPerRow <= Int(Int32.max) else { return kCVReturnInvalidArgument }
  let plane = unsafe PixelMemory.Plane(
    base: baseAddress, width: width, height: height, bytesPerRow: bytesPerRow,
    byteCount: bytesPerRow * height)
  // SAFETY: the address and the reference are the program's, handed back to it unchanged.
  let memory = PixelMemory([plane]) { unsafe releaseCallback?(releaseRefCon, baseAddress) }
  unsafe pixelBufferOut.pointee = CVPixelBuffer(
    width: width, height: height, pixelFormatType: pixelFormatType, isPlanar: false,
    contents: .memory(memory))
  return kCVReturnSuccess
}
