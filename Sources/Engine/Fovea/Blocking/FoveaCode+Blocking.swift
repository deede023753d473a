// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

extension FoveaCode {
  /// Another thread is using the tracker or the stream.
  ///
  /// **Remedy:** give each tracker and each stream one owner.
  package static let busy = Self(rawValue: "busy")
  /// The detector, labeler, segmenter or embedder is being closed.
  ///
  /// **Remedy:** close it only after its last call has returned.
  package static let closed = Self(rawValue: "closed")
}

extension Failure where Code == FoveaCode {
  /// The error of a call that arrives after the close.
  static var closed: FoveaError {
    FoveaError(
      .closed, "The model was closed while the call waited for its turn",
      remedy: "Close it only after its last call has returned")
  }

  /// The error of a call that was cancelled before it had a session.
  package static var cancelled: FoveaError {
    FoveaError(.cancelled, "The call was cancelled", remedy: "Call again")
  }
}
