// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Follows a detector's boxes through the frames until it runs again.
///
/// ```swift
/// var follower = BoxFollower()
/// try follower.begin(GreyPyramid(first), boxes: boxes)
/// let moved = try follower.advance(to: &pyramid)
/// ```
///
/// Stores the detector's image and the previous one. Pyramids are swapped, not copied: between two calls of
/// `begin`, frames of the same size allocate only the result.
public struct BoxFollower: Sendable {
  /// The current boxes, in the order of `begin`; a lost box keeps its last position.
  public private(set) var boxes: [AnchoredBox] = []
  /// Whether each box is lost.
  private var isLost: [Bool] = []
  private var anchor = GreyPyramid()
  private var previous = GreyPyramid()
  private var flow = BoxFlow()

  /// Creates a follower without boxes.
  public init() {}

  /// Starts again with a detector's boxes.
  /// - Parameters:
  ///   - image: The image of the detector. It is kept, so the next two pyramids that are filled allocate new
  ///     memory.
  ///   - boxes: The detector's boxes, in pixels of the stored image.
  public mutating func begin(_ image: GreyPyramid, boxes: [BoundingBox]) {
    anchor = image
    previous = image
    self.boxes = boxes.map { AnchoredBox(box: $0, anchor: $0) }
    isLost = boxes.map { _ in false }
  }

  /// Follows the boxes into the next image.
  /// - Parameter image: The next image. Afterwards it contains the previous one, whose memory the next
  ///   `update(from:)` reuses.
  /// - Returns: One movement for each box of `begin`, in its order. A lost box stays lost.
  /// - Throws: `FlowError` with `size-mismatch` if the image's size differs from the one passed to `begin`,
  ///   `no-picture` if either is empty. On an error, nothing changes.
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
