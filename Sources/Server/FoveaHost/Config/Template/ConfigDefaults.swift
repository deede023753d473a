// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore

/// The values that apply without conditions, in the format that an app builds in.
package enum ConfigDefaults: String, Sendable, CaseIterable {
  case json = "JSON"
  case plist = "PLIST"
  case xml = "XML"

  /// The value of `Content-Type`.
  package var contentType: String { self == .json ? "application/json; charset=utf-8" : "application/xml" }

  /// Returns the defaults of a template, by their keys, without those built into the app or assigned by
  /// chance.
  package func text(of template: ConfigTemplate) -> String {
    let pairs = template.allParameters.compactMap { parameter -> (String, String)? in
      guard case .text(let value)? = parameter.standard?.kind else { return nil }
      return (parameter.key, value)
    }.sorted { $0.0 < $1.0 }
    switch self {
    case .json:
      return JSONText.line { json in
        for (key, value) in pairs {
          json.key(named: key)
          json.string(value)
        }
      }
    case .plist:
      let entries = pairs.map { "  <key>\($0)</key>\n  <string>\(Self.escaped($1))</string>\n" }
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \(entries.joined())</dict>
        </plist>

        """
    case .xml:
      let entries = pairs.map {
        "  <entry>\n    <key>\($0)</key>\n    <value>\(Self.escaped($1))</value>\n  </entry>\n"
      }
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        <defaultsMap>
        \(entries.joined())</defaultsMap>

        """
    }
  }

  /// Escapes text for XML 1.0; characters that XML does not allow become U+FFFD.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\r": escaped += "&#13;"
      case "\u{0}"..<"\u{9}", "\u{B}", "\u{C}", "\u{E}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}":
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
#endif
