// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import FoveaHTTP

/// One page of a list of models.
struct ModelPage {
  let models: [HostModel]
  /// The token of the next page, valid even after models are added and removed; nil at the end.
  let next: String?

  /// The parameters of a list, in both spellings of Google's APIs.
  static let parameters = ["filter", "pageSize", "page_size", "pageToken", "page_token"]

  /// Creates the page that a query requests from models in the order of their ids.
  init(_ query: RequestQuery, of models: [HostModel]) throws(HostError) {
    let size = try ModelPage.size(query["pageSize", "page_size"])
    var filter: ModelFilter?
    if let text = query["filter"], !text.isEmpty { filter = try ModelFilter(text) }
    let after = try ModelPage.after(query["pageToken", "page_token"])
    let left = models.filter { $0.id > after && (filter?.matches($0) ?? true) }
    self.models = Array(left.prefix(size))
    next = left.count > size ? self.models.last.map { ModelPage.token(after: $0.id) } : nil
  }

  private static func size(_ text: String?) throws(HostError) -> Int {
    guard let text, text != "0", !text.isEmpty else { return 100 }
    guard let size = Int(text), size > 0 else {
      throw .invalidArgument("pageSize is not a whole number from 1")
    }
    return min(size, 100)
  }

  private static func token(after id: String) -> String {
    Base64.encode(Array("after \(id)".utf8)).replacing("=", with: "")
  }

  private static func after(_ token: String?) throws(HostError) -> String {
    guard let token, !token.isEmpty else { return "" }
    let padded = token + String(repeating: "=", count: (4 - token.utf8.count % 4) % 4)
    guard let bytes = Base64.decode(padded), let text = String(validating: bytes, as: UTF8.self),
      text.hasPrefix("after ")
    else { throw .invalidArgument("pageToken was not issued by this host") }
    return String(text.dropFirst(6))
  }
}
#endif
