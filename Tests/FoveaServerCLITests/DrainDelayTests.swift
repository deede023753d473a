// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: BuiltProgram.server != nil, "needs the program next to the tests: swift build"))
struct DrainDelayTests {
  /// With ten minutes the request comes before they are over, however busy the machine is; a second signal
  /// ends it.
  @Test(arguments: [("10m", 128 + SIGTERM), ("100ms", 0)])
  func `with a delay the server keeps answering while it reports that it is not ready, and then ends`(
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
      try ServerProbe.wait("it is ready") { ServerProbe.status("/readyz", number) == 200 }
      server.send(SIGTERM)
      guard code != 0 else { return [] }
      try ServerProbe.wait("it is not ready") { ServerProbe.status("/readyz", number) == 503 }
      let found = [ServerProbe.status("/livez", number), ServerProbe.status("/readyz", number)]
      try ServerProbe.end(server, number)
      return found
    }
    #expect(found == (code == 0 ? [] : [200, 503]))
    let end = try await server.outcome()
    #expect(end.code == code, "\(end.messages)")
  }
}
#endif
