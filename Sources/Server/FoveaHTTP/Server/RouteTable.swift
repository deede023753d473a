// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes
package import Hummingbird
import Synchronization

/// The routes of a server, for replies to requests that match none.
package final class RouteTable: Sendable {
  private struct Route: Sendable {
    let method: HTTPRequest.Method
    let segments: [Substring]

    /// Whether it starts with a parameter, so that it would match any path of its length.
    var isOpen: Bool { segments.first?.first == "{" }

    /// The number of segments with a parameter.
    var parameters: Int { segments.count { $0.contains("{") } }
  }

  private struct State: Sendable {
    var routes: [Route] = []
    /// The methods of the paths in ``RouteTable/folder``.
    var folderMethods: [HTTPRequest.Method] = []
  }

  private let state = Mutex(State())
  /// The list of routes, for requests without a similar route.
  private let list: String
  /// The only first segment with which a path of the routes `/{name}/**` is one of the server's.
  private let folder: String?

  /// Creates an empty table.
  /// - Parameters:
  ///   - list: The advice for requests without a similar route.
  ///   - folder: The first segment of all paths that the server has below routes such as `/{bucket}/**`; nil
  ///     without such routes.
  package init(list: String = "See the list of routes in the documentation", folder: String? = nil) {
    self.list = list
    self.folder = folder
  }

  /// Stores the routes of a complete router.
  package func take(_ router: Router<HTTPContext>) {
    let all = router.routes.map { route in
      Route(method: route.method, segments: RouteTable.segments(route.path.description[...]))
    }
    state.withLock { state in
      // A catch-all route gives no information about a path outside the folder.
      state.routes = all.filter { !$0.segments.contains("**") }
      state.folderMethods = all.filter { $0.isOpen && $0.segments.dropFirst() == ["**"] }.map(\.method)
    }
  }

  /// Returns the pattern of the route for a request, as the log has it; nil if no route matches.
  ///
  /// Of several, the one with the fewest parameters is the router's.
  package func pattern(of head: HTTPRequest) -> String? {
    let path = (head.path ?? "").prefix { $0 != "?" }
    let segments = RouteTable.segments(path)
    let method = head.method == .head ? .get : head.method
    let matching = state.withLock { state in
      state.routes.filter { $0.method == method && RouteTable.fits($0.segments, segments) }
    }
    let best = matching.min { $0.parameters < $1.parameters }
    return best.map { "/" + $0.segments.joined(separator: "/") }
  }

  /// Returns the refusal for a request of which only the head is known; nil if a route matches.
  package func missing(_ method: HTTPRequest.Method, _ path: String) -> Refusal? {
    let segments = RouteTable.segments(path[...])
    let isTaken = state.withLock { state in
      state.routes.contains { $0.method == method && RouteTable.fits($0.segments, segments) }
    }
    return isTaken ? nil : refusal(method, path)
  }

  /// Returns the refusal for a request without a route: 405 with the methods of its path, otherwise 404 with
  /// the most similar route.
  package func refusal(_ method: HTTPRequest.Method, _ path: String) -> Refusal {
    let state = state.withLock { $0 }
    let routes = state.routes.filter { !$0.isOpen }
    let segments = RouteTable.segments(path[...])
    let isInFolder = folder != nil && segments.count > 1 && PercentText.decode(segments[0]) == folder
    let known =
      routes.filter { RouteTable.fits($0.segments, segments) }.map(\.method)
      + (isInFolder ? state.folderMethods : [])
    let methods = known.map(\.rawValue)
    // A route of this method has refused the path itself.
    guard methods.isEmpty || known.contains(method) else {
      let all = Set(methods + (methods.contains("GET") ? ["HEAD"] : []))
      let allowed = all.sorted().joined(separator: ", ")
      var refusal = Refusal(
        .methodNotAllowed, "method-not-allowed", "This route does not support \(method.rawValue.prefix(20))",
        remedy: "Use \(allowed)")
      refusal.headers[.allow] = allowed
      return refusal
    }
    return Refusal(
      .notFound, "route-unknown", "There is no such route",
      remedy: RouteTable.nearest(to: segments, among: routes).map { "Did you mean \($0)?" }
        ?? list)
  }

  /// Returns the route most similar to a path, with the path's own names for the route's parameters.
  ///
  /// Each segment must be similar to the route's, and the first of several must be equal, since a route of
  /// another family does not help. A single segment may be merely similar if no route starts with it and it
  /// has more than two letters, since shorter ones are similar to every short name.
  private static func nearest(to path: [Substring], among routes: [Route]) -> String? {
    guard (1...12).contains(path.count), let first = path.first else { return nil }
    let isMisspelt = path.count == 1 && first.count > 2 && !routes.contains { $0.segments.first == first }
    let family = routes.filter { $0.segments.first == first || isMisspelt }
    let words = Set(routes.flatMap(\.segments))
    let candidates = family.filter { isNear($0.segments, path, words) }.map { route in
      let segments = route.segments.enumerated().map { index, segment in
        index < path.count ? named(segment, after: path[index]) : String(segment)
      }
      return (method: route.method.rawValue, path: "/" + segments.joined(separator: "/"))
    }
    let wanted = "/" + path.joined(separator: "/")
    guard let near = NameDistance.nearest(to: wanted, among: candidates.map(\.path)).first,
      let route = candidates.first(where: { $0.path == near })
    else { return nil }
    return "\(route.method) \(String(near.prefix(200)).printable)"
  }

  /// Returns whether each segment of a path equals a route's or is similar.
  ///
  /// A parameter in braces matches any name after the route's own words. After a misspelt segment, only one
  /// letter may differ, and the name must not be a word of a route: `list` in `/v1/module/list` is not a
  /// model, but part of a route that the server does not have.
  private static func isNear(_ route: [Substring], _ path: [Substring], _ words: Set<Substring>) -> Bool {
    guard route.count == path.count else { return false }
    var changes = 0
    for (segment, given) in zip(route, path) {
      let name = named(segment, after: given)
      // The name before a colon is equal, and would make any two words after it similar.
      let (wanted, found) =
        segment.first == "{" && (given.contains(":") || name.contains(":"))
        ? (given.drop { $0 != ":" }, name.drop { $0 != ":" }) : (given, name[...])
      guard name == given || !NameDistance.nearest(to: String(wanted), among: [String(found)]).isEmpty
      else {
        return false
      }
      if segment.first == "{" {
        let isWord = words.contains(given.prefix { $0 != ":" })
        guard changes == 0 || changes == 1 && !isWord else { return false }
      } else {
        changes += NameDistance.changes(from: given, to: name)
      }
    }
    return true
  }

  /// Returns a route's segment with the path's name instead of the braces.
  private static func named(_ route: Substring, after segment: Substring) -> String {
    guard route.first == "{", let close = route.lastIndex(of: "}") else { return String(route) }
    return String(segment.prefix { $0 != ":" }) + String(route[route.index(after: close)...])
  }

  private static func segments(_ path: Substring) -> [Substring] { path.split(separator: "/") }

  /// Returns whether a path, possibly with a query, matches a route: `/models/{project}/{model}.tflite`.
  package static func fits(_ route: String, _ path: String) -> Bool {
    fits(segments(route[...]), segments(path.prefix { $0 != "?" }))
  }

  private static func fits(_ route: [Substring], _ path: [Substring]) -> Bool {
    route.count == path.count && zip(route, path).allSatisfy { fits($0, $1) }
  }

  /// Returns whether a segment matches a route's: the same text, or a name between the strings before and
  /// after the braces.
  private static func fits(_ route: Substring, _ segment: Substring) -> Bool {
    guard let open = route.firstIndex(of: "{"), let close = route.lastIndex(of: "}") else {
      return route == segment
    }
    // The text after a colon is a call, not part of a name.
    if route.last == "}", segment.contains(":") { return false }
    let (prefix, suffix) = (route[..<open], route[route.index(after: close)...])
    return segment.count > prefix.count + suffix.count && segment.hasPrefix(prefix)
      && segment.hasSuffix(suffix)
  }
}
#endif
