// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Refuses a request by its head, or as soon as its body is too large, without reading further.
///
/// A server that responds early but keeps reading would receive ten gigabytes just to report that one
/// gigabyte was too much. Here a connection whose request was not read to its end is closed: the answer
/// carries `Connection: close`, 256 KiB of further input are read and dropped, and the connection stays open
/// for a second, so that the answer is not lost to a reset (RFC 9112 section 9.6). A client that starts
/// reading only after it has written everything either has its response by then, or its connection is reset.
///
/// If a caller may not send a request, or not now, a small body is skipped instead: this costs least, and
/// keeps the connection open.
final class RequestGate: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let rules: GateRules
  /// The connection's address.
  private let peer: String
  private let clock: ConnectionClock
  private let live: LiveUpgrade
  private let refused: @Sendable (RefusedRequest) -> Void

  /// The request for a WebSocket being read; nil if there is none.
  private var upgrading: HTTPRequest?
  /// Whether a head has arrived whose request has not ended.
  private var isReading = false
  /// The number of forwarded requests without a complete answer.
  private var unanswered = 0
  /// Whether the answer to the request being read has started.
  private var hasAnswerBegun = false
  private var bodyLimit: Int64 = 0
  private var bodyBytes: Int64 = 0
  private var path = ""
  /// The request being read, or waiting for its refusal; nil if there is none.
  private var head: HTTPRequest?
  /// The CORS headers for a refusal.
  private var crossOrigin: HTTPFields = [:]
  /// A refusal that waits for earlier answers.
  private var waiting: Refusal?
  /// A refusal to write once its request's body has been skipped.
  private var skipping: Refusal?
  /// A refusal that is delayed for a client with too many requests.
  private var held: (refusal: Refusal, timer: Scheduled<Void>)?
  /// Whether the server is shutting down, and each connection ends with its next answer.
  private var isEnding = false
  /// Whether input is dropped.
  private var isDropping = false
  /// Whether the handlers' output is dropped, because the gate has answered for them.
  private var isAnswerTaken = false
  private var dropped = 0

  init(
    rules: GateRules, peer: String, clock: ConnectionClock, live: LiveUpgrade,
    refused: @escaping @Sendable (RefusedRequest) -> Void
  ) {
    self.rules = rules
    self.peer = peer
    self.clock = clock
    self.live = live
    self.refused = refused
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    guard !isDropping else { return drop(part) }
    // The client did not wait for the answer, so the next request must come after it.
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
    // A client that expects this waits a second for it before sending its body.
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

  /// Answers and keeps the connection.
  private func keep(_ refusal: Refusal, _ context: ChannelHandlerContext) {
    let (head, body) = answer(refusal)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    clock.answered()
  }

  /// Answers after a moment: a client that sends its next request right after a refusal would use up the
  /// cores.
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

  /// Answers a request that was not forwarded.
  private func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
    isDropping = true
    isReading = true
    if unanswered > 0 { waiting = refusal } else { write(refusal, context) }
  }

  /// Answers a request that was forwarded and is still being read.
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

  /// Called by the clock when a request is too slow.
  func abortSlowRequest(_ context: ChannelHandlerContext) {
    guard !isDropping else { return context.close(promise: nil) }
    skipping = nil
    let refusal = Refusal(
      .requestTimeout, "request-timeout", "The request did not arrive in time",
      remedy: "Send the request again")
    if isReading { abort(refusal, context) } else { refuse(refusal, context) }
  }

  /// Counts a refusal and returns its answer.
  private func answer(_ refusal: Refusal, isHandled: Bool = false) -> (head: HTTPResponse, body: ByteBuffer) {
    let id = RequestLog.identifier(of: head)
    let route = isHandled ? nil : head.flatMap(rules.route)
    refused(
      RefusedRequest(
        refusal: refusal, id: id, head: head, route: route, peer: peer, isHandled: isHandled))
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

  /// Answers and closes the connection.
  private func write(_ refusal: Refusal, _ context: ChannelHandlerContext, isHandled: Bool = false) {
    var (head, body) = answer(refusal, isHandled: isHandled)
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

  /// Closes the connection once the answer is sent and the peer has had time to read it.
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

  /// Reads on until enough is dropped: later input waits at its sender, until the connection is closed.
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

/// The error for the reader of a body if the gate has refused the rest.
struct BodyRefused: Error { let refusal: Refusal }
#endif
