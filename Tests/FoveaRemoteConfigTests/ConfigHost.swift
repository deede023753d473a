// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaModels
import FoveaTesting
import Synchronization

@testable import FoveaRemoteConfig

/// A configuration and event host with scripted responses, and a device with its own clock.
final class ConfigHost: Sendable {
  struct State {
    var entries = ["model_name": "birds"]
    var version = 1
    var tag = "etag-1"
    /// Replaces the right response to a fetch.
    var reply: LoopbackServer.Reply?
    /// The data that the stream sends before it stalls.
    var stream = ""
    /// Replaces the right response to events.
    var eventReply: LoopbackServer.Reply?
    var events: [String] = []
    var now = 1_000_000.0
  }

  // The server's closure retains the state, and not the host.
  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  let server: LoopbackServer
  let folder = try? TemporaryFolder()
  private let shared: Shared

  init() throws {
    let shared = Shared()
    self.shared = shared
    server = try LoopbackServer { request, _ in Self.answer(request, shared) }
  }

  deinit { server.stop() }

  @discardableResult
  func with<Value: Sendable>(_ body: (inout State) -> Value) -> Value { shared.state.withLock { body(&$0) } }

  private static func answer(_ request: LoopbackServer.Request, _ shared: Shared) -> LoopbackServer.Reply {
    shared.state.withLock { state in
      guard request.target.hasSuffix("?key=secret") else { return .init(status: 400) }
      if request.target.contains("/events:batch") {
        if let reply = state.eventReply { return reply }
        let body = String(decoding: request.body, as: UTF8.self)
        state.events.append(body)
        let count = body.split(separator: "\"kind\"").count - 1
        return .init(body: Array("{\"counted\":\(count),\"repeated\":0,\"refused\":[]}".utf8))
      }
      if request.target.contains(":streamFetchInvalidations") {
        var reply = LoopbackServer.Reply(body: Array((state.stream + " ").utf8))
        reply.announcedLength = -1
        reply.stallAfter = state.stream.utf8.count
        return reply
      }
      if let reply = state.reply { return reply }
      let headers = ["ETag": state.tag]
      guard request.headers["if-none-match"] != state.tag else {
        return .init(headers: headers, body: Array("{\"state\":\"NO_CHANGE\"}".utf8))
      }
      var json = JSONText()
      json.object { json in
        json.member("state", "UPDATE")
        json.member("templateVersion", String(state.version))
        json.member("entries") { json in
          for (key, value) in state.entries {
            json.key(named: key)
            json.string(value)
          }
        }
        json.member("experimentDescriptions", ["birds-2"]) { json, id in
          json.object { json in
            json.member("experimentId", id)
            json.member("variantId", "b")
            json.member("affectedParameterKeys", ["model_name"])
          }
        }
      }
      return .init(headers: headers, body: Array(json.text.utf8))
    }
  }

  var path: String { folder?.path ?? "" }
  var address: String { server.url + "/v1beta2/projects/demo/models/{name}:download?key=secret" }

  var surroundings: Surroundings {
    var surroundings = Surroundings()
    surroundings.proxy = ""
    surroundings.random = { 0.5 }
    surroundings.now = { [shared] in shared.state.withLock { $0.now } }
    return surroundings
  }

  /// A new start of the app.
  func config(_ change: (inout HostedConfig.Options) -> Void = { _ in }) throws -> HostedConfig {
    var options = HostedConfig.Options()
    change(&options)
    return try HostedConfig(host: HostAddress(address), folder: path, options: options, in: surroundings)
  }

  func log(user: String? = nil, pause: Duration? = nil) throws -> ExperimentLog {
    try ExperimentLog(
      host: HostAddress(address), folder: path, user: user, pause: pause, in: surroundings)
  }

  var fetches: [LoopbackServer.Request] { server.requests.filter { $0.target.contains("firebase:fetch") } }
}
