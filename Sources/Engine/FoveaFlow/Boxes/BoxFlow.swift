// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Moves boxes with the image from one frame to another.
///
/// For the frames between two runs of a detector. Each box is followed by an 8 × 8 grid of points over its inner 90 %:
/// pyramidal Lucas-Kanade, there and back; the better half of the points gives the median shift.
///
/// Errors of many small steps add up, so that a box slides off its object after some tens of frames. With the image in
/// which the detector saw the object, the *anchor*, each step is corrected by a direct comparison with that image.
///
/// A value that holds only working memory: no result depends on an earlier call. With the same number of boxes nothing
/// but the result is allocated.
///
/// **Source:** Bouguet, "Pyramidal Implementation of the Lucas Kanade Feature Tracker", Intel, 2000; Kalal, Mikolajczyk,
/// Matas, "Forward-Backward Error", ICPR 2010; Matthews, Ishikawa, Baker, "The Template Update Problem", PAMI 2004, for
/// the anchor.
public struct BoxFlow: Sendable {
  /// Points each way in a box.
  private static let gridSide = 8
  /// Points each way in the anchor.
  private static let anchorSide = 5
  /// The anchor's level to begin with: the step before has brought the box near.
  private static let anchorLevel = 1
  /// The anchor corrects a box when at least this many points agree.
  private static let leastAnchorPoints = 8
  /// A correction as long as this, in pixels of the pyramid's first level, is none: the points found something else.
  private static let longestCorrection = 6.0
  /// The part of the correction that is made: half, since the object has changed since then.
  private static let correctionShare = 0.5

  private var search = BoxSearch()

  /// Makes one without working memory; the first call allocates it.
  public init() {}

  /// Moves boxes from one image to the next.
  /// - Parameters:
  ///   - boxes: In `previous`, in pixels of the stored image. Parts outside the image are not followed.
  ///   - previous: The image that the boxes are in.
  ///   - current: The image to find them in.
  /// - Returns: One movement for each box, in the order of `boxes`; an empty box, or one with edges that are no numbers,
  ///   is lost.
  /// - Throws: `FlowError` with `size-mismatch` when the images have different sizes, `no-picture` when one is empty.
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
  ///   - boxes: Each in `previous` and in `anchor`, in pixels of the stored image.
  ///   - previous: The image before.
  ///   - current: The image to find them in.
  ///   - anchor: The image in which the detector found them. When it is older than a second or two, objects look
  ///     different, and the correction is mostly left out.
  /// - Returns: One movement for each box, in the order of `boxes`; `dx` and `dy` include the correction.
  /// - Throws: `FlowError` with `size-mismatch` when the images have different sizes, `no-picture` when one is empty.
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

  /// Pulls a box towards where the anchor's image is found.
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

/// A box in the image before, and where a detector found it in an earlier one.
public struct AnchoredBox: Sendable, Hashable {
  /// The box in the image before, in pixels of the stored image.
  public var box: BoundingBox
  /// The box in the image of the detector, in pixels of the stored image; of the same size as `box`.
  public var anchor: BoundingBox

  /// Makes an anchored box.
  public init(box: BoundingBox, anchor: BoundingBox) {
    self.box = box
    self.anchor = anchor
  }
}
