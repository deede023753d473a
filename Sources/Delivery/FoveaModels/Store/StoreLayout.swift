// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore

/// Which file of the store is where.
///
/// ```
/// coco-ssd-mobilenet-v1/
///   current.json                the version in use; replaced by renaming, so there is always one
///   61d598093ed03ed4/           a version, named by the first 16 digits of its SHA-256; never changed
///     model.tflite
/// .partial/
///   61d598….part                what of a download has arrived
///   61d598….etag                where it came from, and the server's tag for that content
///   61d598….lock                held by the process that downloads
/// .hosted/                      the same for models of a host, where a part has the name of its model, with the
///                               SHA-256 behind it where that is known
///   installation.json           what the device draws its share of a rollout with; a fetch and an event send it
///   my-model/trial.json         which version was not loaded yet, which were left, and what the host is to hear
/// ```
struct StoreLayout: Sendable, Hashable {
  let root: String

  /// The number in `current.json`.
  static let version = 1
  static let modelFile = "model.tflite"

  var partialFolder: String { root + "/.partial" }

  func folder(_ name: String) -> String { root + "/" + name }
  func record(_ name: String) -> String { folder(name) + "/current.json" }
  func versionFolder(_ name: String, _ version: String) -> String { folder(name) + "/" + version }

  func part(_ sha256: String) -> String { partialFolder + "/" + sha256 + ".part" }
  func tag(_ sha256: String) -> String { partialFolder + "/" + sha256 + ".etag" }
  func lock(_ sha256: String) -> String { partialFolder + "/" + sha256 + ".lock" }
  /// Held for the moment in which a model gets another version, or none.
  func changeLock(_ name: String) -> String { partialFolder + "/" + name + "~.lock" }
  /// Which versions are on trial, and which were left.
  func trials(_ name: String) -> String { folder(name) + "/trial.json" }
  /// Shared by those who load a version for the first time.
  func trialLock(_ name: String) -> String { folder(name) + "/trial.lock" }
  /// What the device draws with.
  var installation: String { root + "/installation.json" }

  /// The name of the version with that content.
  static func version(sha256: String) -> String { String(sha256.prefix(16)) }

  /// The user's folder for models: `FOVEA_MODELS`, else `fovea/models` in `XDG_DATA_HOME` or `~/.local/share`.
  static func userFolder(_ variable: (String) -> String? = Environment.value) throws(ModelStoreError)
    -> String
  {
    if let named = variable("FOVEA_MODELS") { return withoutSlashes(named) }
    // The specification of base directories has relative paths ignored.
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") {
      return withoutSlashes(data) + "/fovea/models"
    }
    if let home = variable("HOME") { return withoutSlashes(home) + "/.local/share/fovea/models" }
    throw ModelStoreError(
      .storeUnreadable, "There is no folder for models: neither FOVEA_MODELS nor HOME is set",
      remedy: "Set FOVEA_MODELS to a folder")
  }

  private static func withoutSlashes(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path == "/" ? "" : String(path)
  }
}

/// The text of the store's small files.
package enum StoreJSON {
  /// A value of texts and whole numbers as JSON, with a line end.
  package static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do { return [UInt8](try encoder.encode(value)) + [0x0A] } catch {
      preconditionFailure("texts and whole numbers can be encoded: \(error)")
    }
  }
}
