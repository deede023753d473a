// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// The pixels of an image as its decoder left them: in the stored orientation, perhaps at a fraction of the size.
///
/// A JPEG stays in the planes that it is coded in, and a pixel buffer in its own; colour conversion comes after scaling,
/// on few pixels.
@safe public final class DecodedImage: @unchecked Sendable {
  // SAFETY: the memory is written before init and never after, so that any thread may read it. That of a pixel buffer
  // is read through `PixelStorage`, which knows how long.

  /// One component, or several interleaved, of the image.
  @unsafe struct Plane {
    var base: UnsafePointer<UInt8>
    var bytesPerRow: Int
    /// The samples that belong to the image; fractional where the last one covers its edge.
    var width: Double
    var height: Double
  }

  /// How the components are laid out.
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
    /// One plane with red, green, blue and a byte without meaning interleaved.
    case rgbx
    /// One plane with blue, green, red and a byte without meaning interleaved.
    case bgrx
  }

  /// Who holds the pixels.
  private enum Owner {
    case memory(PixelMemory)
    case buffer(PixelStorage, PixelLayout)
  }

  /// The image's name in errors.
  public let name: String
  /// Width and height as stored in the file.
  public let fullSize: PixelSize
  /// Width and height as decoded.
  public let size: PixelSize
  /// How the stored pixels must be rotated to be upright.
  public let orientation: Orientation
  let layout: Layout
  /// What the numbers mean where there is chroma.
  let encoding: YUVEncoding
  /// The decoder's planes; a pixel buffer's are given by `withPlanes` alone.
  let planes: [Plane]
  private let owner: Owner
  /// What the user should know of the file, a sentence without the final stop; nil for a sound one.
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

  /// Takes the pixels of a buffer where they are.
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

  /// The memory that the pixels take, in bytes.
  public var byteCount: Int {
    switch owner {
    case .memory(let memory): memory.count
    case .buffer(_, let layout): layout.byteCount
    }
  }

  /// Gives the planes for the length of `body`.
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
  /// An image of one interleaved plane, without gaps between rows where `bytesPerRow` is not given.
  ///
  /// `factor` is given where each pixel stands for a square of `factor` pixels, so that the last ones may reach
  /// beyond the image; without it the image was stretched to `size`.
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

  /// A grey image without gaps between rows, at full size.
  static func grey(of image: EncodedImage, memory: PixelMemory) -> DecodedImage {
    let plane = unsafe Plane(
      base: UnsafePointer(memory.base), bytesPerRow: image.size.width,
      width: Double(image.size.width), height: Double(image.size.height))
    return unsafe DecodedImage(of: image, size: image.size, layout: .grey, planes: [plane], memory: memory)
  }
}
