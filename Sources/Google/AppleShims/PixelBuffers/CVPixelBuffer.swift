// SPDX-License-Identifier: Apache-2.0

package import FoveaGeometry
public import FoveaImage
import Synchronization

/// The pixels of one image in memory.
public typealias CVPixelBuffer = CVImageBuffer
/// The pixels of one image in memory.
public typealias CVImageBuffer = CVBuffer
/// The pixels of one image in memory.
public typealias CVPixelBufferRef = CVPixelBuffer
/// The pixels of one image in memory.
public typealias CVImageBufferRef = CVImageBuffer

/// The pixels of one image in memory, usually named `CVPixelBuffer`.
///
/// Detectors and labelers read the pixels in place, without a copy. Any four-character code can be the
/// format; pixels of a format that `PixelFormat` does not have are refused when they are used, with an error
/// that names the code.
///
/// A buffer has no orientation: images and frames that have one are rotated upright when a buffer is made
/// from them.
@safe public final class CVBuffer: @unchecked Sendable {
  // SAFETY: `state`, a mutex, has everything that changes; for the bytes themselves see `PlaneMemory`.

  enum Contents {
    /// Memory that the program may write.
    case memory(PlaneMemory)
    /// Pixels that may be shared; copied into memory when the program asks for an address.
    case shared(PixelBuffer)
  }
  struct State {
    var contents: Contents
    var lockCount = 0
    var matrix: YUVEncoding.Matrix
  }

  let width: Int
  let height: Int
  package let pixelFormatType: OSType
  let isPlanar: Bool
  let state: Mutex<State>

  init(
    width: Int, height: Int, pixelFormatType: OSType, isPlanar: Bool, contents: sending Contents,
    matrix: YUVEncoding.Matrix = .bt601
  ) {
    self.width = width
    self.height = height
    self.pixelFormatType = pixelFormatType
    self.isPlanar = isPlanar
    state = Mutex(State(contents: contents, matrix: matrix))
  }

  /// The colour matrix of a YUV format, BT.601 by default; other formats ignore it.
  ///
  /// Core Video stores it as the attachment `kCVImageBufferYCbCrMatrixKey`. A wrong one changes saturated
  /// colours by up to 30 of 255 levels.
  public var yCbCrMatrix: YUVEncoding.Matrix {
    get { state.withLock { $0.matrix } }
    set { state.withLock { $0.matrix = newValue } }
  }

  /// The width and height in pixels.
  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// Returns the pixels in the package's own type, in place, without a copy.
  ///
  /// They must not be written while the result is in use.
  /// - Throws: `ImageError` with `unsupported-pixel-format` for an unsupported format, `invalid-buffer` if
  ///   the planes do not fit the size.
  package func pixels() throws(ImageError) -> PixelBuffer {
    let (contents, matrix) = state.withLock { ($0.contents, $0.matrix) }
    switch contents {
    case .shared(let pixels):
      guard let encoding = pixels.layout.format.encoding, encoding.matrix != matrix else { return pixels }
      return try pixels.labelled(matrix, pixelFormatType)
    case .memory(let memory):
      let format = try PixelFormat(coreVideo: pixelFormatType, matrix: matrix)
      let layout = try PixelLayout(format, size: size, bytesPerRow: memory.planes.map(\.bytesPerRow))
      // SAFETY: the memory lives until the pixels release it.
      let planes = unsafe memory.planes.map { plane in
        unsafe UnsafeRawBufferPointer(start: plane.base, count: plane.base == nil ? 0 : plane.byteCount)
      }
      return try unsafe PixelBuffer(layout, adopting: planes) { withExtendedLifetime(memory) {} }
    }
  }
}

extension PixelBuffer {
  /// Returns a copy with another matrix.
  fileprivate func labelled(_ matrix: YUVEncoding.Matrix, _ code: OSType) throws(ImageError) -> PixelBuffer {
    let format = try PixelFormat(coreVideo: code, matrix: matrix)
    let layout = try PixelLayout(format, size: size, bytesPerRow: layout.bytesPerRow)
    let result = try unsafe withUnsafePlanes { planes in
      Result { () throws(ImageError) in unsafe try PixelBuffer(layout, copying: planes, name: name) }
    }
    return try result.get()
  }
}
