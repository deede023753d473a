// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Refuses a request by its head, or as soon as its body is too large, without reading on.
///
/// A server that answers early and reads on takes in ten gigabytes to say that one was too many. Here a connection
/// whose request was not read to its end is closed: the answer carries `Connection: close`, of what still comes 256 KiB
/// are read and dropped, and the connection stays open for a second, so that the answer is not lost to a reset (RFC 9112
/// section 9.6). A client that only reads when it has written all has its answer by then, or its connection is reset.
///
/// Only the small body of a caller that may not ask, or not now, is skipped here, where it costs least, and the
/// connection stays.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let rules: GateRules
  private let clock: ConnectionClock
  private let live: LiveUpgrade
  private let refused: @Sendable (RefusedRequest) -> Void

  /// The request for a WebSocket that is being read; nil while there is none.
  private var upgrading: HTTPRequest?
  /// Whether a head has come and its end has not.
  private var isReading = false
  /// Requests that were passed on and have no whole answer.
  private var unanswered = 0
  /// Whether the answer to the request that is being read has begun.
  private var hasAnswerBegun = false
  private var bodyLimit: Int64 = 0
  private var bodyBytes: Int64 = 0
  private var path = ""
  /// The request that is being read, or waits for its refusal; nil while there is none.
  private var head: HTTPRequest?
  /// What a refusal says to the browser of a page of another site.
  private var crossOrigin: HTTPFields = [:]
  /// A refusal that waits for the answers before it.
  private var waiting: Refusal?
  /// A refusal that is written when the body of its request has been skipped.
  private var skipping: Refusal?
  /// A refusal that a client with too many requests gets a moment later.
  private var held: (refusal: Refusal, timer: Scheduled<Void>)?
  /// Whether the server ends, and each connection with its next answer.
  private var isEnding = false
  /// Whether what comes is dropped.
  private var isDropping = false
  /// Whether what handlers write is dropped, because the gate has answered for them.
  private var isAnswerTaken = false
  private var dropped = 0

  init(
    rules: GateRules, clock: ConnectionClock, live: LiveUpgrade,
    refused: @escaping @Sendable (RefusedRequest) -> Void
  ) {
    self.rules = rules
    self.clock = clock
    self.live = live
    self.refused = refused
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    guard !isDropping else { return drop(part) }
    // It has not waited for the answer: the next one may come only after it.
    releaseHeld(context)
    if let refusal = skipping { return skip(part, refusal, context) }
    switch part {
    case .head(let head): begin(head, context)
    case .body(let bytes):
      bodyBytes += Int64(bytes.readableBytes)
      if bodyBytes > bodyLimit { return abort(GateRules.tooLarge(limit: bodyLimit), context) }
      clock.bodyGrew(by: bytes.readableBytes)
      context.fireChannelRead(data)
    case .end:
      isReading = false
      clock.requestEnded()
      guard let upgrade = upgrading else {
        head = nil
        return context.fireChannelRead(data)
      }
      upgrading = nil
      live.begin(upgrade, context) { [self] refusal in refuse(refusal, context) }
    }
  }

  private func begin(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
    path = head.path ?? ""
    self.head = head
    crossOrigin = rules.origins.fields(for: head)
    let isUpgrade = unanswered == 0 && live.isWanted(by: head)
    let peer = context.channel.remoteAddress?.ipAddress ?? "unknown"
    if let refusal = rules.formRefusal(of: head) { return refuse(refusal, context) }
    if let refusal = rules.admissionRefusal(of: head, peer: peer) {
      guard unanswered == 0, !isEnding, GateRules.canSkip(head) else { return refuse(refusal, context) }
      skipping = refusal
      return clock.requestBegan()
    }
    if isUpgrade, let refusal = rules.originRefusal(of: head) { return refuse(refusal, context) }
    isReading = true
    hasAnswerBegun = false
    if isUpgrade {
      (bodyLimit, bodyBytes) = (0, 0)
      upgrading = head
      return clock.requestBegan()
    }
    unanswered += 1
    bodyLimit = rules.bodyLimit(head)
    bodyBytes = 0
    clock.requestBegan()
    // A client that asks waits a second for this before it sends its body.
    if unanswered == 1, head.headerFields[.expect]?.lowercased() == "100-continue" {
      context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// Drops the body of a refused request, and answers at its end.
  private func skip(_ part: HTTPRequestPart, _ refusal: Refusal, _ context: ChannelHandlerContext) {
    switch part {
    case .head: break
    case .body(let bytes): clock.bodyGrew(by: bytes.readableBytes)
    case .end:
      skipping = nil
      clock.requestEnded()
      guard !isEnding else { return refuse(refusal, context) }
      if refusal.status == .tooManyRequests { hold(refusal, context) } else { keep(refusal, context) }
    }
  }

  /// Answers, and keeps the connection.
  private func keep(_ refusal: Refusal, _ context: ChannelHandlerContext) {
    let (head, body) = answer(refusal, context)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    clock.answered()
  }

  /// Answers in a moment: a client that sends its next request as soon as one is refused would take the cores from others.
  private func hold(_ refusal: Refusal, _ context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let timer = context.eventLoop.assumeIsolated().scheduleTask(in: GateRules.pause) { [self] in
      releaseHeld(bound.value)
    }
    held = (refusal, timer)
  }

  private func releaseHeld(_ context: ChannelHandlerContext) {
    guard let held else { return }
    self.held = nil
    held.timer.cancel()
    if isEnding { refuse(held.refusal, context) } else { keep(held.refusal, context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    held?.timer.cancel()
    held = nil
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent {
      isEnding = true
      releaseHeld(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  /// Answers a request that was not passed on.
  private func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
    isDropping = true
    isReading = true
    if unanswered > 0 { waiting = refusal } else { write(refusal, context) }
  }

  /// Answers a request that was passed on and is still being read.
  private func abort(_ refusal: Refusal, _ context: ChannelHandlerContext) {
    isDropping = true
    if !hasAnswerBegun && unanswered <= 1 {
      isAnswerTaken = true
      write(refusal, context, isHandled: true)
    } else {
      context.close(promise: nil)
    }
    context.fireErrorCaught(BodyRefused(refusal: refusal))
  }

  /// What the clock calls when a request is too slow.
  func abortSlowRequest(_ context: ChannelHandlerContext) {
    guard !isDropping else { return context.close(promise: nil) }
    skipping = nil
    let refusal = Refusal(
      .requestTimeout, "request-timeout", "The request did not come in time", remedy: "Send it again")
    if isReading { abort(refusal, context) } else { refuse(refusal, context) }
  }

  /// The answer of a refusal, which is counted.
  private func answer(
    _ refusal: Refusal, _ context: ChannelHandlerContext, isHandled: Bool = false
  ) -> (head: HTTPResponse, body: ByteBuffer) {
    let id = RequestLog.identifier(of: head)
    let peer = context.channel.remoteAddress?.ipAddress ?? "unknown"
    refused(RefusedRequest(refusal: refusal, id: id, head: head, peer: peer, isHandled: isHandled))
    head = nil
    let shape = rules.shape(path)
    let body = ByteBuffer(string: shape.body(of: refusal))
    var headers = refusal.headers
    headers.append(contentsOf: crossOrigin)
    headers[.contentType] = shape.contentType
    headers[.contentLength] = String(body.readableBytes)
    headers[.xRequestID] = id
    headers[.date] = HTTPDate.text(seconds: HTTPDate.now)
    return (HTTPResponse(status: refusal.status, headerFields: headers), body)
  }

  /// Answers, and closes the connection.
  private func write(_ refusal: Refusal, _ context: ChannelHandlerContext, isHandled: Bool = false) {
    var (head, body) = answer(refusal, context, isHandled: isHandled)
    head.headerFields[.connection] = "close"
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
    let end = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: end)
    linger(after: end.futureResult, context)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard !isAnswerTaken else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(var head):
      if head.status.code >= 200 {
        hasAnswerBegun = true
        if isReading && unanswered == 1 { head.headerFields[.connection] = "close" }
      }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .body: context.write(data, promise: promise)
    case .end: end(data, promise, context)
    }
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard isAnswerTaken && event is FileSegment else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    promise?.fail(ChannelError.ioOnClosedChannel)
  }

  private func end(_ data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
    unanswered -= 1
    if let refusal = waiting, unanswered == 0 {
      waiting = nil
      context.write(data, promise: promise)
      return write(refusal, context)
    }
    guard isReading && unanswered == 0 && !isDropping else {
      context.write(data, promise: promise)
      if unanswered == 0 { clock.answered() }
      return
    }
    isDropping = true
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(data, promise: written)
    linger(after: written.futureResult, context)
  }

  /// Closes once the answer is out and the peer has had time to read it.
  private func linger(after written: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    written.assumeIsolated().whenComplete { _ in
      bound.value.close(mode: .output, promise: nil)
      bound.value.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
        bound.value.close(promise: nil)
      }
    }
  }

  private func drop(_ part: HTTPRequestPart) {
    if case .body(let bytes) = part { dropped += bytes.readableBytes }
  }

  /// Reads on until enough is dropped: what comes then waits at its sender, until the connection is closed.
  func read(context: ChannelHandlerContext) {
    if dropped < GateRules.skipLimit { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let refusal = Refusal(parserError: error) else { return context.fireErrorCaught(error) }
    guard !isDropping else { return }
    if isReading && unanswered > 0 {
      abort(refusal, context)
    } else {
      refuse(refusal, context)
    }
  }
}

/// What the reader of a body sees when the gate has refused the rest.
struct BodyRefused: Error { let refusal: Refusal }
#endif
