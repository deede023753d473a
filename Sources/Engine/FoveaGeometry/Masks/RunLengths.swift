// SPDX-License-Identifier: Apache-2.0

/// The pixels of an object in an image as COCO's run lengths: alternately the lengths of runs outside and
/// inside the object, column by column from the top left.
///
/// **Source:** `maskApi.h` and `maskApi.c` of pycocotools 2.0.11 (BSD-2-Clause).
public struct RunLengths: Sendable, Hashable {
  /// The size of the image.
  public let size: PixelSize
  /// The lengths of the runs: the first is outside the object, 0 if the top left pixel is inside; their sum
  /// is the number of pixels of the image.
  public let counts: [UInt32]

  init(unchecked counts: [UInt32], size: PixelSize) {
    self.size = size
    self.counts = counts
  }

  /// Creates run lengths from COCO's uncompressed form.
  /// - Parameters:
  ///   - counts: The lengths of the runs, the first outside the object.
  ///   - size: The size of the image.
  /// - Throws: `GeometryError` `runLengthsInvalid` if the runs are not as long as the image has pixels, or
  ///   the image has a negative side or 2³² or more pixels.
  public init(counts: [UInt32], size: PixelSize) throws(GeometryError) {
    try RunLengths.check(size)
    try RunLengths.check(counts.reduce(0) { $0 + Int($1) }, size)
    self.init(unchecked: counts, size: size)
  }

  /// Returns true if an image of this size may have run lengths.
  package static func isPossible(_ size: PixelSize) -> Bool {
    size.width >= 0 && size.height >= 0 && size.area <= Int(UInt32.max)
  }

  /// Throws if no run lengths may have this size.
  static func check(_ size: PixelSize) throws(GeometryError) {
    guard isPossible(size) else {
      throw GeometryError(
        .runLengthsInvalid, "An image of \(size) has no run lengths; 0 to 4,294,967,295 pixels are possible",
        remedy: "Use the image's width and height")
    }
  }

  static func check(_ pixels: Int, _ size: PixelSize) throws(GeometryError) {
    guard pixels == size.area else {
      throw GeometryError(
        .runLengthsInvalid, "The runs have \(pixels) pixels together; an image of \(size) has \(size.area)",
        remedy: "Use the size of the image that the runs were made for; COCO's order is height, width")
    }
  }

  /// The number of pixels of the object.
  public var area: Int {
    var area = 0
    for index in stride(from: 1, to: counts.count, by: 2) { area += Int(counts[index]) }
    return area
  }

  /// The smallest box around the object's pixels; empty if it has none.
  public var bounds: BoundingBox {
    var (left, right, top, bottom) = (size.width, 0, size.height, 0)
    forEachRun { start, end in
      let (first, last) = (start / size.height, (end - 1) / size.height)
      left = min(left, first)
      right = max(right, last + 1)
      // A run over several columns reaches the lower and the upper edge.
      top = min(top, first == last ? start % size.height : 0)
      bottom = max(bottom, first == last ? (end - 1) % size.height + 1 : size.height)
    }
    guard right > left else { return BoundingBox(x: 0, y: 0, width: 0, height: 0) }
    return BoundingBox(
      minX: Double(left), minY: Double(top), maxX: Double(right), maxY: Double(bottom))
  }

  /// Calls `body` with the first pixel of each run of the object and the one after its last, in COCO's order.
  func forEachRun(_ body: (Int, Int) -> Void) {
    var place = 0
    for (index, count) in counts.enumerated() {
      let end = place + Int(count)
      if index % 2 == 1, end > place { body(place, end) }
      place = end
    }
  }

  /// Returns the overlap of this detection with an object of the ground truth, 0…1.
  ///
  /// The intersection over union of the pixels; for a crowd, which represents many objects, the share of the
  /// detection inside it. 0 if they share no pixel, or are of images of different sizes.
  ///
  /// **Source:** `rleIou` of `maskApi.c`, pycocotools 2.0.11.
  /// - Parameters:
  ///   - truth: The object of the ground truth.
  ///   - isCrowd: True if that object is a crowd.
  /// - Returns: The overlap.
  /// - Complexity: O(runs of both).
  public func overlap(with truth: RunLengths, isCrowd: Bool = false) -> Double {
    guard size == truth.size, !counts.isEmpty, !truth.counts.isEmpty else { return 0 }
    var (i, j) = (0, 0)
    var (left, other) = (counts[0], truth.counts[0])
    var shared = 0
    var united = 0
    while true {
      while left == 0, i + 1 < counts.count {
        i += 1
        left = counts[i]
      }
      while other == 0, j + 1 < truth.counts.count {
        j += 1
        other = truth.counts[j]
      }
      let step = min(left, other)
      guard step > 0 else { break }
      let (isInside, isOther) = (i & 1 == 1, j & 1 == 1)
      if isInside && isOther { shared += Int(step) }
      if isInside || isOther { united += Int(step) }
      left -= step
      other -= step
    }
    guard shared > 0 else { return 0 }
    return Double(shared) / Double(isCrowd ? area : united)
  }

  /// Collects runs of an object in ascending order.
  struct Builder {
    private let size: PixelSize
    private var counts: [UInt32] = []
    private var end = 0

    init(_ size: PixelSize) { self.size = size }

    /// Adds the pixels from `first` to the one before `next`, both in COCO's order; `first` must not be
    /// before the end of the last run.
    mutating func add(_ first: Int, _ next: Int) {
      if first == end, !counts.isEmpty {
        counts[counts.count - 1] += UInt32(truncatingIfNeeded: next - first)
      } else {
        counts.append(UInt32(truncatingIfNeeded: first - end))
        counts.append(UInt32(truncatingIfNeeded: next - first))
      }
      end = next
    }

    /// Returns the runs, with the rest of the image.
    consuming func finish() -> RunLengths {
      if end < size.area || counts.isEmpty { counts.append(UInt32(truncatingIfNeeded: size.area - end)) }
      return RunLengths(unchecked: counts, size: size)
    }
  }
}
