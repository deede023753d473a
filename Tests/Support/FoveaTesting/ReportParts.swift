// SPDX-License-Identifier: Apache-2.0

package import FoveaCore

/// A parsed HTML report.
package struct ReportParts {
  /// The whole page.
  package let page: String
  /// The part before the data, which is readable without a script.
  package let text: String
  /// The data for the page's script.
  package let data: JSONValue

  private static let head = #"<script type="application/json" id="data">"#

  /// Parses a page.
  /// - Throws: `TestFailure` for a page without exactly one data element, `JSONFailure` for data that are not
  /// JSON.
  package init(_ page: String) throws {
    let halves = page.split(separator: ReportParts.head, omittingEmptySubsequences: false)
    guard halves.count == 2, let data = halves[1].split(separator: "</script>", maxSplits: 1).first else {
      throw TestFailure("The page has its data \(halves.count - 1) times")
    }
    (self.page, text) = (page, String(halves[0]))
    self.data = try JSONValue(Array(data.utf8), name: "the page's data")
  }

  /// Returns the text between two others.
  package static func part(_ page: String, _ from: String, _ to: String) throws -> String {
    guard let start = page.firstRange(of: from)?.upperBound,
      let end = page[start...].firstRange(of: to)?.lowerBound
    else { throw TestFailure("'\(from)' and '\(to)' are not there") }
    return String(page[start..<end])
  }
}

extension JSONValue {
  /// Returns the elements of an array; nil for another value.
  package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}
