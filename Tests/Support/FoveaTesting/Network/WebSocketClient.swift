// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A WebSocket that sends a test's frames, whether or not RFC 6455 allows them.
///
/// It blocks: use it on a separate thread.
public final class WebSocketClient {
  /// A frame from either side.
  public struct Frame: Sendable, Equatable {
    /// 0 continuation, 1 text, 2 binary, 8 close, 9 ping, 10 pong.
    public var opcode: UInt8
    /// The bytes, without a mask.
    public var bytes: [UInt8]
    /// Whether the message ends here.
    public var isLast = true
    /// Whether the bytes are masked, as a client's must be.
    public var isMasked = true
    /// The three reserved bits, 0…7.
    public var reserved: UInt8 = 0

    /// Creates a frame.
    public init(
      _ opcode: UInt8, _ bytes: [UInt8] = [], isLast: Bool = true, isMasked: Bool = true, reserved: UInt8 = 0
    ) {
      self.opcode = opcode
      self.bytes = bytes
      self.isLast = isLast
      self.isMasked = isMasked
      self.reserved = reserved
    }

    /// Creates a text frame.
    public static func text(_ text: String) -> Frame { Frame(1, Array(text.utf8)) }

    /// The bytes as a text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The code of a close frame; nil for others.
    public var closeCode: Int? { opcode == 8 && bytes.count >= 2 ? Int(bytes[0]) << 8 | Int(bytes[1]) : nil }

    /// The encoded frame.
    public var encoded: [UInt8] {
      var encoded = [(isLast ? 0x80 : 0) | reserved << 4 | opcode]
      let mask: UInt8 = isMasked ? 0x80 : 0
      switch bytes.count {
      case ..<126: encoded.append(mask | UInt8(bytes.count))
      case ..<65_536:
        encoded += [mask | 126, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
      default:
        encoded.append(mask | 127)
        encoded += (0..<8).map { UInt8(bytes.count >> (56 - 8 * $0) & 255) }
      }
      guard isMasked else { return encoded + bytes }
      let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
      return encoded + key + bytes.indices.map { bytes[$0] ^ key[$0 % 4] }
    }
  }

  private let connection: RawConnection
  private var received: [UInt8] = []

  /// Connects, and requests a WebSocket at a path.
  ///
  /// - Parameters:
  ///   - port: The server's port on 127.0.0.1.
  ///   - path: The path.
  ///   - headers: Lines besides those of the handshake, each with its line end.
  ///   - first: Bytes sent with the request, before its response has arrived.
  /// - Throws: `TestFailure` if the status is not 101; its message has the response.
  public init(port: Int, path: String, headers: String = "", first: [UInt8] = []) throws {
    connection = try RawConnection(port: port)
    let head =
      "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\(headers)\r\n"
    connection.send(Array(head.utf8) + first)
    let end = Array("\r\n\r\n".utf8)
    while received.count < 4 || received.suffix(4) != end[...] {
      guard let byte = connection.read(1), !byte.isEmpty else { break }
      received += byte
    }
    let answer = String(decoding: received, as: UTF8.self)
    received = []
    // The digest of the key above, from RFC 6455 section 1.3.
    guard answer.hasPrefix("HTTP/1.1 101 "), answer.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") else {
      throw TestFailure("no WebSocket: \(answer.prefix(400))\(connection.readToEnd().prefix(400))")
    }
  }

  /// Sends a frame.
  public func send(_ frame: Frame) { connection.send(frame.encoded) }

  /// Sends bytes unchanged.
  public func send(raw bytes: [UInt8]) { connection.send(bytes) }

  /// Returns the next frame of the server; nil when it has closed the connection.
  public func next() throws -> Frame? {
    guard let head = take(2) else { return nil }
    var count = Int(head[1] & 0x7F)
    if count == 126 || count == 127 {
      guard let length = take(count == 126 ? 2 : 8) else { return nil }
      count = length.reduce(0) { $0 << 8 | Int($1) }
    }
    guard head[1] & 0x80 == 0 else { throw TestFailure("the server masks its frames") }
    guard let bytes = take(count) else { return nil }
    return Frame(head[0] & 0x0F, bytes, isLast: head[0] & 0x80 != 0, isMasked: false)
  }

  /// Returns the next text of the server that contains a part; nil when no more arrive.
  public func text(with part: String) throws -> String? {
    while let frame = try next() {
      if frame.opcode == 1, frame.text.contains(part) { return frame.text }
    }
    return nil
  }

  /// The server's close code; nil if it closes without one.
  public func closeCode() throws -> Int? {
    while let frame = try next() {
      if frame.opcode == 8 { return frame.closeCode }
    }
    return nil
  }

  /// Returns this many bytes; nil at the end.
  private func take(_ count: Int) -> [UInt8]? {
    while received.count < count {
      guard let piece = connection.read(65_536), !piece.isEmpty else { return nil }
      received += piece
    }
    defer { received.removeFirst(count) }
    return Array(received.prefix(count))
  }
}
