// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaHTTP
import FoveaTesting
import Testing

@testable import FoveaInference

/// The resources that one client can fill while another is served: the table in
/// docs/explanation/threat-model.md.
@Suite struct ClientShareTests {
  /// A queue, budget, bucket or slot, and a way for one client to fill it.
  struct Resource: Sendable, CustomTestStringConvertible {
    let name: String
    /// Fills it for the client with the key `greedy`, or without a key; the result keeps it full.
    let fill: @Sendable (RunningInference, _ greedy: String) throws -> [any Sendable]
    /// The status of more requests by the client that has filled it; nil if there is no request.
    var more: (@Sendable (RunningInference, _ greedy: String) throws -> Int?)?
    var testDescription: String { name }
  }

  /// A connection whose body was declared, but is not sent.
  private final class Drip: @unchecked Sendable {
    let connection: RawConnection
    init(_ server: RunningInference, _ target: String, _ headers: String, announced: Int, sent: Int) throws {
      connection = try RawConnection(port: server.port)
      connection.send(
        Array(
          "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(headers)Content-Length: \(announced)\r\n\r\n"
            .utf8)
          + [UInt8](repeating: 97, count: sent))
    }
  }

  /// The prefixes of a network's addresses, as named by a proxy.
  private static let network = "2001:db8:1:2::"

  static let resources = [
    Resource(name: "the memory of bodies, with a key") { server, greedy in
      let drips = try (0..<8).map { _ in
        try Drip(server, "/v1/detect", "x-api-key: \(greedy)\r\n", announced: 32 << 20, sent: 1 << 20)
      }
      blockUntil { server.service.bodies.reserved(by: "key greedy") > 0 }
      return drips
    },
    Resource(name: "the memory of bodies, before a key is known") { server, _ in
      let drips = try (0..<8).map { _ in
        try Drip(server, "/v1/vision/detection", "", announced: 4 << 20, sent: 1 << 20)
      }
      blockUntil { server.service.bodies.reserved(by: "127.0.0.1") > 0 }
      return drips
    } more: { server, _ in
      let large = try RawConnection(port: server.port)
      large.send(
        "POST /v1/vision/detection HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(32 << 20)\r\n\r\n")
      #expect(server.service.bodies.reserved(by: "127.0.0.1") <= 4 << 20)
      return try HTTPAnswer(large.read(until: "}")).status
    },
    Resource(name: "the memory of bodies, from many addresses of a network") { server, _ in
      let drips = try (0..<8).map { number in
        try Drip(
          server, "/v1/vision/detection", "X-Forwarded-For: \(Self.network)\(number)\r\n",
          announced: 4 << 20, sent: 1 << 20)
      }
      blockUntil { server.service.bodies.reserved(by: "2001:db8:1:2/64") > 0 }
      #expect((1...(4 << 20)).contains(server.service.bodies.reserved(by: "2001:db8:1:2/64")))
      return drips
    },
    Resource(name: "the slots and all places in the line") { server, greedy in
      let scheduler = server.service.scheduler
      let calls = (0..<(scheduler.slots + scheduler.places)).map { _ in scheduler.hold(for: "key greedy") }
      blockUntil { scheduler.counts.waiting == scheduler.places }
      // They end one after the other, like images.
      Task {
        for call in calls {
          try? await Task.sleep(for: .milliseconds(20))
          call.cancel()
        }
      }
      return calls
    },
    Resource(name: "the slots, by images that go on") { server, greedy in
      server.service.scheduler.holdSlots(for: "key greedy")
    },
    Resource(name: "wrong keys of an address") { server, _ in
      for _ in 0..<30 { _ = try server.send("GET", "/v1/models?key=wrong") }
      return []
    } more: { server, _ in
      try server.send("GET", "/v1/models?key=wrong").status
    },
    Resource(name: "wrong keys of a network") { server, _ in
      for number in 0..<30 {
        _ = try server.send(
          "GET", "/v1/models?key=wrong", headers: ["X-Forwarded-For": "\(Self.network)\(number)"])
      }
      return []
    } more: { server, _ in
      try server.send("GET", "/v1/models?key=wrong", headers: ["X-Forwarded-For": "\(Self.network)ffff"])
        .status
    },
    Resource(name: "the rate of a key") { server, greedy in
      for _ in 0..<3 { _ = try server.send("GET", "/v1/models", headers: ["x-api-key": greedy]) }
      return []
    } more: { server, greedy in
      try server.send("GET", "/v1/models", headers: ["x-api-key": greedy]).status
    },
    Resource(name: "live connections") { server, greedy in
      let clients = try (0..<2).map { _ in
        let client = try WebSocketClient(port: server.port, path: "/v1/live?key=\(greedy)")
        client.send(.text(#"{"type": "start"}"#))
        #expect(try client.text(with: "ready") != nil)
        return Held(client)
      }
      let more = try WebSocketClient(port: server.port, path: "/v1/live?key=\(greedy)")
      #expect(try more.closeCode() == 1013)
      return clients
    },
  ]

  /// Stores a value that only one thread uses.
  private struct Held<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  @Test(arguments: resources)
  func `a client that has its share leaves the rest to others`(resource: Resource) async throws {
    let folder = try TemporaryFolder()
    var keys = try AccessKeyFile(folder["keys.json"], mayBeMissing: true)
    let greedy = try keys.add(
      "greedy", scopes: [.infer, .live], rate: resource.name.contains("rate") ? 1e-9 : nil)
    let other = try keys.add("other", scopes: [.infer, .live], rate: nil)
    try keys.write()
    let photo = try RunningInference.bytes()
    try await RunningInference.run(
      [.embedded],
      {
        $0.keys = folder["keys.json"]
        $0.slots = 2
        $0.maximumLive = 8
        $0.proxies = .any
      }
    ) { server in
      let held = try resource.fill(server, greedy)
      if let more = resource.more {
        let status = try more(server, greedy)
        #expect(status == 429 || status == 413, "\(String(describing: status))")
      }
      for _ in 0..<5 {
        #expect(try server.send("POST", "/v1/detect", headers: ["x-api-key": other], photo).status == 200)
        #expect(try server.send("GET", "/livez").status == 200)
      }
      let live = try WebSocketClient(port: server.port, path: "/v1/live?key=\(other)")
      live.send(.text(#"{"type": "start"}"#))
      #expect(try live.text(with: "ready") != nil)
      for call in held.compactMap({ $0 as? HeldCall }) { call.cancel() }
      withExtendedLifetime(held) {}
    }
  }
}
#endif
