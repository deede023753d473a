// SPDX-License-Identifier: Apache-2.0
#if Server
  import FoveaSystem
  import FoveaTesting
  import Testing

  @Suite(
    .timeLimit(.minutes(5)),
    .enabled(if: BuiltProgram.server != nil, "needs the program next to the tests: swift build"))
  struct DrainDelayTests {
    /// The status that a server gives; nil without an answer.
    private static func status(_ path: String, _ port: Int) -> Int? {
      guard let connection = try? RawConnection(port: port) else { return nil }
      connection.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
      return (try? HTTPAnswer(connection.readToEnd()))?.status
    }

    /// With ten minutes it is asked before they are over, however busy the machine is; a second signal ends it.
    @Test(arguments: [("10m", 128 + SIGTERM), ("100ms", 0)])
    func `with a delay the server goes on answering while it says that it is not ready, and then ends`(
      delay: String, code: Int32
    ) async throws {
      let folder = try TemporaryFolder()
      let program = try #require(BuiltProgram.server)
      let made = try await ChildProcess.run(
        program, ["host", "init", folder["models"], "--project", "my-project"])
      #expect(made.code == 0, "\(made.messages)")
      let port = try ReservedPort()
      let server = try ChildProcess(
        program,
        ["host", "serve", folder["models"], "--listen", "127.0.0.1:\(port.number)", "--drain-delay", delay])
      let found = try await onOwnThread { () throws(TestFailure) -> [Int?] in
        let number = port.number
        try Self.wait("it is ready") { Self.status("/readyz", number) == 200 }
        server.send(SIGTERM)
        guard code != 0 else { return [] }
        try Self.wait("it is not ready") { Self.status("/readyz", number) == 503 }
        let found = [Self.status("/livez", number), Self.status("/readyz", number)]
        try Self.wait("it has ended") {
          // Right after the first it would be the same one.
          server.send(SIGTERM)
          return Self.status("/livez", number) == nil
        }
        return found
      }
      #expect(found == (code == 0 ? [] : [200, 503]))
      let end = try await server.outcome()
      #expect(end.code == code, "\(end.messages)")
    }

    private static func wait(_ what: String, _ condition: () -> Bool) throws(TestFailure) {
      let end = ContinuousClock.now + .seconds(120)
      while ContinuousClock.now < end {
        if condition() { return }
        usleep(10_000)
      }
      throw TestFailure("not within two minutes: \(what)")
    }
  }
#endif
