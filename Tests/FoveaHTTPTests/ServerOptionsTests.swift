// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Testing

@Suite struct ServerOptionsTests {
  private static let loopback: Set = ["localhost", "127.0.0.1", "::1"]

  @Test(
    arguments: [
      ("127.0.0.1", [], [], loopback),
      ("localhost", [], ["models.example"], loopback.union(["models.example"])),
      ("127.0.0.1", ["tunnel.example"], [], loopback.union(["tunnel.example"])), ("0.0.0.0", [], [], nil),
      ("192.0.2.1", [], ["models.example"], nil),
      ("0.0.0.0", ["a.example"], ["b"], loopback.union(["0.0.0.0", "a.example", "b"])),
      ("Box.Local", ["a"], [], loopback.union(["box.local", "a"])),
    ] as [(String, Set<String>, [String], Set<String>?)])
  func `a server on loopback accepts its own names and the allowed ones`(
    _ host: String, _ allowed: Set<String>, _ own: [String], _ expected: Set<String>?
  ) {
    var options = ServerOptions()
    options.host = host
    options.allowedHosts = allowed
    #expect(options.hostNames(own) == expected)
  }
}
#endif
