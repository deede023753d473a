// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The operations on templates of both APIs, Firebase's and the host's own.
package struct ConfigService: Sendable {
  package let models: ModelService
  /// Returns an app's variants of experiments, at most one for each.
  package let assignments: @Sendable (ConfigUnit) -> [ParameterAssignment]
  /// Returns the work of ``assignments``.
  package let assignmentWork: @Sendable () -> FetchWork
  package let board = ConfigBoard()
  /// The evaluations that take longer than a moment.
  package let evaluations = TurnQueue(of: .fetches, limits: .processors)
  package let tag: ConfigTag

  package init(
    models: ModelService, assignmentWork: @escaping @Sendable () -> FetchWork,
    assignments: @escaping @Sendable (ConfigUnit) -> [ParameterAssignment]
  ) {
    self.models = models
    self.assignmentWork = assignmentWork
    self.assignments = assignments
    tag = ConfigTag(project: models.project)
  }

  package var project: String { models.project }
  package var store: MetadataStore { models.metadata }
  var bodies: BodyWork { models.bodies }
  package var now: Now { models.now }

  /// Reads the templates in force into memory.
  package func start() async throws(HostError) {
    try enter(await store.currentConfigs(project: project))
  }

  /// Reads stored templates into memory.
  func enter(_ configs: [StoredConfig]) throws(HostError) {
    for config in configs { board.enter(try ConfigService.template(config), config.version) }
  }

  /// A template that has been read and checked, with its text: reading and writing it may take long.
  package struct ReadTemplate: Sendable {
    package let template: ConfigTemplate
    fileprivate let text: String

    /// - Throws: `invalid` with the path of a member.
    package init(_ bytes: [UInt8], _ namespace: ConfigNamespace) throws(HostError) {
      template = try ConfigTemplate(bytes, namespace: namespace)
      text = template.json(nil)
    }
  }

  /// A published template.
  package struct Published: Sendable {
    package let template: ConfigTemplate
    package let version: ConfigVersion?
    package let tag: String

    /// The template in the form of Google's API.
    package var json: String { template.json(version) }
  }

  /// Returns the template in force, or an earlier version.
  /// - Parameters:
  ///   - namespace: The namespace.
  ///   - version: The number of the version; nil for the one in force.
  ///   - actor: The name of the key that asks.
  /// - Returns: The template.
  /// - Throws: `not-found` for a version that does not exist, or not any more; `rate-limited` for a key at
  ///   its limit of long requests.
  package func template(
    _ namespace: ConfigNamespace, version: Int? = nil, for actor: String
  ) async throws(HostError) -> Published {
    let current = board.current(namespace)
    guard let version, version != current.number else {
      return Published(template: current.template, version: current.version, tag: tag.text(current.number))
    }
    let config = try await stored(namespace, version)
    return Published(
      template: try await template(of: config, for: actor), version: config.version, tag: tag.text(version))
  }

  /// The version that a publish replaces.
  package enum Basis: Sendable, Equatable {
    case version(Int)
    /// Any version.
    case any
  }

  /// Returns the version that the header `If-Match` allows.
  /// - Throws: `etag-mismatch` without the header, and for a tag of another project.
  package func basis(ifMatch: String?) throws(HostError) -> Basis {
    guard let ifMatch, !ifMatch.isEmpty else {
      throw HostError(
        .etagMismatch, "The request has no If-Match",
        remedy: "Send the ETag of the template that was read, or '*' to replace any version")
    }
    if ifMatch == "*" { return .any }
    guard let version = tag.version(of: ifMatch) else {
      throw HostError(
        .etagMismatch, "If-Match is not the ETag of a template of this project",
        remedy: "Read the template, and send the ETag of the response")
    }
    return .version(version)
  }

  /// Publishes a template, or with `isDryRun` only checks it.
  /// - Throws: `etag-mismatch`; `unavailable`, `disk-full`.
  package func publish(
    _ new: ReadTemplate, basis: Basis, isDryRun: Bool, actor: String
  ) async throws(HostError) -> Published {
    let (template, namespace) = (new.template, new.template.namespace)
    if isDryRun {
      let current = board.current(namespace).number
      if case .version(let expected) = basis, expected != current {
        throw HostError.configChanged(expected: expected, current: current)
      }
      return Published(template: template, version: nil, tag: tag.text(0))
    }
    var draft = ConfigDraft(
      project: project, namespace: namespace, text: new.text,
      kind: basis == .any ? .forced : .update, description: template.description)
    if case .version(let expected) = basis { draft.expected = expected }
    return try await publish(draft, template, action: "config.publish", actor: actor)
  }

  /// Publishes an earlier version again, as a new version.
  /// - Parameters:
  ///   - namespace: The namespace.
  ///   - number: The number of the earlier version.
  ///   - seen: The version in force that the new one is to replace; nil for any.
  ///   - actor: The name of the key.
  /// - Returns: The new version.
  /// - Throws: `not-found` for an unknown version; `invalid` for the version in force; `conflict` or
  ///   `etag-mismatch` if another version is in force.
  package func rollBack(
    _ namespace: ConfigNamespace, to number: Int, seen: SeenRevision? = nil, actor: String
  ) async throws(HostError) -> Published {
    let current = board.current(namespace).number
    try seen?.check(SeenRevision(template: current), "Remote Config")
    let (former, template) = try await former(namespace, number, for: actor)
    var draft = ConfigDraft(
      project: project, namespace: namespace, text: former.text, kind: .rollback,
      description: "Rollback to version \(number)", rollbackSource: number)
    if seen != nil { draft.expected = current }
    return try await publish(draft, template, action: "config.rollback", actor: actor)
  }

  /// Returns an earlier version that may be published again.
  /// - Throws: As ``rollBack(_:to:seen:actor:)``, without `conflict` and `etag-mismatch`.
  func former(
    _ namespace: ConfigNamespace, _ number: Int, for actor: String
  ) async throws(HostError) -> (config: StoredConfig, template: ConfigTemplate) {
    let config = try await stored(namespace, number)
    guard number < board.current(namespace).number else {
      throw HostError(
        .invalid, "Version \(number) is already in force", remedy: "Choose an earlier version of the history")
    }
    return (config, try await template(of: config, for: actor))
  }

  private func publish(
    _ draft: ConfigDraft, _ template: ConfigTemplate, action: String, actor: String
  ) async throws(HostError) -> Published {
    let entry = AuditEntry(time: now(), actor: actor, action: action, project: project)
    let stored = try await store.publish(draft, entry: entry)
    board.enter(template, stored.version)
    return Published(template: template, version: stored.version, tag: tag.text(stored.version.number))
  }

  private func stored(_ namespace: ConfigNamespace, _ number: Int) async throws(HostError) -> StoredConfig {
    guard let config = try await store.config(project: project, namespace: namespace, number: number) else {
      throw HostError(
        .notFound, "There is no version \(number) of the template",
        remedy: "List the versions that are kept", cause: WireText.entityNotFound)
    }
    return config
  }

  private func template(
    of config: StoredConfig, for actor: String
  ) async throws(HostError) -> ConfigTemplate {
    try await bodies.run(on: config.text.utf8.count, of: actor) { () throws(HostError) in
      try ConfigService.template(config)
    }
  }

  /// The database holds only templates that were checked when they arrived.
  private static func template(_ config: StoredConfig) throws(HostError) -> ConfigTemplate {
    do throws(HostError) {
      return try ConfigTemplate(Array(config.text.utf8), namespace: config.namespace, isStored: true)
    } catch {
      throw HostError(
        .unavailable,
        "Version \(config.version.number) of the template cannot be read: \(error.message)",
        remedy: "Use the fovea-server that wrote it, or a newer one", cause: error)
    }
  }
}
#endif
