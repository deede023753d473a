// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import FoveaCore

/// The part of a long list on a page: the elements that match a search, one page at a time.
struct ListPart<Element> {
  /// The number of rows of a page.
  static var size: Int { 50 }
  /// The minimum length of a list with a search.
  private static var shortest: Int { 10 }

  let elements: ArraySlice<Element>
  /// The values for the templates of the search and of the pages.
  let values: [String: any Sendable]

  /// - Parameters:
  ///   - all: The list.
  ///   - fields: The query: `q` is searched in the strings of an element, `page` counts from 1.
  ///   - path: The path of the list.
  ///   - texts: The searched strings of an element.
  init(_ all: [Element], _ fields: RequestQuery, path: String, texts: (Element) -> [String]) {
    let search = fields["q"] ?? ""
    let wanted = search.lowercased()
    let found = wanted.isEmpty ? all : all.filter { texts($0).contains { $0.lowercased().contains(wanted) } }
    let last = max(0, (found.count - 1) / Self.size)
    let page = min(max(1, fields["page"].flatMap { Int($0) } ?? 1) - 1, last)
    let start = page * Self.size
    elements = found[start..<min(start + Self.size, found.count)]

    func link(_ page: Int) -> String {
      var items = page == 0 ? [] : ["page=\(page + 1)"]
      if !search.isEmpty { items.append("q=\(PercentText.encode(search))") }
      return items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))"
    }
    var values: [String: any Sendable] = ["newerText": "Previous", "olderText": "Next"]
    if page > 0 { values["newer"] = link(page - 1) }
    if page < last { values["older"] = link(page + 1) }
    if last > 0 || !search.isEmpty {
      let range = elements.isEmpty ? "none" : "\(Self.number(start + 1)) to \(Self.number(elements.endIndex))"
      values["place"] = "\(range) of \(Self.number(found.count))"
    }
    if all.count > Self.shortest || !search.isEmpty {
      values["search"] = ["path": path, "text": search, "hasText": !search.isEmpty] as [String: any Sendable]
    }
    self.values = values
  }

  private static func number(_ count: Int) -> String { DecimalText.grouped(count) }
}

extension Page {
  /// Adds the search and the pages of a list.
  mutating func add(_ part: [String: any Sendable]) { values.merge(part) { _, new in new } }
}
#endif
