// SPDX-License-Identifier: Apache-2.0

package import FoveaErrors

extension FoveaCode {
  /// An argument of a C function is NULL, has a size that is not of this interface, or is out of its range; the message names
  /// it.
  ///
  /// **Remedy:** correct the call.
  package static let argumentInvalid = Self(rawValue: "argument-invalid")
  /// A detector, labeler or tracker was opened in the process that this one was forked from.
  ///
  /// **Remedy:** open it after the fork.
  package static let wrongProcess = Self(rawValue: "wrong-process")
  /// Another thread is using the tracker.
  ///
  /// **Remedy:** give each tracker one owner.
  package static let busy = Self(rawValue: "busy")
  /// The detector or labeler is being closed.
  ///
  /// **Remedy:** close it when its last call has returned.
  package static let closed = Self(rawValue: "closed")
}

extension Failure where Code == FoveaCode {
  /// The error of a call that came too late.
  static var closed: FoveaError {
    FoveaError(
      .closed, "It was closed while the call waited for its turn",
      remedy: "Close it when its last call has returned")
  }

  /// The error of a call that was ended before it had a session.
  package static var cancelled: FoveaError {
    FoveaError(.cancelled, "The call was cancelled", remedy: "Call again")
  }
}
