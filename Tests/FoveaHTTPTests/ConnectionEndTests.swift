// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@Suite struct ConnectionEndTests {
  /// The events of a connection, in order.
  enum Step: Sendable {
    case request, head, end, serverEnds, wait(TimeAmount)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]
    /// The `Connection` header of each response, "keep" without one.
    let answers: [String]
    let isOpen: Bool
    var testDescription: String { name }
  }

  static let farewell = TimeAmount.milliseconds(250)
  static let rows = [
    Row(name: "the server goes on", steps: [.request, .head, .end], answers: ["keep"], isOpen: true),
    Row(name: "without a request, at first", steps: [.serverEnds], answers: [], isOpen: true),
    Row(name: "without a request", steps: [.serverEnds, .wait(farewell)], answers: [], isOpen: false),
    Row(
      name: "a request that was on its way", steps: [.serverEnds, .request, .wait(farewell), .head, .end],
      answers: ["close"], isOpen: true),
    Row(
      name: "a request under way", steps: [.request, .serverEnds, .wait(.seconds(5)), .head, .end],
      answers: ["close"], isOpen: true),
    Row(
      name: "a peer that does not close after the last answer",
      steps: [.request, .serverEnds, .head, .end, .wait(.seconds(1))], answers: ["close"], isOpen: false),
    Row(
      name: "an answer under way", steps: [.request, .head, .serverEnds, .end], answers: ["keep"],
      isOpen: true),
    Row(
      name: "an answer under way, and the next request",
      steps: [.request, .head, .serverEnds, .end, .request, .head, .end], answers: ["keep", "close"],
      isOpen: true),
    Row(
      name: "an answer under way, and none after it",
      steps: [.request, .head, .serverEnds, .end, .wait(farewell)], answers: ["keep"], isOpen: false),
    Row(
      name: "two requests in one go", steps: [.request, .request, .serverEnds, .head, .end, .head, .end],
      answers: ["keep", "close"], isOpen: true),
    Row(
      name: "a request after the last answer",
      steps: [.serverEnds, .request, .head, .end, .request, .wait(.seconds(1))], answers: ["close"],
      isOpen: false),
    Row(
      name: "a server that ends twice", steps: [.serverEnds, .serverEnds, .wait(farewell)], answers: [],
      isOpen: false),
  ]

  @Test(arguments: rows)
  func `each request received is answered, and the connection ends with the server`(row: Row) throws {
    let channel = EmbeddedChannel()
    let half = HalfClose()
    try channel.pipeline.syncOperations.addHandler(half)
    try channel.pipeline.syncOperations.addHandler(ConnectionEnd(times: ConnectionTimes()))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    for step in row.steps {
      switch step {
      case .request:
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")
        try channel.writeInbound(HTTPRequestPart.head(head))
        try channel.writeInbound(HTTPRequestPart.end(nil))
      case .head: try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      case .end: try channel.writeOutbound(HTTPResponsePart.end(nil))
      case .serverEnds: channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
      case .wait(let time): channel.embeddedEventLoop.advanceTime(by: time)
      }
    }
    var answers: [String] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
      if case .head(let head) = part { answers.append(head.headerFields[.connection] ?? "keep") }
    }
    #expect(answers == row.answers)
    #expect(channel.isActive == row.isOpen)
    #expect(half.isClosed == row.answers.contains("close"))
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }
}

/// Records the end of the output, which would close an embedded channel.
private final class HalfClose: ChannelOutboundHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  var isClosed = false

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode == .output else { return context.close(mode: mode, promise: promise) }
    isClosed = true
    promise?.succeed()
  }
}
#endif
