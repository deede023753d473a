// SPDX-License-Identifier: Apache-2.0
#if Server
package import HTTPTypes

/// The headers of a page that uses only this server's content.
package enum PageHeaders {
  /// Returns headers that list what a page may load and run; the browser refuses everything else.
  /// - Parameters:
  ///   - policy: Directives of the content security policy, added to those of every page: nothing is loaded
  ///     that is not listed, forms go to this server, and no other page may embed this one in a frame.
  ///   - referrer: The referrer policy of the page's requests: none by default. A page with forms needs
  ///     `same-origin`, since browsers otherwise send `Origin: null`, which pages of other origins may send
  ///     too.
  ///   - permissions: The device features that the page may use, in the form of the header
  ///     `permissions-policy`.
  /// - Returns: The headers.
  package static func make(
    policy: [String], referrer: String = "no-referrer",
    permissions: String = "camera=(), microphone=(), geolocation=()"
  ) -> HTTPFields {
    let always = [
      "default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
    ]
    var headers: HTTPFields = [
      .contentSecurityPolicy: (always + policy).joined(separator: "; "), .xContentTypeOptions: "nosniff",
    ]
    for (name, value) in [
      ("permissions-policy", permissions), ("referrer-policy", referrer),
      ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
    ] {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return headers
  }
}
#endif
