// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1 that can misbehave in all ways a test needs: one request per
/// connection, unencrypted.
///
/// A client that begins with TLS gets the response to the method `TLS`.
public final class LoopbackServer: Sendable {
  /// A client's request.
  public struct Request: Sendable, Hashable {
    /// `GET`, `HEAD` or, from a client that uses this server as a proxy, `CONNECT`.
    public var method: String
    /// The path with its query, or whatever is in the first line.
    public var target: String
    /// The headers, names in lower case.
    public var headers: [String: String]
    /// The body; as long as `Content-Length` states, at most a mebibyte.
    public var body: [UInt8] = []

    /// Creates a request.
    public init(method: String = "GET", target: String = "/", headers: [String: String] = [:]) {
      self.method = method
      self.target = target
      self.headers = headers
    }
  }

  /// The server's response, and how it fails to send it.
  public struct Reply: Sendable {
    /// The status code.
    public var status = 200
    /// Headers besides `Content-Length` and `Connection`.
    public var headers: [String: String] = [:]
    /// The bytes to send; none of them is sent for `HEAD`.
    public var body: [UInt8] = []
    /// The declared length; nil for the true one, below 0 for none.
    public var announcedLength: Int?
    /// The number of body bytes before the connection is closed.
    public var cutAfter: Int?
    /// The number of body bytes before the connection stalls and stays open.
    public var stallAfter: Int?
    /// Whether the connection is closed, or left open, before a single byte is sent.
    public var isSilent = false
    /// The first word of the response; any other one is not a web server's.
    public var protocolVersion = "HTTP/1.1"

    /// Creates a response.
    public init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// `http://127.0.0.1:PORT`.
  public let url: String
  private let listener: Int32
  private let answer: @Sendable (Request, Int) -> Reply
  private let shared = Shared()

  private struct State {
    var requests: [Request] = []
    var connections = 0
    var isStopped = false
  }

  /// The state of the thread that accepts connections, which outlives the server.
  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  /// Starts the server on a free port.
  ///
  /// It ends with its owner, so a test keeps it with `defer { server.stop() }`.
  /// - Parameter answer: Returns the response to a request and its number, from 0.
  /// - Throws: `Failure` if there is no free port, `TestFailure` if there is no thread.
  public init(_ answer: @escaping @Sendable (Request, Int) -> Reply) throws {
    self.answer = answer
    #if canImport(Glibc)
    // A child of the tests must not inherit the port.
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #else
    let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isReady = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isReady else {
      let number = errno
      close(listener)
      throw Failure(number: number)
    }
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    // Each waiting connection has its own thread, and takes none from the pool that tasks run on.
    try OwnThread.start { [weak self, shared] in
      // Closed only here: a descriptor closed elsewhere may be another server's before `accept` is called
      // again.
      defer { close(listener) }
      while !shared.state.withLock({ $0.isStopped }) {
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, 50) > 0 else { continue }
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { continue }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        guard let self else {
          close(connection)
          continue
        }
        do throws(TestFailure) {
          try OwnThread.start { self.serve(connection) }
        } catch {
          close(connection)
        }
      }
    }
  }

  deinit { stop() }

  /// The reason why the server could not be started.
  public struct Failure: Error, Hashable {
    /// The system's error number.
    public var number: Int32
  }

  /// The requests so far, in order of arrival.
  public var requests: [Request] { shared.state.withLock { $0.requests } }

  /// The number of connections, including those without a request.
  public var connections: Int { shared.state.withLock { $0.connections } }

  /// Ends the server; connections that stall are closed.
  public func stop() {
    shared.state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      // No one can connect from now on.
      shutdown(listener, Int32(SHUT_RDWR))
    }
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    shared.state.withLock { $0.connections += 1 }
    guard let request = Self.request(from: connection) else { return }
    let number = shared.state.withLock { state in
      state.requests.append(request)
      return state.requests.count - 1
    }
    let reply = answer(request, number)
    if !reply.isSilent {
      var head = "\(reply.protocolVersion) \(reply.status) Test\r\nConnection: close\r\n"
      let length = reply.announcedLength ?? reply.body.count
      if length >= 0 { head += "Content-Length: \(length)\r\n" }
      for (name, value) in reply.headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
      Self.send(Array((head + "\r\n").utf8), to: connection)
      if request.method != "HEAD" {
        let count = min(reply.cutAfter ?? .max, reply.stallAfter ?? .max, reply.body.count)
        Self.send(Array(reply.body[..<count]), to: connection)
      }
    }
    if reply.stallAfter != nil { waitForEnd(connection) }
    shutdown(connection, Int32(SHUT_WR))
  }

  /// Waits until the client closes its side, or the server ends.
  private func waitForEnd(_ connection: Int32) {
    var byte: UInt8 = 0
    while !shared.state.withLock({ $0.isStopped }) {
      var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&waiting, 1, 50) > 0, unsafe recv(connection, &byte, 1, 0) <= 0 { return }
    }
  }

  private static func request(from connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) {
      guard bytes.count < 65_536, unsafe recv(connection, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
      // The type of a handshake.
      if bytes == [0x16] { return Request(method: "TLS", target: "") }
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count >= 2 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    var body: [UInt8] = []
    let length = min(headers["content-length"].flatMap { Int($0) } ?? 0, 1 << 20)
    while body.count < length, unsafe recv(connection, &byte, 1, 0) == 1 { body.append(byte) }
    var request = Request(method: String(words[0]), target: String(words[1]), headers: headers)
    request.body = body
    return request
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) {
    #if canImport(Glibc) || canImport(Musl)
    let flags = Int32(MSG_NOSIGNAL)
    #else
    let flags: Int32 = 0
    #endif
    var sent = 0
    while sent < bytes.count {
      let rest = Array(bytes[sent...])
      let count = systemSend(connection, rest, flags)
      guard count > 0 else { return }
      sent += count
    }
  }
}

// Outside the class, whose own `send` would hide the system's.
private func systemSend(_ connection: Int32, _ bytes: [UInt8], _ flags: Int32) -> Int {
  unsafe send(connection, bytes, bytes.count, flags)
}
