// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import Synchronization

/// A server that publishes versions of one model like a model host: information with the SHA-256, and files
/// whose addresses may have expired.
///
/// Written only from the protocol, so that a client is not tested with the host it was written next to.
public final class PublishingServer: Sendable {
  /// A version of the model.
  public struct Version: Sendable, Hashable {
    /// Its number.
    public var number: Int
    /// The model.
    public var bytes: [UInt8]
    /// The SHA-256 of the model.
    public let sha256: String

    /// Creates a version.
    public init(_ number: Int, _ bytes: [UInt8]) {
      self.number = number
      self.bytes = bytes
      sha256 = SHA256.hexadecimal(of: bytes.span)
    }
  }

  /// A version for some of the installations.
  public struct Choice: Sendable {
    /// Installations with values below this one.
    public var below: Int
    /// Their version.
    public var version: Version
    /// The variant; nil for a rollout.
    public var variant: String?

    /// Creates a choice.
    public init(below: Int, version: Version, variant: String? = nil) {
      self.below = below
      self.version = version
      self.variant = variant
    }
  }

  /// The host's state, and its failures.
  public struct State: Sendable {
    /// The version for everyone; nil for a model that is not published.
    public var stable: Version?
    /// The versions for some instead.
    public var choices: [Choice] = []
    /// The seed of the assignment.
    public var seed = "seed"
    /// The number of the next requests for a file that find the address expired.
    public var expired = 0
    /// The response to the next requests for information, instead of the right one.
    public var information: LoopbackServer.Reply?
    /// Changes the response to a request for a file.
    public var change: (@Sendable (LoopbackServer.Request, inout LoopbackServer.Reply) -> Void)?
    /// The bodies of the received reports.
    public var reports: [String] = []
    fileprivate var addresses = 0
  }

  /// The secret in the host's address.
  public static let key = "key-that-is-secret"
  /// The prefix of the signatures in the addresses of files.
  public static let signature = "sig-that-is-secret"

  /// The server, which counts its requests.
  public let server: LoopbackServer
  private let state: Shared

  private final class Shared: Sendable {
    let state: Mutex<State>
    init(_ state: State) { self.state = Mutex(state) }
  }

  /// Starts a server.
  /// - Parameter stable: The first version.
  /// - Throws: If no port is free.
  public init(_ stable: Version?) throws {
    let state = Shared(State(stable: stable))
    self.state = state
    server = try LoopbackServer { request, _ in Self.answer(request, state) }
  }

  deinit { server.stop() }

  /// The text of the host's address.
  public var address: String {
    server.url + "/v1beta2/projects/demo/models/{name}:download?key=" + Self.key
  }

  /// Reads or changes the host's state.
  @discardableResult
  public func with<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
    state.state.withLock { body(&$0) }
  }

  /// The requests for files so far.
  public var fileRequests: [LoopbackServer.Request] {
    server.requests.filter { $0.target.hasPrefix("/files/") }
  }

  /// The requests for information so far.
  public var informationRequests: [LoopbackServer.Request] {
    server.requests.filter { $0.target.hasPrefix("/v1beta2/") }
  }

  private static func answer(_ request: LoopbackServer.Request, _ shared: Shared) -> LoopbackServer.Reply {
    if request.method == "POST" {
      shared.state.withLock { $0.reports.append(String(decoding: request.body, as: UTF8.self)) }
      return .init(body: Array("{}".utf8))
    }
    let host = request.headers["host"] ?? ""
    return request.target.hasPrefix("/files/")
      ? file(request, shared) : information(request, "http://" + host, shared)
  }

  private static func information(
    _ request: LoopbackServer.Request, _ url: String, _ shared: Shared
  ) -> LoopbackServer.Reply {
    shared.state.withLock { state in
      if let reply = state.information { return reply }
      guard let stable = state.stable, request.target.contains("key=" + key) else {
        let message = "Requested entity was not found."
        let body = "{\"error\":{\"code\":404,\"message\":\"\(message)\",\"status\":\"NOT_FOUND\"}}"
        return .init(status: 404, body: Array(body.utf8))
      }
      let headers = ["ETag": stable.sha256, "Content-Type": "application/json"]
      if state.choices.isEmpty, request.headers["if-none-match"] == stable.sha256 {
        return .init(status: 304, headers: headers)
      }
      func offer(_ version: Version, _ more: String = "") -> String {
        state.addresses += 1
        return "\"downloadUri\":\"\(url)/files/\(version.sha256)?exp=1&sig=\(signature)\(state.addresses)\","
          + "\"expireTime\":\"2026-11-22T10:00:00.000Z\",\"sizeBytes\":\"\(version.bytes.count)\","
          + "\"sha256\":\"\(version.sha256)\",\"version\":\"\(version.number)\"" + more
      }
      var text = "{\(offer(stable, ",\"modelFormat\":\"TFLITE\""))"
      if !state.choices.isEmpty {
        let items = state.choices.map { choice in
          let variant = choice.variant.map { ",\"variant\":\"\($0)\"" } ?? ""
          return "{\"below\":\(choice.below),\(offer(choice.version, variant))}"
        }
        text += ",\"choices\":{\"seed\":\"\(state.seed)\",\"unit\":\"installation\",\"items\":["
        text += items.joined(separator: ",") + "]}"
      }
      return .init(headers: headers, body: Array((text + "}").utf8))
    }
  }

  private static func file(_ request: LoopbackServer.Request, _ shared: Shared) -> LoopbackServer.Reply {
    let (version, isExpired, change) = shared.state.withLock { state in
      let all = [state.stable].compactMap { $0 } + state.choices.map(\.version)
      let version = all.first { request.target.contains($0.sha256) }
      let isExpired = state.expired > 0
      if isExpired { state.expired -= 1 }
      return (version, isExpired, state.change)
    }
    guard !isExpired else { return .init(status: 400) }
    guard let version else { return .init(status: 404) }
    var reply = LoopbackServer.Reply.file(version.bytes, for: request, tag: version.sha256)
    change?(request, &reply)
    return reply
  }
}
