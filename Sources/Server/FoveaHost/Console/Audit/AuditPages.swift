// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The changes on the host and their authors: page by page, filtered, and as a file.
struct AuditPages: Sendable {
  let frame: PageFrame
  let models: ModelService

  /// The number of rows of a page.
  static let pageCount = 100
  /// The number of rows that an export reads at a time.
  private static let chunkCount = 1_000

  func add(to router: Router<HTTPContext>) {
    frame.get("console/audit", router, show)
    frame.get("console/audit.csv", router, export)
  }

  @Sendable private func show(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.readModels)
    let filter = AuditFilter(call.fields)
    let query = try filter.query(models.project)
    let store = models.metadata
    let entries = try await store.audit(query, limit: Self.pageCount)
    var page = Page(template: "audit", title: "Audit")
    page.values["entries"] = entries.map { EntryRow($0) }
    page.values["hasEntries"] = !entries.isEmpty
    var whole = query
    (whole.below, whole.above) = (nil, nil)
    let count = try await store.auditCount(whole)
    page.values["count"] = count == 1 ? "1 change" : "\(DecimalText.grouped(count)) changes"
    page.values["filter"] = filter.values(actions: try await store.auditActions(project: models.project))
    page.values["export"] = "/console/audit.csv" + filter.text(where: nil)
    page.values["older"] = try await neighbour(entries.last, filter, query) { query, number in
      (query.below, query.above) = (number, nil)
    }
    page.values["newer"] = try await neighbour(entries.first, filter, query) { query, number in
      (query.below, query.above) = (nil, number)
    }
    return try await frame.answer(page, call, .audit)
  }

  /// Returns the URL of the rows on one side of a row; nil if there are none.
  private func neighbour(
    _ entry: AuditEntry?, _ filter: AuditFilter, _ query: AuditQuery,
    _ move: (inout AuditQuery, Int64) -> Void
  ) async throws(HostError) -> String? {
    guard let entry else { return nil }
    var side = query
    move(&side, entry.number)
    guard try await !models.metadata.audit(side, limit: 1).isEmpty else { return nil }
    let name = side.below == nil ? "above" : "below"
    return "/console/audit" + filter.text(where: (name, entry.number))
  }

  /// Exports all rows of a filter as CSV, read in chunks, so that a long log needs no more memory than a
  /// short one.
  @Sendable private func export(_ call: ConsoleCall) async throws -> Response {
    try call.session.identity.require(.readModels)
    var query = try AuditFilter(call.fields).query(models.project)
    (query.below, query.above) = (nil, nil)
    let first = query
    let store = models.metadata
    var headers = PageFrame.headers
    headers[.contentType] = "text/csv; charset=utf-8"
    headers[.cacheControl] = "no-store"
    headers[.contentDisposition] = "attachment; filename=\"audit-\(models.project).csv\""
    let body = ResponseBody { writer in
      var query = first
      try await writer.write(ByteBuffer(string: AuditCSV.head))
      while true {
        let entries = try await store.audit(query, limit: Self.chunkCount)
        try await writer.write(ByteBuffer(string: entries.map(AuditCSV.line).joined()))
        guard entries.count == Self.chunkCount, let last = entries.last else { break }
        query.below = last.number
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}
#endif
