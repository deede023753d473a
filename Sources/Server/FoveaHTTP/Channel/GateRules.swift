// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes
import NIOCore

/// What a request must keep before its body is read.
package struct GateRules: Sendable {
  /// Longest path with its query, in bytes.
  package var targetLimit = 8 << 10
  /// Most header lines.
  package var headerCountLimit = 100
  /// Largest sum of header names and values, in bytes.
  package var headerLimit = 16 << 10
  /// Largest body that a request may have, in bytes.
  package var bodyLimit: @Sendable (HTTPRequest) -> Int64 = { _ in 1 << 20 }
  /// Why a request whose body is too large could not be taken with a small one either; nil where it could.
  package var largeRefusal: @Sendable (HTTPRequest) -> Refusal? = { _ in nil }
  /// Names that `Host` may have, lower case, without a port; nil takes any.
  package var hosts: Set<String>?
  /// Other sites whose pages may ask.
  package var origins = AllowedOrigins()
  /// Why the caller at an address may not ask; nil where it may.
  package var admission: @Sendable (_ head: HTTPRequest, _ peer: String) -> Refusal? = { _, _ in nil }
  /// Paths of pages, which a link on a page of another site may lead to.
  package var pages: Set<String> = []
  /// The form of a reply, by the path.
  package var shape: @Sendable (_ path: String) -> ErrorShape = { _ in .native }

  package init() {}

  /// Why a request is refused by its head alone; nil where it may go on.
  package func refusal(of head: HTTPRequest, peer: String = "unknown") -> Refusal? {
    formRefusal(of: head) ?? admissionRefusal(of: head, peer: peer)
  }

  /// Why a request cannot be taken, no matter who sends it.
  func formRefusal(of head: HTTPRequest) -> Refusal? {
    guard (head.path ?? "").utf8.count <= targetLimit else {
      return Refusal(
        .uriTooLong, "request-too-large", "The path and query have more than \(targetLimit) bytes",
        remedy: "Send less in the query")
    }
    return headerRefusal(head) ?? lengthRefusal(head) ?? hostRefusal(head) ?? crossSiteRefusal(head)
  }

  /// Why the caller may not ask this, or not now.
  func admissionRefusal(of head: HTTPRequest, peer: String) -> Refusal? {
    origins.isPreflight(head) ? nil : admission(head, peer)
  }

  /// The most bytes of a refused body that are read and dropped: as many let the caller keep its connection, since reading
  /// more costs more than a new one does.
  static let skipLimit = 1 << 18

  /// How long a client with too many requests waits to hear so.
  static let pause = TimeAmount.milliseconds(20)

  /// Whether the body of a refused request has an end that is near, and its connection another request.
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
        "The request has \(count) header lines with \(bytes) bytes; \(headerCountLimit) with \(headerLimit) are allowed",
        remedy: "Send fewer headers")
    }
    return nil
  }

  private func lengthRefusal(_ head: HTTPRequest) -> Refusal? {
    if let coding = head.headerFields[.transferEncoding], coding.lowercased() != "chunked" {
      return Refusal(
        .notImplemented, "request-malformed", "The transfer coding '\(coding.prefix(40))' is not taken",
        remedy: "Send chunked, and name a compression in Content-Encoding")
    }
    let lengths = head.headerFields[values: .contentLength]
    if lengths.isEmpty { return nil }
    guard lengths.count == 1, head.headerFields[.transferEncoding] == nil,
      let length = UInt64(lengths[0]), !lengths[0].hasPrefix("+")
    else {
      return Refusal(
        .badRequest, "request-malformed",
        "Content-Length is given twice, with Transfer-Encoding, or is no number",
        remedy: "Send one length")
    }
    let limit = bodyLimit(head)
    return length <= UInt64(limit) ? nil : largeRefusal(head) ?? GateRules.tooLarge(limit: limit)
  }

  /// The refusal of a body that is too large.
  package static func tooLarge(limit: Int64) -> Refusal {
    Refusal(
      .contentTooLarge, "request-too-large",
      "The body has more than the \(limit) bytes that this route takes",
      remedy: "Send less")
  }

  /// A page of another origin reaches a server on loopback by a name that it has bound to it.
  private func hostRefusal(_ head: HTTPRequest) -> Refusal? {
    // The first is the authority of the request; a proxy on the way may have read another one (RFC 9112 section 3.2).
    guard head.headerFields[.host] == nil else {
      return Refusal(
        .badRequest, "request-malformed", "The request has more than one Host", remedy: "Send one")
    }
    guard head.authority != "" else {
      return Refusal(
        .badRequest, "request-malformed", "The request has no Host, or an empty one",
        remedy: "Send the host and port of its address")
    }
    guard let hosts else { return nil }
    let name = GateRules.hostName(head.authority ?? "")
    guard hosts.contains(name) else {
      return Refusal(
        .forbidden, "host-not-allowed",
        "The request names the host '\(name.prefix(80))', which is not one of this server's",
        remedy:
          "Use its address; the server's operator can allow the name with \(program: .flag("allowed-host"))")
    }
    return nil
  }

  /// Pages of other sites have nothing to ask here; multipart and form bodies need no preflight.
  private func crossSiteRefusal(_ head: HTTPRequest) -> Refusal? {
    if origins.contain(head) { return nil }
    // Browsers without Fetch Metadata name the page's origin with all but links and images.
    if let refusal = originRefusal(of: head) { return refusal }
    guard let site = head.headerFields[.secFetchSite], site == "cross-site" else { return nil }
    let isLink = head.method == .get && head.headerFields[.secFetchMode] == "navigate"
    if isLink, let path = head.path, pages.contains(path) { return nil }
    return GateRules.foreignOrigin
  }

  /// Why a request of a page of another origin is refused: a browser lets every page send forms and ask for WebSockets,
  /// and only names the page's origin.
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
    remedy: "Send it from a program or a page of this server")

  private static let foreignOrigin = Refusal(
    .forbidden, "origin-not-allowed", "The request comes from a page of another site",
    remedy: "Send it from a program or a page of this server; "
      + "its operator can allow the site with \(program: .flag("allow-origin"))")

  /// The host of an authority, lower case, without port and brackets.
  package static func hostName(_ authority: String) -> String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[authority.index(after: authority.startIndex)..<end]).lowercased()
    }
    return String(authority.prefix { $0 != ":" }).lowercased()
  }
}

extension HTTPField.Name {
  /// Where a second `Host` is: the first is the authority.
  static let host = HTTPField.Name(parsed: "host") ?? .origin
  /// Where a browser says which page a request comes from (Fetch Metadata, W3C).
  package static let secFetchSite = HTTPField.Name(parsed: "sec-fetch-site") ?? .origin
  /// Where a browser says whether a person has followed a link (Fetch Metadata, W3C).
  package static let secFetchMode = HTTPField.Name(parsed: "sec-fetch-mode") ?? .origin
}
#endif
