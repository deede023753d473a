// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaHTTP
  import FoveaTesting
  import Testing

  @Suite(.timeLimit(.minutes(5))) struct ServerEndTests {
    /// What NIO does with a channel that goes without an end would stop the tests.
    @Test func `a server ends while clients connect`() async throws {
      for _ in 0..<30 {
        let clients = try await RunningServer.serve { server -> Task<Void, any Error> in
          let port = server.port
          let clients = Task {
            try await onOwnThread {
              for _ in 0..<40 {
                guard let connection = try? RawConnection(port: port, seconds: 1) else { return }
                connection.send("GET /hello HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
              }
            }
          }
          // The server's task is cancelled while they connect.
          for _ in 0..<20 { await Task.yield() }
          return clients
        }
        try await clients.value
      }
    }
  }
#endif
