// SPDX-License-Identifier: Apache-2.0

/// What kind of medium a device or connection carries.
public struct AVMediaType: RawRepresentable, Sendable, Hashable {
  /// The name.
  public let rawValue: String
  /// Makes a kind from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Moving images: the only kind that devices here have.
  public static let video = AVMediaType(rawValue: "vide")
  /// Sound; no device here has it.
  public static let audio = AVMediaType(rawValue: "soun")
}

/// Whether a program may use cameras.
///
/// The numbers are AVFoundation's.
public enum AVAuthorizationStatus: Int, Sendable {
  /// No one was asked yet.
  case notDetermined = 0
  /// The program may not, and no one can allow it.
  case restricted = 1
  /// Somebody refused.
  case denied = 2
  /// The program may.
  case authorized = 3
}
