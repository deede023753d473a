// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHost
import FoveaTesting
import Testing

@Suite struct HostClientTests {
  /// One call and its request.
  struct CallCase: Sendable, CustomTestStringConvertible {
    let request: String
    var body = ""
    let scope: Scope
    let call: @Sendable (HostClient) async throws(HostError) -> HostClient.Reply

    var testDescription: String { request }
  }

  static let root = "/v1/host/projects/modelhost-test"
  static let calls: [CallCase] = [
    CallCase(request: "GET \(root)/models", scope: .readModels) { client throws(HostError) in
      try await client.models()
    },
    CallCase(request: "GET \(root)/models/bird", scope: .readModels) { client throws(HostError) in
      try await client.model("bird")
    },
    CallCase(request: "GET \(root)/models/bird/history?limit=7", scope: .readModels) {
      client throws(HostError) in
      try await client.history("bird", limit: 7)
    },
    CallCase(
      request: "PUT \(root)/models/bird/channels/beta", body: #"{"version": 3}"#, scope: .publishModels
    ) { client throws(HostError) in
      try await client.point("bird", channel: "beta", version: 3)
    },
    CallCase(
      request: "PUT \(root)/models/bird/rollout", body: #"{"version": 4, "percent": 12.5}"#,
      scope: .publishModels
    ) { client throws(HostError) in
      try await client.rollOut("bird", .share(version: 4, percent: 12.5))
    },
    CallCase(request: "PUT \(root)/models/bird/rollout", body: #"{"halt": true}"#, scope: .publishModels) {
      client throws(HostError) in
      try await client.rollOut("bird", .halt)
    },
    CallCase(request: "PUT \(root)/models/bird/rollout", body: #"{"finish": true}"#, scope: .publishModels) {
      client throws(HostError) in
      try await client.rollOut("bird", .finish)
    },
    CallCase(
      request: "POST \(root)/models/bird:rollback", body: #"{"channel": "stable"}"#, scope: .publishModels
    ) {
      client throws(HostError) in
      try await client.rollBack("bird", channel: "stable")
    },
    CallCase(request: "POST \(root)/models/bird/versions/3:withdraw", scope: .publishModels) {
      client throws(HostError) in
      try await client.withdraw("bird", version: 3)
    },
    CallCase(request: "GET \(root)/keys", scope: .manageKeys) { client throws(HostError) in
      try await client.keys()
    },
    CallCase(
      request: "POST \(root)/keys",
      body: #"{"role": "viewer", "expires": "2026-11-22T10:00:00.000Z", "universe": "modelhost.local"}"#,
      scope: .manageKeys
    ) { client throws(HostError) in
      let start = Timestamp(milliseconds: KeySamples.start * 1_000)
      return try await client.addKey(KeyProperties(.viewer, universe: "modelhost.local", expires: start))
    },
    CallCase(request: "POST \(root)/keys", body: #"{"role": "app", "label": "web"}"#, scope: .manageKeys) {
      client throws(HostError) in
      try await client.addKey(KeyProperties(.app, label: "web"))
    },
    CallCase(request: "POST \(root)/keys:rotate", scope: .manageKeys) { client throws(HostError) in
      try await client.rotateRing()
    },
    CallCase(request: "DELETE \(root)/keys/\(keyID)", scope: .manageKeys) { client throws(HostError) in
      try await client.revokeKey(Self.keyID)
    },
    CallCase(request: "GET \(root)/experiments/colour-1/report", scope: .readModels) {
      client throws(HostError) in
      try await client.report("colour-1")
    },
  ]

  static let keyID = String(repeating: "0a", count: 20)

  private func client(_ url: String, _ samples: KeySamples) throws -> HostClient {
    let first = KeySamples.first
    let account = ServiceAccount(
      project: first.project, keyID: first.keyID, email: first.email, clientID: first.clientID,
      privateKey: first.privateKey, tokenURI: url + "/token")
    return try HostClient(account) { samples.now }
  }

