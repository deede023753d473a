// SPDX-License-Identifier: Apache-2.0

/// A part of the metadata whose meaning only its writer defines: bytes with a name.
public struct CustomMetadata: Sendable, Hashable {
  /// The name, for example `DETECTOR_METADATA`.
  public var name: String
  /// The content, usually a FlatBuffer of the writer's own schema.
  public var data: [UInt8]

  /// Makes a part.
  public init(name: String, data: [UInt8]) {
    self.name = name
    self.data = data
  }
}
