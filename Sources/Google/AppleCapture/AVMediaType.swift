// SPDX-License-Identifier: Apache-2.0

/// The medium of a device or connection.
public struct AVMediaType: RawRepresentable, Sendable, Hashable {
  /// The name.
  public let rawValue: String
  /// Creates a medium from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Moving images, the only medium of devices here.
  public static let video = AVMediaType(rawValue: "vide")
  /// Sound; no device here supports it.
  public static let audio = AVMediaType(rawValue: "soun")
}

/// The permission to use cameras.
///
/// The numbers are AVFoundation's.
public enum AVAuthorizationStatus: Int, Sendable {
  /// Not requested yet.
  case notDetermined = 0
  /// Refused, and cannot be granted.
  case restricted = 1
  /// Refused by the user.
  case denied = 2
  /// Granted.
  case authorized = 3
}
