// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The Remote Config template: an editor that checks and shows differences, its versions, and the rollback.
struct ConfigPages: Sendable {
  let frame: PageFrame
  let config: ConfigService
  let experiments: ExperimentService

  private static let path = "/console/config"
  /// The number of versions in the list.
  private static let shownVersions = 50

  func add(to router: Router<HTTPContext>) {
    frame.get("console/config", router, edit)
    frame.post("console/config", router, publish)
    frame.post("console/config/check", router) { call in
      try await check(call) { namespace, text, basis in
        try await editor(call, namespace, text: text, basis: basis, isChecked: true)
      }
    }
    frame.post("console/config/ask", router) { call in
      try await check(call) { namespace, text, basis in
        try await askPublish(call, namespace, text: text, basis: basis)
      }
    }
    frame.get("console/config/versions/{version}", router, show)
    frame.get("console/config/versions/{version}/rollback", router, askRollBack)
    frame.post("console/config/versions/{version}/rollback", router, rollBack)
  }

  // MARK: Editor

  @Sendable private func edit(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.readConfig)
    let namespace = try Self.namespace(call)
    let current = config.board.current(namespace)
    let text = try await frame.work(for: call) { () throws(HostError) in
      try Self.text(of: current.template)
    }
    return try await editor(call, namespace, text: text, basis: current.number)
  }

  /// Publishes the content of the editor; returns its page, or the editor with the error.
  @Sendable private func publish(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishConfig)
    let (namespace, text, basis) = try await sent(call)
    do {
      return try await frame.once(call) {
        let template = try await read(text, namespace, call)
        if basis == config.board.current(namespace).number {
          try await checkEffect(namespace, of: template.template, call)
        }
        _ = try await config.publish(
          template, basis: .version(basis), isDryRun: false, actor: call.session.identity.name)
        return frame.redirect(Self.link(namespace), done: .configPublished)
      }
    } catch let error as HostError {
      return try await editor(call, namespace, text: text, basis: basis, problem: error)
    }
  }

  /// Checks the content of the editor; returns the next page, or the editor with the error.
  private func check(
    _ call: ConsoleCall,
    _ next: (_ namespace: ConfigNamespace, _ text: String, _ basis: Int) async throws -> Response
  ) async throws -> Response {
    try call.session.identity.require(.publishConfig)
    let (namespace, text, basis) = try await sent(call)
    do throws(HostError) {
      let template = try await read(text, namespace, call)
      _ = try await config.publish(
        template, basis: .version(basis), isDryRun: true, actor: call.session.identity.name)
    } catch {
      // The editor keeps the text.
      return try await editor(call, namespace, text: text, basis: basis, problem: error)
    }
    return try await next(namespace, text, basis)
  }

  private func askPublish(
    _ call: ConsoleCall, _ namespace: ConfigNamespace, text: String, basis: Int
  ) async throws -> Response {
    let current = config.board.current(namespace)
    let new = try await read(text, namespace, call).template
    let effect = try await effect(namespace, of: new, call)
    var page = Page.confirmation(
      "Publish the template?", "It is published as version \(current.number + 1). \(effect)",
      button: "Publish", action: Self.path,
      fields: [
        "namespace": namespace.rawValue, "basis": String(basis), "template": text, "effect": effect,
      ],
      back: Self.link(namespace))
    page.values["difference"] = try await difference(from: current.template, to: new, call)
    // Unlike a link, it keeps the text.
    page.values["edit"] = Self.path + "/check"
    return try await frame.answer(page, call, .config)
  }

  private func editor(
    _ call: ConsoleCall, _ namespace: ConfigNamespace, text: String, basis: Int,
    problem: HostError? = nil, isChecked: Bool = false
  ) async throws -> Response {
    let current = config.board.current(namespace)
    var page = Page(
      template: "config", title: "Remote Config", status: problem.map { $0.refusal.status } ?? .ok)
    page.values["namespaces"] = ConfigNamespace.allCases.map { other -> [String: any Sendable] in
      ["name": Self.name(other), "link": Self.link(other), "current": other == namespace]
    }
    page.values["namespace"] = namespace.rawValue
    page.values["published"] = current.version.map(Self.published)
    page.values["text"] = text
    page.values["basis"] = basis
    page.values["mayPublish"] = call.may(.publishConfig)
    if let problem {
      page.values["problem"] = Page.sentences(problem.message, problem.remedy.description)
      if [.etagMismatch, .conflict].contains(problem.code) { page.values["newer"] = Self.link(namespace) }
    }
    if isChecked {
      page.values["checked"] = try await difference(
        from: current.template, to: read(text, namespace, call).template, call)
    }
    let versions = try await config.store.configVersions(project: config.project, namespace: namespace)
    page.values["hasVersions"] = !versions.isEmpty
    page.values["versions"] = versions.prefix(Self.shownVersions).map { version -> [String: any Sendable] in
      [
        "number": version.number, "link": Self.link(namespace, version.number),
        "created": Moment(version.time), "author": version.author,
        "shortAuthor": KeyName.short(version.author), "description": version.description ?? "",
        "isCurrent": version.number == current.number,
      ]
    }
    return try await frame.answer(page, call, .config)
  }

  private func read(
    _ text: String, _ namespace: ConfigNamespace, _ call: ConsoleCall
  ) async throws(HostError) -> ConfigService.ReadTemplate {
    try await frame.bodies.run(on: text.utf8.count, of: call.session.identity.name) {
      () throws(HostError) in
      try ConfigService.ReadTemplate(Array(text.utf8), namespace)
    }
  }

  // MARK: Versions

  @Sendable private func show(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.readConfig)
    let namespace = try Self.namespace(call)
    let number = try Self.number(call)
    let shown = try await config.template(
      namespace, version: number, for: call.session.identity.name)
    let current = config.board.current(namespace)
    var page = Page(template: "config-version", title: "Version \(number) of Remote Config")
    page.values["back"] = Self.link(namespace)
    page.values["name"] = Self.name(namespace)
    page.values["number"] = number
    page.values["published"] = shown.version.map(Self.published)
    page.values["text"] = try await frame.work(for: call) { () throws(HostError) in
      try Self.text(of: shown.template)
    }
    page.values["isFormer"] = number != current.number
    page.values["difference"] = try await difference(from: current.template, to: shown.template, call)
    page.values["canRollBack"] = number < current.number && call.may(.publishConfig)
    page.values["rollback"] = Self.link(namespace, number, "/rollback")
    return try await frame.answer(page, call, .config)
  }

  @Sendable private func askRollBack(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishConfig)
    let namespace = try Self.namespace(call)
    let number = try Self.number(call)
    let former = try await config.former(namespace, number, for: call.session.identity.name)
    let current = config.board.current(namespace).number
    let effect = try await effect(namespace, of: former.template, call)
    let page = Page.confirmation(
      "Roll back to version \(number)?",
      "The template of version \(number) is published again, as version \(current + 1). \(effect)",
      button: "Roll back", action: Self.link(namespace, number, "/rollback"), fields: ["effect": effect],
      seen: SeenRevision(template: current), back: Self.link(namespace))
    return try await frame.answer(page, call, .config)
  }

  @Sendable private func rollBack(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.publishConfig)
    // The form's URL has the namespace; its body has the session's token.
    let namespace = try Self.namespace(call, RequestQuery(of: call.request))
    let number = try Self.number(call)
    try call.seen.check(SeenRevision(template: config.board.current(namespace).number), "Remote Config")
    let former = try await config.former(namespace, number, for: call.session.identity.name)
    try await checkEffect(namespace, of: former.template, call)
    _ = try await config.rollBack(
      namespace, to: number, seen: call.seen, actor: call.session.identity.name)
    return frame.redirect(Self.link(namespace), done: .configRolledBack)
  }

  // MARK: Fields

  private func sent(
    _ call: ConsoleCall
  ) async throws(HostError) -> (namespace: ConfigNamespace, text: String, basis: Int) {
    let namespace = try Self.namespace(call)
    let text = try await frame.work(for: call) { () throws(HostError) in try call.field("template") }
    return (namespace, text, try call.number("basis"))
  }

  private static func namespace(
    _ call: ConsoleCall, _ fields: RequestQuery? = nil
  ) throws(HostError) -> ConfigNamespace {
    guard let text = (fields ?? call.fields)["namespace"] else { return .apps }
    guard let namespace = ConfigNamespace(rawValue: text) else {
      throw HostError(
        .invalid, "There is no namespace '\(text.prefix(40))'",
        remedy: "Open Remote Config in the navigation")
    }
    return namespace
  }

  private static func number(_ call: ConsoleCall) throws(HostError) -> Int {
    guard let number = Int(call.path("version")), number > 0 else {
      throw HostError(.notFound, "There is no such version", remedy: "Open the list of versions")
    }
    return number
  }

  // MARK: Strings

  private static func link(
    _ namespace: ConfigNamespace, _ version: Int? = nil, _ action: String = ""
  ) -> String {
    path + (version.map { "/versions/\($0)\(action)" } ?? "")
      + (namespace == .apps ? "" : "?namespace=\(namespace.rawValue)")
  }

  private static func name(_ namespace: ConfigNamespace) -> String {
    switch namespace {
    case .apps: "Apps"
    case .servers: "Servers"
    }
  }

  /// Returns when a template reaches apps or servers, and which experiments set its changed parameters.
  private func effect(
    _ namespace: ConfigNamespace, of new: ConfigTemplate, _ call: ConsoleCall
  ) async throws(HostError) -> String {
    let (old, all) = (config.board.current(namespace).template, experiments.all)
    let kept = try await frame.work(for: call) { () throws(HostError) in
      namespace == .apps ? ConfigSummary.kept(ConfigChange(from: old, to: new), by: all) : ""
    }
    return "\(Self.name(namespace)) get it with their next fetch.\(kept)"
  }

  /// Refuses a form whose confirmation has stated another effect; one without an effect has no confirmation.
  private func checkEffect(
    _ namespace: ConfigNamespace, of new: ConfigTemplate, _ call: ConsoleCall
  ) async throws(HostError) {
    guard let stated = call.fields["effect"] else { return }
    let effect = try await effect(namespace, of: new, call)
    guard stated != effect else { return }
    throw HostError(
      .conflict,
      "An experiment has changed since the page was opened, and nothing is published. Now the form means:"
        + " \(effect.dropLast())",
      remedy: "Send the form again, and read which values apps keep")
  }

  /// Returns the number, time and author of a version.
  private static func published(_ version: ConfigVersion) -> [String: any Sendable] {
    [
      "number": version.number, "time": Moment(version.time), "author": KeyName.short(version.author),
      "description": version.description ?? "",
    ]
  }

  /// Returns the template for editing.
  private static func text(of template: ConfigTemplate) throws(HostError) -> String {
    try JSONValue(strict: Array(template.json(nil).utf8), name: "The template").page
  }

  /// Returns the changes of a template, as sentences and line by line.
  private func difference(
    from old: ConfigTemplate, to new: ConfigTemplate, _ call: ConsoleCall
  ) async throws(HostError) -> [String: any Sendable] {
    try await frame.work(for: call) { () throws(HostError) -> [String: any Sendable] in
      let sentences = ConfigSummary.sentences(ConfigChange(from: old, to: new))
      let lines = TextDifference(from: try Self.text(of: old), to: try Self.text(of: new)).lines
      return [
        "summary": sentences, "isTooLong": lines == nil,
        "lines": (lines ?? []).map { line -> [String: any Sendable] in
          ["text": line.text, "isAdded": line.kind == .added, "isRemoved": line.kind == .removed]
        },
      ]
    }
  }
}
#endif
