// SPDX-License-Identifier: Apache-2.0

/// Where a point of the frame before lies in this one: x' = a x + b y + dx, y' = c x + d y + dy, in pixels.
public struct CameraMotion: Sendable, Hashable {
  /// How much of x goes into x'.
  public var a: Double
  /// How much of y goes into x'.
  public var b: Double
  /// How much of x goes into y'.
  public var c: Double
  /// How much of y goes into y'.
  public var d: Double
  /// The shift to the right, in pixels.
  public var dx: Double
  /// The shift down, in pixels.
  public var dy: Double

  /// Makes a motion; without arguments that of a camera that stands still.
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
  /// The signed factor by which areas grow; below 0 where the motion mirrors the image.
  public var determinant: Double { a * d - b * c }

  /// Whether a camera can have moved so: all numbers are finite, the image is not mirrored, and it is neither more than
  /// ten times as large nor less than a tenth as large as before.
  public var isUsable: Bool {
    guard a.isFinite, b.isFinite, c.isFinite, d.isFinite, dx.isFinite, dy.isFinite else { return false }
    return determinant >= 0.01 && determinant <= 100
  }
}
