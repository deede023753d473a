// SPDX-License-Identifier: Apache-2.0
#if Server
import NIOCore
import NIOWebSocket

/// Puts the frames of a peer together to messages, and refuses what RFC 6455 does not allow a client.
///
/// NIO's decoder bounds each frame and the length of control frames; masks, reserved bits, fragments, texts and codes are
/// checked here.
struct MessageAssembly {
  /// What a frame completes.
  enum Outcome: Equatable {
    /// More frames of the message follow.
    case incomplete
    case message(LiveMessage)
    /// To be answered with the same bytes.
    case ping(ByteBuffer)
    case pong
    /// The peer closes; the code is to be sent back.
    case close(LiveClosing)
  }

  private let rules: LiveRules
  /// The kind of the message whose fragments are coming; nil between messages.
  private var opcode: WebSocketOpcode?
  private var bytes: [UInt8] = []
  private var fragments = 0

  init(rules: LiveRules) { self.rules = rules }

  /// Takes the next frame.
  /// - Throws: Why the connection must be closed.
  mutating func take(_ frame: WebSocketFrame) throws(LiveClosing) -> Outcome {
    guard frame.maskKey != nil else { throw .protocolError("frames of a client are masked") }
    guard frame.reservedBits.isEmpty else { throw .protocolError("no extension was agreed on") }
    switch frame.opcode {
    case .ping: return .ping(frame.unmaskedData)
    case .pong: return .pong
    case .connectionClose: return .close(try MessageAssembly.closing(frame.unmaskedData))
    case .text, .binary:
      guard opcode == nil else { throw .protocolError("a message begins inside another") }
      opcode = frame.opcode
    case .continuation:
      guard opcode != nil else { throw .protocolError("a continuation without a beginning") }
    default: throw .protocolError("an unknown kind of frame")
    }
    return try append(frame)
  }

  private mutating func append(_ frame: WebSocketFrame) throws(LiveClosing) -> Outcome {
    fragments += 1
    guard fragments <= rules.fragmentLimit else {
      throw .policy("a message has at most \(rules.fragmentLimit) fragments")
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

  /// What a peer closes with; its code, where it may be sent.
  private static func closing(_ data: ByteBuffer) throws(LiveClosing) -> LiveClosing {
    var data = data
    guard data.readableBytes > 0 else { return .normal }
    guard let code = data.readInteger(as: UInt16.self) else { throw .protocolError("half a code of closing") }
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: break
    default: throw .protocolError("a code of closing that may not be sent")
    }
    guard String(validating: data.readableBytesView, as: UTF8.self) != nil else { throw .notText }
    return LiveClosing(code, "")
  }
}
#endif
