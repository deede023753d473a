// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaTesting
import Testing

@Suite struct HealthProbeTests {
  private static func problem(_ url: String, isInsecure: Bool = false) async -> String? {
    do throws(ServerError) {
      try await HealthProbe(url, isInsecure: isInsecure, limit: .seconds(30)).run()
      return nil
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    ("/hello", nil), ("/hello?a=b", nil), ("/nothing", "404"), ("/", "404"), ("", "404"), ("/a%20b", "404"),
  ])
  func `a server is healthy if it answers with 200`(_ path: String, _ status: String?) async throws {
    try await RunningServer.serve { server in
      let url = "http://127.0.0.1:\(server.port)\(path)"
      let problem = await Self.problem(url)
      #expect(problem == status.map { "\(url) answers with status \($0)" })
    }
  }

  @Test func `a missing route is advised the path and the address of --admin, not to wait`() async throws {
    try await RunningServer.serve { server in
      let probe = try HealthProbe(
        "http://127.0.0.1:\(server.port)/nothing", isInsecure: false, limit: .seconds(30))
      let error = await #expect(throws: ServerError.self) { try await probe.run() }
      #expect(
        error?.remedy.text(\.program)
          == "Check the path; 'fovea serve --admin' has its health only at the address of that option")
    }
  }

  @Test func `the certificate of a server must be trusted, unless any is accepted`() async throws {
    let folder = try TemporaryFolder()
    var options = ServerOptions()
    options.certificate = try folder.write("c.pem", TestCertificate.valid.certificate)
    options.privateKey = try folder.write("k.pem", TestCertificate.valid.privateKey)
    let made = options
    try await RunningServer.serve(options: made) { server in
      for host in ["127.0.0.1", "localhost"] {
        let url = "https://\(host):\(server.port)/hello"
        #expect(await Self.problem(url, isInsecure: true) == nil)
        #expect(await Self.problem(url) == "\(url) has a certificate that this machine does not trust")
      }
      let plain = "http://127.0.0.1:\(server.port)/hello"
      #expect(await Self.problem(plain)?.hasPrefix("\(plain) does not answer: ") == true)
    }
  }

  @Test func `a server without TLS is reported as one`() async throws {
    try await RunningServer.serve { server in
      let url = "https://127.0.0.1:\(server.port)/hello"
      #expect(await Self.problem(url) == "\(url) answers without TLS")
    }
  }

  @Test(arguments: [
    "", "127.0.0.1:8080", "ftp://127.0.0.1", "http://", "http:///readyz", "/readyz", "http://a b/",
  ])
  func `a text that is not the address of a server is an error`(_ url: String) async {
    #expect(await Self.problem(url) == "'\(url)' is not the address of a server")
  }

  @Test func `a port without a listener is an error`() async throws {
    let port = try ReservedPort()
    let url = "http://127.0.0.1:\(port.number)/readyz"
    #expect(
      await Self.problem(url)
        == "\(url) does not answer: nothing accepts connections on port \(port.number) of 127.0.0.1")
  }
}
#endif
