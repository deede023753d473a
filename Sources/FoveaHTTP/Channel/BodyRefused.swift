// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import HTTPTypes

  /// What the reader of a body sees when the gate has refused the rest.
  struct BodyRefused: Error { let refusal: Refusal }

  /// What the reader of a body sees when its client has left before the end.
  package struct PeerLeft: Error {
    /// For log and metrics, as no one reads it.
    static let refusal = Refusal(
      .init(code: 499, reasonPhrase: "Client Closed Request"), "cancelled", "The client has gone")
  }
#endif
