// SPDX-License-Identifier: Apache-2.0

/// Why what the tests share could not do its part; it fails the test that it reaches.
public struct TestFailure: Error, Hashable, CustomStringConvertible {
  /// What happened.
  public let description: String

  /// Makes a failure.
  public init(_ description: String) { self.description = description }
}
