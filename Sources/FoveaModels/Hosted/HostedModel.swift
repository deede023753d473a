// SPDX-License-Identifier: Apache-2.0

/// A model that came from a host, ready to be loaded.
package struct HostedModel: Sendable, Hashable {
  /// What it is called on the host.
  package let name: String
  /// The path of its `.tflite` file.
  ///
  /// The content of this path never changes: another version gets another path.
  package let path: String
  /// The size of the file in bytes.
  package let byteCount: Int
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  package let sha256: String
  /// The address that it came from, without user name and password.
  package let source: String
  /// What the host said of the content.
  let validator: HTTPValidator

  init(_ record: HostedRecord, name: String, layout: StoreLayout) {
    self.name = name
    path = layout.versionFolder(name, record.version) + "/" + StoreLayout.modelFile
    byteCount = record.bytes
    sha256 = record.sha256
    source = record.source
    validator = record.validator
  }
}
