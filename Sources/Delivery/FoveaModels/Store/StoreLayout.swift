// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FoveaCore

/// The paths of the store's files.
///
/// ```
/// coco-ssd-mobilenet-v1/
///   current.json                the version in use; replaced by renaming, so there is always one
///   61d598093ed03ed4/           a version, named by the first 16 digits of its SHA-256; never changed
///     model.tflite
/// .partial/
///   61d598….part                the bytes of a download that have arrived
///   61d598….etag                the URL, and the server's tag for that content
///   61d598….lock                held by the downloading process
/// .hosted/                      the same for models of a host; partial files are named after the model
///                               and, if known, its SHA-256
///   installation.json           the id that assigns this device, sent with fetches and events
///   my-model/trial.json         first-launch checks, abandoned versions and pending load reports
/// ```
struct StoreLayout: Sendable, Hashable {
  let root: String

  /// The format version that `current.json` declares.
  static let version = 1
  static let modelFile = "model.tflite"

  var partialFolder: String { root + "/.partial" }

  func folder(_ name: String) -> String { root + "/" + name }
  func record(_ name: String) -> String { folder(name) + "/current.json" }
  func versionFolder(_ name: String, _ version: String) -> String { folder(name) + "/" + version }

  func part(_ sha256: String) -> String { partialFolder + "/" + sha256 + ".part" }
  func tag(_ sha256: String) -> String { partialFolder + "/" + sha256 + ".etag" }
  func lock(_ sha256: String) -> String { partialFolder + "/" + sha256 + ".lock" }
  /// Held while a model's version changes or is removed.
  func changeLock(_ name: String) -> String { partialFolder + "/" + name + "~.lock" }
  /// The first-launch checks and abandoned versions.
  func firstLaunchRecord(_ name: String) -> String { folder(name) + "/trial.json" }
  /// Shared by the processes that load a version for the first time.
  func firstLaunchLock(_ name: String) -> String { folder(name) + "/trial.lock" }
  /// The id that assigns this device to rollouts and experiments.
  var installation: String { root + "/installation.json" }

  /// Returns the folder name of the version with this content.
  static func version(sha256: String) -> String { String(sha256.prefix(16)) }

  /// Returns the user's folder for models: `FOVEA_MODELS`, else `fovea/models` in `XDG_DATA_HOME` or
  /// `~/.local/share`.
  static func userFolder(_ variable: (String) -> String? = Environment.value) throws(ModelStoreError)
    -> String
  {
    if let named = variable("FOVEA_MODELS") { return withoutSlashes(named) }
    // The XDG specification requires relative paths to be ignored.
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

/// The JSON encoding of the store's small files.
package enum StoreJSON {
  /// Encodes a value of strings and integers as JSON, with a newline.
  package static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    do { return [UInt8](try encoder.encode(value)) + [0x0A] } catch {
      preconditionFailure("strings and integers can be encoded: \(error)")
    }
  }
}
