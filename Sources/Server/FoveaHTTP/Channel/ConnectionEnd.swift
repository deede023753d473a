// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Closes a connection when the server shuts down, so that no request goes unanswered.
///
/// A client may have sent its next request when the server starts to shut down. Closing the connection at
/// that moment would lose it. So each connection gets one more answer, with `Connection: close` (RFC 9112
/// section 9.6), and a connection without a request is closed after ``ConnectionTimes/farewell``.
package final class ConnectionEnd: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  private enum Phase {
    case open
    /// The server is shutting down; the next answer is the last.
    case ending
    /// The last answer has started.
    case answering
    /// The last answer is written: further input is dropped.
    case ended
  }

  private let times: ConnectionTimes
  private var phase = Phase.open
  private var unanswered = 0
  private var timer: Scheduled<Void>?

  package init(times: ConnectionTimes) { self.times = times }

  package func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  /// Not forwarded: a body that ends here is truncated, and a reader behind this handler would mistake it for
  /// a complete one.
  package func channelInactive(context: ChannelHandlerContext) { timer?.cancel() }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
    guard phase == .open else { return }
    phase = .ending
    if unanswered == 0 { close(context, after: times.farewell) }
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase != .ended else { return }
    if case .head = unwrapInboundIn(data) {
      unanswered += 1
      timer?.cancel()
    }
    context.fireChannelRead(data)
  }

  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head):
      // Pipelined requests are answered before the connection closes.
      if phase == .ending, unanswered == 1, head.status.code >= 200 {
        phase = .answering
        head.headerFields[.connection] = "close"
      }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body: context.write(data, promise: promise)
    case .end: end(data, promise, context)
    }
  }

  private func end(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
    unanswered -= 1
    guard phase == .answering, unanswered == 0 else {
      context.write(data, promise: promise)
      // The head was sent before the shutdown, and promised to keep the connection open.
      if phase != .open, unanswered == 0 { close(context, after: times.farewell) }
      return
    }
    phase = .ended
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { _ in bound.value.close(mode: .output, promise: nil)
    }
    context.writeAndFlush(data, promise: written)
    // The peer closes once it has read the answer; otherwise the connection is closed here.
    close(context, after: times.linger)
  }

  private func close(_ context: ChannelHandlerContext, after time: TimeAmount) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { bound.value.close(promise: nil) }
  }
}
#endif
