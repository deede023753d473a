// SPDX-License-Identifier: Apache-2.0
#if Server
package import NIOCore

/// The time limits of a connection.
package struct ConnectionTimes: Sendable {
  /// The time from the first byte of a head to its last.
  package var head = TimeAmount.seconds(10)
  /// The base time for a body, plus a second for each 64 KiB.
  package var body = TimeAmount.seconds(10)
  package var bodyRate = 64 << 10
  /// The time without a request.
  package var idle = TimeAmount.seconds(75)
  /// The time without the peer reading any byte of an answer.
  package var stalledAnswer = TimeAmount.seconds(60)
  /// The time without a request while the server shuts down: one already on its way is still answered.
  package var farewell = TimeAmount.milliseconds(250)
  /// The time from a connection's last answer until it is closed, if the peer does not close it.
  package var linger = TimeAmount.seconds(1)

  package init() {}
}

/// Closes connections that are idle, send too slowly, or do not read their answer.
///
/// It precedes the parser, where a head that never ends can be noticed. Each connection has one timer, which
/// is reset only if the deadline has moved closer.
final class ConnectionClock: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase { case idle, head, body, answer, stalled }

  private let times: ConnectionTimes
  private let tooSlow: () -> Void
  private var phase = Phase.idle
  private var deadline: NIODeadline?
  private var timer: Scheduled<Void>?
  private var timerDeadline = NIODeadline.distantFuture
  private var context: ChannelHandlerContext?

  /// Creates a clock; `tooSlow` answers a slow request, or closes the connection.
  init(times: ConnectionTimes, tooSlow: @escaping () -> Void) {
    self.times = times
    self.tooSlow = tooSlow
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    set(.idle, times.idle)
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  private func stop() {
    timer?.cancel()
    timer = nil
    context = nil
  }

  func channelReadComplete(context: ChannelHandlerContext) { context.fireChannelReadComplete() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.fireChannelRead(data)
    // Bytes have arrived, but the parser has no complete head yet.
    if phase == .idle { set(.head, times.head) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if phase == .answer && !context.channel.isWritable {
      set(.stalled, times.stalledAnswer)
    } else if phase == .stalled && context.channel.isWritable {
      set(.answer, nil)
    }
    context.fireChannelWritabilityChanged()
  }

  func requestBegan() { set(.body, times.body) }

  func bodyGrew(by bytes: Int) {
    guard phase == .body, let deadline else { return }
    self.deadline = deadline + .nanoseconds(Int64(bytes) * 1_000_000_000 / Int64(times.bodyRate))
  }

  func requestEnded() { set(.answer, nil) }

  func answered() { set(.idle, times.idle) }

  private func set(_ phase: Phase, _ time: TimeAmount?) {
    self.phase = phase
    guard let time else {
      deadline = nil
      return
    }
    let deadline = (context?.eventLoop.now ?? .now()) + time
    self.deadline = deadline
    if timer == nil || deadline < timerDeadline { start(at: deadline) }
  }

  private func start(at deadline: NIODeadline) {
    guard let context else { return }
    timer?.cancel()
    timerDeadline = deadline
    timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in fire() }
  }

  private func fire() {
    timer = nil
    guard let context, let deadline else { return }
    guard deadline <= context.eventLoop.now else { return start(at: deadline) }
    switch phase {
    case .idle, .stalled: context.close(promise: nil)
    case .head, .body: tooSlow()
    case .answer: break
    }
  }
}
#endif
