// SPDX-License-Identifier: Apache-2.0
#if Server
package import HTTPTypes

/// The other sites whose pages may send requests (CORS, Fetch Standard section 3.2); none by default.
package struct AllowedOrigins: Sendable {
  /// The origins as browsers write them: scheme, host and non-default port, in lower case, such as
  /// `https://app.example:8443`.
  package let names: Set<String>
  /// The requests that their pages may send, and the answers they may read.
  package let reach: CrossOriginReach

  package init(_ names: some Sequence<String> = [], reach: CrossOriginReach = CrossOriginReach()) {
    self.names = Set(names.map { AllowedOrigins.written($0) ?? $0.lowercased() })
    self.reach = reach
  }

  package var isEmpty: Bool { names.isEmpty }

  /// Returns whether the text is an origin, without a path, and not `*` or `null`, which would allow
  /// everyone.
  package static func isOrigin(_ text: String) -> Bool { written(text) != nil }

  /// Returns an origin as browsers write it, without its scheme's default port; nil for other text.
  private static func written(_ text: String) -> String? {
    let text = text.lowercased()
    let usualPorts: [(scheme: String, port: UInt16)] = [("http://", 80), ("https://", 443)]
    guard let usual = usualPorts.first(where: { text.hasPrefix($0.scheme) }) else { return nil }
    let authority = text.dropFirst(usual.scheme.count)
    guard !authority.isEmpty,
      authority.utf8.allSatisfy({ byte in
        (0x61...0x7A).contains(byte) || (0x30...0x3A).contains(byte)
          || [0x2D, 0x2E, 0x5B, 0x5D, 0x5F].contains(byte)
      })
    else { return nil }
    // The colons of an IPv6 address are inside brackets.
    guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else {
      return written(host: authority).map { "\(usual.scheme)\($0)" }
    }
    guard let host = written(host: authority[..<colon]), let port = UInt16(authority[colon...].dropFirst()),
      port > 0
    else { return nil }
    return port == usual.port ? "\(usual.scheme)\(host)" : "\(usual.scheme)\(host):\(port)"
  }

  /// Returns a host as browsers write it, an IPv6 address in its shortest form; nil for other text.
  private static func written(host text: Substring) -> String? {
    guard text.contains(where: { "[]:".contains($0) }) else { return text.isEmpty ? nil : String(text) }
    guard text.first == "[", text.last == "]",
      let address = InternetAddress(String(text.dropFirst().dropLast())), !address.isVersion4
    else { return nil }
    return "[\(address.webText)]"
  }

  /// Returns whether a request comes from a page that may send it.
  package func contain(_ head: HTTPRequest) -> Bool { name(head) && reach.takes(head.path ?? "") }

  /// Returns whether a request comes from a page of an allowed site.
  func name(_ head: HTTPRequest) -> Bool {
    let origins = head.headerFields[values: .origin]
    return origins.count == 1 && names.contains(origins[0].lowercased())
  }

  /// Returns whether a browser only asks which requests a page may send, without a key or a body.
  package func isPreflight(_ head: HTTPRequest) -> Bool {
    head.method == .options && head.headerFields[.accessControlRequestMethod] != nil && contain(head)
  }

  /// Returns the CORS headers of an answer; empty if no other site is allowed.
  package func fields(for head: HTTPRequest) -> HTTPFields {
    guard !isEmpty else { return [:] }
    // A cache must not reuse one site's answer for another.
    var fields: HTTPFields = [.vary: "Origin"]
    guard contain(head) else { return fields }
    fields[.accessControlAllowOrigin] = head.headerFields[.origin]
    guard isPreflight(head) else {
      fields[.accessControlExposeHeaders] = reach.exposed
      return fields
    }
    fields[.accessControlAllowMethods] = reach.methods
    fields[.accessControlAllowHeaders] = reach.headers
    fields[.accessControlMaxAge] = "7200"
    return fields
  }
}
#endif
