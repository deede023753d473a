// SPDX-License-Identifier: Apache-2.0
#if Server
  internal import FoveaHTTP
  internal import FoveaHost
  internal import Hummingbird

  /// What was changed on the host, and by whom.
  struct AuditPages: Sendable {
    let frame: PageFrame
    let models: ModelService

    private static let limit = 200

    func add(to router: Router<HTTPContext>) {
      frame.get("console/audit", router) { call in
        try call.session.identity.require(.readModels)
        let entries = try await models.metadata.audit(
          project: models.project, model: nil, limit: AuditPages.limit)
        var page = Page(template: "audit", title: "Audit")
        page.values["entries"] = entries.map { EntryRow($0) }
        page.values["isCut"] = entries.count == AuditPages.limit
        page.values["count"] = AuditPages.limit
        return try frame.answer(page, call, .audit)
      }
    }
  }
#endif
