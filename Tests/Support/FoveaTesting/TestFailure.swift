// SPDX-License-Identifier: Apache-2.0

/// The error of shared test code; fails the test that it reaches.
public struct TestFailure: Error, Hashable, CustomStringConvertible {
  /// What happened.
  public let description: String

  /// Creates a failure.
  public init(_ description: String) { self.description = description }
}
