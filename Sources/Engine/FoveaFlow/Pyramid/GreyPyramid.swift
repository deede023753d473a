// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry
public import FoveaImage

/// A grey image at full size, a half, a quarter and an eighth, for optical flow.
///
/// Built once per frame and shared by all boxes and the camera's motion. `update(from:)` reuses the value's
/// memory, so that frames of the same size allocate nothing unless a copy of the pyramid is kept.
///
/// If the longer side has more than 640 pixels, the first level is the image at half size. This is a quarter
/// of the work, but displacements are half as precise. Above 2,560 pixels it is a quarter of the size, and so
/// on.
///
/// **Source:** Bouguet, "Pyramidal Implementation of the Lucas Kanade Feature Tracker", Intel, 2000, section
/// 2.
public struct GreyPyramid: Sendable {
  /// The maximum number of levels of a pyramid.
  ///
  /// Each level increases the largest displacement that can be found by a factor of two.
  static let levelCount = 4
  /// The minimum side of all levels except the first.
  static let leastSide = 16

  /// The size of the image, as stored, in pixels; 0 × 0 before the first image.
  public private(set) var size = PixelSize(width: 0, height: 0)
  /// The pixels of the image per pixel of the first level, in each direction: 1, 2, 4 and so on.
  private(set) var scale = 1
  /// The difference of white and black, as a fraction of 255: smaller for YUV in video range.
  private(set) var contrast: Float = 1
  /// The levels from the largest to the smallest.
  private(set) var levels: [GreyLevel] = []
  private var pixels: [UInt16] = []
  private var sums: [UInt16] = []
  private var grey: [UInt8] = []
  private var halves: [UInt16] = []

  /// Creates an empty pyramid; `update(from:)` fills it.
  public init() {}

  /// Creates the pyramid of an image.
  /// - Parameter image: The image; its stored pixels are used, not rotated upright.
  /// - Throws: `ImageError` with `buffer-expired` if the pixels were lent for a call that has returned.
  public init(_ image: PixelBuffer) throws(ImageError) { try update(from: image) }

  /// Whether it has no image.
  public var isEmpty: Bool { levels.isEmpty }

  /// Replaces the image; allocates nothing if its size has not changed.
  /// - Parameter image: The image; its stored pixels are used, not rotated upright.
  /// - Throws: `ImageError` with `buffer-expired` if the pixels were lent for a call that has returned; the
  ///   pyramid is then empty.
  /// - Complexity: O(width × height).
  public mutating func update(from image: PixelBuffer) throws(ImageError) {
    prepare(for: image.size)
    contrast = image.layout.format.encoding?.range == .video ? 219.0 / 255 : 1
    // The memory is moved out while it is lent, so that it has no second owner.
    var grey = grey
    self.grey = []
    defer { self.grey = grey }
    do throws(ImageError) {
      try unsafe image.withGreyPixels(memory: &grey) { base, stride in unsafe fill(base, stride) }
    } catch {
      levels = []
      size = PixelSize(width: 0, height: 0)
      throw error
    }
  }

  /// Calls `body` with the pixels of all levels; add a level's `origin`.
  func withPixels<R>(_ body: (UnsafePointer<UInt16>) -> R) -> R? {
    unsafe pixels.withUnsafeBufferPointer { buffer in unsafe buffer.baseAddress.map { unsafe body($0) } }
  }

  /// Lays out the levels for an image of `newSize`.
  private mutating func prepare(for newSize: PixelSize) {
    guard newSize != size else { return }
    size = newSize
    var (width, height) = (newSize.width, newSize.height)
    scale = 1
    var between = 0
    while max(width, height) > (scale == 1 ? 640 : 1_280) {
      (width, height) = ((width + 1) / 2, (height + 1) / 2)
      scale *= 2
      between += width * height
    }
    levels = []
    var start = 0
    repeat {
      let level = GreyLevel(width: width, height: height, start: start)
      levels.append(level)
      start += level.pixelCount
      (width, height) = ((width + 1) / 2, (height + 1) / 2)
    } while levels.count < Self.levelCount && min(width, height) >= Self.leastSide
    pixels = [UInt16](repeating: 0, count: start)
    sums = [UInt16](repeating: 0, count: BinomialReduction.sumCount(width: newSize.width))
    halves = scale > 2 ? [UInt16](repeating: 0, count: between) : []
  }

  /// Computes the levels from the grey image.
  private mutating func fill(_ source: UnsafePointer<UInt8>, _ stride: Int) {
    let (size, scale, levels) = (size, scale, levels)
    // SAFETY: `prepare` allocated each array with the size that the levels need.
    unsafe pixels.withUnsafeMutableBufferPointer { pixels in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        unsafe halves.withUnsafeMutableBufferPointer { halves in
          guard let pixels = pixels.baseAddress, let sums = sums.baseAddress else { return }
          unsafe Self.fillFirst(
            levels[0], pixels, from: source, stride, size: size, scale: scale, sums, halves.baseAddress)
          for index in levels.indices.dropFirst() {
            let (from, into) = (levels[index - 1], levels[index])
            unsafe BinomialReduction.halve(
              pixels + from.origin, stride: from.stride, width: from.width, height: from.height,
              into: pixels + into.origin, targetStride: into.stride, sums: sums)
          }
          for level in levels { unsafe level.fillMargin(pixels) }
        }
      }
    }
  }

  /// Copies the image to the first level, halved according to `scale`.
  private static func fillFirst(
    _ level: GreyLevel, _ pixels: UnsafeMutablePointer<UInt16>, from source: UnsafePointer<UInt8>,
    _ stride: Int, size: PixelSize, scale: Int, _ sums: UnsafeMutablePointer<UInt16>,
    _ halves: UnsafeMutablePointer<UInt16>?
  ) {
    let target = unsafe pixels + level.origin
    guard scale > 1 else {
      for y in 0..<level.height {
        unsafe widen(source + y * stride, level.width, target + y * level.stride)
      }
      return
    }
    guard scale > 2, var into = unsafe halves else {
      unsafe BinomialReduction.halve(
        source, stride: stride, width: size.width, height: size.height, into: target,
        targetStride: level.stride, sums: sums)
      return
    }
    var (width, height, rest) = ((size.width + 1) / 2, (size.height + 1) / 2, scale / 2)
    unsafe BinomialReduction.halve(
      source, stride: stride, width: size.width, height: size.height, into: into, targetStride: width,
      sums: sums)
    while rest > 1 {
      let (half, isLast) = ((width + 1) / 2, rest == 2)
      // Each is computed from the previous one; the last one is written to the level.
      let next = unsafe isLast ? target : into + width * height
      unsafe BinomialReduction.halve(
        UnsafePointer(into), stride: width, width: width, height: height, into: next,
        targetStride: isLast ? level.stride : half, sums: sums)
      unsafe into = next
      (width, height, rest) = (half, (height + 1) / 2, rest / 2)
    }
  }

  private static func widen(
    _ source: UnsafePointer<UInt8>, _ count: Int, _ target: UnsafeMutablePointer<UInt16>
  ) {
    for x in 0..<count { unsafe target[x] = UInt16(source[x]) }
  }
}
