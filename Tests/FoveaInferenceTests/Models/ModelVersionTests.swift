// SPDX-License-Identifier: Apache-2.0
#if Server
import Foundation
import FoveaHTTP
import FoveaInference
import FoveaTesting
import Logging
import Synchronization
import Testing

@Suite struct ModelVersionTests {
  private static func embedded(_ name: String) throws -> [UInt8] {
    try RunningInference.bytes(PackageRoot.path + "/Sources/C/CEmbeddedModels/models/\(name)_int8.tflite")
  }

  private static func model(_ server: RunningInference, _ name: String) throws -> [String: Any] {
    let answer = try server.send("GET", "/v1/models/\(name)")
    return try #require(JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
  }

  private static func error(_ server: RunningInference, _ name: String) -> String? {
    ((try? model(server, name))?["lastError"] as? [String: Any])?["code"] as? String
  }

  /// Replaces a file as a careful program does: by renaming.
  private static func put(_ folder: TemporaryFolder, _ bytes: [UInt8], _ name: String) throws {
    let new = try folder.write("new", bytes)
    guard unsafe rename(new, folder[name]) == 0 else { throw TestFailure("cannot rename: \(errno)") }
  }

  @Test func `a new file replaces the model, and a bad one changes nothing`() async throws {
    let folder = try TemporaryFolder()
    let localizer = try Self.embedded("localizer")
    let photo = try RunningInference.bytes()
    try folder.write("m.tflite", localizer)
    let entry = ModelEntry(name: "m", source: .file(folder["m.tflite"]))
    try await RunningInference.run([entry], { $0.watchInterval = .milliseconds(10) }) { server in
      let first = try Self.model(server, "m")
      #expect(first["version"] as? Int == 1 && first["state"] as? String == "ready")
      for (bytes, code) in [
        (Array("no model".utf8), "model-invalid"), (Array(localizer.prefix(localizer.count / 2)), nil),
        (try Self.embedded("coarse"), "task-mismatch"),
      ] as [([UInt8], String?)] {
        let before = Self.error(server, "m")
        try Self.put(folder, bytes, "m.tflite")
        blockUntil {
          let now = Self.error(server, "m")
          return now != nil && (code == nil ? true : now == code) && (now != before || code == nil)
        }
        #expect(code == nil || Self.error(server, "m") == code)
        #expect(try Self.model(server, "m")["version"] as? Int == 1)
        #expect(try server.send("POST", "/v1/detect", photo).status == 200)
      }
      try Self.put(folder, try Self.embedded("detector80"), "m.tflite")
      blockUntil { (try? Self.model(server, "m"))?["version"] as? Int == 2 }
      let second = try Self.model(server, "m")
      #expect(second["version"] as? Int == 2 && second["lastError"] == nil)
      #expect(second["sha256"] as? String != first["sha256"] as? String)
      let answer = try server.send("POST", "/v1/detect", photo)
      #expect(answer.status == 200 && answer.body.contains("cup"))
      // The load is counted afterwards.
      var metrics = ""
      blockUntil {
        metrics = (try? server.send("GET", "/metrics").body) ?? ""
        return metrics.contains(#"fovea_model_swaps_total{model="m",result="loaded"} 1"#)
      }
      #expect(metrics.contains(#"fovea_model_swaps_total{model="m",result="loaded"} 1"#))
      #expect(metrics.contains(#"fovea_model_swaps_total{model="m",result="failed"} "#))
      #expect(
        metrics.contains(
          #"fovea_model_info{model="m",version="2",sha256="\#(second["sha256"] as? String ?? "")"} 1"#))
    }
  }

  @Test func `a folder's models are served, also later ones, and a bad one reports why not`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("a.tflite", try Self.embedded("localizer"))
    try folder.write("bad.tflite", "no model")
    try folder.write("doubtful.tflite", ModelSettingsTests.doubtful())
    try folder.write("notes.txt", "not a model")
    try folder.write("exported/model.tflite", try Self.embedded("coarse"))
    let photo = try RunningInference.bytes()
    let path = folder.path
    try await RunningInference.run(
      [],
      {
        $0.modelFolder = path
        $0.watchInterval = .milliseconds(10)
      }
    ) { server in
      #expect(server.service.registry.models.map(\.name) == ["a", "exported"])
      let bad = try server.send("POST", "/v1/detect?model=bad", photo)
      #expect(bad.status == 500 && bad.errorCode == "model-failed")
      let why = try #require(try Self.model(server, "doubtful")["lastError"] as? [String: Any])
      #expect((why["remedy"] as? String)?.contains("'normalize' for the model") == true)
      #expect(try server.send("POST", "/v1/label?model=exported", photo).status == 200)
      #expect(try server.send("POST", "/v1/detect?model=notes", photo).status == 404)
      try Self.put(folder, try Self.embedded("detector80"), "later.tflite")
      blockUntil { (try? Self.model(server, "later"))?["state"] as? String == "ready" }
      #expect(try server.send("POST", "/v1/detect?model=later", photo).status == 200)
      try Self.put(folder, try Self.embedded("localizer"), "bad.tflite")
      blockUntil { (try? Self.model(server, "bad"))?["state"] as? String == "ready" }
      #expect(try server.send("POST", "/v1/detect?model=bad", photo).status == 200)
    }
  }

  @Test func `a model is removed with its file, but not with a folder that is unreadable for a while`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("served/a.tflite", try Self.embedded("localizer"))
    try folder.write("served/b.tflite", try Self.embedded("localizer"))
    try folder.write("served/given.tflite", try Self.embedded("localizer"))
    let photo = try RunningInference.bytes()
    let given = ModelEntry(name: "given", source: .file(folder["served/given.tflite"]))
    let warnings = Mutex(0)
    let logger = Logger(label: "test") { label in
      JSONLogHandler(label: label, now: { "now" }) { line in
        if line.contains("model folder not read") { warnings.withLock { $0 += 1 } }
      }
    }
    try await RunningInference.run(
      [given],
      {
        $0.modelFolder = folder["served"]
        $0.watchInterval = .milliseconds(10)
      }, logger: logger
    ) { server in
      #expect(unsafe rename(folder["served"], folder["away"]) == 0)
      blockUntil { warnings.withLock(\.self) > 0 }
      Thread.sleep(forTimeInterval: 0.2)
      #expect(warnings.withLock(\.self) == 1)
      #expect(try server.send("POST", "/v1/detect?model=b", photo).status == 200)
      #expect(unsafe rename(folder["away"], folder["served"]) == 0)
      for name in ["b", "given"] { #expect(unsafe unlink(folder["served/\(name).tflite"]) == 0) }
      blockUntil { (try? server.send("GET", "/v1/models/b").status) == 404 }
      let refused = try server.send("POST", "/v1/detect?model=b", photo)
      #expect(refused.status == 404 && refused.errorCode == "model-unknown")
      for name in ["a", "given"] {
        #expect(try server.send("POST", "/v1/detect?model=\(name)", photo).status == 200)
      }
      try Self.put(folder, try Self.embedded("localizer"), "served/b.tflite")
      blockUntil { (try? server.send("POST", "/v1/detect?model=b", photo).status) == 200 }
      #expect(try server.send("POST", "/v1/detect?model=b", photo).status == 200)
    }
  }

  @Test func `a model is unloaded and loaded, and a file has no version to roll back to`() async throws {
    let photo = try RunningInference.bytes()
    try await RunningInference.run { server in
      #expect(try server.send("POST", "/v1/models/default:unload").status == 200)
      let refused = try server.send("POST", "/v1/detect", photo)
      #expect(refused.status == 404 && refused.errorCode == "model-unloaded")
      #expect(try Self.model(server, "default")["state"] as? String == "absent")
      #expect(try server.send("POST", "/v1/models/default:load").status == 200)
      #expect(try server.send("POST", "/v1/detect", photo).status == 200)
      #expect(try Self.model(server, "default")["version"] as? Int == 1)
      let back = try server.send("POST", "/v1/models/default:rollback")
      #expect(back.status == 400 && back.errorCode == "option-invalid")
      #expect(try server.send("POST", "/v1/models/nothing:load").status == 404)
    }
  }

  @Test func `a load of the same bytes keeps the version, and of other bytes has the next one`() async throws
  {
    let folder = try TemporaryFolder()
    let photo = try RunningInference.bytes()
    try folder.write("m.tflite", Self.embedded("localizer"))
    let entry = ModelEntry(name: "m", source: .file(folder["m.tflite"]))
    let steps: [(name: String?, calls: [String], version: Int)] = [
      (nil, ["load"], 1), (nil, ["load", "load"], 1), (nil, ["unload", "load"], 1),
      // Another file with the same bytes.
      ("localizer", ["load"], 1), ("detector80", ["load"], 2), (nil, ["load"], 2),
      // The bytes of an earlier version.
      ("localizer", ["load"], 3),
    ]
    try await RunningInference.run([entry], { $0.watchInterval = .seconds(3_600) }) { server in
      for (index, step) in steps.enumerated() {
        if let name = step.name { try Self.put(folder, Self.embedded(name), "m.tflite") }
        for call in step.calls {
          #expect(try server.send("POST", "/v1/models/m:\(call)").status == 200, "step \(index)")
        }
        #expect(try Self.model(server, "m")["version"] as? Int == step.version, "step \(index)")
        for version in 1...3 {
          let status = version == step.version ? 200 : 404
          #expect(try server.send("GET", "/v1/models/m/versions/\(version)").status == status)
        }
        #expect(try server.send("POST", "/m/\(step.version)", photo).status == 200, "step \(index)")
      }
    }
  }

  @Test func `a folder without models is not served`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    await #expect(throws: (any Error).self) {
      try await RunningInference.run([], { $0.modelFolder = path }) { _ in }
    }
    await #expect(throws: (any Error).self) {
      try await RunningInference.run([], { $0.modelFolder = path + "/missing" }) { _ in }
    }
  }
}
#endif
