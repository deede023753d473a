// SPDX-License-Identifier: Apache-2.0
#if Server
import NIOCore
import NIOWebSocket

/// The end of a live connection's pipeline: turns frames into messages for the route, and the route's
/// messages into frames.
///
/// Bytes are read only while the route accepts messages and the peer reads answers, so that neither
/// accumulates here. It sends pings, answers pings, closes according to RFC 6455, and ends the connection
/// with 1001 when the server drains.
final class LiveFrames: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private enum Phase { case open, closing }

  private let rules: LiveRules
  private let inbox: LiveInbox
  /// Returns the text to send before the server shuts down and closes the connection.
  private let farewell: @Sendable () -> String?
  private var assembly: MessageAssembly
  private var phase = Phase.open
  private var context: ChannelHandlerContext?
  private var timer: Scheduled<Void>?
  /// Whether a read was requested without credit.
  private var isReadWaiting = false
  private var isPongMissing = false
  private var controls = 0

  init(rules: LiveRules, inbox: LiveInbox, farewell: @escaping @Sendable () -> String?) {
    self.rules = rules
    self.inbox = inbox
    self.farewell = farewell
    assembly = MessageAssembly(rules: rules)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    schedulePing(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    timer?.cancel()
    timer = nil
    context = nil
    inbox.end()
  }

  // MARK: In

  func read(context: ChannelHandlerContext) {
    if canRead(context) { context.read() } else { isReadWaiting = true }
  }

  /// Continues a waiting read if there is credit again.
  func resume() {
    guard let context, isReadWaiting, canRead(context) else { return }
    isReadWaiting = false
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    resume()
    context.fireChannelWritabilityChanged()
  }

  /// Returns whether to read; input while the connection closes is dropped, for the short time that takes.
  private func canRead(_ context: ChannelHandlerContext) -> Bool {
    phase == .closing || (context.channel.isWritable && inbox.waiting < rules.credit)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    isPongMissing = false
    guard phase == .open else {
      if frame.opcode == .connectionClose { context.close(promise: nil) }
      return
    }
    do throws(LiveClosing) {
      switch try assembly.take(frame) {
      case .incomplete: break
      case .message(let message): inbox.put(message)
      case .ping(let data):
        try countControl()
        write(WebSocketFrame(fin: true, opcode: .pong, data: data), context)
      case .pong: try countControl()
      case .close(let closing):
        close(closing)
        context.close(mode: .output, promise: nil)
      }
    } catch {
      fail(error, context)
    }
  }

  private func countControl() throws(LiveClosing) {
    controls += 1
    guard controls <= rules.controlLimit else { throw .policy("too many pings") }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength: fail(.tooLarge(limit: rules.messageLimit), context)
    case is NIOWebSocketError: fail(.protocolError("a control frame is too long or fragmented"), context)
    default: context.close(promise: nil)
    }
  }

  /// Closes the connection of a peer whose frames cannot be read any more, without waiting for its answer.
  private func fail(_ closing: LiveClosing, _ context: ChannelHandlerContext) {
    guard phase == .open else { return }
    close(closing)
    context.close(mode: .output, promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      if let text = farewell() { send(ByteBuffer(string: text), as: .text, nil) }
      close(.draining)
    case ChannelEvent.inputClosed: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  // MARK: Out

  /// Sends a message; the promise succeeds when the system has accepted its bytes.
  func send(_ bytes: ByteBuffer, as opcode: WebSocketOpcode, _ promise: EventLoopPromise<Void>?) {
    guard let context, phase == .open else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    write(WebSocketFrame(fin: true, opcode: opcode, data: bytes), context, promise)
  }

  private func write(
    _ frame: WebSocketFrame, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil
  ) {
    context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
  }

  /// Sends a close frame, and ends the connection when the peer has answered or has had time to.
  func close(_ closing: LiveClosing) {
    guard let context, phase == .open else { return }
    phase = .closing
    inbox.finish()
    var data = ByteBuffer()
    data.writeInteger(closing.code)
    data.writeString(closing.reason)
    write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data), context)
    timer?.cancel()
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: rules.closeTime) { [self] in
      self.context?.close(promise: nil)
    }
    resume()
  }

  private func schedulePing(_ context: ChannelHandlerContext) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: rules.pingInterval) { [self] in ping() }
  }

  private func ping() {
    guard let context, phase == .open else { return }
    guard !isPongMissing else { return context.close(promise: nil) }
    isPongMissing = true
    controls = 0
    write(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()), context)
    schedulePing(context)
  }
}
#endif
