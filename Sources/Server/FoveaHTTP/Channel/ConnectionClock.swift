// SPDX-License-Identifier: Apache-2.0
#if Server
package import NIOCore

/// How long a connection may take for what.
package struct ConnectionTimes: Sendable {
  /// From the first byte of a head to its last.
  package var head = TimeAmount.seconds(10)
  /// A body has this and a second for each 64 KiB.
  package var body = TimeAmount.seconds(10)
  package var bodyRate = 64 << 10
  /// Without a request.
  package var idle = TimeAmount.seconds(75)
  /// Without a byte that the peer takes of an answer.
  package var stalledAnswer = TimeAmount.seconds(60)
  /// Without a request while the server ends: one that is on its way is still answered.
  package var farewell = TimeAmount.milliseconds(250)
  /// From the last answer of a connection to its end, where the peer does not close it.
  package var linger = TimeAmount.seconds(1)

  package init() {}
}

/// Closes connections that are idle, drip, or do not take their answer.
///
/// It stands in front of the parser, because there a head that never ends can be seen. One timer runs for a
/// connection; it is set again only when the deadline has moved closer.
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

  /// `tooSlow` answers a request that is too slow, or closes.
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
    // Bytes have come, and the parser has made no head of them yet.
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
