// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaTesting
import Testing

@testable import FoveaHost

@Suite struct NodeAnswersTests {
  private static let download =
    "/v1beta2/projects/test-project/models/birds:download?key=\(RunningHost.appKey)"
  private static let versions = "/v1/host/projects/test-project/models/birds/versions"

  @Test func `a node without its database answers from memory for a while`() async throws {
    let nodes = TestNodes()
    let node = nodes.node(limit: 60)
    try await RunningHost.serving(node: node) { host in
      node.setConnected(true)
      try await onOwnThread { () throws in
        #expect(try host.send(as: .publisher, "POST", Self.versions, body: markedModel("one")).status == 200)
        let fresh = try host.send("GET", Self.download)
        #expect(fresh.status == 200 && fresh.headers["fovea-stale"] == nil)
        #expect(
          try host.send(
            "GET", "/v1beta2/projects/test-project/models/cats:download?key=\(RunningHost.appKey)"
          ).status == 404)

        node.setConnected(false)
        nodes.advance(seconds: 30)
        let stale = try host.send("GET", Self.download)
        #expect(stale.status == 200 && stale.headers["fovea-stale"] == "30")
        let unknown = try host.send(
          "GET", "/v1beta2/projects/test-project/models/cats:download?key=\(RunningHost.appKey)")
        #expect(
          unknown.status == 503 && unknown.headers["retry-after"] == "5", "it may have been made meanwhile")
        #expect(try host.send("GET", "/readyz?for=read").status == 200)

        nodes.advance(seconds: 31)
        let old = try host.send("GET", Self.download)
        #expect(old.status == 503 && old.body.contains("out of reach for 61 s"))
        #expect(try host.send("GET", "/readyz?for=read").status == 503)
        #expect(try host.send("GET", "/livez").status == 200)
        #expect(try host.send("GET", "/metrics").body.contains("fovea_host_stale_seconds 61"))
      }
      node.setConnected(true)
      await node.compare()
      try await onOwnThread { () throws in
        let again = try host.send("GET", Self.download)
        #expect(again.status == 200 && again.headers["fovea-stale"] == nil)
      }
    }
  }

  @Test func `a node that cannot decode a row is not ready to write, and goes on answering`() async throws {
    let nodes = TestNodes()
    let node = nodes.node()
    try await RunningHost.serving(node: node) { host in
      node.setConnected(true)
      let message = "The database has an experiment that this host cannot read"
      nodes.set(generation: 6)
      for (fault, number) in [(HostError(.unavailable, message, remedy: "Update it"), 1), (nil, 0)] {
        nodes.set(fault: fault)
        await node.compare()
        try await onOwnThread { () throws in
          let ready = try host.send("GET", "/readyz")
          #expect(ready.status == (fault == nil ? 200 : 503))
          #expect(ready.body.contains(message) == (fault != nil), "\(ready.body)")
          #expect(try host.send("GET", "/readyz?for=read").status == 200)
          #expect(try host.send("GET", "/metrics").body.contains("fovea_host_unreadable \(number)"))
          #expect(try host.send(as: .viewer, "GET", "/v1/host/projects/test-project/models").status == 200)
        }
      }
    }
  }

  @Test(arguments: [
    (0.0, nil), (60, nil), (-60, nil), (60.1, "60 s ahead of"), (-61, "61 s behind"),
    (3_600, "3,600 s ahead of"),
  ])
  func `a host with a wrong clock is not ready to write`(error: Double, problem: String?) async throws {
    let node = TestNodes().node()
    try await RunningHost.serving(node: node) { host in
      node.setConnected(true)
      node.setClock(error: error)
      try await onOwnThread { () throws in
        let answer = try host.send("GET", "/readyz")
        #expect(answer.status == (problem == nil ? 200 : 503))
        if let problem { #expect(answer.body.contains("The clock of this host is \(problem)")) }
        #expect(try host.send("GET", "/readyz?for=read").status == 200)
        #expect(try host.send("GET", "/metrics").body.contains("fovea_host_clock_error_seconds"))
        // The database's clock may be the wrong one.
        #expect(try host.send(as: .viewer, "GET", "/v1/host/projects/test-project/models").status == 200)
      }
    }
  }

  @Test func `a request of no device gets what was stored before it`() async throws {
    let nodes = TestNodes()
    let node = nodes.node()
    try await RunningHost.serving(node: node) { host in
      node.setConnected(true)
      nodes.set(generation: 1)
      try await onOwnThread { () throws in
        #expect(try host.send("GET", Self.download).status == 404)
        #expect(nodes.reloads == 0, "a device does not make a node ask the database")
        #expect(try host.send(as: .viewer, "GET", "/v1/host/projects/test-project/models").status == 200)
        #expect(nodes.reloads == 1)
        nodes.set(generation: 2)
        _ = try host.send("POST", "/token", body: Array("assertion=x".utf8))
        #expect(nodes.reloads == 2, "the key that signed it may be new")
        nodes.set(generation: 3)
        _ = try host.send("GET", "/files/test-project/\(HostSamples.hash(1))?sig=x")
        _ = try host.send("GET", "/readyz?for=read")
        #expect(nodes.reloads == 2)
      }
    }
  }
}
#endif
