// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaTesting
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import FoveaHTTP

/// On their own clock: on a busy machine a real peer would answer too late.
@Suite struct LiveFramesTests {
  /// A connection and its output since the last check: opcodes, and whether it is open.
  private static func connection(_ rules: LiveRules) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(
      LiveFrames(rules: rules, inbox: LiveInbox()) { nil })
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  /// Counts the reads that reach the socket.
  private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = WebSocketFrame
    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  @Test(.onOwnThread) func `no more is read while four messages wait for the route`() throws {
    let channel = EmbeddedChannel()
    let reads = Reads()
    let inbox = LiveInbox()
    let frames = LiveFrames(rules: LiveRules(), inbox: inbox) { nil }
    try channel.pipeline.syncOperations.addHandlers([reads, frames])
    for count in 1...6 {
      channel.read()
      try channel.writeInbound(
        WebSocketFrame(fin: true, opcode: .text, maskKey: [0, 0, 0, 0], data: ByteBuffer(string: "a")))
      // Received data is read; only no more is requested.
      #expect(reads.count == min(count, 4))
    }
    for waiting in [5, 4, 3] {
      Task { _ = await inbox.take() }
      blockUntil { inbox.waiting == waiting }
      frames.resume()
      #expect(inbox.waiting == waiting && reads.count == (waiting < 4 ? 5 : 4))
    }
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  private static func sent(_ channel: EmbeddedChannel) throws -> [WebSocketOpcode] {
    var found: [WebSocketOpcode] = []
    while let frame = try channel.readOutbound(as: WebSocketFrame.self) { found.append(frame.opcode) }
    return found
  }

  @Test func `a quiet peer is pinged, and closed if it does not answer`() throws {
    var rules = LiveRules()
    rules.pingInterval = .seconds(20)
    let channel = try Self.connection(rules)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(19_999))
    #expect(try Self.sent(channel).isEmpty)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    for _ in 0..<3 {
      #expect(try Self.sent(channel) == [.ping])
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(19_999))
      try channel.writeInbound(
        WebSocketFrame(fin: true, opcode: .pong, maskKey: [1, 2, 3, 4], data: ByteBuffer()))
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    }
    #expect(try Self.sent(channel) == [.ping] && channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(20))
    #expect(try Self.sent(channel).isEmpty && !channel.isActive)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  @Test func `a peer that does not answer a close is closed after a while`() throws {
    let rules = LiveRules()
    let channel = try Self.connection(rules)
    channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(try Self.sent(channel) == [.connectionClose] && channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: rules.closeTime)
    #expect(!channel.isActive)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }
}
#endif
