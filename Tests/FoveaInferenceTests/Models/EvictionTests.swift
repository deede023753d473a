// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaInference
import FoveaTesting
import Synchronization
import Testing

@Suite struct EvictionTests {
  private static func entries(_ folder: TemporaryFolder) throws -> [ModelEntry] {
    let bytes = try RunningInference.bytes(
      PackageRoot.path + "/Sources/C/CEmbeddedModels/models/localizer_int8.tflite")
    return try ["a", "b", "c"].map { name in
      ModelEntry(name: name, source: .file(try folder.write("\(name).tflite", bytes)))
    }
  }

  /// Room for two of three models, whose memory is their file's size.
  private static func run(
    protection: Duration, _ change: ([ModelEntry]) -> [ModelEntry] = { $0 },
    willLoad: @escaping @Sendable (String) async -> Void = { _ in },
    _ body: @escaping @Sendable (RunningInference, TemporaryFolder) throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let entries = try entries(folder)
    let size = try RunningInference.bytes(folder["a.tflite"]).count
    try await RunningInference.run(
      change(entries),
      {
        $0.heldMemory = { nil }
        $0.modelMemory = 2 * size + size / 2
        $0.modelProtection = protection
        $0.willLoad = willLoad
        $0.watchInterval = .milliseconds(10)
      }
    ) { server in try body(server, folder) }
  }

  /// The states of the models, as `a ready 1`.
  private static func states(_ server: RunningInference) throws -> [String] {
    let answer = try server.send("GET", "/v1/models")
    let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
    return (value?["models"] as? [[String: Any]] ?? []).map { model in
      "\(model["name"] ?? "") \(model["state"] ?? "") \(model["version"] as? Int ?? 0)"
    }
  }

  private static func status(_ server: RunningInference, _ name: String) throws -> Int? {
    try server.send("POST", "/v1/models/\(name):detect", RunningInference.bytes()).status
  }

  @Test func `a call loads an evicted model, and the least recently used one is unloaded for it`()
    async throws
  {
    try await Self.run(protection: .zero) { server, _ in
      // None is evicted at the start: the first models stay.
      #expect(try Self.states(server) == ["a ready 1", "b ready 1", "c evicted 1"])
      #expect(try server.send("GET", "/v2/models/c/ready").status == 200)
      #expect(try Self.status(server, "b") == 200 && Self.status(server, "a") == 200)
      #expect(try Self.status(server, "c") == 200)
      #expect(try Self.states(server) == ["a ready 1", "b evicted 1", "c ready 1"])
      #expect(try Self.status(server, "b") == 200)
      #expect(try Self.states(server) == ["a evicted 1", "b ready 1", "c ready 1"])
      let metrics = try server.send("GET", "/metrics").body
      #expect(metrics.contains(#"fovea_model_evictions_total{model="a"} 1"#))
      #expect(metrics.contains(#"fovea_model_evictions_total{model="b"} 1"#))
      // Unloading is different: the model stays unloaded until it is requested.
      #expect(try server.send("POST", "/v1/models/b:unload").status == 200)
      #expect(try Self.status(server, "b") == 404)
      #expect(try Self.status(server, "a") == 200)
      #expect(try Self.states(server) == ["a ready 1", "b absent 0", "c ready 1"])
    }
  }

  @Test func `a call that cannot wait for its model is rejected, and the load continues`() async throws {
    let gate = CallGate()
    let holds = Atomic(false)
    try await Self.run(
      protection: .zero,
      willLoad: { name in if holds.load(ordering: .relaxed) { await gate.hold(name) } }
    ) { server, _ in
      holds.store(true, ordering: .relaxed)
      let soon = try server.send(
        "POST", "/v1/models/c:detect", headers: ["Fovea-Timeout-Ms": "1"], RunningInference.bytes())
      #expect(soon.status == 503 && soon.errorCode == "model-loading", "\(soon.body)")
      blockUntil { gate.begun.withLock { $0 } == ["c"] }
      #expect(try Self.states(server) == ["a evicted 1", "b ready 1", "c loading 1"])
      gate.letOneGo()
      blockUntil { (try? Self.states(server))?.last == "c ready 1" }
      #expect(try Self.status(server, "c") == 200)
    }
  }

  @Test func `if all are in use a call is rejected, and its model not loaded`() async throws {
    try await Self.run(protection: .seconds(3_600)) { server, _ in
      #expect(try Self.status(server, "a") == 200 && Self.status(server, "b") == 200)
      let answer = try server.send("POST", "/v1/models/c:detect", RunningInference.bytes())
      #expect(answer.status == 503 && answer.errorCode == "models-full")
      #expect(answer.headers["retry-after"] == "60")
      #expect(try server.send("POST", "/v1/models/c:load").errorCode == "models-full")
      #expect(try Self.states(server) == ["a ready 1", "b ready 1", "c evicted 1"])
      #expect(try Self.status(server, "a") == 200)
    }
  }

  @Test func `a pinned model stays, and a new file of an evicted one is its next version`() async throws {
    try await Self.run(protection: .zero) { entries in
      var entries = entries
      entries[0].settings.isPinned = true
      return entries
    } _: { server, folder in
      #expect(try Self.status(server, "c") == 200)
      #expect(try Self.states(server) == ["a ready 1", "b evicted 1", "c ready 1"])
      let other = try RunningInference.bytes(
        PackageRoot.path + "/Sources/C/CEmbeddedModels/models/coarse_int8.tflite")
      try folder.write("b.tflite", other)
      // It has another task now, so the call for it fails.
      let answer = try server.send("POST", "/v1/models/b:detect", RunningInference.bytes())
      #expect(answer.status == 500 && answer.errorCode == "model-failed")
      try folder.write("b.tflite", RunningInference.bytes(folder["a.tflite"]) + [0])
      blockUntil { (try? Self.status(server, "b")) == 200 }
      #expect(try Self.states(server) == ["a ready 1", "b ready 2", "c evicted 1"])
    }
  }

  @Test func `a model larger than the limit of all ends the start`() async throws {
    let folder = try TemporaryFolder()
    let entries = try Self.entries(folder)
    await #expect(throws: (any Error).self) {
      try await RunningInference.run(
        entries,
        {
          $0.heldMemory = { nil }
          $0.modelMemory = 1_000
        }
      ) { _ in }
    }
  }
}
#endif
