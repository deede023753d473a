// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The query of a route whose options are in its JSON body, or in the messages of a WebSocket.
///
/// An option in it would have no effect, so it is refused by name. A key was read earlier.
struct BodyQuery: Sendable {
  /// The names of the body's options, for messages; empty if there are none.
  var options: [String] = []
  /// The names in the query that do not affect answers.
  var unused: Set<String> = []
  /// The place of the options, for messages.
  var place = "the JSON body"

  /// - Throws: A refusal that names the first option in the query.
  func check(_ request: Request) throws(Refusal) {
    for item in try RequestQuery(of: request).items { try check(item.name) }
  }

  /// Checks the query of a route without options.
  /// - Throws: A refusal that names the first parameter.
  @Sendable static func checkEmpty(_ request: Request) throws(Refusal) { try BodyQuery().check(request) }

  /// Returns the refusal of a request for a WebSocket with an option in its query; nil for others.
  func refusal(of head: HTTPRequest) -> Refusal? {
    do throws(Refusal) {
      let query = String((head.path ?? "").drop { $0 != "?" }.dropFirst())
      for item in try RequestQuery(query).items { try check(item.name) }
      return nil
    } catch {
      return error
    }
  }

  /// - Throws: A refusal that names the option, unless it is a key or does not affect answers.
  func check(_ name: String) throws(Refusal) {
    guard !["key", "api_key"].contains(name), !unused.contains(name) else { return }
    throw Refusal(
      .badRequest, "option-unknown", "There is no option '\(name.prefix(80))' in the query",
      remedy: remedy(name))
  }

  private func remedy(_ name: String) -> String {
    if options.isEmpty { return "Omit it: this route has no options" }
    let near = NameDistance.nearest(to: name, among: options).first
    return near.map { "Write '\($0)' in \(place)" }
      ?? "Omit it; the options in \(place) are \(options.joined(separator: ", "))"
  }
}
#endif
