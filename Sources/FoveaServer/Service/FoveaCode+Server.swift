// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaErrors

  // In the form that scripts/error-reference reads.
  extension FoveaCode {
    /// A server's file of keys cannot be read or written, or is not one.
    ///
    /// **Remedy:** make keys with `fovea serve key add`.
    static let keysInvalid = Self(rawValue: "keys-invalid")
    /// A new version of a model that a server has loaded does something else than the one that answers.
    ///
    /// **Remedy:** give it a name of its own.
    static let taskMismatch = Self(rawValue: "task-mismatch")
  }
#endif
