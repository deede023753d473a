// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The routes of Firebase's API for the template: read, publish, versions, rollback, defaults.
///
/// **Source:** Google's Firebase Remote Config API, v1.
struct ConfigRoutes: Sendable {
  let config: ConfigService
  let access: Access

  /// The maximum size in bytes of a published template: its values, their keys and the JSON syntax.
  static let bodyLimit = 4 << 20

  func add(to router: Router<HTTPContext>) {
    for path in ["v1/projects/{project}", "v1/projects/{project}/namespaces/{namespace}"] {
      let group = router.group(RouterPath(path))
      group.get("remoteConfig", use: get)
      group.put("remoteConfig", use: publish)
      group.get("remoteConfig:listVersions", use: versions)
      group.post("remoteConfig:rollback", use: rollBack)
      group.get("remoteConfig:downloadDefaults", use: defaults)
    }
    router.get("v1/projects/{project}/namespaces/{namespace}/serverRemoteConfig", use: forServers)
  }

  /// Returns the namespace in the path; the namespace of apps if there is none.
  static func namespace(_ context: HTTPContext) throws(HostError) -> ConfigNamespace {
    guard let name = context.parameters.get("namespace") else { return .apps }
    guard let namespace = ConfigNamespace(rawValue: name) else {
      throw HostError(
        .notFound, "There is no namespace \(HostName.shown(name))",
        remedy: "Use firebase or firebase-server")
    }
    return namespace
  }

  /// Returns the version of a request; nil if there is none.
  static func number(_ text: String?) throws(HostError) -> Int? {
    guard let text else { return nil }
    guard let number = Int(text), number > 0, number < 1_000_000_000 else {
      throw HostError(.invalid, "versionNumber: a whole number from 1 is expected", remedy: "Send a number")
    }
    return number
  }

  /// Returns the value of a parameter that is true or false; false if it is missing.
  private static func flag(_ text: String?) throws(HostError) -> Bool {
    switch text {
    case "true": return true
    case "false", nil: return false
    default: throw .invalidArgument("'validate_only' is true or false")
    }
  }

  /// Writes a template, which may be long, in turn for its reader.
  private func response(
    _ request: Request, to identity: Identity, tag: String, _ json: @escaping @Sendable () -> String
  ) async throws(HostError) -> Response {
    try await access.bodies.run(on: ConfigRoutes.bodyLimit, of: identity.name) { () throws(HostError) in
      GzipAnswer.response(
        to: request, Array((json() + "\n").utf8),
        headers: [
          .contentType: "application/json; charset=utf-8", .eTag: tag, .cacheControl: "private, no-cache",
        ])
    }
  }

  @Sendable private func get(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.google(
      request, context, scope: .readConfig, query: ["versionNumber", "version_number"])
    let number = try ConfigRoutes.number(RequestQuery(of: request)["versionNumber", "version_number"])
    let found = try await config.template(
      ConfigRoutes.namespace(context), version: number, for: identity.name)
    return try await response(request, to: identity, tag: found.tag) { found.json }
  }

  @Sendable private func forServers(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.google(request, context, scope: .readConfig)
    guard try ConfigRoutes.namespace(context) == .servers else { throw HostError.entityNotFound }
    let found = try await config.template(.servers, for: identity.name)
    return try await response(request, to: identity, tag: found.tag) {
      found.template.json(found.version, forServers: true)
    }
  }

  @Sendable private func publish(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.google(
      request, context, scope: .publishConfig, query: ["validateOnly", "validate_only"])
    let namespace = try ConfigRoutes.namespace(context)
    let isDryRun = try ConfigRoutes.flag(RequestQuery(of: request)["validate_only", "validateOnly"])
    let body = try await ReceivedBody(request, upTo: ConfigRoutes.bodyLimit)
    try access.recheck(identity)
    return try await ConfigRefusal.telling(context) {
      let basis = try config.basis(ifMatch: request.headers[.ifMatch])
      let template = try await body.read(by: access.bodies, of: identity.name) { bytes in
        try ConfigService.ReadTemplate(bytes, namespace)
      }
      try access.recheck(identity)
      let made = try await config.publish(template, basis: basis, isDryRun: isDryRun, actor: identity.name)
      return try await response(request, to: identity, tag: made.tag) { made.json }
    }
  }

  @Sendable private func rollBack(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.google(request, context, scope: .publishConfig)
    let bytes = try await request.content(upTo: 4 << 10)
    try access.recheck(identity)
    return try await ConfigRefusal.telling(context) {
      let made = try await config.rollBack(
        ConfigRoutes.namespace(context), to: ConfigRoutes.version(in: bytes), actor: identity.name)
      return try await response(request, to: identity, tag: made.tag) { made.json }
    }
  }

  /// Returns the number of `{"versionNumber": "5"}`.
  private static func version(in bytes: [UInt8]) throws(HostError) -> Int {
    let body = try JSONValue(strict: bytes, name: "The body")
    if case .object(let members) = body {
      let names = ["versionNumber", "version_number"]
      if let unknown = members.first(where: { !names.contains($0.key) }) {
        throw HostError.unknownName("The body has no member", unknown.key, among: names)
      }
    }
    let number: Int?
    switch body["versionNumber"] ?? body["version_number"] {
    case .string(let text)?, .number(let text)?: number = try ConfigRoutes.number(text)
    default: number = nil
    }
    guard let number else {
      throw HostError(
        .invalid, "versionNumber: a whole number from 1 is expected",
        remedy: "Send {\"versionNumber\": \"5\"}")
    }
    return number
  }

  @Sendable private func defaults(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.google(request, context, scope: .readConfig, query: ["format"])
    let name = try RequestQuery(of: request)["format"] ?? "JSON"
    guard let format = ConfigDefaults(rawValue: name.uppercased()) else {
      throw HostError(.invalid, "format: JSON, PLIST or XML is expected", remedy: "Send one of the three")
    }
    let found = try await config.template(ConfigRoutes.namespace(context), for: identity.name)
    return try await access.bodies.run(on: ConfigRoutes.bodyLimit, of: identity.name) {
      () throws(HostError) in
      GzipAnswer.response(
        to: request, Array(format.text(of: found.template).utf8),
        headers: [.contentType: format.contentType, .eTag: found.tag])
    }
  }
}
#endif
