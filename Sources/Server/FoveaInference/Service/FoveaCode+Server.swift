// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

// In the form that scripts/error-reference reads.
extension FoveaCode {
  /// The configuration of a server cannot be read, or has a member that is wrong.
  ///
  /// **Remedy:** the message names the member and its place; `--check-config` reads the file without a start.
  static let configInvalid = Self(rawValue: "config-invalid")
  /// A server's file of keys cannot be read or written, or is not one.
  ///
  /// **Remedy:** make keys with `fovea serve key add`.
  static let keysInvalid = Self(rawValue: "keys-invalid")
  /// The models that are in use leave no memory for another one.
  ///
  /// **Remedy:** ask again later, or raise `--model-memory`.
  static let modelsFull = Self(rawValue: "models-full")
  /// A new version of a model that a server has loaded does something else than the one that answers.
  ///
  /// **Remedy:** give it a name of its own.
  static let taskMismatch = Self(rawValue: "task-mismatch")
}
#endif
