// SPDX-License-Identifier: Apache-2.0

import FoveaImage

/// Creates a buffer with its own memory, all zeros; rows start at multiples of 64 bytes.
/// - Parameters:
///   - allocator: Ignored.
///   - width: The width in pixels, 1…65,535.
///   - height: The height in pixels, 1…65,535.
///   - pixelFormatType: One of the codes of `PixelFormat`: "BGRA", "RGBA", 24, "L008", "420v", "420f",
///     "y420", "f420".
///   - pixelBufferAttributes: Ignored.
///   - pixelBufferOut: Receives the buffer; nil on failure.
/// - Returns: `kCVReturnSuccess`, `kCVReturnInvalidSize`, `kCVReturnInvalidPixelFormat` or
///   `kCVReturnAllocationFailed`.
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
  guard let memory = PlaneMemory(shapes) else { return kCVReturnAllocationFailed }
  unsafe pixelBufferOut.pointee = CVPixelBuffer(
    width: width, height: height, pixelFormatType: pixelFormatType, isPlanar: shapes.count > 1,
    contents: .memory(memory))
  return kCVReturnSuccess
}

/// Creates a buffer from the program's memory, without a copy.
/// - Parameters:
///   - allocator: Ignored.
///   - width: The width in pixels, 1…65,535.
///   - height: The height in pixels, 1…65,535.
///   - pixelFormatType: The format, any code; detectors refuse formats that they do not support.
///   - baseAddress: The first row; `bytesPerRow` · `height` bytes that stay valid until they are released.
///   - bytesPerRow: The distance between the starts of two rows, at least a row's bytes.
///   - releaseCallback: Called once, on any thread, when the memory is no longer used; not on failure.
///   - releaseRefCon: Passed to `releaseCallback`.
///   - pixelBufferAttributes: Ignored.
///   - pixelBufferOut: Receives the buffer; nil on failure.
/// - Returns: `kCVReturnSuccess`; `kCVReturnInvalidSize` for a side out of range; `kCVReturnInvalidArgument`
///   for rows that are too short, or a format with several planes.
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
  let plane = unsafe PlaneMemory.Plane(
    base: baseAddress, width: width, height: height, bytesPerRow: bytesPerRow,
    byteCount: bytesPerRow * height)
  // SAFETY: the address and the reference are the program's, passed back unchanged.
  let memory = PlaneMemory([plane]) { unsafe releaseCallback?(releaseRefCon, baseAddress) }
  unsafe pixelBufferOut.pointee = CVPixelBuffer(
    width: width, height: height, pixelFormatType: pixelFormatType, isPlanar: false,
    contents: .memory(memory))
  return kCVReturnSuccess
}
