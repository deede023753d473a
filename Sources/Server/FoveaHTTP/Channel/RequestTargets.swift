// SPDX-License-Identifier: Apache-2.0
#if Server
import NIOCore
import NIOHTTP1

/// Brings the host of each request into its `Host`, and its target into the form of a path.
///
/// A target may be a whole address, whose host counts then, whatever `Host` says (RFC 9112 section 3.2.2). Rules, keys
/// and routes behind this handler know paths alone, and each would have to look for the other form. A request of HTTP/1.1
/// has a `Host` in any case (section 3.2); the types behind the parser know no versions, so one without gets an empty
/// one, which the rules refuse.
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
    // Two are refused.
    if hosts <= 1 { head.headers.replaceOrAdd(name: "Host", value: authority) }
  }

  /// Host and path of a whole address; nil for a path.
  static func parts(of target: String) -> (authority: String, path: String)? {
    guard target.utf8.first != UInt8(ascii: "/"), let mark = target.firstRange(of: "://") else {
      return nil
    }
    let rest = target[mark.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let path = rest[authority.endIndex...]
    // A name of a user is no part of the host (RFC 9110 section 4.2.4).
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return (String(host), path.hasPrefix("/") ? String(path) : "/\(path)")
  }
}
#endif
