// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import Hummingbird

/// The names and values of a query or a form, in order.
package struct RequestQuery: Sendable, Equatable {
  package struct Item: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  package let items: [Item]

  /// Reads `a=1&b=2`.
  /// - Throws: A refusal if an escape is invalid or there are more than 100 items.
  package init(_ text: String?) throws(Refusal) {
    var items: [Item] = []
    for piece in (text ?? "").split(separator: "&") {
      let equals = piece.firstIndex(of: "=") ?? piece.endIndex
      let rest = equals < piece.endIndex ? piece[piece.index(after: equals)...] : ""
      guard let name = PercentText.decode(piece[..<equals], plusIsSpace: true),
        let value = PercentText.decode(rest, plusIsSpace: true), items.count < 100,
        !(name + value).utf8.contains(0)
      else {
        throw Refusal(
          .badRequest, "request-malformed", "The query is invalid, or has more than 100 items",
          remedy: "Encode it according to RFC 3986")
      }
      items.append(Item(name: name, value: value))
    }
    self.items = items
  }

  package init(of request: Request) throws(Refusal) { try self.init(request.uri.query.map { String($0) }) }

  /// Returns the value of the first given name that exists; names differ between clients.
  package subscript(_ names: String...) -> String? {
    for name in names {
      if let item = items.first(where: { $0.name == name }) { return item.value }
    }
    return nil
  }

  /// The first name that is given twice; nil if none is.
  package var duplicate: String? {
    var names: Set<String> = []
    return items.first { !names.insert($0.name).inserted }?.name
  }
}
#endif
