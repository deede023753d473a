// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaTesting
import Testing

@Suite struct LiveConnectionTests {
  typealias Frame = WebSocketClient.Frame

  /// A server whose path `/live` returns texts, and the number of bytes.
  private static func options(
    _ change: (inout LiveRules) -> Void = { _ in }
  ) -> ServerOptions {
    var options = ServerOptions()
    options.rules.hosts = ["127.0.0.1", "localhost"]
    var route = LiveRoute { connection in
      while let message = await connection.next() {
        do {
          switch message {
          case .text("end"): return
          case .text(let text): try await connection.send(text)
          case .bytes(let bytes): try await connection.send("\(bytes.count) \(bytes.first ?? 0)")
          }
        } catch {
          return
        }
      }
    }
    route.farewell = { "farewell" }
    route.rules.messageLimit = 2000
    change(&route.rules)
    options.live = ["/live": route]
    return options
  }

  @Test func `messages arrive whole, in one frame or in several, and pings are answered in between`()
    async throws
  {
    try await RunningServer.run(options: Self.options()) { server in
      // The first frame arrives with the request.
      let client = try WebSocketClient(
        port: server.port, path: "/live?a=b", first: Frame.text("früh").encoded)
      #expect(try client.next()?.text == "früh")
      client.send(.text(""))
      #expect(try client.next()?.text == "")
      client.send(Frame(2, [7] + [UInt8](repeating: 1, count: 1999)))
      #expect(try client.next()?.text == "2000 7")
      client.send(Frame(1, Array("ab".utf8), isLast: false))
      client.send(Frame(9, [1, 2, 3]))
      // The first byte of a letter in one fragment, the second in the next.
      client.send(Frame(0, [0xC3], isLast: false))
      client.send(Frame(0, [0xA9]))
      #expect(try client.next() == Frame(10, [1, 2, 3], isMasked: false))
      #expect(try client.next()?.text == "abé")
      client.send(.text("end"))
      #expect(try client.closeCode() == 1000)
      #expect(try server.isAlive)
    }
  }

  /// Frames, and the server's close code.
  struct Bad: Sendable, CustomTestStringConvertible {
    let name: String
    let frames: [Frame]
    let code: Int
    var testDescription: String { name }
  }

  static let bad: [Bad] = [
    Bad(name: "no mask", frames: [Frame(1, [0x61], isMasked: false)], code: 1002),
    Bad(name: "a reserved bit", frames: [Frame(1, [0x61], reserved: 4)], code: 1002),
    Bad(name: "an unknown kind", frames: [Frame(3, [0x61])], code: 1002),
    Bad(name: "a continuation of nothing", frames: [Frame(0, [0x61])], code: 1002),
    Bad(
      name: "a message in a message", frames: [Frame(1, [0x61], isLast: false), Frame(1, [0x62])],
      code: 1002),
    Bad(name: "a ping in parts", frames: [Frame(9, [0x61], isLast: false)], code: 1002),
    Bad(name: "a ping of 126 bytes", frames: [Frame(9, [UInt8](repeating: 0, count: 126))], code: 1002),
    Bad(name: "a frame too large", frames: [Frame(2, [UInt8](repeating: 0, count: 2001))], code: 1009),
    Bad(
      name: "a message too large",
      frames: [Frame(2, [UInt8](repeating: 0, count: 2000), isLast: false), Frame(0, [0])], code: 1009),
    Bad(
      name: "17 fragments",
      frames: [Frame(2, [0], isLast: false)] + [Frame](repeating: Frame(0, [0], isLast: false), count: 16),
      code: 1008),
    Bad(name: "text that is not UTF-8", frames: [Frame(1, [0xC3, 0x28])], code: 1007),
    Bad(name: "65 pings", frames: [Frame](repeating: Frame(9), count: 65), code: 1008),
    Bad(name: "half a code", frames: [Frame(8, [3])], code: 1002),
    Bad(name: "a code that may not be sent", frames: [Frame(8, [3, 0xED])], code: 1002),
    Bad(name: "a reason that is not UTF-8", frames: [Frame(8, [3, 0xE8, 0xFF])], code: 1007),
    Bad(name: "a close without a code", frames: [Frame(8)], code: 1000),
    Bad(name: "a close with a code of its own", frames: [Frame(8, [0x0F, 0xA0])], code: 4000),
  ]

  @Test(arguments: bad)
  func `an invalid message closes the connection with its code`(row: Bad) async throws {
    try await RunningServer.run(options: Self.options()) { server in
      let client = try WebSocketClient(port: server.port, path: "/live")
      for frame in row.frames { client.send(frame) }
      #expect(try client.closeCode() == row.code)
      #expect(try server.isAlive)
    }
  }

  @Test func `the largest possible length closes the connection, and takes no memory`() async throws {
    try await RunningServer.run(options: Self.options()) { server in
      let client = try WebSocketClient(port: server.port, path: "/live")
      client.send(raw: [0x82, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + [0, 0, 0, 0])
      #expect(try client.closeCode() == 1009)
      #expect(try server.isAlive)
    }
  }

  @Test func `bytes of any kind end in a close or in silence, and the server continues`() async throws {
    try await RunningServer.run(options: Self.options()) { server in
      var random = SeededGenerator(seed: 31)
      for _ in 0..<150 {
        let client = try WebSocketClient(port: server.port, path: "/live")
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
          // Mostly frames, some of them damaged, and sometimes none at all.
          var sent = Frame(
            UInt8.random(in: 0...15, using: &random), bytes, isLast: Bool.random(using: &random),
            isMasked: Int.random(in: 0..<8, using: &random) > 0
          ).encoded
          if Int.random(in: 0..<4, using: &random) == 0 {
            sent[Int.random(in: 0..<min(sent.count, 14), using: &random)] ^=
              1
              << UInt8.random(in: 0...7, using: &random)
          }
          client.send(raw: Int.random(in: 0..<8, using: &random) == 0 ? bytes : sent)
        }
      }
      let isAlive = try server.isAlive
      #expect(isAlive)
    }
  }

  @Test(arguments: [
    ("Origin: http://evil.example\r\n", "403"), ("Origin: null\r\n", "403"),
    ("Origin: http://127.0.0.1\r\n", "403"), ("Sec-Fetch-Site: cross-site\r\n", "403"),
    ("Content-Length: 3\r\n\r\nabc", "413"),
  ])
  func `a page of another origin, or a body, gets no WebSocket`(headers: String, status: String)
    async throws
  {
    try await RunningServer.run(options: Self.options()) { server in
      let refused = #expect(throws: TestFailure.self) {
        _ = try WebSocketClient(port: server.port, path: "/live", headers: headers)
      }
      #expect(refused.map { "\($0)".contains("HTTP/1.1 \(status) ") } == true)
      let isAlive = try server.isAlive
      #expect(isAlive)
    }
  }

  @Test func `the server's own page gets a WebSocket`() async throws {
    try await RunningServer.run(options: Self.options()) { server in
      let client = try WebSocketClient(
        port: server.port, path: "/live", headers: "Origin: http://127.0.0.1:\(server.port)\r\n")
      client.send(.text("hello"))
      #expect(try client.next()?.text == "hello")
    }
  }

  @Test(arguments: [
    "GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "GET /live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 8\r\n\r\n",
  ])
  func `a request without key or of an older version is rejected`(request: String) async throws {
    try await RunningServer.run(options: Self.options()) { server in
      let connection = try server.connect()
      connection.send(request)
      let answer = connection.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("request-malformed"))
      #expect(try server.isAlive)
    }
  }
}
#endif
