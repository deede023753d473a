// SPDX-License-Identifier: Apache-2.0

/// A provider of an image's bytes.
public final class CGDataProvider: Sendable {
  private let bytes: CFData

  /// Creates a provider from bytes in memory.
  /// - Parameter data: The bytes.
  public init?(data: CFData) { bytes = data }

  init(_ data: CFData) { bytes = data }

  /// The bytes.
  public var data: CFData? { bytes }
}
