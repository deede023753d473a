// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Follows the boxes of a detector through the frames until it runs again.
///
/// ```swift
/// var follower = BoxFollower()
/// try follower.begin(GreyPyramid(first), boxes: boxes)
/// let moved = try follower.advance(to: &pyramid)
/// ```
///
/// Holds the detector's image and the one before. Pyramids are exchanged, not copied: between two calls of `begin`,
/// frames of one size allocate nothing but the result.
public struct BoxFollower: Sendable {
  /// Where the boxes are now, in the order of `begin`; those that are lost where they were last.
  public private(set) var boxes: [AnchoredBox] = []
  /// Whether each box is lost.
  private var isLost: [Bool] = []
  private var anchor = GreyPyramid()
  private var previous = GreyPyramid()
  private var flow = BoxFlow()

  /// Makes one that follows nothing.
  public init() {}

  /// Begins again with what a detector found.
  /// - Parameters:
  ///   - image: The image of the detector. It is kept: pyramids that are filled after this take new memory, twice.
  ///   - boxes: What it found, in pixels of the stored image.
  public mutating func begin(_ image: GreyPyramid, boxes: [BoundingBox]) {
    anchor = image
    previous = image
    self.boxes = boxes.map { AnchoredBox(box: $0, anchor: $0) }
    isLost = boxes.map { _ in false }
  }

  /// Follows the boxes into the next image.
  /// - Parameter image: The next image. Afterwards it holds the one before, whose memory the next `update(from:)`
  ///   uses again.
  /// - Returns: One movement for each box of `begin`, in its order. A box that was lost stays lost.
  /// - Throws: `FlowError` with `size-mismatch` when the image has another size than that of `begin`, `no-picture`
  ///   when one is empty; nothing has changed then.
  public mutating func advance(to image: inout GreyPyramid) throws(FlowError) -> [BoxMovement] {
    var moved = try flow.move(boxes, from: previous, to: image, anchor: anchor)
    for index in moved.indices {
      if isLost[index] { moved[index] = .lost(boxes[index].box) }
      isLost[index] = moved[index].isLost
      boxes[index].box = moved[index].box
    }
    swap(&previous, &image)
    return moved
  }
}
