// SPDX-License-Identifier: Apache-2.0

/// A forbidden outcome of a damaged file.
public struct FuzzFailure: Error, CustomStringConvertible {
  /// The seed, and the outcome.
  public let description: String

  /// Creates a failure.
  public init(_ description: String) { self.description = description }
}
