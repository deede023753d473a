// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Moves boxes with the image from one frame to another.
///
/// For the frames between two runs of a detector. Each box is followed by an 8 × 8 grid of points over its
/// inner 90 %: pyramidal Lucas-Kanade, forward and backward; the median of the better half of the points is
/// the shift.
///
/// Errors of many small steps add up, so a box slides off its object after some tens of frames. With the
/// image in which the detector found the object, the *anchor*, each step is corrected by a direct comparison
/// with that image.
///
/// The value holds only working memory: no result depends on an earlier call. With the same number of boxes
/// only the result is allocated.
///
/// **Source:** Bouguet, "Pyramidal Implementation of the Lucas Kanade Feature Tracker", Intel, 2000; Kalal,
/// Mikolajczyk, Matas, "Forward-Backward Error", ICPR 2010; Matthews, Ishikawa, Baker, "The Template Update
/// Problem", PAMI 2004, for the anchor.
public struct BoxFlow: Sendable {
  /// The points in each direction in a box.
  private static let gridSide = 8
  /// The points in each direction in the anchor.
  private static let anchorSide = 5
  /// The coarsest level for the anchor, because the step before has already moved the box close.
  private static let anchorLevel = 1
  /// The minimum number of points that must agree to correct a box by its anchor.
  private static let leastAnchorPoints = 8
  /// A correction of this length or more, in pixels of the pyramid's first level, is ignored as a mismatch.
  private static let longestCorrection = 6.0
  /// The part of the correction that is applied: half, since the object has changed since the anchor.
  private static let correctionShare = 0.5

  private var search = BoxSearch()

  /// Creates a value without working memory; the first call allocates it.
  public init() {}

  /// Moves boxes from one image to the next.
  /// - Parameters:
  ///   - boxes: The boxes in `previous`, in pixels of the stored image. Parts outside the image are not
  ///     followed.
  ///   - previous: The image that the boxes are in.
  ///   - current: The image to find them in.
  /// - Returns: One movement for each box, in the order of `boxes`; a box that is empty, or whose edges are
  ///   not numbers, is lost.
  /// - Throws: `FlowError` with `size-mismatch` if the images have different sizes, `no-picture` if one is
  ///   empty.
  public mutating func move(
    _ boxes: [BoundingBox], from previous: GreyPyramid, to current: GreyPyramid
  ) throws(FlowError) -> [BoxMovement] {
    try FlowError.check(previous, current)
    return unsafe PyramidPair.with(previous, current) { pair in
      boxes.map { unsafe step($0, pair, scale: previous.scale) }
    } ?? []
  }

  /// Moves boxes from one image to the next, and corrects them by the image in which a detector found them.
  /// - Parameters:
  ///   - boxes: Each box in `previous` and in `anchor`, in pixels of the stored image.
  ///   - previous: The previous image.
  ///   - current: The image to find them in.
  ///   - anchor: The image in which the detector found them. After a second or two objects look different,
  ///     and the correction is mostly skipped.
  /// - Returns: One movement for each box, in the order of `boxes`; `dx` and `dy` include the correction.
  /// - Throws: `FlowError` with `size-mismatch` if the images have different sizes, `no-picture` if one is
  ///   empty.
  public mutating func move(
    _ boxes: [AnchoredBox], from previous: GreyPyramid, to current: GreyPyramid, anchor: GreyPyramid
  ) throws(FlowError) -> [BoxMovement] {
    var moved = try move(boxes.map(\.box), from: previous, to: current)
    try FlowError.check(anchor, current)
    unsafe PyramidPair.with(anchor, current) { pair in
      for index in moved.indices where !moved[index].isLost {
        unsafe correct(&moved[index], anchor: boxes[index].anchor, pair, scale: current.scale)
      }
    }
    return moved
  }

  private mutating func step(_ box: BoundingBox, _ pair: PyramidPair, scale: Int) -> BoxMovement {
    let found = unsafe search.shift(
      of: box, in: pair, scale: scale, side: Self.gridSide, coarsest: GreyPyramid.levelCount - 1, from: .zero)
    return found.map { BoxMovement(box, by: $0.shift, pointCount: $0.pointCount) } ?? .lost(box)
  }

  /// Moves a box towards the position at which the anchor's image is found.
  private mutating func correct(
    _ movement: inout BoxMovement, anchor: BoundingBox, _ pair: PyramidPair, scale: Int
  ) {
    let guess = SIMD2(movement.box.midX - anchor.midX, movement.box.midY - anchor.midY)
    let found = unsafe search.shift(
      of: anchor, in: pair, scale: scale, side: Self.anchorSide, coarsest: Self.anchorLevel, from: guess)
    guard let found, found.pointCount >= Self.leastAnchorPoints else { return }
    let correction = found.shift - guess
    let longest = Self.longestCorrection * Double(scale)
    guard (correction * correction).sum() < longest * longest else { return }
    let share = correction * Self.correctionShare
    var corrected = BoxMovement(movement.box, by: share, pointCount: movement.pointCount)
    corrected.dx += movement.dx
    corrected.dy += movement.dy
    movement = corrected
  }
}

/// A box in the previous image, and its position in an earlier one, in which a detector found it.
public struct AnchoredBox: Sendable, Hashable {
  /// The box in the previous image, in pixels of the stored image.
  public var box: BoundingBox
  /// The box in the image of the detector, in pixels of the stored image; of the same size as `box`.
  public var anchor: BoundingBox

  /// Creates an anchored box.
  public init(box: BoundingBox, anchor: BoundingBox) {
    self.box = box
    self.anchor = anchor
  }
}
