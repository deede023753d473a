// SPDX-License-Identifier: Apache-2.0

/// An experiment that this device takes part in by the configuration that is active.
public struct ConfigVariant: Codable, Sendable, Hashable {
  /// The experiment's id.
  public let experiment: String
  /// The variant's id.
  public let variant: String
  /// The parameters whose values the variant may set.
  public let keys: [String]
}
