// SPDX-License-Identifier: Apache-2.0

/// The motion of points from the previous frame to this one: x' = a x + b y + dx, y' = c x + d y + dy, in
/// pixels.
public struct CameraMotion: Sendable, Hashable {
  /// The factor of x in x'.
  public var a: Double
  /// The factor of y in x'.
  public var b: Double
  /// The factor of x in y'.
  public var c: Double
  /// The factor of y in y'.
  public var d: Double
  /// The shift to the right, in pixels.
  public var dx: Double
  /// The shift down, in pixels.
  public var dy: Double

  /// Creates a motion; without arguments that of a still camera.
  public init(a: Double = 1, b: Double = 0, c: Double = 0, d: Double = 1, dx: Double = 0, dy: Double = 0) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.dx = dx
    self.dy = dy
  }
}

extension CameraMotion {
  /// The signed factor by which areas grow; below 0 if the motion mirrors the image.
  package var determinant: Double { a * d - b * c }

  /// Whether the motion is plausible: all numbers are finite, the image is not mirrored, and its area changes
  /// by a factor of 0.01 to 100.
  package var isUsable: Bool {
    guard a.isFinite, b.isFinite, c.isFinite, d.isFinite, dx.isFinite, dy.isFinite else { return false }
    return determinant >= 0.01 && determinant <= 100
  }
}
