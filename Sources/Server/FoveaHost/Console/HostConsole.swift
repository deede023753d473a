// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import FoveaHTTP
package import Hummingbird

/// The pages under `/console`: the content of a host, and the functions of its commands, in a browser.
///
/// The host renders the pages, which need no script. Anyone who signs in with a key has that key's
/// permissions.
package struct HostConsole: Sendable {
  private let host: HostService
  private let frame: PageFrame

  /// - Throws: `internal` if a template is not well formed.
  package init(of host: HostService) throws(HostError) {
    self.host = host
    let tokens = SessionTokens(
      ring: host.ring, authority: host.authority, now: host.models.now,
      isSecure: host.options.url.hasPrefix("https:"))
    frame = PageFrame(
      project: host.options.project, tokens: tokens, templates: try PageTemplates(),
      bodies: host.models.bodies)
  }

  /// Adds the pages to the host's routes.
  package func add(to router: Router<HTTPContext>) {
    let frame = frame
    let files = frame.templates.files
    router.get("console") { _, _ in frame.redirect("/console/models") }
    router.get("console/assets/{file}") { request, context in
      let name = context.parameters.get("file")
      guard let file = files.first(where: { $0.name == name }) else {
        throw Refusal(
          .notFound, "route-unknown", "The console has no such file", remedy: "Open the console at /console"
        )
      }
      return file.response(to: request, headers: PageFrame.headers)
    }
    SignInPages(frame: frame).add(to: router)
    ModelPages(frame: frame, models: host.models, loads: host.loads, experiments: host.experiments)
      .add(to: router)
    PublishForm(frame: frame, models: host.models, experiments: host.experiments).add(to: router)
    ConfigPages(frame: frame, config: host.config, experiments: host.experiments).add(to: router)
    let config = host.config.board
    ExperimentPages(frame: frame, experiments: host.experiments, config: config).add(to: router)
    ExperimentChanges(frame: frame, experiments: host.experiments, config: config).add(to: router)
    KeyPages(frame: frame, keys: host.keys, now: host.models.now).add(to: router)
    AuditPages(frame: frame, models: host.models).add(to: router)
    // Added last, so that only requests without a route pass through it.
    router.add(middleware: UnknownPages(frame: frame, refusal: host.refusal(of:)))
  }
}
#endif
