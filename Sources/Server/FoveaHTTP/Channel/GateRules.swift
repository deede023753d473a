// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes
import NIOCore

/// The rules that a request must meet before its body is read.
package struct GateRules: Sendable {
  /// The longest path with its query, in bytes.
  package var targetLimit = 8 << 10
  /// The maximum number of header lines.
  package var headerCountLimit = 100
  /// The largest total size of header names and values, in bytes.
  package var headerLimit = 16 << 10
  /// Returns the largest body that a request may have, in bytes.
  package var bodyLimit: @Sendable (HTTPRequest) -> Int64 = { _ in 1 << 20 }
  /// Returns the reason a request with too large a body would also fail with a small one; nil if it would
  /// not.
  package var largeRefusal: @Sendable (HTTPRequest) -> Refusal? = { _ in nil }
  /// The names allowed in `Host`, in lower case, without a port; nil allows any.
  package var hosts: Set<String>?
  /// The other sites whose pages may send requests.
  package var origins = AllowedOrigins()
  /// Returns the reason the caller at an address may not send a request; nil if it may.
  package var admission: @Sendable (_ head: HTTPRequest, _ peer: String) -> Refusal? = { _, _ in nil }
  /// The paths of pages that links on other sites may lead to.
  package var pages: Set<String> = []
  /// Returns the format of errors for a path.
  package var shape: @Sendable (_ path: String) -> ErrorShape = { _ in .native }

  /// Returns the pattern of the route of a request that no handler gets, for the log; nil if it has none.
  package var route: @Sendable (_ head: HTTPRequest) -> String? = { _ in nil }

  package init() {}

  /// Returns the refusal of a request based only on its head; nil if it may continue.
  package func refusal(of head: HTTPRequest, peer: String = "unknown") -> Refusal? {
    formRefusal(of: head) ?? admissionRefusal(of: head, peer: peer)
  }

  /// Returns the refusal of a request that is invalid, no matter who sends it.
  func formRefusal(of head: HTTPRequest) -> Refusal? {
    guard (head.path ?? "").utf8.count <= targetLimit else {
      return Refusal(
        .uriTooLong, "request-too-large",
        "The path and query exceed \(DecimalText.grouped(targetLimit)) bytes",
        remedy: "Shorten the query")
    }
    return headerRefusal(head) ?? lengthRefusal(head) ?? hostRefusal(head) ?? crossSiteRefusal(head)
  }

  /// Returns the refusal of a caller that may not send this request, or not now.
  func admissionRefusal(of head: HTTPRequest, peer: String) -> Refusal? {
    origins.isPreflight(head) ? nil : admission(head, peer)
  }

  /// The maximum number of bytes of a refused body to read and drop.
  ///
  /// The caller keeps its connection if its body is no longer; reading more would cost more than a new
  /// connection.
  static let skipLimit = 1 << 18

  /// The time a client with too many requests waits for its refusal.
  static let pause = TimeAmount.milliseconds(20)

  /// Returns whether a refused request's body ends soon, and its connection can continue with another
  /// request.
  static func canSkip(_ head: HTTPRequest) -> Bool {
    guard head.headerFields[.expect] == nil, head.headerFields[.transferEncoding] == nil else { return false }
    let connection = head.headerFields[.connection]?.lowercased() ?? ""
    guard !connection.contains("close"), !connection.contains("upgrade") else { return false }
    let length = head.headerFields[.contentLength].map { Int($0) } ?? 0
    return length.map { $0 <= skipLimit } ?? false
  }

  private func headerRefusal(_ head: HTTPRequest) -> Refusal? {
    var count = 0
    var bytes = 0
    for field in head.headerFields {
      count += 1
      bytes += field.name.rawName.utf8.count + field.value.utf8.count
    }
    guard count <= headerCountLimit && bytes <= headerLimit else {
      return Refusal(
        .requestHeaderFieldsTooLarge, "request-too-large",
        "The request has \(count) header lines with \(DecimalText.grouped(bytes)) bytes; "
          + "\(headerCountLimit) with \(DecimalText.grouped(headerLimit)) bytes are allowed",
        remedy: "Send fewer headers")
    }
    return nil
  }

  private func lengthRefusal(_ head: HTTPRequest) -> Refusal? {
    if let coding = head.headerFields[.transferEncoding], coding.lowercased() != "chunked" {
      return Refusal(
        .notImplemented, "request-malformed", "The transfer coding '\(coding.prefix(40))' is not supported",
        remedy: "Use chunked, and declare a compression in Content-Encoding")
    }
    let lengths = head.headerFields[values: .contentLength]
    if lengths.isEmpty { return nil }
    guard lengths.count == 1, head.headerFields[.transferEncoding] == nil,
      let length = UInt64(lengths[0]), !lengths[0].hasPrefix("+")
    else {
      return Refusal(
        .badRequest, "request-malformed",
        "Content-Length is given twice, with Transfer-Encoding, or is not a number",
        remedy: "Send exactly one length")
    }
    let limit = bodyLimit(head)
    return length <= UInt64(limit) ? nil : largeRefusal(head) ?? GateRules.tooLarge(limit: limit)
  }

  /// Returns the refusal of a body that is too large.
  package static func tooLarge(limit: Int64) -> Refusal {
    Refusal(
      .contentTooLarge, "request-too-large",
      "The body exceeds the \(DecimalText.grouped(Int(limit))) bytes that this route accepts",
      remedy: "Send a smaller body")
  }

  /// Refuses unknown hosts: a page of another site can reach a server on loopback by binding a name to it.
  private func hostRefusal(_ head: HTTPRequest) -> Refusal? {
    // The first host is the request's authority; a proxy on the way may have used another one (RFC 9112
    // section 3.2).
    guard head.headerFields[.host] == nil else {
      return Refusal(
        .badRequest, "request-malformed", "The request has more than one Host", remedy: "Send exactly one")
    }
    guard head.authority != "" else {
      return Refusal(
        .badRequest, "request-malformed", "The request has no Host, or an empty one",
        remedy: "Send the host and port of the server's address")
    }
    guard let hosts else { return nil }
    let name = GateRules.hostName(head.authority ?? "")
    guard hosts.contains(name) else {
      return Refusal(
        .forbidden, "host-not-allowed",
        "The request is for the host '\(name.prefix(80))', which is not a name of this server",
        remedy:
          "Use the server's address, or ask its operator to allow the name with "
          + "\(program: .flag("allowed-host"))"
      )
    }
    return nil
  }

  /// Refuses requests from pages of other sites; multipart and form bodies need no preflight.
  private func crossSiteRefusal(_ head: HTTPRequest) -> Refusal? {
    if origins.contain(head) { return nil }
    // Browsers without Fetch Metadata send the page's origin, except for links and images.
    if let refusal = originRefusal(of: head) { return refusal }
    guard let site = head.headerFields[.secFetchSite], site == "cross-site" else { return nil }
    let isLink = head.method == .get && head.headerFields[.secFetchMode] == "navigate"
    if isLink, let path = head.path, pages.contains(path) { return nil }
    return GateRules.foreignOrigin
  }

  /// Returns the refusal of a request from a page of another origin: a browser lets every page send forms and
  /// open WebSockets, and only reports the page's origin.
  func originRefusal(of head: HTTPRequest) -> Refusal? {
    let named = head.headerFields[values: .origin]
    guard !named.isEmpty, !origins.contain(head) else { return nil }
    let authority = (head.authority ?? "").lowercased()
    let isOwn =
      named.count == 1 && !authority.isEmpty
      && ["http://\(authority)", "https://\(authority)"].contains(named[0].lowercased())
    if isOwn { return nil }
    return origins.name(head) ? GateRules.closedRoute : GateRules.foreignOrigin
  }

  private static let closedRoute = Refusal(
    .forbidden, "origin-not-allowed", "Pages of other sites may not use this route",
    remedy: "Send it from a program or from a page of this server")

  private static let foreignOrigin = Refusal(
    .forbidden, "origin-not-allowed", "The request comes from a page of another site",
    remedy: "Send it from a program or from a page of this server, "
      + "or ask its operator to allow the site with \(program: .flag("allow-origin"))")

  /// Returns the host of an authority, in lower case, without port and brackets.
  package static func hostName(_ authority: String) -> String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[authority.index(after: authority.startIndex)..<end]).lowercased()
    }
    return String(authority.prefix { $0 != ":" }).lowercased()
  }
}

extension HTTPField.Name {
  /// The name for a second `Host`, because the first one becomes the authority.
  static let host = HTTPField.Name(parsed: "host") ?? .origin
  /// The relation of a request's page to this server, as declared by browsers (Fetch Metadata, W3C).
  package static let secFetchSite = HTTPField.Name(parsed: "sec-fetch-site") ?? .origin
  /// The mode of a request, such as following a link, as declared by browsers (Fetch Metadata, W3C).
  package static let secFetchMode = HTTPField.Name(parsed: "sec-fetch-mode") ?? .origin
}
#endif
