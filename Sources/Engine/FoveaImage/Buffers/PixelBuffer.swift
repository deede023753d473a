// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// An image as pixels in memory: a frame of a camera or a video, or the output of another decoder.
///
/// Any thread may read it; copies share the pixels. The way to create one depends on who owns the bytes:
///
/// - `init(_:bytes:)` keeps an array with consecutive planes, without a copy;
/// - `init(_:copying:)` copies separate planes;
/// - `init(_:adopting:release:)` keeps memory of another owner without a copy, and calls back when done;
/// - `withBorrowed` and `withUnsafeBorrowed` use memory for the duration of a closure, without a copy.
///
/// The pixels are written into a model's tensor in one pass. YUV is converted only at the size of the tensor,
/// without an intermediate RGB image, and nothing is allocated while sizes repeat.
public struct PixelBuffer: Sendable {
  /// The layout of the pixels.
  public let layout: PixelLayout
  /// The image's name in error messages.
  public let name: String
  /// The orientation of the stored pixels; `up` by default.
  public var orientation: Orientation {
    didSet {
      decoded = DecodedImage(storage, layout: layout, orientation: orientation, name: name)
    }
  }
  let storage: PixelStorage
  /// The pixels as input of the tensor pass.
  package private(set) var decoded: DecodedImage

  init(_ layout: PixelLayout, storage: PixelStorage, orientation: Orientation, name: String) {
    self.layout = layout
    self.name = name
    self.orientation = orientation
    self.storage = storage
    decoded = DecodedImage(storage, layout: layout, orientation: orientation, name: name)
  }

  /// Keeps an array of consecutive planes, each with all its rows, without a copy.
  /// - Parameters:
  ///   - layout: The layout of the pixels.
  ///   - bytes: The planes. The gap after the last row of the last plane may be missing.
  ///   - orientation: The orientation of the stored pixels.
  ///   - name: The image's name in error messages.
  /// - Throws: `ImageError` with `invalid-buffer` if the number of bytes does not match the layout; the
  ///   message contains both numbers.
  public init(
    _ layout: PixelLayout, bytes: [UInt8], orientation: Orientation = .up, name: String = "pixel buffer"
  ) throws(ImageError) {
    try layout.check(blockOf: bytes.count, name: name)
    self.init(
      layout, storage: PixelStorage(bytes: bytes, offsets: layout.planeOffsets), orientation: orientation,
      name: name)
  }

  /// Copies separate planes.
  /// - Parameters:
  ///   - layout: The layout of the pixels.
  ///   - planes: The memory of each plane, read before this initializer returns; bytes after a plane's last
  ///     row are not read.
  ///   - orientation: The orientation of the stored pixels.
  ///   - name: The image's name in error messages.
  /// - Throws: `ImageError` with `invalid-buffer` if a plane is missing or too short; the message contains
  ///   the numbers of bytes.
  public init(
    _ layout: PixelLayout, copying planes: [UnsafeRawBufferPointer], orientation: Orientation = .up,
    name: String = "pixel buffer"
  ) throws(ImageError) {
    try unsafe layout.check(planes, name: name)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: layout.byteCount) { target, count in
      // The gaps between a plane's last pixel and the next plane are never read.
      unsafe target.initialize(repeating: 0)
      for index in layout.planeOffsets.indices {
        guard let source = unsafe planes[index].baseAddress, let base = target.baseAddress else { return }
        let start = unsafe UnsafeMutableRawPointer(base) + layout.planeOffsets[index]
        unsafe start.copyMemory(from: source, byteCount: layout.planeByteCounts[index])
      }
      count = layout.byteCount
    }
    try self.init(layout, bytes: bytes, orientation: orientation, name: name)
  }

  /// Keeps memory of another owner, such as a frame of FFmpeg or a locked `CVPixelBuffer`, without a copy.
  /// - Parameters:
  ///   - layout: The layout of the pixels.
  ///   - planes: The memory of each plane. It must stay valid and unchanged until `release` is called.
  ///   - orientation: The orientation of the stored pixels.
  ///   - name: The image's name in error messages.
  ///   - release: Called once, on any thread, when the last copy of the buffer is released. Not called if
  ///     this initializer throws: the memory then remains the caller's.
  /// - Throws: `ImageError` with `invalid-buffer` if a plane is missing or too short; the message contains
  ///   the numbers of bytes.
  public init(
    _ layout: PixelLayout, adopting planes: [UnsafeRawBufferPointer], orientation: Orientation = .up,
    name: String = "pixel buffer", release: @escaping @Sendable () -> Void
  ) throws(ImageError) {
    try unsafe layout.check(planes, name: name)
    self.init(
      layout, storage: unsafe PixelStorage(planes: planes, release: release), orientation: orientation,
      name: name)
  }

  /// The size as stored, before `orientation` is applied, in pixels.
  public var size: PixelSize { layout.size }

  /// The size of the upright image, in pixels.
  public var uprightSize: PixelSize { orientation.uprightSize(ofStored: size) }
}

extension PixelBuffer {
  /// Calls `body` with the planes, without a copy.
  /// - Parameter body: Reads the layout's planes. Each has its number of bytes in
  ///   `PixelLayout.planeByteCounts` and starts at its lowest address, which is that of the last row if the
  ///   layout is bottom-up. The pointers must not escape.
  /// - Returns: The result of `body`.
  /// - Throws: `ImageError` with `buffer-expired` if the pixels were lent for a call that has ended.
  package func withUnsafePlanes<R: Sendable>(
    _ body: ([UnsafeRawBufferPointer]) -> R
  ) throws(ImageError) -> R {
    try unsafe storage.withBases(name: name) { (bases) throws(ImageError) in
      let starts = unsafe [bases.first, bases.second, bases.third]
      let planes = unsafe zip(starts, layout.planeByteCounts).map { start, count in
        unsafe UnsafeRawBufferPointer(start: start, count: count)
      }
      return unsafe body(planes)
    }
  }
}

extension PixelBuffer {
  /// Writes a region of the image into a model's input: cropped, scaled, rotated upright and normalised.
  ///
  /// The region is stretched to the tensor's size. Samples outside the region have no influence. YUV is
  /// converted at the tensor's size. Nothing is allocated if the sizes are those of the previous call.
  /// - Parameters:
  ///   - region: The region, in pixels of the stored image, clipped to the image; nil uses all of it.
  ///   - spec: The input that the model expects.
  ///   - tensor: The model's input memory, exactly `spec.byteCount` bytes: rows from the top, pixels from the
  ///     left, three numbers each.
  ///   - scratch: Working memory, reused between calls.
  /// - Returns: The region of the image that fills the tensor, in pixels of the stored image.
  /// - Throws: `ImageError` if the region does not intersect the image, the tensor's description is
  ///   inconsistent, or the pixels were lent for a call that has ended.
  @discardableResult
  public func write(
    region: BoundingBox? = nil, spec: ImageTensorSpec, into tensor: UnsafeMutableRawBufferPointer,
    scratch: TensorScratch
  ) throws(ImageError) -> BoundingBox {
    let whole = BoundingBox(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    return try unsafe decoded.write(
      region: region ?? whole, upright: orientation, spec: spec, into: tensor, scratch: scratch)
  }
}
