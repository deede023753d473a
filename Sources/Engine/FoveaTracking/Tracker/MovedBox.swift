// SPDX-License-Identifier: Apache-2.0

public import FoveaGeometry

/// Where an object went with the image, on a frame on which no detector ran.
public struct MovedBox: Sendable, Hashable {
  /// The identity of the object.
  public var identity: Int
  /// Where it is now, in pixels of the frame.
  public var box: BoundingBox

  /// Makes a box of an object.
  public init(identity: Int, box: BoundingBox) {
    self.identity = identity
    self.box = box
  }
}
