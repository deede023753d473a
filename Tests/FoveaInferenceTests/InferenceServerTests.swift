// SPDX-License-Identifier: Apache-2.0
#if Server
import Fovea
import FoveaCore
import FoveaHTTP
import FoveaTesting
import FoveaVideo
import Logging
import Synchronization
import Testing

@testable import FoveaInference

@Suite struct InferenceServerTests {
  @Test func `a program's own server answers, with the first model if none is named`() async throws {
    var options = InferenceServer.Options()
    options.port = 0
    options.slots = 1
    options.deadline = .seconds(60)
    options.handlesSignals = false
    let server = try await InferenceServer(
      models: ["rooms": .embedded(.classifier), "things": .embedded(.detector)], options: options)
    let place = Mutex<Int?>(nil)
    let task = Task { try await server.run { port in place.withLock { $0 = port } } }
    defer { task.cancel() }
    try await waitUntil("the server listens") { place.withLock { $0 != nil } }
    let port = place.withLock { $0 ?? 0 }
    let photo = try RunningInference.bytes()
    let answers = try await onOwnThread {
      try ["/v1/label", "/v1/detect?model=things"].map { target in
        try RunningInference.send(to: port, "POST", target, photo)
      }
    }
    #expect(answers.map(\.status) == [200, 200])
    #expect(answers[0].body.contains("Home good") && answers[1].body.contains("cup"))
  }

  #if Video
  @Test func `a server whose port is taken neither connects to its broker nor opens its sources`()
    async throws
  {
    let broker = try LoopbackServer { _, _ in LoopbackServer.Reply() }
    defer { broker.stop() }
    let address = String(broker.url.dropFirst("http://".count))
    let port = try #require(ListenAddress(address)?.port)
    var settings = MQTTSettings()
    settings.url = "mqtt://\(address)"
    var options = InferenceOptions()
    options.takesSignals = false
    options.sources = [StreamEntry(name: "gate", source: .stream("\(broker.url)/gate"))]
    options.mqtt = try MQTTOptions(settings, for: options.sources)
    // The broker itself is the program that listens there.
    options.server.port = port
    let service = try await InferenceService(
      [.embedded], options: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let error = await #expect(throws: ServerError.self) { try await service.run { _ in } }
    #expect(error?.message.contains("the address is in use") == true, "\(error?.message ?? "")")
    // Connections are accepted in their order: any of the server's comes before this one.
    let own = try await onOwnThread { try RunningInference.send(to: port, "GET", "/", []).status }
    #expect(own == 200 && broker.connections == 1)
  }
  #endif

  private struct Wrong: Sendable, CustomTestStringConvertible {
    let name: String
    var models: KeyValuePairs<String, InferenceServer.ModelOrigin> = ["default": .embedded(.detector)]
    var change: @Sendable (inout InferenceServer.Options) -> Void = { _ in }
    let code: FoveaCode
    var testDescription: String { name }
  }

  @Test func `a model that cannot be served is an error before the server listens`() async throws {
    let rows = [
      Wrong(name: "no model", models: [:], code: .optionInvalid),
      Wrong(name: "an empty name", models: ["": .embedded(.detector)], code: .optionInvalid),
      Wrong(name: "a name with two slashes", models: ["a/b/c": .embedded(.detector)], code: .optionInvalid),
      Wrong(
        name: "one name twice", models: ["a": .embedded(.detector), "a": .embedded(.detector)],
        code: .optionInvalid),
      Wrong(name: "no keys for other machines", change: { $0.host = "0.0.0.0" }, code: .optionInvalid),
      Wrong(name: "no slots", change: { $0.slots = 0 }, code: .optionInvalid),
      Wrong(name: "a port of 65536", change: { $0.port = 65_536 }, code: .optionInvalid),
      Wrong(name: "no time", change: { $0.deadline = .zero }, code: .optionInvalid),
      Wrong(
        name: "no file of keys", change: { $0.keys = "/no/such/keys.json" },
        code: FoveaCode(rawValue: "keys-invalid")),
    ]
    for row in rows {
      var options = InferenceServer.Options()
      options.slots = 1
      row.change(&options)
      let error = await #expect(throws: FoveaError.self, "\(row.name)") {
        try await InferenceServer(models: row.models, options: options)
      }
      #expect(error?.code == row.code, "\(row.name): \(error?.message ?? "")")
    }
    await #expect(throws: FoveaError.self) {
      try await InferenceServer(models: ["a": .file("/no/such/file.tflite")])
    }
  }
}
#endif
