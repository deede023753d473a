// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The pixels of an image as decoded: in the stored orientation, possibly at a fraction of the size.
///
/// JPEGs and pixel buffers keep their own planes; colour conversion comes after scaling, on fewer pixels.
@safe public final class DecodedImage: @unchecked Sendable {
  // SAFETY: the memory is written before init and never after, so any thread may read it. The pixels of a
  // buffer are read through `PixelStorage`, which tracks their lifetime.

  /// One component, or several interleaved, of the image.
  @unsafe struct Plane {
    var base: UnsafePointer<UInt8>
    var bytesPerRow: Int
    /// The number of samples that belong to the image; fractional if the last one extends beyond the edge.
    var width: Double
    var height: Double
  }

  /// The layout of the components.
  enum Layout {
    /// One plane of brightness.
    case grey
    /// Three planes: Y, Cb, Cr, in the image's `encoding`.
    case yCbCr
    /// Two planes: Y, and Cb and Cr interleaved, in the image's `encoding`.
    case yCbCrPairs
    /// One plane with red, green and blue interleaved.
    case rgb
    /// One plane with blue, green and red interleaved.
    case bgr
    /// One plane with red, green, blue and an unused byte interleaved.
    case rgbx
    /// One plane with blue, green, red and an unused byte interleaved.
    case bgrx
  }

  /// The owner of the pixels.
  private enum Owner {
    case memory(PixelMemory)
    case buffer(PixelStorage, PixelLayout)
  }

  /// The image's name in error messages.
  package let name: String
  /// The size as stored in the file, in pixels.
  public let fullSize: PixelSize
  /// The size as decoded, in pixels.
  public let size: PixelSize
  /// The orientation of the stored pixels.
  public let orientation: Orientation
  let layout: Layout
  /// The encoding of the chroma, if there is any.
  let encoding: YUVEncoding
  /// The planes of a decoded file; those of a pixel buffer are accessible only through `withPlanes`.
  let planes: [Plane]
  private let owner: Owner
  /// A note about the file for the user, a sentence without a full stop at the end; nil for an intact file.
  package let note: String?

  init(
    of image: EncodedImage, size: PixelSize, layout: Layout, planes: [Plane], memory: PixelMemory,
    note: String? = nil
  ) {
    self.note = note
    name = image.name
    fullSize = image.size
    orientation = image.orientation
    self.size = size
    self.layout = layout
    encoding = .jpeg
    unsafe self.planes = planes
    owner = .memory(memory)
  }

  /// Wraps the pixels of a buffer without a copy.
  init(_ storage: PixelStorage, layout: PixelLayout, orientation: Orientation, name: String) {
    self.name = name
    note = nil
    self.orientation = orientation
    fullSize = layout.size
    size = layout.size
    self.layout =
      switch layout.format.kind {
      case .bgra: .bgrx
      case .rgba: .rgbx
      case .rgb: .rgb
      case .bgr: .bgr
      case .grey: .grey
      case .nv12: .yCbCrPairs
      case .i420: .yCbCr
      }
    encoding = layout.format.encoding ?? .jpeg
    unsafe planes = []
    owner = .buffer(storage, layout)
  }

  /// Calls `body` with the planes.
  func withPlanes<R: Sendable>(_ body: (PlanarImage) throws(ImageError) -> R) throws(ImageError) -> R {
    switch owner {
    case .memory:
      defer { withExtendedLifetime(self) {} }
      return try unsafe body(PlanarImage(self, planes))
    case .buffer(let storage, let layout):
      return try unsafe storage.withBases(name: name) { (bases) throws(ImageError) in
        try unsafe body(PlanarImage(self, layout, bases))
      }
    }
  }
}

extension DecodedImage {
  /// Creates an image with one interleaved plane, without gaps between rows unless `bytesPerRow` is given.
  ///
  /// With `factor`, each pixel represents a square of `factor` pixels, so the last ones may extend beyond the
  /// image; without it, the image was stretched to `size`.
  static func rgb(
    of image: EncodedImage, size: PixelSize, memory: PixelMemory, bytesPerRow: Int? = nil,
    factor: Int? = nil, note: String? = nil
  ) -> DecodedImage {
    let plane = unsafe Plane(
      base: UnsafePointer(memory.base), bytesPerRow: bytesPerRow ?? size.width * 3,
      width: factor.map { Double(image.size.width) / Double($0) } ?? Double(size.width),
      height: factor.map { Double(image.size.height) / Double($0) } ?? Double(size.height))
    return unsafe DecodedImage(
      of: image, size: size, layout: .rgb, planes: [plane], memory: memory, note: note)
  }

  /// Creates a grey image at full size, without gaps between rows.
  static func grey(of image: EncodedImage, memory: PixelMemory) -> DecodedImage {
    let plane = unsafe Plane(
      base: UnsafePointer(memory.base), bytesPerRow: image.size.width,
      width: Double(image.size.width), height: Double(image.size.height))
    return unsafe DecodedImage(of: image, size: image.size, layout: .grey, planes: [plane], memory: memory)
  }
}
