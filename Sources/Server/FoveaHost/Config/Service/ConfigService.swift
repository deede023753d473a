// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// What both surfaces, Firebase's and the host's own, do with templates.
package struct ConfigService: Sendable {
  package let project: String
  package let store: any ConfigStore
  /// What decides about variants of experiments.
  package let draw: any ExperimentDraw
  package let now: Now
  package let board = ConfigBoard()
  package let tag: ConfigTag

  package init(
    project: String, store: any ConfigStore, draw: any ExperimentDraw = NoExperiments(),
    now: @escaping Now
  ) {
    self.project = project
    self.store = store
    self.draw = draw
    self.now = now
    tag = ConfigTag(project: project)
  }

  /// Reads the templates in force into memory.
  package func start() async throws(HostError) {
    for config in try await store.currentConfigs(project: project) {
      board.enter(try ConfigService.template(config), config.version)
    }
  }

  /// A template that was published.
  package struct Published: Sendable {
    package let template: ConfigTemplate
    package let version: ConfigVersion?
    package let tag: String

    /// The template as Google's API shows it.
    package var json: String { template.json(version) }
  }

  /// The template in force, or a former version.
  /// - Throws: `not-found` for a version that is not there, or not any more.
  package func template(
    _ namespace: ConfigNamespace, version: Int? = nil
  ) async throws(HostError) -> Published {
    let current = board.current(namespace)
    guard let version, version != current.number else {
      return Published(template: current.template, version: current.version, tag: tag.text(current.number))
    }
    let config = try await stored(namespace, version)
    return Published(
      template: try ConfigService.template(config), version: config.version, tag: tag.text(version))
  }

  /// Which version a publish is made for.
  package enum Basis: Sendable, Equatable {
    case version(Int)
    /// Whatever is in force.
    case any
  }

  /// What the header `If-Match` allows.
  /// - Throws: `etag-mismatch` without the header, and for a tag of another project.
  package func basis(ifMatch: String?) throws(HostError) -> Basis {
    guard let ifMatch, !ifMatch.isEmpty else {
      throw HostError(
        .etagMismatch, "The request has no If-Match",
        remedy: "Send the ETag of the template that was read, or '*' to replace whatever is in force")
    }
    if ifMatch == "*" { return .any }
    guard let version = tag.version(of: ifMatch) else {
      throw HostError(
        .etagMismatch, "If-Match is not the ETag of a template of this project",
        remedy: "Read the template, and send the ETag of the answer")
    }
    return .version(version)
  }

  /// Publishes a template, or with `isDryRun` only checks it.
  /// - Throws: `invalid` with the path of a member; `etag-mismatch`.
  package func publish(
    _ bytes: [UInt8], _ namespace: ConfigNamespace, basis: Basis, isDryRun: Bool, actor: String
  ) async throws(HostError) -> Published {
    let template = try ConfigTemplate(bytes, namespace: namespace)
    if isDryRun {
      let current = board.current(namespace).number
      if case .version(let expected) = basis, expected != current {
        throw HostError.configChanged(expected: expected, current: current)
      }
      return Published(template: template, version: nil, tag: tag.text(0))
    }
    var draft = ConfigDraft(
      project: project, namespace: namespace, text: template.json(nil),
      kind: basis == .any ? .forced : .update, description: template.description)
    if case .version(let expected) = basis { draft.expected = expected }
    return try await publish(draft, template, action: "config.publish", actor: actor)
  }

  /// Publishes a former version again, as a new one.
  /// - Throws: `not-found` for a version that is not there; `invalid` for the one in force.
  package func rollBack(
    _ namespace: ConfigNamespace, to number: Int, actor: String
  ) async throws(HostError) -> Published {
    let current = board.current(namespace).number
    let former = try await stored(namespace, number)
    guard number < current else {
      throw HostError(
        .invalid, "Version \(number) is in force already", remedy: "Name an earlier version of the history")
    }
    let template = try ConfigService.template(former)
    let draft = ConfigDraft(
      project: project, namespace: namespace, text: former.text, kind: .rollback,
      description: "Rollback to version \(number)", rollbackSource: number)
    return try await publish(draft, template, action: "config.rollback", actor: actor)
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

  /// What is in the database was checked when it came.
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
