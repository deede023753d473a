// SPDX-License-Identifier: Apache-2.0

/// What a damaged file must not lead to.
public struct FuzzFailure: Error, CustomStringConvertible {
  /// The seed, and what happened.
  public let description: String

  /// Makes a failure.
  public init(_ description: String) { self.description = description }
}
