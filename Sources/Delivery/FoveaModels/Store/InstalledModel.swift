// SPDX-License-Identifier: Apache-2.0

/// A model in the store, ready to be loaded.
public struct InstalledModel: Sendable, Hashable {
  /// The name of the model.
  public let name: String
  /// The path of its `.tflite` file.
  ///
  /// The file at this path never changes: another version gets another path.
  public let path: String
  /// The size of the file in bytes when it was verified.
  public let byteCount: Int
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public let sha256: String
  /// The version in use: the first 16 digits of its SHA-256.
  public let version: String
  /// The previous version, whose file is still stored; nil if there is none.
  package let previousVersion: String?
  /// The model's licence; nil if its source names none.
  public let license: String?
  /// The URL that the model was downloaded from, without user name and password.
  public let url: String
  /// The source's ETag or modification date of the content.
  let validator: HTTPValidator
  /// The data about this version from a host that publishes versions.
  let published: ModelRecord.Published?

  /// The version number on a host that publishes versions; nil for other sources.
  package var publishedVersion: String? { published?.version }

  /// The host that the model was downloaded from, or the path.
  package var host: String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return url }
    return String(url[start...].prefix { !["/", "?", "#"].contains($0) })
  }

  init(_ record: ModelRecord, name: String, layout: StoreLayout) {
    self.name = name
    path = layout.versionFolder(name, record.version) + "/" + (record.file ?? StoreLayout.modelFile)
    byteCount = record.bytes
    sha256 = record.sha256
    version = record.version
    previousVersion = record.previous
    license = record.license
    url = record.source.url
    validator = record.validator ?? HTTPValidator()
    published = record.published
  }
}
