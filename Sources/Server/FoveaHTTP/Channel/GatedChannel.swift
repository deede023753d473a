// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// The pipeline of a connection: peer, clock, parser, files, gate, then the server's own handlers.
struct GatedChannel: HTTPChannelHandler {
  /// A connection, and its WebSocket task if a client requests one.
  struct Value: ServerChildChannelValue {
    let connection: HeldConnection
    let peer: ConnectionPeer
    let live: LiveTask
    var channel: any Channel { connection.channel }
  }

  let responder: HTTPChannelHandler.Responder
  let rules: GateRules
  let times: ConnectionTimes
  let live: [String: LiveRoute]
  let isSecure: Bool
  let refused: @Sendable (RefusedRequest) -> Void

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let gate = GateReference()
      let clock = ConnectionClock(times: times) { gate.abortSlowRequest() }
      var limits = NIOHTTPDecoderLimitConfiguration()
      limits.maxHeaderFieldSize = rules.headerLimit
      limits.maxHeaderListSize = rules.headerLimit + rules.targetLimit
      limits.maxHeaderFieldCount = rules.headerCountLimit
      let encoder = HTTPResponseEncoder()
      // The bytes after a request for a WebSocket are its first frames.
      let decoder = ByteToMessageHandler(
        HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
      let peer = ConnectionPeer(of: channel)
      let task = LiveTask()
      let upgrade = LiveUpgrade(
        routes: live, peer: peer.address, decoder: decoder, encoder: encoder, clock: clock, task: task)
      let requestGate = RequestGate(
        rules: rules, peer: peer.address, clock: clock, live: upgrade, refused: refused)
      gate.gate = requestGate
      gate.pipeline = pipeline
      try pipeline.addHandler(peer)
      try pipeline.addHandler(clock)
      try pipeline.addHandler(encoder)
      try pipeline.addHandler(decoder)
      try pipeline.addHandler(UnsentAnswers())
      try pipeline.addHandler(OldConnections())
      try pipeline.addHandler(RequestTargets())
      if !isSecure { try pipeline.addHandler(FileSending()) }
      try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
      try pipeline.addHandler(requestGate)
      try pipeline.addHandler(ConnectionEnd(times: times))
      let http = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
      return Value(connection: HeldConnection(http), peer: peer, live: task)
    }
  }

  func handle(value: Value, logger: Logger) async {
    await ConnectionPeer.$current.withValue(value.peer) {
      await handleHTTP(asyncChannel: value.connection.begin(), logger: logger)
    }
    // The connection is closed, and with it any WebSocket.
    await value.live.finish()
  }
}

/// Connects the clock, which comes first, to the gate, which is created after it.
private final class GateReference {
  weak var gate: RequestGate?
  var pipeline: ChannelPipeline.SynchronousOperations?

  func abortSlowRequest() {
    guard let gate, let context = try? pipeline?.context(handler: gate) else { return }
    gate.abortSlowRequest(context)
  }
}
#endif
