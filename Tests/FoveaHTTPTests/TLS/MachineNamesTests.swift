// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaTesting
import Testing

@Suite struct MachineNamesTests {
  struct Case: Sendable {
    var hostName = ""
    var listening = "127.0.0.1"
    var interfaces: [String] = []
    var names = ["localhost"]
    var addresses = ["127.0.0.1", "::1"]
  }

  @Test(arguments: [
    Case(),
    Case(hostName: "Desk", names: ["desk", "desk.local", "localhost"]),
    Case(hostName: "desk.example.com", names: ["desk.example.com", "desk.local", "localhost"]),
    Case(hostName: "localhost", names: ["localhost", "localhost.local"]),
    // Names that no certificate can contain.
    Case(hostName: "a b"), Case(hostName: "-desk"), Case(hostName: "büro"),
    Case(hostName: "a..b", names: ["a.local", "localhost"]),
    Case(hostName: String(repeating: "a", count: 64)),
    Case(hostName: "10.0.0.1", names: ["10.local", "localhost"]),
    Case(listening: "cameras.example", names: ["cameras.example", "localhost"]),
    Case(listening: "0.0.0.0"), Case(listening: "::"),
    Case(listening: "192.0.2.7", addresses: ["127.0.0.1", "::1", "192.0.2.7"]),
    Case(
      interfaces: ["127.0.0.1", "192.0.2.7", "192.0.2.7", "fe80::1", "fd00::7", "no"],
      addresses: ["127.0.0.1", "::1", "192.0.2.7", "fd00::7"]),
  ])
  func `names and addresses of a machine are sorted, and listed once`(_ test: Case) {
    let found = MachineNames(
      hostName: test.hostName, listening: test.listening, interfaces: test.interfaces)
    #expect(found.names == test.names)
    #expect(found.addresses == test.addresses)
  }

  @Test(
    arguments: [
      ("127.0.0.1", []), ("192.0.2.7", []), ("cameras.example", []), ("0.0.0.0", ["192.0.2.7"]),
      ("::", ["192.0.2.7", "fd00::7"]),
    ] as [(String, [String])])
  func `other machines reach the interfaces' addresses if a server listens on all`(
    _ host: String, _ reachable: [String]
  ) {
    let names = MachineNames(
      hostName: "desk", listening: host,
      interfaces: ["127.0.0.1", "127.0.1.1", "192.0.2.7", "169.254.3.3", "::1", "fe80::1", "fd00::7"])
    #expect(names.reachable(listening: host) == reachable)
  }

  @Test func `this machine has names`() throws {
    let names = try MachineNames.current(listening: "0.0.0.0")
    #expect(names.names.contains("localhost") && names.addresses.starts(with: ["127.0.0.1", "::1"]))
  }

  @Test(arguments: [
    ("", false), ("1", false), ("1.2.3.4", true), ("1.2.3.256", false), ("::", true),
    ("fe80::1%eth0", false),
    (":", false), ("::ffff:1.2.3.4", true), ("localhost", false),
  ])
  func `an address is numeric`(_ text: String, _ isAddress: Bool) {
    #expect((InternetAddress(text) != nil) == isAddress)
  }
}
#endif
