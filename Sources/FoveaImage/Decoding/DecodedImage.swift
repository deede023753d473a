// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The pixels of a picture as its decoder left them: in the stored orientation, perhaps at a fraction of the size.
///
/// A JPEG stays in the planes that it is coded in; colour conversion comes after scaling, on few pixels.
@safe public final class DecodedImage: @unchecked Sendable {
  // SAFETY: the memory is written before init and never after, so that any thread may read it.

  /// One component, or several interleaved, of the picture.
  @unsafe struct Plane {
    var base: UnsafePointer<UInt8>
    var bytesPerRow: Int
    /// The samples that belong to the picture; fractional where the last one covers its edge.
    var width: Double
    var height: Double
  }

  /// How the components are laid out.
  enum Layout {
    /// One plane of brightness.
    case grey
    /// Three planes: Y, Cb, Cr; BT.601, full range.
    case yCbCr
    /// One plane with red, green and blue interleaved.
    case rgb
  }

  /// The picture's name in errors.
  public let name: String
  /// Width and height as stored in the file.
  public let fullSize: PixelSize
  /// Width and height as decoded.
  public let size: PixelSize
  /// How the stored pixels must be turned to be upright.
  public let orientation: Orientation
  let layout: Layout
  let planes: [Plane]
  private let memory: PixelMemory

  init(
    of image: EncodedImage, size: PixelSize, layout: Layout, planes: [Plane], memory: PixelMemory
  ) {
    name = image.name
    fullSize = image.size
    orientation = image.orientation
    self.size = size
    self.layout = layout
    unsafe self.planes = planes
    self.memory = memory
  }

  /// The memory that the pixels take, in bytes.
  public var byteCount: Int { memory.count }
}
