// SPDX-License-Identifier: Apache-2.0
#if Server
package import HTTPTypes

/// The cookies of a request.
///
/// **Source:** RFC 6265 section 5.4.
package enum RequestCookie {
  /// Returns the value of the first cookie with a name; nil if the request has none.
  package static func value(_ name: String, of headers: HTTPFields) -> String? {
    for cookie in (headers[.cookie] ?? "").split(separator: ";") {
      let text = cookie.drop { $0 == " " }
      if text.hasPrefix(name + "=") { return String(text.dropFirst(name.utf8.count + 1)) }
    }
    return nil
  }
}
#endif
