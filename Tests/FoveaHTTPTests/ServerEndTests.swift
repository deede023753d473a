// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore
import FoveaTesting
import Hummingbird
import Logging
import Testing

@Suite(.timeLimit(.minutes(5))) struct ServerEndTests {
  /// NIO's reaction to an unclosed channel would stop the tests.
  @Test func `a server stops while clients connect`() async throws {
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

  /// Runs a server that handles signals, until it ends.
  static func run(
    drain: Double, listening: @escaping @Sendable () async -> Void,
    reloading: @escaping @Sendable () async -> Void = {},
    finishing: @escaping @Sendable () async -> Void = {}
  ) async throws {
    // A process that does not end is ended by another signal.
    alarm(60)
    var options = ServerOptions()
    options.port = 0
    options.drain = drain
    var server = HTTPServer(
      options: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: Metrics())
    server.reloading = reloading
    server.finishing = finishing
    server.listening = { _ in await listening() }
    try await server.run(Router(context: HTTPContext.self))
  }

  @Test func `SIGTERM ends a server whose tasks hold every thread`() async {
    await #expect(processExitsWith: .success) {
      try await ServerEndTests.run(drain: 0.1) {
        // More than there are threads: all later tasks wait for these.
        for _ in 0..<1_024 { Task { while true { sleep(3_600) } } }
        kill(getpid(), SIGTERM)
      }
    }
  }

  @Test func `a second signal ends a server whose tasks hold every thread`() async {
    await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
      try await ServerEndTests.run(drain: 3_600) {
        for _ in 0..<1_024 { Task { while true { sleep(3_600) } } }
        // An early one counts as the first again.
        while true {
          kill(getpid(), SIGTERM)
          usleep(50_000)
        }
      }
    }
  }

  @Test func `SIGTERM ends a server whose last write hangs`() async {
    await #expect(processExitsWith: .success) {
      try await ServerEndTests.run(drain: 0.1) {
        kill(getpid(), SIGTERM)
      } finishing: {
        while true { sleep(3_600) }
      }
    }
  }

  @Test func `a second signal ends a server whose last write hangs`() async {
    await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
      try await ServerEndTests.run(drain: 3_600) {
        kill(getpid(), SIGTERM)
      } finishing: {
        // An early one counts as the first again.
        while true {
          usleep(50_000)
          kill(getpid(), SIGTERM)
        }
      }
    }
  }

  @Test func `SIGTERM ends a server that hangs while it reloads its files`() async {
    await #expect(processExitsWith: .success) {
      try await ServerEndTests.run(drain: 5) {
        kill(getpid(), SIGHUP)
      } reloading: {
        kill(getpid(), SIGTERM)
        while true { sleep(3_600) }
      }
    }
  }
}
#endif
