// SPDX-License-Identifier: Apache-2.0
#if Server
/// A route, as described by `/openapi.json`.
struct APIRoute: Sendable {
  /// The group of a route: a client protocol, or one of these.
  struct Family: Sendable, Equatable {
    /// The name in the metrics.
    let name: String
    /// The name to display.
    let title: String

    static let native = Family(name: "native", title: "native")
    static let health = Family(name: "health", title: "health")
    static let page = Family(name: "page", title: "page")
  }

  /// The contents of a request's query and body.
  enum Content: Sendable {
    case none
    /// One or more images, in any of the three forms, with the options of the task or protocol.
    case images
    /// Text of that media type.
    case text(String)
    /// The protocol's JSON.
    case json
  }

  /// The answer to a successful request.
  enum Answer: Sendable {
    /// No body.
    case none
    /// A body of one of these media types.
    case bytes([String])
    /// JSON with the named schema.
    case json(String)
    /// The results of images for a task, in the format that the call chooses.
    case results(ServedTask)
    /// A WebSocket; 426 without an upgrade.
    case socket
  }

  let method: String
  /// The path, starting with a slash, with parameters in braces.
  let path: String
  let summary: String
  let content: Content
  private(set) var family: Family
  let answer: Answer
  /// The names and schemas of the query's parameters besides a task's options.
  let query: [(name: String, schema: String)]

  init(
    _ method: String, _ path: String, _ summary: String, _ content: Content = .none,
    family: Family = .native, answer: Answer = .json("Any"), query: [(name: String, schema: String)] = []
  ) {
    self.method = method
    self.path = path
    self.summary = summary
    self.content = content
    self.family = family
    self.answer = answer
    self.query = query
  }

  /// Returns the same route in a family.
  func of(_ family: Family) -> APIRoute {
    var route = self
    route.family = family
    return route
  }

  /// Whether the route exists only if the server owns its connections: the page, and long-lived connections.
  var needsOwnServer: Bool {
    family == .page || ["/v1/live", "/v1/session"].contains(path) || path.hasPrefix("/v1/streams")
      || path.hasPrefix("/v1/events")
  }

  /// True for a route without options, which refuses any parameter in its query.
  ///
  /// Browsers, proxies and monitors add parameters of their own to the addresses of pages, images, health
  /// checks and the API's description, for example to get past a cache. A WebSocket has its own rule.
  var refusesQuery: Bool {
    guard method != "POST", ![.page, .health].contains(family), path != "/openapi.json", query.isEmpty
    else { return false }
    switch answer {
    case .socket: return false
    case .bytes(let types): return !types.contains { $0.hasPrefix("image/") || $0.hasPrefix("multipart/") }
    case .none, .json, .results: return true
    }
  }

  /// The path's parameters, in order.
  var names: [String] {
    path.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
  }
}
#endif
