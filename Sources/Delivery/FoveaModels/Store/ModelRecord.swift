// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// The content of `current.json`: the model version in use and its source.
struct ModelRecord: Codable, Hashable {
  var layout = StoreLayout.version
  /// The first 16 digits of the SHA-256.
  var version: String
  /// The previous version, if it is still there.
  var previous: String?
  /// The name of the model's file; nil in older records of a host, for `StoreLayout.modelFile`.
  var file: String?
  var bytes: Int
  var sha256: String
  /// nil for a model from a host, which names none.
  var license: String?
  var source: Source
  /// The host's ETag or modification date of the content; nil for a model from a catalogue.
  var validator: HTTPValidator?
  /// The data about this version from a host that publishes versions.
  var published: Published?
  /// The file's stamp when it was verified; nil in older records.
  var verified: FileStamp?
  /// The data about the previous version; nil in older records.
  var former: Former?

  /// The data about a version that a host publishes.
  struct Published: Codable, Hashable {
    /// The tag of the host's answer, sent back unchanged.
    var tag: String?
    /// The version number.
    var version: String?
    /// The experiment variant that this device was assigned to.
    var variant: String?
    /// The experiment of the variant; `unit` takes part in it.
    var experiment: String?
    var unit: ExperimentUnit?
  }

  /// The previous version.
  struct Former: Codable, Hashable {
    var bytes: Int
    var sha256: String
    var source: Source
    var published: Published?
    var verified: FileStamp?
  }

  struct Source: Codable, Hashable {
    /// `catalogue` or `host`; other kinds may be added.
    var kind: String
    /// The address, or a local path.
    var url: String
  }

  init(bytes: Int, sha256: String, source: Source) {
    version = StoreLayout.version(sha256: sha256)
    file = StoreLayout.modelFile
    self.bytes = bytes
    self.sha256 = sha256
    self.source = source
  }

  /// Reads a record, and verifies that no name in it leads out of the model's folder.
  /// - Throws: `damagedModel`, `storeUnreadable`.
  init(json: [UInt8], name: String, path: String, origin: ModelOrigin) throws(ModelStoreError) {
    do { self = try JSONValue.decode(ModelRecord.self, from: json) } catch {
      throw origin.damaged(name, "'\(path)' is not as Fovea wrote it: \(error.reason)")
    }
    guard layout == StoreLayout.version else {
      throw ModelStoreError(
        .storeUnreadable, "'\(path)' has layout \(layout), and this version of Fovea reads layout 1",
        remedy: "Update Fovea, or set FOVEA_MODELS to another folder")
    }
    guard sha256.isSHA256, version == StoreLayout.version(sha256: sha256), bytes > 0,
      previous.map(ModelName.isFileName) ?? true, file.map(ModelName.isFileName) ?? true,
      former.map({ $0.sha256.isSHA256 && $0.bytes > 0 }) ?? true
    else { throw origin.damaged(name, "'\(path)' is not as Fovea wrote it") }
  }

  func json() -> [UInt8] { StoreJSON.encode(self) }
}

extension ModelRecord.Source {
  /// Reads kind and address, or only the address, as in older records of a host.
  init(from decoder: any Decoder) throws {
    // A value that is not a string is read as an object, so that the object's error is reported.
    if let url = try? decoder.singleValueContainer().decode(String.self) {
      self.init(kind: "host", url: url)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      kind: try container.decode(String.self, forKey: .kind),
      url: try container.decode(String.self, forKey: .url))
  }
}

/// A stamp that changes whenever a file's bytes change: size, modification time and inode.
///
/// A file whose stamp is unchanged since its verification is not read again; `ModelStore.verify` always reads
/// it.
struct FileStamp: Codable, Hashable {
  var bytes: Int
  /// In nanoseconds since 1970.
  var modified: Int
  var inode: UInt64

  /// Returns nil if the file does not exist.
  init?(_ path: String) {
    guard let status = FileStatus(FilePath(path)), status.kind == .file else { return nil }
    bytes = status.size
    inode = status.identity.number
    modified = status.modified
  }
}
