// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaMetadata

/// What `current.json` says: which version of a model is in use, and where it came from.
struct ModelRecord: Codable, Hashable {
  var layout = StoreLayout.version
  /// The first 16 digits of the SHA-256.
  var version: String
  /// The version that was in use before and is still there.
  var previous: String?
  /// The name of the model's file; nil in older records of a host, for `StoreLayout.modelFile`.
  var file: String?
  var bytes: Int
  var sha256: String
  /// nil for a model of a host, which names none.
  var license: String?
  var source: Source
  /// How the host identifies the content; nil for a model of a catalogue.
  var validator: HTTPValidator?
  /// What a host that publishes versions says about this one.
  var published: Published?
  /// The file as it was when it was verified; nil in older records.
  var verified: FileStamp?
  /// What is known about the version before; nil in older records.
  var former: Former?

  /// What a host says about a version that it publishes.
  struct Published: Codable, Hashable {
    /// The tag of its information, sent back as it is.
    var tag: String?
    /// Its number.
    var version: String?
    /// The variant of an experiment that drew it.
    var variant: String?
    /// The experiment of the variant, and who takes part in it.
    var experiment: String?
    var unit: ExperimentUnit?
  }

  /// The version before the one in use.
  struct Former: Codable, Hashable {
    var bytes: Int
    var sha256: String
    var source: Source
    var published: Published?
    var verified: FileStamp?
  }

  struct Source: Codable, Hashable {
    /// `catalogue` or `host`; other kinds may come.
    var kind: String
    /// The address, or the path on this machine.
    var url: String
  }

  init(bytes: Int, sha256: String, source: Source) {
    version = StoreLayout.version(sha256: sha256)
    file = StoreLayout.modelFile
    self.bytes = bytes
    self.sha256 = sha256
    self.source = source
  }

  /// Reads a record; nothing in it leads out of the model's folder.
  /// - Throws: `damagedModel`, `storeUnreadable`.
  init(json: [UInt8], name: String, path: String, origin: ModelOrigin) throws(ModelStoreError) {
    do { self = try JSONValue.decode(ModelRecord.self, from: json) } catch {
      throw origin.damaged(name, "'\(path)' is not what was written: \(error.reason)")
    }
    guard layout == StoreLayout.version else {
      throw ModelStoreError(
        .storeUnreadable, "'\(path)' has layout \(layout), and this version of Fovea reads layout 1",
        remedy: "Use a newer Fovea, or another folder for models in FOVEA_MODELS")
    }
    guard sha256.isSHA256, version == StoreLayout.version(sha256: sha256), bytes > 0,
      previous.map(ModelName.isFileName) ?? true, file.map(ModelName.isFileName) ?? true,
      former.map({ $0.sha256.isSHA256 && $0.bytes > 0 }) ?? true
    else { throw origin.damaged(name, "'\(path)' is not what was written") }
  }

  func json() -> [UInt8] { StoreJSON.encode(self) }
}

extension ModelRecord.Source {
  /// Reads kind and address, or the address alone, as older records of a host have it.
  init(from decoder: any Decoder) throws {
    // What is no text is read as an object, whose error is the one to report.
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

/// What a file's bytes cannot change without: its size, the time of its last change, and which file it is.
///
/// While these are those of its verification, the file is not read again; `ModelStore.verify` reads it always.
struct FileStamp: Codable, Hashable {
  var bytes: Int
  /// In nanoseconds since 1970.
  var modified: Int
  var inode: UInt64

  /// Nil where there is no such file.
  init?(_ path: String) {
    guard let status = FileStatus(FilePath(path)), status.kind == .file else { return nil }
    bytes = status.size
    inode = status.identity.number
    modified = status.modified
  }
}
