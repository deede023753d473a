// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaHTTP
import FoveaTesting
import Testing

/// A client for other servers.
private enum Curl {
  static let path = ["/usr/bin/curl", "/bin/curl", "/usr/local/bin/curl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}

@Suite(.enabled(if: Curl.path != nil, "needs curl"))
struct SecureServerTests {
  private static func certificate(_ folder: TemporaryFolder, _ name: String) throws -> SelfSignedCertificate {
    let names = MachineNames(hostName: "desk", listening: "127.0.0.1", interfaces: [])
    return try SelfSignedCertificate.kept(in: folder[name], for: names, now: Date())
  }

  private static func options(_ certificate: SelfSignedCertificate) -> ServerOptions {
    var options = ServerOptions()
    options.certificate = certificate.certificate
    options.privateKey = certificate.privateKey
    return options
  }

  private static func ask(
    _ url: String, trusting certificate: SelfSignedCertificate, _ arguments: [String] = []
  ) async throws -> ChildProcess.Outcome {
    let program = try #require(Curl.path)
    return try await ChildProcess.run(
      program,
      ["--silent", "--show-error", "--noproxy", "*", "--cacert", certificate.certificate] + arguments + [
        url
      ],
      limit: .seconds(60))
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `a client that trusts the certificate is answered`(_ host: String) async throws {
    let folder = try TemporaryFolder()
    let certificate = try Self.certificate(folder, "state")
    let outcome = try await RunningServer.serve(options: Self.options(certificate)) { server in
      try await Self.ask("https://\(host):\(server.port)/hello", trusting: certificate, ["--ipv4"])
    }
    #expect(outcome.output == "hello")
    #expect(outcome.code == 0, "\(outcome.messages)")
  }

  @Test func `a client that trusts another certificate is not`() async throws {
    let folder = try TemporaryFolder()
    let certificate = try Self.certificate(folder, "state")
    let other = try Self.certificate(folder, "other")
    let outcome = try await RunningServer.serve(options: Self.options(certificate)) { server in
      try await Self.ask("https://127.0.0.1:\(server.port)/hello", trusting: other)
    }
    #expect(outcome.code == 60 && outcome.output.isEmpty, "\(outcome.messages)")
  }

  @Test func `a WebSocket is opened through TLS`() async throws {
    let folder = try TemporaryFolder()
    let certificate = try Self.certificate(folder, "state")
    var options = Self.options(certificate)
    options.live = ["/live": LiveRoute { connection in try? await connection.send("welcome") }]
    let made = options
    let outcome = try await RunningServer.serve(options: made) { server in
      try await Self.ask(
        "https://127.0.0.1:\(server.port)/live", trusting: certificate,
        [
          "--http1.1", "--include", "--no-buffer", "--max-time", "20",
          "--header", "Connection: Upgrade", "--header", "Upgrade: websocket",
          "--header", "Sec-WebSocket-Version: 13", "--header",
          "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
          "--header", "Origin: https://127.0.0.1:\(server.port)",
        ])
    }
    #expect(outcome.output.hasPrefix("HTTP/1.1 101"), "\(outcome.output) \(outcome.messages)")
  }

  @Test func `new connections use the certificate that its files hold now`() async throws {
    let folder = try TemporaryFolder()
    let certificate = try Self.certificate(folder, "state")
    let renewed = try Self.certificate(folder, "renewed")
    let codes = try await RunningServer.serve(options: Self.options(certificate)) { server in
      let url = "https://127.0.0.1:\(server.port)/hello"
      var codes = [try await Self.ask(url, trusting: renewed).code]
      // Renewal writes the files one after the other: in between they do not match.
      try Self.replace(certificate.certificate, by: try Self.content(renewed.certificate))
      codes.append(try await Self.ask(url, trusting: renewed).code)
      try Self.replace(certificate.privateKey, by: try Self.content(renewed.privateKey))
      codes.append(try await Self.ask(url, trusting: renewed).code)
      return codes
    }
    #expect(codes == [60, 60, 0])
  }

  private static func content(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private static func replace(_ path: String, by content: Data) throws {
    try content.write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
#endif
