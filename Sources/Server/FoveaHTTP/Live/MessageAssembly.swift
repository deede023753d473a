// SPDX-License-Identifier: Apache-2.0
#if Server
import NIOCore
import NIOWebSocket

/// Assembles a peer's frames into messages, and refuses what RFC 6455 forbids for clients.
///
/// NIO's decoder limits each frame and the length of control frames; masks, reserved bits, fragments, text
/// and codes are checked here.
struct MessageAssembly {
  /// The result of a frame.
  enum Outcome: Equatable {
    /// More frames of the message follow.
    case incomplete
    case message(LiveMessage)
    /// A ping to answer with the same bytes.
    case ping(ByteBuffer)
    case pong
    /// The peer closes; its code must be sent back.
    case close(LiveClosing)
  }

  private let rules: LiveRules
  /// The kind of the message whose fragments are arriving; nil between messages.
  private var opcode: WebSocketOpcode?
  private var bytes: [UInt8] = []
  private var fragments = 0

  init(rules: LiveRules) { self.rules = rules }

  /// Processes the next frame.
  /// - Throws: The reason to close the connection.
  mutating func take(_ frame: WebSocketFrame) throws(LiveClosing) -> Outcome {
    guard frame.maskKey != nil else { throw .protocolError("a client's frames must be masked") }
    guard frame.reservedBits.isEmpty else { throw .protocolError("no extension was negotiated") }
    switch frame.opcode {
    case .ping: return .ping(frame.unmaskedData)
    case .pong: return .pong
    case .connectionClose: return .close(try MessageAssembly.closing(frame.unmaskedData))
    case .text, .binary:
      guard opcode == nil else { throw .protocolError("a message starts inside another") }
      opcode = frame.opcode
    case .continuation:
      guard opcode != nil else { throw .protocolError("a continuation without a start") }
    default: throw .protocolError("an unknown frame type")
    }
    return try append(frame)
  }

  private mutating func append(_ frame: WebSocketFrame) throws(LiveClosing) -> Outcome {
    fragments += 1
    guard fragments <= rules.fragmentLimit else {
      throw .policy("a message may have at most \(rules.fragmentLimit) fragments")
    }
    let data = frame.unmaskedData
    guard bytes.count + data.readableBytes <= rules.messageLimit else {
      throw .tooLarge(limit: rules.messageLimit)
    }
    bytes.append(contentsOf: data.readableBytesView)
    guard frame.fin else { return .incomplete }
    let isText = opcode == .text
    let whole = bytes
    (opcode, bytes, fragments) = (nil, [], 0)
    guard isText else { return .message(.bytes(whole)) }
    guard let text = String(validating: whole, as: UTF8.self) else { throw .notText }
    return .message(.text(text))
  }

  /// Reads a peer's close frame; returns its code, if it may be sent.
  private static func closing(_ data: ByteBuffer) throws(LiveClosing) -> LiveClosing {
    var data = data
    guard data.readableBytes > 0 else { return .normal }
    guard let code = data.readInteger(as: UInt16.self) else { throw .protocolError("a truncated close code") }
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: break
    default: throw .protocolError("a close code that may not be sent")
    }
    guard String(validating: data.readableBytesView, as: UTF8.self) != nil else { throw .notText }
    return LiveClosing(code, "")
  }
}
#endif
