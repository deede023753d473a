// SPDX-License-Identifier: Apache-2.0

import FoveaCompatibility

/// A downloaded model.
public struct CustomModel: Sendable, Hashable {
  /// The model's name on the model host.
  public let name: String
  /// The size of the file in bytes.
  public let size: Int
  /// The path of the file, whose content never changes; each version has its own path.
  public let path: String
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public let hash: String

  init(_ model: RemoteModels.Model) {
    name = model.name
    size = model.byteCount
    path = model.path
    hash = model.sha256
  }
}
