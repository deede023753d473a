// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaHTTP
  import FoveaTesting
  import NIOCore
  import Testing

  @Suite struct ConnectionClockTests {
    private static var quick: ServerOptions {
      var options = ServerOptions()
      options.times.head = .milliseconds(300)
      options.times.body = .milliseconds(300)
      options.times.bodyRate = 1 << 20
      options.times.idle = .milliseconds(300)
      options.times.stalledAnswer = .milliseconds(300)
      return options
    }

    @Test(arguments: [
      ("a head that stops", "GET /hello HTTP/1.1\r\nHost: loc", "HTTP/1.1 408 "),
      (
        "a body that stops", "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc",
        "HTTP/1.1 408 "
      ),
      ("a connection without a request", "", ""),
    ])
    func `what does not go on is ended`(name: String, bytes: String, answer: String) async throws {
      try await RunningServer.run(options: Self.quick) { server in
        let connection = try server.connect()
        connection.send(bytes)
        let text = connection.readToEnd()
        #expect(answer.isEmpty ? text.isEmpty : text.hasPrefix(answer), "\(text.prefix(100))")
        #expect(try server.isAlive)
      }
    }

    @Test func `a reader that takes nothing is let go`() async throws {
      try await RunningServer.run(options: Self.quick) { server in
        let connection = try server.connect()
        connection.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        // On a machine that is busy it may be let go before the first byte is read.
        _ = connection.read(1)
        #expect(try server.isAlive)
      }
    }
  }
#endif
