// SPDX-License-Identifier: Apache-2.0

import CPages
package import FoveaCore

/// A report as one HTML file: totals and failures as text, the data as JSON, and a script that draws it.
///
/// The page is made of the files in `Sources/C/CPages/report`. It fetches nothing, and only its own style and
/// script are allowed.
package struct ReportPage: Sendable {
  /// The page that shows the data.
  package enum Kind: String, Sendable {
    case images, training

    /// The files of the script, in their order.
    fileprivate var scripts: [String] {
      switch self {
      case .images: ["report", "images"]
      case .training: ["report", "plots", "figures", "classes", "training"]
      }
    }
  }

  package typealias Value = PageTemplate.Value

  /// The page before and after its data.
  private let parts: [PageTemplate]
  private let values: [String: Value]
  private let writer = PageWriter(keepsNames: true) { ReportText.escaped($0) }

  /// Creates a page.
  /// - Parameters:
  ///   - kind: The page that shows the data.
  ///   - values: The strings of the page.
  package init(_ kind: Kind, _ values: [String: Value]) {
    let style = ReportPage.files(["report", kind.rawValue], "css")
    let script = ReportPage.files(kind.scripts, "js")
    let page = ReportPage.files([kind.rawValue], "html")
    let data = page.utf8.firstPlace(of: "{{data}}".utf8) ?? page.endIndex..<page.endIndex
    parts = [PageTemplate(page[..<data.lowerBound]), PageTemplate(page[data.upperBound...])]
    self.values = values.merging([
      "style": .source(style), "script": .source(script),
      "policy": .source(ReportPage.policy(style: style, script: script)),
    ]) { $1 }
  }

  /// Everything before the data.
  package var start: String { writer.text(parts[0], values) }

  /// Everything after the data.
  package var end: String { writer.text(parts[1], values) }

  /// Returns the page with its data.
  package func bytes(_ members: (inout JSONText) -> Void) -> [UInt8] {
    var json = JSONText(capacity: 1 << 16)
    json.object(members)
    return Array(start.utf8) + ReportPage.embedded(json.text) + Array(end.utf8)
  }

  /// Escapes JSON for an element of a page: nothing in it starts or ends an element.
  package static func embedded(_ json: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.utf8.count)
    for byte in json.utf8 {
      if byte == UInt8(ascii: "<") { bytes += Array(#"\u003c"#.utf8) } else { bytes.append(byte) }
    }
    return bytes
  }

  /// Returns a policy that allows no fetching, and only this style and this script.
  ///
  /// **Source:** W3C, Content Security Policy Level 3, sections 6.1 and 6.7.3.
  private static func policy(style: String, script: String) -> String {
    func checksum(_ text: String) -> String {
      "'sha256-" + Base64.encode(SHA256.digest(of: Array(text.utf8).span)) + "'"
    }
    return "default-src 'none'; img-src data:; style-src \(checksum(style)); script-src \(checksum(script)); "
      + "base-uri 'none'; form-action 'none'"
  }

  /// Returns the text of compiled-in files, in this order; missing files are left out.
  private static func files(_ names: [String], _ ending: String) -> String {
    var texts: [String: String] = [:]
    for index in 0..<fovea_page_count(FOVEA_PAGES_REPORT) {
      // SAFETY: the names end with a zero, and the bytes live as long as the process.
      let file = unsafe fovea_page_at(FOVEA_PAGES_REPORT, index)
      let bytes = unsafe UnsafeBufferPointer(start: file.start, count: file.size)
      unsafe texts[String(cString: file.name)] = String(decoding: bytes, as: UTF8.self)
    }
    return names.compactMap { texts["\($0).\(ending)"] }.joined()
  }
}
