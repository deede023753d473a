// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
package import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket

/// A path that becomes a WebSocket.
package struct LiveRoute: Sendable {
  package var rules = LiveRules()
  /// Returns the refusal of a request before it becomes a WebSocket; nil for none.
  package var refusal: @Sendable (HTTPRequest) -> Refusal? = { _ in nil }
  /// Returns the text to send before the server shuts down and closes the connection; nil for none.
  package var farewell: @Sendable () -> String? = { nil }
  /// Serves a peer until it returns; the connection is then closed, if it is still open.
  package var serve: @Sendable (LiveConnection) async -> Void

  package init(_ serve: @escaping @Sendable (LiveConnection) async -> Void) { self.serve = serve }
}

/// Turns a connection into a WebSocket once its request has been read completely (RFC 6455 section 4.2).
///
/// NIO's own upgrader decides only on the first request, before the gate; here the gate, its clock and its
/// refusals apply to every request.
final class LiveUpgrade {
  private let routes: [String: LiveRoute]
  private let peer: String
  private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
  private let encoder: HTTPResponseEncoder
  private let clock: ConnectionClock
  private let task: LiveTask

  init(
    routes: [String: LiveRoute], peer: String, decoder: ByteToMessageHandler<HTTPRequestDecoder>,
    encoder: HTTPResponseEncoder, clock: ConnectionClock, task: LiveTask
  ) {
    self.routes = routes
    self.peer = peer
    self.decoder = decoder
    self.encoder = encoder
    self.clock = clock
    self.task = task
  }

  /// Returns whether a request asks for a WebSocket at a path that has one.
  func isWanted(by head: HTTPRequest) -> Bool {
    head.method == .get && routes[LiveUpgrade.path(head)] != nil
      && LiveUpgrade.names("websocket", head.headerFields[.upgrade])
      && LiveUpgrade.names("upgrade", head.headerFields[.connection])
  }

  /// Answers with 101 and replaces the pipeline's handlers; calls `refuse` if the request is incomplete
  /// or the route refuses it.
  func begin(_ head: HTTPRequest, _ context: ChannelHandlerContext, refuse: @escaping (Refusal) -> Void) {
    guard let route = routes[LiveUpgrade.path(head)] else { return }
    if let refusal = route.refusal(head) { return refuse(refusal) }
    let request = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: head.path ?? "/", headers: HTTPHeaders(head.headerFields))
    // It computes the digest of the handshake; the handlers are added below, in the right place.
    let upgrader = NIOWebSocketServerUpgrader(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
    let headers = upgrader.buildUpgradeResponse(
      channel: context.channel, upgradeRequest: request, initialResponseHeaders: [:])
    headers.assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success(let headers): start(route, head, HTTPFields(headers, splitCookie: false), context)
      case .failure:
        refuse(
          Refusal(
            .badRequest, "request-malformed",
            "The request for a WebSocket has no key, or its version is not 13",
            remedy: "Send a request that follows RFC 6455"))
      }
    }
  }

  private func start(
    _ route: LiveRoute, _ head: HTTPRequest, _ headers: HTTPFields, _ context: ChannelHandlerContext
  ) {
    let answer = HTTPResponsePart.head(HTTPResponse(status: .switchingProtocols, headerFields: headers))
    context.writeAndFlush(NIOAny(answer), promise: nil)
    let inbox = LiveInbox()
    let frames = LiveFrames(rules: route.rules, inbox: inbox, farewell: route.farewell)
    let pipeline = context.pipeline.syncOperations
    do {
      try pipeline.addHandlers(
        [
          WebSocketFrameEncoder(),
          ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: route.rules.messageLimit)), frames,
        ], position: .after(decoder))
    } catch {
      return context.close(promise: nil)
    }
    pipeline.removeHandler(clock, promise: nil)
    pipeline.removeHandler(encoder, promise: nil)
    // Removed last, because it forwards the bytes after the request.
    pipeline.removeHandler(decoder, promise: nil)
    let connection = LiveConnection(
      peer: peer, head: head, inbox: inbox, frames: frames, loop: context.eventLoop)
    let serve = route.serve
    task.start {
      await serve(connection)
      connection.close(.normal)
    }
  }

  private static func path(_ head: HTTPRequest) -> String { String((head.path ?? "").prefix { $0 != "?" }) }

  /// Returns whether a list of words contains a word, ignoring case.
  private static func names(_ word: String, _ list: String?) -> Bool {
    guard let list else { return false }
    return list.split(separator: ",").contains { String($0).trimmingBlanks.lowercased() == word }
  }
}
#endif
