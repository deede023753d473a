// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The names and values of a query or of a form's body, each name once.
package struct QueryItems: Sendable, Equatable {
  package let values: [String: String]

  /// Nil if the text is not percent-coded UTF-8, or has a name twice.
  package init?(_ text: some StringProtocol, plusIsSpace: Bool = false) {
    var values: [String: String] = [:]
    for item in text.split(separator: "&", omittingEmptySubsequences: false) where !text.isEmpty {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentText.decode(parts[0], plusIsSpace: plusIsSpace),
        let value = PercentText.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: plusIsSpace),
        values.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    self.values = values
  }

  package subscript(_ name: String) -> String? { values[name] }

  /// The items in the order of their names' bytes, coded as Google's signatures require.
  package var canonical: String {
    values.map { (PercentText.encode($0.key), PercentText.encode($0.value)) }
      .sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// Returns the items without one.
  package func removing(_ name: String) -> QueryItems {
    QueryItems(values: values.filter { $0.key != name })
  }

  private init(values: [String: String]) { self.values = values }
}
#endif
