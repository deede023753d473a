// SPDX-License-Identifier: Apache-2.0

/// A model in the store, ready to be loaded.
public struct InstalledModel: Sendable, Hashable {
  /// What it is called.
  public let name: String
  /// The path of its `.tflite` file.
  ///
  /// The content of this path never changes: another version gets another path.
  public let path: String
  /// The size of the file in bytes, as it was when it was verified.
  public let byteCount: Int
  /// The SHA-256 of the file, 64 lowercase hexadecimal digits.
  public let sha256: String
  /// The version in use: the first 16 digits of its SHA-256.
  public let version: String
  /// The version that was in use before, whose file is still there; nil where there was none.
  public let previousVersion: String?
  /// The licence that it came under; nil where its source names none.
  public let license: String?
  /// The URL that it came from, without user name and password.
  public let url: String
  /// How its source identifies the content.
  let validator: HTTPValidator
  /// What a host that publishes versions says about it.
  let published: ModelRecord.Published?

  /// The number of the version on a host that publishes versions; nil for all others.
  package var publishedVersion: String? { published?.version }

  /// The machine that it came from, or the path.
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
