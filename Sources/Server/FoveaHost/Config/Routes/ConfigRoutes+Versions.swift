// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

extension ConfigRoutes {
  /// Lists versions without their templates, latest first, a page at a time.
  @Sendable func versions(_ request: Request, _ context: HTTPContext) async throws -> Response {
    _ = try await access.google(request, context, scope: .readConfig, query: VersionFilter.parameters)
    let filter = try VersionFilter(RequestQuery(of: request))
    let all = try await config.store.configVersions(
      project: config.project, namespace: ConfigRoutes.namespace(context))
    let found = all.filter(filter.takes)
    let page = found.prefix(filter.size)
    return .json { json in
      if !page.isEmpty {
        json.member("versions", Array(page)) { json, version in
          json.object { version.write(to: &$0) }
        }
      }
      // The next page starts after the last version of this page, even if new versions are added.
      if found.count > page.count, let last = page.last { json.member("nextPageToken", String(last.number)) }
    }
  }
}

/// The filter of a list of versions.
struct VersionFilter: Equatable {
  /// The parameters, in both spellings of Google's APIs.
  static let parameters = [
    "endTime", "end_time", "endVersionNumber", "end_version_number", "pageSize", "page_size", "pageToken",
    "page_token", "startTime", "start_time",
  ]

  /// The maximum number of versions of a page.
  var size = ConfigLimits.versions
  private var below = Int.max
  private var upTo = Int.max
  private var from: Timestamp?
  private var until: Timestamp?

  /// - Throws: `invalid`, with the name of the parameter.
  init(_ query: RequestQuery) throws(HostError) {
    if let text = query["pageSize", "page_size"] {
      guard let size = Int(text), size >= 0 else {
        throw Self.invalid("pageSize", "a whole number from 1 to \(ConfigLimits.versions)")
      }
      self.size = size == 0 ? ConfigLimits.versions : min(size, ConfigLimits.versions)
    }
    if let token = query["pageToken", "page_token"], !token.isEmpty {
      guard let number = Int(token), number > 0 else {
        throw Self.invalid("pageToken", "the nextPageToken of the previous page")
      }
      below = number
    }
    if let text = query["endVersionNumber", "end_version_number"] {
      upTo = try ConfigRoutes.number(text) ?? Int.max
    }
    from = try Self.time(query, "startTime", "start_time")
    until = try Self.time(query, "endTime", "end_time")
  }

  func takes(_ version: ConfigVersion) -> Bool {
    version.number < below && version.number <= upTo && from.map { version.time >= $0 } ?? true
      && until.map { version.time < $0 } ?? true
  }

  private static func time(
    _ query: RequestQuery, _ name: String, _ other: String
  ) throws(HostError) -> Timestamp? {
    guard let text = query[name, other] else { return nil }
    guard let time = Timestamp(text: text) else { throw invalid(name, "a time such as 2026-11-22T19:16:23Z") }
    return time
  }

  private static func invalid(_ name: String, _ what: String) -> HostError {
    HostError(.invalid, "\(name): \(what) is expected", remedy: "Correct the query")
  }
}
#endif