  @Test(arguments: calls) func `a call is one request with its own token`(_ test: CallCase)
    async throws
  {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply(body: Array(#"{"a": 1}"#.utf8)) }
    defer { server.stop() }
    let samples = KeySamples()
    #expect(try await test.call(client(server.url, samples)).json == #"{"a": 1}"#)
    #expect(server.requests.count == 1)
    let request = try #require(server.requests.first)
    #expect(request.method + " " + request.target == test.request)
    #expect(String(decoding: request.body, as: UTF8.self) == test.body)
    let bearer = try #require(request.headers["authorization"]?.dropFirst("Bearer ".count))
    let authority = samples.authority([try KeySamples.key()])
    #expect(try await authority.identity(bearer: String(bearer)).scopes == [test.scope])
  }

  @Test(arguments: calls)
  func `a call whose response is lost reports that the outcome is unknown`(_ test: CallCase) async throws {
    let server = try LoopbackServer { _, _ in
      var reply = LoopbackServer.Reply()
      reply.isSilent = true
      return reply
    }
    defer { server.stop() }
    let client = try client(server.url, KeySamples())
    let error = await #expect(throws: HostError.self) { try await test.call(client) }
    #expect(error?.code == .unavailable)
    #expect(
      error?.message.hasSuffix("; the request may have been carried out") == !test.request.hasPrefix("GET "))
    server.stop()
    let refused = await #expect(throws: HostError.self) { try await test.call(client) }
    #expect(refused?.message.contains("may have been") == false)
  }

  /// A call with an invalid name, and the message of its error.
  struct NameCase: Sendable, CustomTestStringConvertible {
    typealias Call = @Sendable (HostClient, String) async throws -> HostClient.Reply

    let name: String
    let message: String
    let call: Call

    var testDescription: String { message }

    /// Each name with each call.
    static func rows(_ names: [String], _ message: (String) -> String, _ calls: [Call]) -> [NameCase] {
      names.flatMap { name in calls.map { NameCase(name: name, message: message(name), call: $0) } }
    }
  }

  private static let publish: NameCase.Call = { client, name in
    try await client.publish(file: "/dev/null", name: name, channel: "stable", notes: "")
  }
  private static let publishTo: NameCase.Call = { client, channel in
    try await client.publish(file: "/dev/null", name: "bird", channel: channel, notes: "")
  }
  private static let publishWith: NameCase.Call = { client, notes in
    try await client.publish(file: "/dev/null", name: "bird", channel: "stable", notes: notes)
  }

  private static let badModels: [NameCase] = NameCase.rows(
    ["", "..", "a/b", "a b", "bird:rollback", String(repeating: "a", count: 33)],
    { "'\($0)' is not a valid model name" },
    [
      { client, name in try await client.model(name) },
      { client, name in try await client.history(name, limit: 7) },
      { client, name in try await client.point(name, channel: "beta", version: 1) },
      { client, name in try await client.rollOut(name, .halt) },
      { client, name in try await client.rollBack(name, channel: "stable") },
      { client, name in try await client.withdraw(name, version: 1) },
      publish,
    ])

  private static let badChannels: [NameCase] = NameCase.rows(
    ["", "a b"], { "'\($0)' is not a valid channel name" },
    [
      { client, name in try await client.point("bird", channel: name, version: 1) },
      { client, name in try await client.rollBack("bird", channel: name) },
      publishTo,
    ])

  private static let badNotes: [NameCase] = NameCase.rows(
    [String(repeating: "n", count: 1_001)], { _ in "The notes have 1,001 bytes, over the limit" },
    [publishWith])

  private static let badKeys: [NameCase] = NameCase.rows(
    ["", "0123", "../models/bird", String(repeating: "A", count: 40)],
    { "'\($0)' is not the id of a key, which has 40 lower-case hexadecimal digits" },
    [{ client, id in try await client.revokeKey(id) }])

  private static let badExperiments: [NameCase] = NameCase.rows(
    ["", "e/report", "E"],
    { "'\($0)' is not the id of an experiment, which has 1 to 22 lower-case letters, digits and '-'" },
    [
      { client, id in try await client.experiment(id) },
      { client, id in try await client.report(id) },
      { client, id in try await client.change(id, .stop) },
      { client, id in try await client.rollOut("a", of: id) },
      { client, id in try await client.setWeights([1], of: id) },
      { client, id in try await client.setOverride("a", unit: "u", of: id) },
    ])

  static let badNames: [NameCase] = [badModels, badChannels, badNotes, badKeys, badExperiments].flatMap(
    \.self)

  @Test(arguments: badNames) func `an invalid name is rejected before a request is made from it`(
    _ test: NameCase
  ) async throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply(body: Array("{}".utf8)) }
    defer { server.stop() }
    let client = try client(server.url, KeySamples())
    let error = await #expect(throws: HostError.self) { try await test.call(client, test.name) }
    #expect(error?.code == .invalid && error?.message == test.message)
    #expect(server.connections == 0)
  }

  @Test func `a file is published with its name, channel and notes`() async throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply(body: Array("{}".utf8)) }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try folder.write("m.tflite", "bytes")
    _ = try await client(server.url, KeySamples()).publish(
      file: folder["m.tflite"], name: "bird", channel: "beta", notes: "new & better")
    let request = try #require(server.requests.first)
    #expect(request.target == "\(Self.root)/models/bird/versions?channel=beta&notes=new%20%26%20better")
    #expect(request.body == Array("bytes".utf8))
  }

  /// A cancelled publish: the host's responses to the cancellation and then about the operation.
  struct CancelCase: Sendable, CustomTestStringConvertible {
    let cancel: (status: Int, body: String)
    let end: (status: Int, body: String)
    /// The error; nil for the response about the operation.
    let error: HostError?

    var testDescription: String { "\(cancel.status), \(end.status)" }
  }

  @Test(arguments: [
    CancelCase(
      cancel: (200, "{}"),
      end: (409, #"{"error": {"code": "cancelled", "message": "It was cancelled", "remedy": "Send it"}}"#),
      error: HostError(
        .cancelled, "Cancelled: nothing was published",
        remedy: "Publish the file again if you still want it")),
    // It was published before the cancellation arrived.
    CancelCase(cancel: (200, "{}"), end: (200, #"{"model": "bird", "version": 1}"#), error: nil),
    CancelCase(
      cancel: (404, #"{"error": {"code": "not-found", "message": "There is no route", "remedy": "x"}}"#),
      end: (200, ""),
      error: HostError(
        .notFound, "The publish may continue, because cancelling it failed: There is no route",
        remedy: "Check later whether 'bird' has a new version: fovea host show bird")),
  ])
  func `a publish that is cancelled is cancelled on the host`(_ test: CancelCase) async throws {
    let server = try LoopbackServer { request, _ in
      if request.target.hasSuffix(":cancel") {
        return LoopbackServer.Reply(status: test.cancel.status, body: Array(test.cancel.body.utf8))
      }
      guard request.method == "GET" else {
        return LoopbackServer.Reply(
          status: 202, body: Array(#"{"operation": "0123456789abcdef", "state": "checking"}"#.utf8))
      }
      return LoopbackServer.Reply(status: test.end.status, body: Array(test.end.body.utf8))
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try folder.write("m.tflite", "bytes")
    let client = try client(server.url, KeySamples())
    let progress = TextBox()
    let found: Result<String, HostError>
    do throws(HostError) {
      found = .success(
        try await client.publish(
          file: folder["m.tflite"], name: "bird", channel: "beta", notes: "",
          progress: { _ in progress.append("checking") }, isCancelled: { !progress.text.isEmpty }
        ).json)
    } catch {
      found = .failure(error)
    }
    let expected: Result<String, HostError> =
      if let error = test.error { .failure(error) } else { .success(test.end.body) }
    #expect(found == expected)
    let operation = "\(Self.root)/operations/0123456789abcdef"
    #expect(
      server.requests.map { "\($0.method) \($0.target)" }.dropFirst()
        == ["POST \(operation):cancel", "GET \(operation)"].prefix(test.cancel.status == 200 ? 2 : 1))
  }

  @Test func `a publish cancelled before the host answers ends at once, and names what to check`()
    async throws
  {
    // It does not answer while the client waits.
    let server = try LoopbackServer { _, _ in
      var reply = LoopbackServer.Reply()
      reply.isSilent = true
      reply.stallAfter = 0
      return reply
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try folder.write("m.tflite", "bytes")
    let client = try client(server.url, KeySamples())
    // Requested while the host has the file, and before it is sent.
    for isEarly in [false, true] {
      let error = await #expect(throws: HostError.self) {
        try await client.publish(
          file: folder["m.tflite"], name: "bird", channel: "beta", notes: "",
          isCancelled: { isEarly || !server.requests.isEmpty })
      }
      #expect(
        error
          == HostError(
            .cancelled,
            "Cancelled before the host answered; the host drops the file unless it is already published",
            remedy: "Check whether 'bird' has a new version: fovea host show bird"))
    }
    #expect(server.requests.allSatisfy { $0.method == "POST" && $0.target.contains("/versions?") })
  }

  @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
  func `a host that disconnects after it has a file leaves open whether it is published`(
    hasAnswered: Bool, isProxy: Bool
  ) async throws {
    let server = try LoopbackServer { request, _ in
      guard request.method == "GET" || !hasAnswered else {
        return LoopbackServer.Reply(
          status: 202, body: Array(#"{"operation": "0123456789abcdef", "state": "checking"}"#.utf8))
      }
      var reply = LoopbackServer.Reply(status: 502)
      reply.isSilent = !isProxy
      return reply
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try folder.write("m.tflite", "bytes")
    let client = try client(server.url, KeySamples())
    let error = await #expect(throws: HostError.self) {
      try await client.publish(file: folder["m.tflite"], name: "bird", channel: "beta", notes: "")
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.hasSuffix("; the file may have been published") == true)
    #expect(
      error?.remedy
        == "When the host runs again, check whether 'bird' has a new version: fovea host show bird")
  }

  // The status of a response without a reason; nil if nothing listens.
  @Test(arguments: [301, 404, 413, nil] as [Int?])
  func `a publish that did not reach a host does not leave open whether it is published`(_ status: Int?)
    async throws
  {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply(status: status ?? 200) }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    try folder.write("m.tflite", "bytes")
    let client = try client(server.url, KeySamples())
    if status == nil { server.stop() }
    let error = await #expect(throws: HostError.self) {
      try await client.publish(file: folder["m.tflite"], name: "bird", channel: "beta", notes: "")
    }
    let start =
      status.map { "\(server.url) answers with status \($0) and without a reason" }
      ?? "The host at \(server.url) does not answer: "
    #expect(error?.code == .unavailable && error?.message.hasPrefix(start) == true)
    #expect(error?.message.contains("may have been") == false)
  }

  @Test(arguments: [
    (
      404, #"{"error": {"code": "not-found", "message": "There is no model", "remedy": "Check it"}}"#,
      HostError(.notFound, "There is no model", remedy: "Check it")
    ),
    (
      409, #"{"error": {"code": "conflict", "message": "x\u001b"}}"#,
      HostError(.conflict, "x\\u{1b}", remedy: "See the log of the host")
    ),
  ])
  func `a rejection has the host's message`(status: Int, body: String, error: HostError) async throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply(status: status, body: Array(body.utf8)) }
    defer { server.stop() }
    let client = try client(server.url, KeySamples())
    await #expect(throws: error) { try await client.models() }
  }

  @Test(arguments: [
    (502, "<html>"), (500, ""), (301, ""), (404, #"{"error": {"code": 404, "message": "x"}}"#),
  ])
  func `a server that is not a host is reported`(status: Int, body: String) async throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply(status: status, body: Array(body.utf8)) }
    defer { server.stop() }
    let client = try client(server.url, KeySamples())
    await #expect(
      throws: HostError(
        .unavailable, "\(server.url) answers with status \(status) and without a reason",
        remedy: "Check that a model host listens there")
    ) { try await client.models() }
  }

  @Test func `a host that does not run is reported`() async throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.Reply() }
    let client = try client(server.url, KeySamples())
    server.stop()
    #expect(await code { _ = try await client.models() } == .unavailable)
  }

  @Test(arguments: [
    "", "token", "ftp://h", "file:///token", "http://u@h/token", "http://h/other", "http://h",
  ])
  func `a key file names its host`(_ uri: String) throws {
    let account = ServiceAccount(
      project: "p", keyID: "k", email: "e", clientID: "c", privateKey: "", tokenURI: uri)
    #expect(throws: HostError.self) { try HostClient(account) { Timestamp(milliseconds: 0) } }
  }
}
#endif
