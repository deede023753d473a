// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import NIOCore

/// The limits of a live connection, and its keep-alive settings.
package struct LiveRules: Sendable {
  /// The largest message, in bytes, in one frame or several.
  package var messageLimit = 2 << 20
  /// The maximum number of frames of one message.
  package var fragmentLimit = 16
  /// The messages that may wait for the route; while so many wait, no more bytes are read.
  package var credit = 4
  /// The time between two pings; a peer that does not answer one before the next counts as gone.
  package var pingInterval = TimeAmount.seconds(20)
  /// The maximum number of pings and pongs from the peer between two pings of the server.
  package var controlLimit = 64
  /// The time a peer may take to answer a close.
  package var closeTime = TimeAmount.seconds(2)

  package init() {}
}

/// The reason a live connection ends: a code of RFC 6455 section 7.4.1, and a few words.
package struct LiveClosing: Error, Sendable, Equatable {
  package let code: UInt16
  /// At most 123 bytes, the size available in a close frame.
  package let reason: String

  package init(_ code: UInt16, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Both sides are done.
  package static let normal = LiveClosing(1000, "")
  /// The server is shutting down.
  package static let draining = LiveClosing(1001, "the server is shutting down")
  /// Frames that violate RFC 6455.
  package static func protocolError(_ reason: String) -> LiveClosing { LiveClosing(1002, reason) }
  /// Text instead of bytes.
  package static func wrongKind(_ reason: String) -> LiveClosing { LiveClosing(1003, reason) }
  /// Text that is not UTF-8.
  package static let notText = LiveClosing(1007, "text is not UTF-8")
  /// Messages that the route does not accept.
  package static func policy(_ reason: String) -> LiveClosing { LiveClosing(1008, reason) }
  /// A message larger than the server accepts.
  package static func tooLarge(limit: Int) -> LiveClosing {
    LiveClosing(1009, "messages may have at most \(DecimalText.grouped(limit)) bytes")
  }
  /// The source of the connection has ended or failed.
  package static let sourceEnded = LiveClosing(1011, "the source has ended")
  /// The server has as many live connections as it allows.
  package static let full = LiveClosing(1013, "no room for another live connection")
}

/// A message from a peer.
package enum LiveMessage: Sendable, Equatable {
  case text(String)
  case bytes([UInt8])
}
#endif
