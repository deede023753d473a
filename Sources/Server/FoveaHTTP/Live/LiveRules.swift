// SPDX-License-Identifier: Apache-2.0
#if Server
package import NIOCore

/// What a live connection may send, and how it is kept alive.
package struct LiveRules: Sendable {
  /// Largest message, in bytes, whether it comes in one frame or in several.
  package var messageLimit = 2 << 20
  /// Most frames of one message.
  package var fragmentLimit = 16
  /// Messages that may wait for the route; no more bytes are read while so many do.
  package var credit = 4
  /// Time between two pings; a peer that answers none until the next has gone.
  package var pingInterval = TimeAmount.seconds(20)
  /// Most pings and pongs of the peer between two of ours.
  package var controlLimit = 64
  /// How long a peer may take to answer a close.
  package var closeTime = TimeAmount.seconds(2)

  package init() {}
}

/// Why a live connection ends: a code of RFC 6455 section 7.4.1, and a few words.
package struct LiveClosing: Error, Sendable, Equatable {
  package let code: UInt16
  /// At most 123 bytes, the room that a close frame has.
  package let reason: String

  package init(_ code: UInt16, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Both have done what they came for.
  package static let normal = LiveClosing(1000, "")
  /// The server is ending.
  package static let draining = LiveClosing(1001, "the server is ending")
  /// Frames that RFC 6455 does not allow.
  package static func protocolError(_ reason: String) -> LiveClosing { LiveClosing(1002, reason) }
  /// Text where bytes belong.
  package static func wrongKind(_ reason: String) -> LiveClosing { LiveClosing(1003, reason) }
  /// Text that is not UTF-8.
  package static let notText = LiveClosing(1007, "text is not UTF-8")
  /// Messages that the route does not allow.
  package static func policy(_ reason: String) -> LiveClosing { LiveClosing(1008, reason) }
  /// A message that is larger than the server takes.
  package static func tooLarge(limit: Int) -> LiveClosing {
    LiveClosing(1009, "messages have at most \(limit) bytes")
  }
  /// What the connection shows has ended or failed.
  package static let sourceEnded = LiveClosing(1011, "the source has ended")
  /// There are as many live connections as the server takes.
  package static let full = LiveClosing(1013, "no room for another live connection")
}

/// What a peer sends.
package enum LiveMessage: Sendable, Equatable {
  case text(String)
  case bytes([UInt8])
}
#endif
