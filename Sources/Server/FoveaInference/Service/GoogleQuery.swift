// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The queries of routes for Google's clients, which may have the parameters of all Google APIs.
///
/// Those that would change the answer's format are refused; others, such as the key and quota names, do not
/// affect answers.
enum GoogleQuery {
  /// Checks the system parameters, and with `rule` the other names.
  /// - Throws: A refusal that names the parameter.
  static func check(_ request: Request, _ rule: BodyQuery) throws(Refusal) {
    for item in try RequestQuery(of: request).items where !item.value.isEmpty {
      switch item.name.hasPrefix("$") ? String(item.name.dropFirst()) : item.name {
      case "alt" where !item.value.hasPrefix("json"): throw refusal(item, "The answer is JSON")
      case "fields": throw refusal(item, "The answer is always complete")
      case "callback": throw refusal(item, "The answer is JSON, not a script")
      default: continue
      }
    }
    for item in try RequestQuery(of: request).items where !GoogleParameters.contains(item.name) {
      try rule.check(item.name)
    }
  }

  /// Checks the query of a route without options.
  /// - Throws: A refusal that names the parameter.
  @Sendable static func checkEmpty(_ request: Request) throws(Refusal) { try check(request, BodyQuery()) }

  private static func refusal(_ item: RequestQuery.Item, _ why: String) -> Refusal {
    Refusal(
      .badRequest, "option-invalid",
      "'\(item.name)' is '\(item.value.prefix(40))', which is not supported. \(why)", remedy: "Omit it")
  }
}
#endif
