// SPDX-License-Identifier: Apache-2.0

import FoveaCore

/// A TCP connection that sends a test's bytes, whether or not they are HTTP.
///
/// It blocks: use it on a separate thread.
public final class RawConnection {
  private let descriptor: Int32

  /// Connects to a port of 127.0.0.1; `seconds` is the longest duration of a read.
  /// - Throws: `TestFailure` if there is no connection.
  public init(port: Int, seconds: Int = 20) throws {
    #if canImport(Glibc)
    // A child of the tests must not inherit the connection.
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw TestFailure("no socket: \(errno)") }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    // SAFETY: the system reads as many bytes as the sizes state, of values that live until then.
    let connected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard connected == 0 else { throw TestFailure("no connection: \(errno)") }
  }

  deinit { close(descriptor) }

  /// Sends a text in UTF-8.
  public func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends as much as the peer accepts; a closed connection is noticed by the reader.
  public func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      // SAFETY: the system reads at most that many bytes of the array.
      let count = unsafe bytes[sent...].withUnsafeBytes { rest in
        unsafe systemSend(descriptor, rest.baseAddress, rest.count)
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Closes the sending half.
  public func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Returns everything until the peer closes or stops sending.
  public func readToEnd() -> String {
    var text: [UInt8] = []
    while let piece = read(65_536), !piece.isEmpty { text += piece }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns everything until the text has arrived, or the peer closes.
  public func read(until end: String) -> String {
    var text = ""
    while !text.contains(end), let piece = read(65_536), !piece.isEmpty {
      text += String(decoding: piece, as: UTF8.self)
    }
    return text
  }

  /// Returns some bytes; empty at the end, nil if nothing arrives.
  public func read(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    // SAFETY: the system writes at most `count` bytes into the array.
    let read = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, count, 0) }
    return read < 0 ? nil : Array(bytes.prefix(read))
  }
}

private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  #if canImport(Glibc) || canImport(Musl)
  let flags = Int32(MSG_NOSIGNAL)
  #else
  let flags: Int32 = 0
  #endif
  return unsafe send(descriptor, bytes, count, flags)
}
