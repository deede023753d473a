// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// An object in one frame, as input of counters.
public struct CountedObject: Sendable, Hashable {
  /// The identity that a tracker assigned to the object: the same in every frame.
  public var identity: Int
  /// The box in pixels of the frame; edges may lie outside the frame.
  public var box: BoundingBox
  /// The index of the class; nil if there are no classes.
  public var classIndex: Int?

  /// Creates an object.
  public init(identity: Int, box: BoundingBox, classIndex: Int? = nil) {
    self.identity = identity
    self.box = box
    self.classIndex = classIndex
  }
}

extension CountedObject {
  /// Returns the point that counts; nil if the box is empty or has an edge outside the supported range.
  func anchor(_ anchor: BoxAnchor) -> PixelPoint? {
    let limit = CountingOptions.largestCoordinate
    let isUsable = [box.minX, box.minY, box.maxX, box.maxY].allSatisfy { abs($0) <= limit }
    return isUsable && !box.isEmpty ? anchor.point(of: box) : nil
  }

  /// The square root of the box's area, the length to which tolerances are relative.
  var extent: Double { box.area.squareRoot() }
}
