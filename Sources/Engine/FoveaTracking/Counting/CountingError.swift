// SPDX-License-Identifier: Apache-2.0

@_exported public import FoveaCore

/// Why nothing can be counted at a line or in a zone, and what to do about it.
public typealias CountingError = Failure<CountingCode>

/// The kinds of ``CountingError``.
public struct CountingCode: FailureCode {
  /// What stands before the code in a `FoveaError`.
  public static let domain = ""
  /// The code as results print it, in kebab case.
  public var rawValue: String
  /// Makes a code from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The ends of a line are the same point, not finite, or more than a million pixels away.
  ///
  /// **Remedy:** give two different points in pixels of the frame.
  public static let invalidLine = Self(rawValue: "invalid-line")
  /// A zone has fewer than 3 or more than 1,000 corners, a corner that is not finite or given twice, no area, or
  /// edges that meet.
  ///
  /// **Remedy:** give the corners in order around the zone, or make two zones of it.
  public static let invalidZone = Self(rawValue: "invalid-zone")
  /// A value of `CountingOptions` is out of its range.
  ///
  /// **Remedy:** the message names value and range.
  public static let invalidOption = Self(rawValue: "invalid-counting-option")
}
