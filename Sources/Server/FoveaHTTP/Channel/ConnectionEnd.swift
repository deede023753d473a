// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
package import NIOCore
package import NIOHTTPTypes

/// Ends a connection when the server does, so that no request goes without an answer.
///
/// A client may have sent its next request when the server decides to end. A connection that was closed at that moment would
/// lose it. So each gets one more answer, with `Connection: close` (RFC 9112 section 9.6), and one that stays without a request
/// is closed after ``ConnectionTimes/farewell``.
package final class ConnectionEnd: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  private enum Phase {
    case open
    /// The server ends; the next answer is the last.
    case ending
    /// The last answer has begun.
    case answering
    /// The last answer is written: what still comes is dropped.
    case ended
  }

  private let times: ConnectionTimes
  private var phase = Phase.open
  private var unanswered = 0
  private var timer: Scheduled<Void>?

  package init(times: ConnectionTimes) { self.times = times }

  package func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  /// Goes no further: a body that ends here is cut off, and a reader behind this handler would take it for whole.
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
      // Requests that came in one go with others are answered before the end.
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
      // The head was out before the server's end, and promised to go on.
      if phase != .open, unanswered == 0 { close(context, after: times.farewell) }
      return
    }
    phase = .ended
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenComplete { _ in bound.value.close(mode: .output, promise: nil)
    }
    context.writeAndFlush(data, promise: written)
    // The peer closes when it has read the answer; one that does not is closed.
    close(context, after: times.linger)
  }

  private func close(_ context: ChannelHandlerContext, after time: TimeAmount) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { bound.value.close(promise: nil) }
  }
}
#endif
