// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Hummingbird

/// A protocol of another server that clients of it find here, besides Fovea's own.
///
/// Each is a value at the end of its folder's routes, and a name in ``all``.
package struct ClientProtocol: Sendable {
  /// The protocols; a path belongs to the first that owns it.
  package static let all: [ClientProtocol] = [
    .deepStack, .cloudVision, .vertex, .autoML, .doods, .openInference, .roboflow,
  ]

  /// The name in options and metrics.
  package let name: String
  /// The name in a text for people.
  package let title: String
  /// The form of its errors, also of those that come before a route is found.
  let errors: ErrorShape
  /// A header of its own for the key.
  var keyHeader: String?
  /// Whether its clients alone ask for a path, which may have no route.
  let owns: @Sendable (_ path: Substring) -> Bool
  /// What a POST to such a path has in its body, or changes.
  var posts: @Sendable (_ path: Substring) -> Post = { _ in .images }
  /// The routes as `/openapi.json` describes them.
  let routes: [APIRoute]
  /// Adds the routes.
  let add: @Sendable (_ service: InferenceService, _ router: Router<HTTPContext>) -> Void

  /// What a request with POST has in its body, or changes.
  struct Post: OptionSet, Sendable {
    let rawValue: Int

    /// Images, which need a slot once the body is there.
    static let images = Post(rawValue: 1)
    /// The key of its caller.
    static let key = Post(rawValue: 2)
    /// Which models are served.
    static let models = Post(rawValue: 4)
  }

  /// The form of errors that the clients of a target expect.
  static func errors(of target: String) -> ErrorShape {
    owner(of: target.prefix { $0 != "?" })?.errors ?? .native
  }

  /// What a POST to a path has in its body, or changes.
  static func post(to path: Substring) -> Post { owner(of: path)?.posts(path) ?? .images }

  private static func owner(of path: Substring) -> ClientProtocol? { all.first { $0.owns(path) } }
}

extension ClientProtocol: Hashable {
  package static func == (first: ClientProtocol, second: ClientProtocol) -> Bool { first.name == second.name }

  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
#endif
