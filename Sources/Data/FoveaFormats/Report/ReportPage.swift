// SPDX-License-Identifier: Apache-2.0

import CPages
package import FoveaCore

/// A report as one HTML file: totals and failures as text, the data as JSON, and a script that draws it.
///
/// The page consists of the files in `Sources/C/CPages/report`, in which `{{name}}` is a value and the text
/// from `{{#name}}` to `{{/name}}` is repeated for each element of a list. The page fetches nothing, and only
/// its own style and script are allowed.
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

  /// The value of a name in the page.
  package enum Value: Sendable {
    /// A string from any source, which is escaped.
    case text(String)
    /// A part of our own files, inserted unchanged.
    case source(String)
    /// The values of each repetition.
    case list([[String: Value]])
  }

  /// The page before and after its data.
  private let parts: [Substring]
  private let values: [String: Value]

  /// Creates a page.
  /// - Parameters:
  ///   - kind: The page that shows the data.
  ///   - values: The strings of the page.
  package init(_ kind: Kind, _ values: [String: Value]) {
    let style = ReportPage.files(["report", kind.rawValue], "css")
    let script = ReportPage.files(kind.scripts, "js")
    parts = ReportPage.files([kind.rawValue], "html").split(separator: "{{data}}", maxSplits: 1)
    self.values = values.merging([
      "style": .source(style), "script": .source(script),
      "policy": .source(ReportPage.policy(style: style, script: script)),
    ]) { $1 }
  }

  /// Everything before the data.
  package var start: String { ReportPage.filled(parts[0], values) }

  /// Everything after the data.
  package var end: String { ReportPage.filled(parts[1], values) }

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

  /// Replaces names in the template with values; a name without a value is left in place, which a test
  /// detects.
  private static func filled(_ template: Substring, _ values: [String: Value]) -> String {
    var (text, rest) = ("", template)
    while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
      text += rest[..<open.lowerBound]
      let name = String(rest[open.upperBound..<close.lowerBound])
      rest = rest[close.upperBound...]
      if name.hasPrefix("#") {
        guard let end = rest.firstRange(of: "{{/\(name.dropFirst())}}") else { break }
        if case .list(let elements)? = values[String(name.dropFirst())] {
          for element in elements {
            text += filled(rest[..<end.lowerBound], values.merging(element) { $1 })
          }
        }
        rest = rest[end.upperBound...]
      } else if case .text(let value)? = values[name] {
        text += ReportText.escaped(value)
      } else if case .source(let value)? = values[name] {
        text += value
      } else {
        text += "{{\(name)}}"
      }
    }
    text += rest
    return text
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
