// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The routes for the commands of `fovea host config`.
struct NativeConfigRoutes: Sendable {
  let config: ConfigService
  let access: Access

  func add(to router: Router<HTTPContext>) {
    let group = router.group("v1/host/projects/{project}/config/{namespace}")
    group.get(use: get)
    group.put(use: publish)
    group.get("versions", use: versions)
    group.post("rollback", use: rollBack)
    group.get("defaults", use: defaults)
  }

  @Sendable private func get(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .readConfig, query: ["version"])
    let namespace = try ConfigRoutes.namespace(context)
    let number = try ConfigRoutes.number(RequestQuery(of: request)["version"])
    let found = try await config.template(namespace, version: number, for: identity.name)
    return try await written(for: identity) {
      .json(headers: [.eTag: found.tag]) { json in
        json.members(
          of: HostAnswer.Config(
            namespace: namespace.rawValue, version: found.version?.number ?? 0, etag: found.tag))
        json.member("template") { json in
          found.template.write(to: &json)
          if let version = found.version { json.member("version") { version.write(to: &$0) } }
        }
      }
    }
  }

  @Sendable private func publish(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .publishConfig, query: ["validateOnly"])
    let namespace = try ConfigRoutes.namespace(context)
    let dryRun = try RequestQuery(of: request)["validateOnly"] ?? "false"
    guard ["true", "false"].contains(dryRun) else {
      throw HostError.invalidArgument("'validateOnly' is true or false")
    }
    let basis = try config.basis(ifMatch: request.headers[.ifMatch])
    let template = try await access.bodies.read(
      request, of: identity.name, upTo: ConfigRoutes.bodyLimit
    ) { bytes in try ConfigService.ReadTemplate(bytes, namespace) }
    try access.recheck(identity)
    let before = config.board.current(namespace).template
    let made = try await config.publish(
      template, basis: basis, isDryRun: dryRun == "true", actor: identity.name)
    return try await answer(made, namespace, before, for: identity)
  }

  @Sendable private func rollBack(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .publishConfig)
    let namespace = try ConfigRoutes.namespace(context)
    let number = try await access.bodies.checked(HostRequest.Version.self, request, of: identity).version
    try access.recheck(identity)
    let before = config.board.current(namespace).template
    let made = try await config.rollBack(namespace, to: number, actor: identity.name)
    return try await answer(made, namespace, before, for: identity)
  }

  /// Compares templates and writes answers, which may be long, in turn for their reader.
  private func written(
    for identity: Identity, _ answer: @escaping @Sendable () -> Response
  ) async throws(HostError) -> Response {
    try await access.bodies.run(on: ConfigRoutes.bodyLimit, of: identity.name) { () throws(HostError) in
      answer()
    }
  }

  private func answer(
    _ made: ConfigService.Published, _ namespace: ConfigNamespace, _ before: ConfigTemplate,
    for identity: Identity
  ) async throws(HostError) -> Response {
    try await written(for: identity) {
      let change = ConfigChange(from: before, to: made.template)
      let reply = HostAnswer.PublishedConfig(
        namespace: namespace.rawValue, version: made.version?.number ?? 0, etag: made.tag,
        parameters: change.parameters, conditions: change.conditions, groups: change.groups,
        reordered: change.hasOtherOrder, notes: made.template.notes)
      return .json(headers: [.eTag: made.tag]) { $0.members(of: reply) }
    }
  }

  @Sendable private func versions(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.native(request, context, scope: .readConfig)
    let all = try await config.store.configVersions(
      project: config.project, namespace: ConfigRoutes.namespace(context))
    let versions = all.map { HostAnswer.ConfigVersions.Version($0) }
    return .json { $0.members(of: HostAnswer.ConfigVersions(versions: versions)) }
  }

  @Sendable private func defaults(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let identity = try await access.native(request, context, scope: .readConfig, query: ["format"])
    let name = try RequestQuery(of: request)["format"] ?? "JSON"
    guard let format = ConfigDefaults(rawValue: name.uppercased()) else {
      throw HostError(.invalid, "format: JSON, PLIST or XML is expected", remedy: "Send one of the three")
    }
    let found = try await config.template(ConfigRoutes.namespace(context), for: identity.name)
    return try await written(for: identity) {
      let text = format.text(of: found.template)
      let file = HostAnswer.ConfigDefaultsFile(format: format.rawValue, text: text)
      return .json { $0.members(of: file) }
    }
  }
}
#endif
