// SPDX-License-Identifier: Apache-2.0

/// The orientation of a device.
///
/// The numbers are UIKit's.
public enum UIDeviceOrientation: Int, Sendable, CaseIterable {
  /// Unknown.
  case unknown = 0
  /// Upright, the home button at the bottom.
  case portrait = 1
  /// Upside down, the home button at the top.
  case portraitUpsideDown = 2
  /// On its side, the home button to the right.
  case landscapeLeft = 3
  /// On its side, the home button to the left.
  case landscapeRight = 4
  /// Lying on its back.
  case faceUp = 5
  /// Lying on its screen.
  case faceDown = 6

  /// Whether the device is upright or upside down.
  public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
  /// Whether the device is on its side.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
  /// Whether the device is lying flat.
  public var isFlat: Bool { self == .faceUp || self == .faceDown }
  /// Whether the interface can have this orientation: upright, upside down or on its side.
  public var isValidInterfaceOrientation: Bool { isPortrait || isLandscape }
}
