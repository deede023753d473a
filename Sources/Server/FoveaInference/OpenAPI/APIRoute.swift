// SPDX-License-Identifier: Apache-2.0
#if Server
/// A route as `/openapi.json` describes it.
struct APIRoute: Sendable {
  /// What a route belongs to: a client protocol, or one of these.
  struct Family: Sendable, Equatable {
    /// The name in the metrics.
    let name: String
    /// The name in a text for people.
    let title: String

    static let native = Family(name: "native", title: "native")
    static let health = Family(name: "health", title: "health")
    static let page = Family(name: "page", title: "page")
  }

  /// What a request has in its query and body.
  enum Content: Sendable {
    case none
    /// One image or several, in the three forms, with the options of a call.
    case images
    /// A text of that kind.
    case text(String)
    /// JSON of the protocol.
    case json
  }

  /// What a request that succeeds is answered with.
  enum Answer: Sendable {
    /// No body.
    case none
    /// A body of these types.
    case bytes([String])
    /// JSON, by the name of its schema.
    case json(String)
    /// The results of images, in the forms that a call chooses from.
    case results
    /// A WebSocket; without an upgrade 426.
    case socket
  }

  let method: String
  /// With names in braces, and a slash first.
  let path: String
  let summary: String
  let content: Content
  private(set) var family: Family
  let answer: Answer

  init(
    _ method: String, _ path: String, _ summary: String, _ content: Content = .none,
    family: Family = .native, answer: Answer = .json("Any")
  ) {
    self.method = method
    self.path = path
    self.summary = summary
    self.content = content
    self.family = family
    self.answer = answer
  }

  /// The same as one of a family.
  func of(_ family: Family) -> APIRoute {
    var route = self
    route.family = family
    return route
  }

  /// Whether it is there only where the server has its connections to itself: for the page, and for what lasts.
  var needsOwnServer: Bool {
    family == .page || path == "/v1/live" || path == "/v1/session" || path.hasPrefix("/v1/streams")
  }

  /// The names of the path, in their order.
  var names: [String] {
    path.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
  }
}
#endif
