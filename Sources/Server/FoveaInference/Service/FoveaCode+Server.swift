// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

// In the format that scripts/error-reference reads.
extension FoveaCode {
  /// A server's configuration cannot be read, or has an invalid member.
  ///
  /// **Remedy:** the message names the member and its location; run `--check-config` to validate the file.
  static let configInvalid = Self(rawValue: "config-invalid")
  /// The folder for events has other files, was written by a newer version, or cannot be written.
  ///
  /// **Remedy:** give an empty folder, or one that does not exist, with `--events`.
  static let eventsUnusable = Self(rawValue: "events-unusable")
  /// A server's key file cannot be read or written, or is not a key file.
  ///
  /// **Remedy:** create keys with `fovea serve key add`.
  static let keysInvalid = Self(rawValue: "keys-invalid")
  /// The models in use leave too little memory for another model.
  ///
  /// **Remedy:** retry later, or raise `--model-memory`.
  static let modelsFull = Self(rawValue: "models-full")
  /// The task of a served model's new version differs from that of the current one.
  ///
  /// **Remedy:** serve it under another name.
  static let taskMismatch = Self(rawValue: "task-mismatch")
}
#endif
