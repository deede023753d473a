// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import Hummingbird

/// The parameters that each of Google's APIs takes in its query.
///
/// **Source:** Google Cloud, "System parameters". Those that would give an answer another form are refused; others, as the key and
/// names for quotas, change no answer.
enum GoogleQuery {
  /// - Throws: A refusal that names the parameter.
  static func check(_ request: Request) throws(Refusal) {
    for item in try RequestQuery(of: request).items where !item.value.isEmpty {
      switch item.name.hasPrefix("$") ? String(item.name.dropFirst()) : item.name {
      case "alt" where !item.value.hasPrefix("json"): throw refusal(item, "The answer is JSON")
      case "fields": throw refusal(item, "The answer is whole")
      case "callback": throw refusal(item, "The answer is JSON and no script")
      default: continue
      }
    }
  }

  private static func refusal(_ item: RequestQuery.Item, _ why: String) -> Refusal {
    Refusal(
      .badRequest, "option-invalid",
      "'\(item.name)' is '\(item.value.prefix(40))', and is not served. \(why)", remedy: "Leave it out")
  }
}
#endif
