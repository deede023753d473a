// SPDX-License-Identifier: Apache-2.0
#if Server
import NIOCore
import NIOHTTP1

/// Closes the connection after an HTTP/1.0 request that does not ask to keep it open (RFC 9112 section 9.3),
/// or whose answer has no length: HTTP/1.0 has no chunks, so the body ends with the connection (section 6.3).
///
/// The types behind it no longer know versions, so it is placed next to the parser.
final class OldConnections: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var isOld = false
  private var closes = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) {
      isOld = head.version == .http1_0
      if isOld { closes = !head.isKeepAlive }
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard isOld || closes else { return context.write(data, promise: promise) }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      if head.status.code >= 200, !head.headers.contains(name: "Content-Length") {
        head.version = .http1_0
        closes = true
      }
      if closes { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body: context.write(data, promise: promise)
    case .end:
      guard closes else { return context.write(data, promise: promise) }
      let written = promise ?? context.eventLoop.makePromise(of: Void.self)
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      written.futureResult.assumeIsolated().whenComplete { _ in bound.value.close(promise: nil) }
      context.writeAndFlush(data, promise: written)
    }
  }
}
#endif
