// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Hummingbird

/// A protocol of another server, whose clients can use this server.
///
/// Each is declared at the end of the file of its routes, and listed in ``all``.
package struct ClientProtocol: Sendable {
  /// The protocols; a path belongs to the first that owns it.
  package static let all: [ClientProtocol] = [
    .deepStack, .cloudVision, .vertex, .autoML, .doods, .openInference, .roboflow,
  ]

  /// The name in options and metrics.
  package let name: String
  /// The name to display.
  package let title: String
  /// The format of its errors, including those raised before a route is found.
  let errors: ErrorShape
  /// The header for the key, if the protocol has its own.
  var keyHeader: String?
  /// Returns whether only this protocol's clients request a path, which may have no route.
  let owns: @Sendable (_ path: Substring) -> Bool
  /// The contents or effect of a POST to such a path.
  var posts: @Sendable (_ path: Substring) -> Post = { _ in .images }
  /// Checks the query of a route without options.
  /// - Throws: A refusal that names the first unknown parameter.
  var checkQuery: @Sendable (_ request: Request) throws(Refusal) -> Void = BodyQuery.checkEmpty
  /// The routes for `/openapi.json`.
  let routes: [APIRoute]
  /// Adds the routes.
  let add: @Sendable (_ service: InferenceService, _ router: Router<HTTPContext>) -> Void

  /// The contents or effect of a POST request.
  struct Post: OptionSet, Sendable {
    let rawValue: Int

    /// Images, which need a slot once the body is received.
    static let images = Post(rawValue: 1)
    /// The caller's key.
    static let key = Post(rawValue: 2)
    /// A change to the served models.
    static let models = Post(rawValue: 4)
  }

  /// Returns the error format that the clients of a target expect.
  static func errors(of target: String) -> ErrorShape {
    owner(of: target.prefix { $0 != "?" })?.errors ?? .native
  }

  /// Returns the contents or effect of a POST to a path.
  static func post(to path: Substring) -> Post { owner(of: path)?.posts(path) ?? .images }

  private static func owner(of path: Substring) -> ClientProtocol? { all.first { $0.owns(path) } }
}

extension ClientProtocol: Hashable {
  package static func == (first: ClientProtocol, second: ClientProtocol) -> Bool { first.name == second.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
#endif
