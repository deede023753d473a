// SPDX-License-Identifier: Apache-2.0
#if Server

/// A packet that a broker sends to a publisher.
enum MQTTReply: Sendable, Equatable {
  /// The answer to `connect`: 0 accepts it, 1 to 5 are reasons for a refusal.
  case connected(UInt8)
  case acknowledged(UInt16)
  case alive
}

/// Reads the packets of a broker from pieces of any length.
///
/// A publisher gets packets of 4, 4 and 2 bytes. Others are refused at the byte that shows them, so that a
/// hostile broker can fill no memory.
struct MQTTReader: Sendable, Equatable {
  /// The start of a packet, at most 3 bytes.
  private var start: [UInt8] = []

  /// Reads a piece.
  /// - Returns: The packets that it completes.
  /// - Throws: `MQTTEnd.malformed`; nothing can be read after it.
  mutating func read(_ bytes: some Sequence<UInt8>) throws(MQTTEnd) -> [MQTTReply] {
    var replies: [MQTTReply] = []
    for byte in bytes {
      start.append(byte)
      switch (start[0], start.count) {
      case (0x20, 1), (0x40, 1), (0xD0, 1): break
      case (0x20, 2), (0x40, 2): guard byte == 2 else { throw .malformed }
      case (0xD0, 2):
        guard byte == 0 else { throw .malformed }
        replies.append(.alive)
        start = []
      // A new session has no state.
      case (0x20, 3): guard byte == 0 else { throw .malformed }
      case (0x20, 4):
        guard byte <= 5 else { throw .malformed }
        replies.append(.connected(byte))
        start = []
      case (0x40, 3): break
      case (0x40, 4):
        replies.append(.acknowledged(UInt16(start[2]) << 8 | UInt16(byte)))
        start = []
      default: throw .malformed
      }
    }
    return replies
  }
}
#endif
