// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// One object of a frame, as counters take it.
public struct CountedObject: Sendable, Hashable {
  /// The identity that a tracker gave the object: the same in every frame.
  public var identity: Int
  /// Where the object is, in pixels of the frame; edges may lie outside the frame.
  public var box: BoundingBox
  /// The index of its class; nil where there are no classes.
  public var classIndex: Int?

  /// Makes an object.
  public init(identity: Int, box: BoundingBox, classIndex: Int? = nil) {
    self.identity = identity
    self.box = box
    self.classIndex = classIndex
  }
}

extension CountedObject {
  /// The point that counts; nil where the box is empty or has an edge that is beyond what counters calculate with.
  func anchor(_ anchor: BoxAnchor) -> PixelPoint? {
    let limit = CountingOptions.largestCoordinate
    let isUsable = [box.minX, box.minY, box.maxX, box.maxY].allSatisfy { abs($0) <= limit }
    return isUsable && !box.isEmpty ? anchor.point(of: box) : nil
  }

  /// The square root of the box's area: the length that tolerances are fractions of.
  var extent: Double { box.area.squareRoot() }
}
