// SPDX-License-Identifier: Apache-2.0
#if Server
import NIOCore
import NIOHTTP1

/// Normalizes each request: its host goes into `Host`, and its target becomes a path.
///
/// A target may be an absolute URL, whose host overrides `Host` (RFC 9112 section 3.2.2). The rules, keys and
/// routes behind this handler know only paths, and each would have to check for the other form. An HTTP/1.1
/// request must have a `Host` (section 3.2); the types that the later handlers use have no version, so a
/// request without a host gets an empty one here, which the rules refuse.
final class RequestTargets: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    RequestTargets.normalize(&head)
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  private static func normalize(_ head: inout HTTPRequestHead) {
    let hosts = head.headers["host"].count
    if hosts == 0, head.version != .http1_0, head.version.major == 1 {
      return head.headers.add(name: "Host", value: "")
    }
    guard let (authority, target) = parts(of: head.uri) else { return }
    head.uri = target
    // Two hosts are refused.
    if hosts <= 1 { head.headers.replaceOrAdd(name: "Host", value: authority) }
  }

  /// Returns the host and path of an absolute URL; nil for a path.
  static func parts(of target: String) -> (authority: String, path: String)? {
    guard target.utf8.first != UInt8(ascii: "/"), let mark = target.firstRange(of: "://") else {
      return nil
    }
    let rest = target[mark.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let path = rest[authority.endIndex...]
    // A user name is not part of the host (RFC 9110 section 4.2.4).
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return (String(host), path.hasPrefix("/") ? String(path) : "/\(path)")
  }
}
#endif
