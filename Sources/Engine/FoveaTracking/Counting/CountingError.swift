// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// The error if a line, a zone or the ground cannot be used.
public typealias CountingError = Failure<CountingCode>

/// The kinds of ``CountingError``.
public struct CountingCode: FailureCode {
  /// The prefix of the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Creates a code from its raw value.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The ends of a line are equal, not finite, or over a million pixels away, or its name is not allowed.
  ///
  /// **Remedy:** give two different points in pixels of the frame, and a name of its own.
  public static let invalidLine = Self(rawValue: "invalid-line")
  /// A zone has fewer than 3 or more than 1,000 corners, a corner that is not finite or repeated, no area,
  /// edges that meet, a name that is not allowed, or a dwell outside its range.
  ///
  /// **Remedy:** give the corners in order around the zone, or split it into two zones; the message contains
  /// the range of names and dwells.
  public static let invalidZone = Self(rawValue: "invalid-zone")
  /// The ground is not given by the four corners of a rectangle in front of the camera, or a side is not more
  /// than 0 and at most 10 km.
  ///
  /// **Remedy:** give the corners in order around a rectangle on the ground, and its sides in metres.
  public static let invalidGround = Self(rawValue: "invalid-ground")
  /// A value of `CountingOptions` is outside its range.
  ///
  /// **Remedy:** the message contains the value and the range.
  public static let invalidOption = Self(rawValue: "invalid-counting-option")
}
