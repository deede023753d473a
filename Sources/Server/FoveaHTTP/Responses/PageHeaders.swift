// SPDX-License-Identifier: Apache-2.0
#if Server
package import HTTPTypes

/// The headers of a page that only uses what this server sends.
package enum PageHeaders {
  /// What a page may load and run is listed; whatever is not is refused by the browser.
  /// - Parameters:
  ///   - policy: Directives of the content security policy, added to those that hold for every page: nothing is loaded that
  ///     is not listed, forms go to this server, and no other page shows this one in a frame.
  ///   - referrer: What requests of the page say about it: nothing by default. A page with forms needs `same-origin`, since
  ///     browsers write `Origin: null` without, which is what pages of other origins may send.
  ///   - permissions: What the page may use of the device, as the header `permissions-policy` has it.
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
