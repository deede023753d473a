// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// An image as pixels in memory: a frame of a camera or a video, or what another library decoded.
///
/// A value that any thread may read; copies share the pixels. Ways to make one, by who owns the bytes:
///
/// - `init(_:bytes:)` keeps an array with the planes one after the other, without a copy;
/// - `init(_:copying:)` copies planes that lie anywhere;
/// - `init(_:adopting:release:)` keeps memory of another owner without a copy, and calls back when it is no longer needed;
/// - `withBorrowed` and `withUnsafeBorrowed` use memory for the length of a closure, without a copy.
///
/// The pixels go into a model's tensor in one pass. YUV stays YUV until it has the size of the tensor: no image in
/// red, green and blue is made on the way, and nothing is allocated once sizes repeat.
public struct PixelBuffer: Sendable {
  /// Where each pixel lies.
  public let layout: PixelLayout
  /// What errors call the image.
  public let name: String
  /// How the pixels must be rotated to be upright; `up` by default.
  public var orientation: Orientation {
    didSet {
      decoded = DecodedImage(storage, layout: layout, orientation: orientation, name: name)
    }
  }
  let storage: PixelStorage
  /// The pixels as the tensor pass takes them.
  package private(set) var decoded: DecodedImage

  init(_ layout: PixelLayout, storage: PixelStorage, orientation: Orientation, name: String) {
    self.layout = layout
    self.name = name
    self.orientation = orientation
    self.storage = storage
    decoded = DecodedImage(storage, layout: layout, orientation: orientation, name: name)
  }

  /// Keeps an array that holds the planes one after the other, each with all its rows.
  /// - Parameters:
  ///   - layout: Where each pixel lies.
  ///   - bytes: The planes; kept, not copied. The gap after the very last row may be missing.
  ///   - orientation: How the pixels must be rotated to be upright.
  ///   - name: What errors call the image.
  /// - Throws: `ImageError` with `invalid-buffer` when there are fewer or more bytes than the layout has; the message
  ///   names both.
  public init(
    _ layout: PixelLayout, bytes: [UInt8], orientation: Orientation = .up, name: String = "pixel buffer"
  ) throws(ImageError) {
    try layout.check(blockOf: bytes.count, name: name)
    self.init(
      layout, storage: PixelStorage(bytes: bytes, offsets: layout.planeOffsets), orientation: orientation,
      name: name)
  }

  /// Copies planes that lie anywhere.
  /// - Parameters:
  ///   - layout: Where each pixel lies.
  ///   - planes: One piece of memory for each plane; read before this returns, what is beyond a plane's last row not at
  ///     all.
  ///   - orientation: How the pixels must be rotated to be upright.
  ///   - name: What errors call the image.
  /// - Throws: `ImageError` with `invalid-buffer` when a plane is missing or too short; the message names the bytes.
  public init(
    _ layout: PixelLayout, copying planes: [UnsafeRawBufferPointer], orientation: Orientation = .up,
    name: String = "pixel buffer"
  ) throws(ImageError) {
    try unsafe layout.check(planes, name: name)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: layout.byteCount) { target, count in
      // The gaps between a plane's last pixel and the next plane are read by no one.
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

  /// Keeps memory that belongs to another owner, without a copy: a frame of FFmpeg, a locked `CVPixelBuffer`.
  /// - Parameters:
  ///   - layout: Where each pixel lies.
  ///   - planes: One piece of memory for each plane. It must stay valid and unchanged until `release` is called.
  ///   - orientation: How the pixels must be rotated to be upright.
  ///   - name: What errors call the image.
  ///   - release: Called once, on any thread, when the last copy of the buffer is gone. Not called when this throws:
  ///     the memory then stays the caller's.
  /// - Throws: `ImageError` with `invalid-buffer` when a plane is missing or too short; the message names the bytes.
  public init(
    _ layout: PixelLayout, adopting planes: [UnsafeRawBufferPointer], orientation: Orientation = .up,
    name: String = "pixel buffer", release: @escaping @Sendable () -> Void
  ) throws(ImageError) {
    try unsafe layout.check(planes, name: name)
    self.init(
      layout, storage: unsafe PixelStorage(planes: planes, release: release), orientation: orientation,
      name: name)
  }

  /// Width and height as stored, before turning by `orientation`, in pixels.
  public var size: PixelSize { layout.size }

  /// Width and height of the upright image, in pixels.
  public var uprightSize: PixelSize { orientation.uprightSize(ofStored: size) }
}

extension PixelBuffer {
  /// Gives the planes where they lie for the length of `body`.
  /// - Parameter body: Reads the planes, as many as the layout has, each of `PixelLayout.planeByteCounts` bytes from its
  ///   lowest address, which is that of the last row where the layout is bottom-up; the pointers must not leave it.
  /// - Returns: What `body` returns.
  /// - Throws: `ImageError` with `buffer-expired` when the pixels were lent for a call that is over.
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
  /// Writes a part of the image into a model's input: cropped, scaled, rotated upright and in the model's numbers.
  ///
  /// The part is stretched to the tensor's size. Samples outside the part have no influence. YUV is converted at the
  /// tensor's size. With the same sizes as the call before, nothing is allocated.
  /// - Parameters:
  ///   - region: The part, in pixels of the stored image; nil takes all of it. What lies outside is cut off.
  ///   - spec: What the model wants.
  ///   - tensor: The model's input memory, exactly `spec.byteCount` bytes: rows from the top, pixels from the left,
  ///     three numbers each.
  ///   - scratch: Working memory, reused between calls.
  /// - Returns: The part of the image that fills the tensor, in pixels of the stored image.
  /// - Throws: `ImageError` when the region misses the image, the tensor's description is not consistent, or the
  ///   pixels were lent for a call that is over.
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
