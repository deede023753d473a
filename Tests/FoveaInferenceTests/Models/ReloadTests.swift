// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import Foundation
import FoveaInference
import FoveaTesting
import Synchronization
import Testing

@Suite struct ReloadTests {
  private static func embedded(_ name: String) throws -> [UInt8] {
    try RunningInference.bytes(PackageRoot.path + "/Sources/C/CEmbeddedModels/models/\(name)_int8.tflite")
  }

  /// The models, as `a 1 ready`.
  private static func states(_ server: RunningInference) throws -> [String] {
    let answer = try server.send("GET", "/v1/models")
    let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
    return (value?["models"] as? [[String: Any]] ?? []).map { model in
      "\(model["name"] ?? "") \(model["version"] as? Int ?? 0) \(model["state"] ?? "")"
    }
  }

  @Test func `reloaded entries are added, removed and changed, and a bad one changes nothing`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.tflite", Self.embedded("localizer"))
    try folder.write("more/other.tflite", Self.embedded("coarse"))
    let bad = try folder.write("bad.tflite", "no model")
    let a = ModelEntry(name: "a", source: .file(file))
    let b = ModelEntry(name: "b", source: .file(file))
    var strict = a
    strict.settings = try ModelSettings(["threshold": .number(1)])
    let photo = try RunningInference.bytes()
    let steps: [([ModelEntry]?, [String])] = [
      ([a, b], ["a 1 ready", "b 1 ready", "other 1 ready"]),
      ([b, a], ["b 1 ready", "a 1 ready", "other 1 ready"]),
      ([strict], ["a 1 ready", "other 1 ready"]),
      (nil, ["a 1 ready", "other 1 ready"]),
      ([ModelEntry(name: "a", source: .file(bad))], ["a 1 ready", "other 1 ready"]),
      ([strict, ModelEntry(name: "c", source: .file(bad))], ["a 1 ready", "other 1 ready"]),
      ([ModelEntry(name: "c", source: .file(bad))], ["a 1 ready", "other 1 ready"]),
      ([b, ModelEntry(name: "c", source: .file(bad))], ["a 1 ready", "other 1 ready"]),
      ([a, b, ModelEntry(name: "c", source: .file(bad))], ["a 1 ready", "other 1 ready"]),
      ([a], ["a 1 ready", "other 1 ready"]), ([], ["other 1 ready"]),
    ]
    let present = Mutex<[ModelEntry]?>([a])
    let more = folder["more"]
    try await RunningInference.run(
      [a],
      {
        $0.modelFolder = more
        $0.readConfiguration = {
          guard let entries = present.withLock({ $0 }) else { throw TestFailure("no file") }
          return ReadConfiguration(entries: entries)
        }
      }
    ) { running in
      for (index, step) in steps.enumerated() {
        present.withLock { $0 = step.0 }
        running.reload()
        let states = try Self.states(running)
        #expect(states == step.1, "step \(index)")
        guard !(step.0 ?? [a]).isEmpty else { continue }
        let answer = try running.send("POST", "/v1/models/a:detect", photo)
        // With a threshold of 1 nothing is detected.
        #expect(answer.status == 200 && answer.body.contains(#""objects": []"#) == (2...8).contains(index))
      }
    }
  }

  /// As many labels as `detector80` has classes.
  private static func labels(_ first: String) -> String {
    let others = (2...80).map { "thing \($0)" }
    return ([first] + others).joined(separator: "\n") + "\n"
  }

  @Test func `a model with changed files is reloaded, and a missing one changes nothing`()
    async throws
  {
    let folder = try TemporaryFolder()
    var entry = ModelEntry(
      name: "a", source: .file(try folder.write("a.tflite", Self.embedded("detector80"))))
    let labels = try folder.write("labels.txt", Self.labels("old thing"))
    entry.settings = try ModelSettings(["labels": .text(labels)])
    let present = entry
    // A change of a file, and the first label afterwards.
    let steps: [(name: String, change: @Sendable (TemporaryFolder) throws -> Void, label: String)] = [
      ("nothing", { _ in }, "old thing"),
      ("gone", { try FileManager.default.removeItem(atPath: $0["labels.txt"]) }, "old thing"),
      ("others", { _ = try $0.write("labels.txt", Self.labels("another thing")) }, "another thing"),
      (
        "no model",
        {
          _ = try $0.write("labels.txt", Self.labels("third thing"))
          try FileManager.default.removeItem(atPath: $0["a.tflite"])
        }, "another thing"
      ),
      ("a model", { _ = try $0.write("a.tflite", Self.embedded("detector80")) }, "third thing"),
    ]
    try await RunningInference.run(
      [entry], { $0.readConfiguration = { ReadConfiguration(entries: [present]) } }
    ) { running in
      for step in steps {
        try step.change(folder)
        running.reload()
        let answer = try running.send("GET", "/v1/models").body
        for label in ["old thing", "another thing", "third thing"] {
          #expect(answer.contains("\"\(label)\"") == (label == step.label), "\(step.name): \(label)")
        }
      }
    }
  }

  @Test(arguments: ["track", "detect"])
  func `a live connection is sent the labels of a reloaded model, and uses them`(
    task: String
  ) async throws {
    let folder = try TemporaryFolder()
    var entry = ModelEntry(
      name: "a", source: .file(try folder.write("a.tflite", Self.embedded("detector80"))))
    entry.settings = try ModelSettings([
      "no-classify": .flag(true),
      "labels": .text(try folder.write("labels.txt", RunningInference.labels("old"))),
    ])
    let present = entry
    let photo = try RunningInference.bytes()
    try await RunningInference.run(
      [entry], { $0.readConfiguration = { ReadConfiguration(entries: [present]) } }
    ) { running in
      let client = try WebSocketClient(port: running.port, path: "/v1/live")
      func answer(_ sequence: UInt8) throws -> String {
        client.send(WebSocketClient.Frame(2, [sequence, 0, 0, 0, 0, 0, 0, 0] + photo))
        return try #require(try client.text(with: "\"sequence\""))
      }
      client.send(.text(#"{"type": "start", "task": "\#(task)", "threshold": 0.2}"#))
      #expect(try client.text(with: "\"type\": \"ready\"")?.contains("\"old 1\"") == true)
      let first = try answer(1)
      #expect(first.contains("\"old "), "\(first)")
      _ = try folder.write("labels.txt", RunningInference.labels("newer"))
      running.reload()
      client.send(WebSocketClient.Frame(2, [2, 0, 0, 0, 0, 0, 0, 0] + photo))
      let change = try #require(try client.text(with: "\"type\""))
      #expect(change.hasPrefix(#"{"type": "change""#) && change.contains("\"newer 1\""), "\(change)")
      let later = try answer(3)
      #expect(later.contains("\"newer ") && !later.contains("\"old "), "\(later)")
    }
  }

  @Test func `empty entries, and those that need a restart, leave the models unchanged`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.tflite", Self.embedded("localizer"))
    let present = Mutex<[ModelEntry]?>(nil)
    try await RunningInference.run(
      [ModelEntry(name: "a", source: .file(file))],
      { $0.readConfiguration = { ReadConfiguration(entries: present.withLock { $0 }) } }
    ) { running in
      for entries in [nil, []] as [[ModelEntry]?] {
        present.withLock { $0 = entries }
        running.reload()
        let states = try Self.states(running)
        #expect(states == ["a 1 ready"], "\(entries == nil ? "nil" : "none")")
      }
    }
  }

  @Test func `a removed model frees its memory, and a pinned one without memory changes nothing`()
    async throws
  {
    let folder = try TemporaryFolder()
    let bytes = try Self.embedded("localizer")
    let file = try folder.write("a.tflite", bytes)
    func entry(_ name: String, isPinned: Bool = false) -> ModelEntry {
      var entry = ModelEntry(name: name, source: .file(file))
      entry.settings.isPinned = isPinned
      return entry
    }
    let steps: [([ModelEntry], [String])] = [
      ([entry("b")], ["b 1 ready"]),
      ([entry("b"), entry("c", isPinned: true)], ["b 1 evicted", "c 1 ready"]),
      ([entry("c", isPinned: true), entry("d", isPinned: true)], ["b 1 evicted", "c 1 ready"]),
      ([entry("d", isPinned: true), entry("e")], ["d 1 ready", "e 1 evicted"]),
    ]
    let present = Mutex<[ModelEntry]>([])
    // Room for one model, whose memory is its file's size.
    try await RunningInference.run(
      [entry("a")],
      {
        $0.heldMemory = { nil }
        $0.modelMemory = bytes.count + bytes.count / 2
        $0.readConfiguration = { ReadConfiguration(entries: present.withLock { $0 }) }
      }
    ) { running in
      for (index, step) in steps.enumerated() {
        present.withLock { $0 = step.0 }
        running.reload()
        let states = try Self.states(running)
        #expect(states == step.1, "step \(index)")
      }
    }
  }
}
#endif
