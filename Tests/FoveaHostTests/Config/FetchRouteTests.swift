// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import FoveaHost
import FoveaTesting
import Testing

@Suite struct FetchRouteTests {
  /// One user has a variant.
  @Sendable private static func oneVariant(_ unit: ConfigUnit) -> [ParameterAssignment] {
    guard unit.user == "u" else { return [] }
    return [
      ParameterAssignment(
        experiment: "birds-2", variant: "b", started: Timestamp(milliseconds: 0), parameters: ["model": "m2"])
    ]
  }

  @Test func `each dialect is answered, by id and by number of the project`() async throws {
    try await RunningHost.run { host in
      func fetch(_ path: String, _ body: [UInt8], _ headers: [String: String] = [:]) throws
        -> RunningHost.Answer
      {
        try host.send("POST", path, headers: headers, body: body)
      }
      let android = Array(FetchRequestTests.android.utf8)
      #expect(try fetch(ConfigRouteTests.fetch, android).body.contains("NO_TEMPLATE"))
      try ConfigRouteTests.publish(host, "m1")
      let first = try fetch(ConfigRouteTests.fetch, android)
      #expect(first.status == 200)
      #expect(
        first.body.contains(#""state": "UPDATE", "templateVersion": "1", "entries": {"model": "m1"}"#))
      let tag = first.headers["etag"] ?? ""
      let again = try fetch(ConfigRouteTests.fetch, android, ["If-None-Match": tag])
      #expect(again.status == 200)
      #expect(again.body.contains("NO_CHANGE"))
      #expect(again.headers["etag"] == tag)
      let apple = try #require(GzipAnswer.compressed(Array(FetchRequestTests.apple.utf8)))
      let number = ConfigRouteTests.fetch.replacing("test-project", with: "123456789012")
      let second = try fetch(number, apple, ["Content-Encoding": "gzip"])
      #expect(second.body.contains(#""appName": "a.b", "state": "UPDATE""#))
      let web = try fetch(
        ConfigRouteTests.fetch, Array(#"{"app_id": "1:1:web:a"}"#.utf8),
        ["Content-Encoding": "gzip", "If-None-Match": "*"])
      #expect(web.body.contains("UPDATE"))
      #expect(try fetch(ConfigRouteTests.fetch, Array(#"{"appInstanceId": "x"}"#.utf8)).status == 400)
      let other = ConfigRouteTests.fetch.replacing("test-project", with: "other-project")
      #expect(try fetch(other, android).status == 400)
    }
  }

  @Test func `an experiment's variant is in the response`() async throws {
    try await RunningHost.run(assignments: Self.oneVariant) { host in
      try ConfigRouteTests.publish(host, "m1")
      let fetch = { (user: String) throws -> String in
        let body = Array(#"{"app_id": "1:1:ios:a", "user_id": "\#(user)"}"#.utf8)
        return try host.send("POST", ConfigRouteTests.fetch, body: body).body
      }
      #expect(try fetch("v").contains(#""entries": {"model": "m1"}}"#))
      let changed = try fetch("u")
      #expect(changed.contains(#""entries": {"model": "m2"}"#))
      #expect(changed.contains(#""experimentId": "birds-2", "variantId": "b""#))
    }
  }

  @Test func `a stream reports a new version at once, and wakes for the next`() async throws {
    try await RunningHost.run { host in
      try ConfigRouteTests.publish(host, "m1")
      let connection = try RawConnection(port: host.port)
      let body = #"{"project": "1", "namespace": "firebase", "lastKnownVersionNumber": "0", "appId": "a"}"#
      connection.send(
        "POST \(ConfigRouteTests.stream) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
          + body)
      let head = connection.read(until: #""1"}"#)
      #expect(head.hasPrefix("HTTP/1.1 200"))
      #expect(head.contains(#"{"latestTemplateVersionNumber": "1"}"#))
      try ConfigRouteTests.publish(host, "m2")
      #expect(connection.read(until: #""2"}"#).contains(#"{"latestTemplateVersionNumber": "2"}"#))
      // A server's template is not the apps'.
      let servers = "/v1/projects/test-project/namespaces/firebase-server/remoteConfig"
      _ = try host.send(as: .publisher, "PUT", servers, headers: ["If-Match": "*"], body: "{}")
      try ConfigRouteTests.publish(host, "m3")
      let next = connection.read(until: #""3"}"#)
      #expect(next.contains(#""3"}"#))
      // Stopping the host ends the stream, with its last chunk.
      host.service.config.board.end()
      #expect(connection.read(until: "0\r\n\r\n").hasSuffix("0\r\n\r\n"))
    }
  }

  @Test func `a stream whose key is revoked gets no further version, and ends`() async throws {
    try await RunningHost.run { host in
      try ConfigRouteTests.publish(host, "m1")
      let connection = try RawConnection(port: host.port)
      connection.send(
        "POST \(ConfigRouteTests.stream) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}")
      #expect(connection.read(until: #""1"}"#).contains(#"{"latestTemplateVersionNumber": "1"}"#))
      let key = AppKey.digest(of: RunningHost.appKey).prefix(40)
      let revoked = try host.send(as: .admin, "DELETE", "/v1/host/projects/test-project/keys/\(key)")
      #expect(revoked.status == 200, "\(revoked.body)")
      try ConfigRouteTests.publish(host, "m2")
      let rest = connection.read(until: "0\r\n\r\n")
      #expect(rest.hasSuffix("0\r\n\r\n") && !rest.contains("latestTemplateVersionNumber"), "\(rest)")
    }
  }

  @Test func `an app that leaves its stream is forgotten, and a wrong number is rejected`() async throws {
    try await RunningHost.run { host in
      do {
        let connection = try RawConnection(port: host.port)
        connection.send(
          "POST \(ConfigRouteTests.stream) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}")
        _ = connection.read(until: "\r\n\r\n")
        #expect(host.service.config.board.waiting == 1)
      }
      let bad = try host.send(
        "POST", ConfigRouteTests.stream, body: Array(#"{"lastKnownVersionNumber": "x"}"#.utf8))
      #expect(bad.status == 400)
      // The publish makes the host write to a closed connection, at the latest.
      try ConfigRouteTests.publish(host, "m1")
      let board = host.service.config.board
      for _ in 0..<200 where board.waiting > 0 { _ = try host.send("GET", "/livez") }
      #expect(board.waiting == 0)
    }
  }

  @Test func `an address with many long evaluations delays no other, and no short one`() async throws {
    let pattern = #"app.version.matches(['(abcdefghij){99}'])"#
    let template =
      #"{"conditions": [{"name": "c", "expression": "\#(pattern)"}], "#
      + #""parameters": {"model": {"defaultValue": {"value": "m1"}}}}"#
    try await RunningHost.serving(isBehindProxy: true) { host in
      let made = try await onOwnThread {
        try host.send(
          as: .publisher, "PUT", ConfigRouteTests.path, headers: ["If-Match": "*"], body: template)
      }
      #expect(made.status == 200, "\(made.body)")
      let (queue, gate) = (host.service.config.evaluations, TurnQueueTests.Gate())
      let ids = (0..<TurnQueue.Limits().ofKey).map(String.init)
      let tasks = ids.map { id in
        Task {
          try await queue.run(id, of: "192.0.2.1") { () async throws(HostError) -> Void in
            try await gate.check(id)
          }
        }
      }
      defer { for task in tasks { task.cancel() } }
      try await waitUntil("the address has its share") {
        ids.allSatisfy { queue.before($0) != nil || gate.begun.contains($0) }
      }
      let fetch: @Sendable (String, Int) async throws -> RunningHost.Answer = { address, length in
        let version = String(repeating: "1", count: length)
        let body = Array(#"{"appId": "1:1:ios:a", "appVersion": "\#(version)"}"#.utf8)
        return try await onOwnThread {
          try host.send("POST", ConfigRouteTests.fetch, headers: ["X-Forwarded-For": address], body: body)
        }
      }
      let refused = try await fetch("192.0.2.1", 100)
      #expect(refused.status == 429 && refused.headers["retry-after"] != nil, "\(refused.body)")
      #expect(refused.body.contains("64 configurations of this address are waiting to be evaluated"))
      let entries = #""entries": {"model": "m1"}"#
      #expect(try await fetch("192.0.2.1", 1).body.contains(entries))
      #expect(try await fetch("192.0.2.2", 100).body.contains(entries))
      for id in ids { gate.open(id) }
      for task in tasks { try await task.value }
      #expect(try await fetch("192.0.2.1", 100).body.contains(entries))
    }
  }

  @Test func `mutated bodies are answered with 200 or 400`() async throws {
    try await RunningHost.run { host in
      try ConfigRouteTests.publish(host, "m1")
      var mutator = TextMutator(seed: 1)
      let texts = [FetchRequestTests.android, FetchRequestTests.apple].map { Array($0.utf8) }
      for round in 0..<100 {
        let answer = try host.send("POST", ConfigRouteTests.fetch, body: mutator.mutated(texts[round % 2]))
        #expect([200, 400, 413].contains(answer.status), "\(answer.status)")
      }
    }
  }
}
#endif
