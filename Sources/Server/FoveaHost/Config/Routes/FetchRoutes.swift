// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The routes of apps: fetching their configuration, and listening for new versions.
///
/// **Source:** the Remote Config clients of Firebase for iOS, Android and Web.
struct FetchRoutes: Sendable {
  let config: ConfigService
  let access: Access
  let metrics: Metrics

  /// The duration of a stream; clients wait for 330 seconds, and connect again.
  static let longestStream = Duration.seconds(300)

  func add(to router: Router<HTTPContext>) {
    router.post("v1/projects/{project}/namespaces/firebase:fetch", use: fetch)
    router.post("v1/projects/{project}/namespaces/firebase:streamFetchInvalidations", use: stream)
  }

  @Sendable private func fetch(_ request: Request, _ context: HTTPContext) async throws -> Response {
    try access.app(request, RequestQuery(of: request), context, takesNumber: true)
    let unit = try ConfigUnit(
      await request.bytes(upTo: ClientFields.limits.body), coding: request.headers[.contentEncoding])
    let current = config.board.current(.apps)
    let steps = current.work.steps(for: unit) + config.assignmentWork().steps(for: unit)
    return try await config.evaluate(steps, for: context) { answer(request, unit, current) }
  }

  private func answer(_ request: Request, _ unit: ConfigUnit, _ current: ConfigBoard.Current) -> Response {
    let found = FetchedConfig(
      current.template, for: unit, at: config.now(), assignments: config.assignments(unit))
    let answer = ConfigReply(
      found, version: current.number, project: config.tag.number, appName: unit.appName,
      ifNoneMatch: request.headers[.ifNoneMatch])
    metrics.add("fovea_host_config_fetches_total", ["state", answer.state.rawValue])
    return GzipAnswer.response(
      to: request, Array(answer.body.utf8),
      headers: [
        .contentType: "application/json; charset=utf-8", .eTag: answer.tag,
        .cacheControl: "private, no-cache",
      ])
  }

  /// Reports versions newer than the app's, in small objects sent as soon as they occur.
  @Sendable private func stream(_ request: Request, _ context: HTTPContext) async throws -> Response {
    let query = try RequestQuery(of: request)
    try access.app(request, query, context, takesNumber: true)
    let fields = try ClientFields(
      await request.bytes(upTo: ClientFields.limits.body), coding: request.headers[.contentEncoding])
    let text = try fields.text("lastKnownVersionNumber", "last_known_version_number")
    guard let known = text.map({ Int($0) }) ?? 0 else {
      throw ClientFields.refused("The field 'lastKnownVersionNumber' is not a whole number")
    }
    guard let (id, numbers) = config.board.changes(for: context.client) else {
      throw Refusal(
        .serviceUnavailable, "unavailable", "Too many apps wait for new versions, at this address or in all",
        remedy: "Fetch the configuration, and try again later"
      ).retrying(after: 60)
    }
    let board = config.board
    let body = ResponseBody(contentLength: nil) { writer in
      defer { board.leave(id) }
      let forget = context.whenPeerGoes { board.leave(id) }
      defer { forget() }
      let limit = Task {
        if (try? await Task.sleep(for: FetchRoutes.longestStream)) != nil { board.leave(id) }
      }
      defer { limit.cancel() }
      // The head of the response is sent with the first bytes.
      try await writer.write(ByteBuffer(string: "\n"))
      var last = known
      let current = board.current(.apps).number
      if current > last {
        try await writer.write(FetchRoutes.message(current))
        last = current
      }
      for await number in numbers where number > last {
        // A key that was revoked, or has expired, gets no further version.
        guard (try? access.app(request, query, context, takesNumber: true)) != nil else { break }
        try await writer.write(FetchRoutes.message(number))
        last = number
      }
      // A connection being closed accepts no more data.
      try Task.checkCancellation()
      try await writer.finish(nil)
    }
    let headers: HTTPFields = [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
    return Response(status: .ok, headers: headers, body: body)
  }

  /// Small and flat: Apple's client extracts its text from the first `{` to the next `}`.
  private static func message(_ number: Int) -> ByteBuffer {
    ByteBuffer(string: "{\"latestTemplateVersionNumber\": \"\(number)\"}\n")
  }
}
#endif
