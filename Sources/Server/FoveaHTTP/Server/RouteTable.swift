// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes
package import Hummingbird
import Synchronization

/// The routes of a server, for replies to requests that none of them takes.
package final class RouteTable: Sendable {
  private struct Route: Sendable {
    let method: HTTPRequest.Method
    let segments: [Substring]

    /// Whether it begins with a name, so that it would fit whatever path has its length.
    var isOpen: Bool { segments.first?.first == "{" }
  }

  private let routes = Mutex<[Route]>([])
  /// Where all routes stand, for those who have asked for one that is near to none.
  private let list: String

  package init(list: String = "See the list of routes in the documentation") { self.list = list }

  /// Takes the routes of a router that is complete.
  package func take(_ router: Router<HTTPContext>) {
    let new = router.routes.map { route in
      Route(method: route.method, segments: RouteTable.segments(route.path.description[...]))
    }
    // One for whatever no other takes says nothing about a path.
    .filter { !$0.segments.contains("**") }
    routes.withLock { $0 = new }
  }

  /// The same for a request of which only the head is known; nil where a route takes it.
  package func missing(_ method: HTTPRequest.Method, _ path: String) -> Refusal? {
    let segments = RouteTable.segments(path[...])
    let isTaken = routes.withLock { routes in
      routes.contains { $0.method == method && RouteTable.fits($0.segments, segments) }
    }
    return isTaken ? nil : refusal(method, path)
  }

  /// Why no route takes a request: 405 with the methods that its path has, else 404 with the nearest route.
  package func refusal(_ method: HTTPRequest.Method, _ path: String) -> Refusal {
    let routes = routes.withLock { $0 }.filter { !$0.isOpen }
    let segments = RouteTable.segments(path[...])
    let methods = routes.filter { RouteTable.fits($0.segments, segments) }.map(\.method.rawValue)
    guard methods.isEmpty else {
      let all = Set(methods + (methods.contains("GET") ? ["HEAD"] : []))
      let allowed = all.sorted().joined(separator: ", ")
      var refusal = Refusal(
        .methodNotAllowed, "method-not-allowed", "This route does not take \(method.rawValue.prefix(20))",
        remedy: "Send \(allowed)")
      refusal.headers[.allow] = allowed
      return refusal
    }
    return Refusal(
      .notFound, "route-unknown", "There is no such route",
      remedy: RouteTable.nearest(to: segments, among: routes).map { "Did you mean \($0)?" }
        ?? list)
  }

  /// The route that a path comes nearest to, with the path's own names in place of the route's.
  ///
  /// Each segment must be near to the route's, and the first of several the same: a route of another family is no help. A
  /// segment alone may be near where no route begins with it, and it has more than two letters, to which all such are near.
  private static func nearest(to path: [Substring], among routes: [Route]) -> String? {
    guard (1...12).contains(path.count), let first = path.first else { return nil }
    let isMisspelt = path.count == 1 && first.count > 2 && !routes.contains { $0.segments.first == first }
    let family = routes.filter { $0.segments.first == first || isMisspelt }
    let candidates = family.filter { isNear($0.segments, path) }.map { route in
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

  /// Whether each segment of a path is that of a route, or nearly; what a route has in braces may be anything.
  private static func isNear(_ route: [Substring], _ path: [Substring]) -> Bool {
    guard route.count == path.count else { return false }
    return zip(route, path).allSatisfy { segment, given in
      let name = named(segment, after: given)
      return name == given || !NameDistance.nearest(to: String(given), among: [name]).isEmpty
    }
  }

  /// A segment of a route with the name of a path's in place of its braces.
  private static func named(_ route: Substring, after segment: Substring) -> String {
    guard route.first == "{", let close = route.lastIndex(of: "}") else { return String(route) }
    return String(segment.prefix { $0 != ":" }) + String(route[route.index(after: close)...])
  }

  private static func segments(_ path: Substring) -> [Substring] { path.split(separator: "/") }

  /// Whether a path, which may have a query, is one of a route's: `/models/{project}/{model}.tflite`.
  package static func fits(_ route: String, _ path: String) -> Bool {
    fits(segments(route[...]), segments(path.prefix { $0 != "?" }))
  }

  private static func fits(_ route: [Substring], _ path: [Substring]) -> Bool {
    route.count == path.count && zip(route, path).allSatisfy { fits($0, $1) }
  }

  /// Whether a segment is what a route's is: itself, or a name between what stands before and after the braces.
  private static func fits(_ route: Substring, _ segment: Substring) -> Bool {
    guard let open = route.firstIndex(of: "{"), let close = route.lastIndex(of: "}") else {
      return route == segment
    }
    // What stands behind a colon is a call, and no part of a name.
    if route.last == "}", segment.contains(":") { return false }
    let (prefix, suffix) = (route[..<open], route[route.index(after: close)...])
    return segment.count > prefix.count + suffix.count && segment.hasPrefix(prefix)
      && segment.hasSuffix(suffix)
  }
}
#endif
