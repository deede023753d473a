// SPDX-License-Identifier: Apache-2.0

import FoveaCore

extension FoveaCode {
  /// An argument of a C function is NULL, has an unknown size, or is out of range; the message names it.
  ///
  /// **Remedy:** correct the call.
  static let argumentInvalid = Self(rawValue: "argument-invalid")
  /// A detector, labeler or tracker was opened before this process was forked.
  ///
  /// **Remedy:** open it after the fork.
  static let wrongProcess = Self(rawValue: "wrong-process")
}
