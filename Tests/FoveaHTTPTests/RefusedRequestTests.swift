// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
import Hummingbird
import Logging
import Synchronization
import Testing

@testable import FoveaHTTP

@Suite struct RefusedRequestTests {
  /// Collects log messages.
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
    var logger: Logger {
      Logger(label: "test") { [self] label in
        JSONLogHandler(
          label: label, now: { "now" }, write: { line in self.all.withLock { $0.append(line) } })
      }
    }
  }

  private static let refusal = Refusal(.unauthorized, "not-authorized", "No key", remedy: "Send one")

  @Test(
    arguments: [
      (.all, false, 1), (.all, true, 0), (.slow, false, 0), (.none, false, 0),
    ] as [(AccessLog, Bool, Int)])
  func `a request rejected by its head has one log line like all others`(
    _ accessLog: AccessLog, _ isHandled: Bool, _ count: Int
  ) {
    let lines = Lines()
    let request = RefusedRequest(
      refusal: Self.refusal, id: "abc", head: nil, peer: "192.0.2.1", isHandled: isHandled)
    request.log(to: lines.logger, accessLog, .none)
    #expect(lines.all.withLock { $0.count } == count)
  }

  /// Methods and paths, and the pattern of their route.
  static let routes: [(method: HTTPRequest.Method, path: String, pattern: String?)] = [
    (.post, "/v1/detect", "/v1/detect"), (.post, "/v1/detect?key=secret", "/v1/detect"),
    (.get, "/v1/models/bird", "/v1/models/{model}"), (.head, "/v1/models/bird", "/v1/models/{model}"),
    (.get, "/v1/models/all", "/v1/models/all"), (.post, "/project/3", "/{project}/{version}"),
    (.get, "/v1/detect", nil), (.post, "/v1/models", "/{project}/{version}"), (.post, "/a/b/c", nil),
    (.post, "", nil), (.post, "/", nil),
  ]

  @Test(arguments: routes)
  func `its log line has the pattern of its route`(
    _ method: HTTPRequest.Method, _ path: String, _ pattern: String?
  ) {
    let router = Router(context: HTTPContext.self)
    for path in ["v1/models/{model}", "v1/models/all"] {
      router.get(RouterPath(path)) { _, _ in Response(status: .ok) }
    }
    for path in ["{project}/{version}", "v1/detect"] {
      router.post(RouterPath(path)) { _, _ in Response(status: .ok) }
    }
    let table = RouteTable()
    table.take(router)
    let head = HTTPRequest(method: method, scheme: "http", authority: "a", path: path)
    #expect(table.pattern(of: head) == pattern)
    let lines = Lines()
    let request = RefusedRequest(
      refusal: Self.refusal, id: "abc", head: head, route: pattern, peer: "192.0.2.1", isHandled: false)
    request.log(to: lines.logger, .all, .none)
    let text = lines.all.withLock { $0.joined() }
    #expect(text.contains(#""http.route": "\#(pattern ?? "unknown")""#), "\(text)")
  }

  @Test func `its log line has no path, and the caller named by a trusted proxy`() {
    var head = HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/v1/detect?key=secret")
    head.headerFields[.xForwardedFor] = "198.51.100.7"
    let lines = Lines()
    let request = RefusedRequest(
      refusal: Self.refusal, id: "abc", head: head, peer: "192.0.2.1", isHandled: false)
    request.log(to: lines.logger, .all, .any)
    request.log(to: lines.logger, .all, .none)
    let text = lines.all.withLock { $0 }
    #expect(text.count == 2 && text.allSatisfy { $0.contains("abc") && $0.contains("401") })
    #expect(text.allSatisfy { $0.contains("POST") && !$0.contains("secret") && !$0.contains("detect") })
    #expect(text.map { $0.contains("198.51.100.7") } == [true, false])
  }
}
#endif
