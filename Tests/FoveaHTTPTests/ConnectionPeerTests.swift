// SPDX-License-Identifier: Apache-2.0
#if Server
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import FoveaHTTP

@Suite struct ConnectionPeerTests {
  /// The end of a request that only its context is asked about.
  private struct Done: Error {}

  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Serves one request of a connection that loses its address, as closing does, before its task starts;
  /// returns the response that its handler would have had from `body`.
  private static func serve<R: Sendable>(
    from address: SocketAddress?, isClosed: Bool,
    _ body: @escaping @Sendable (HTTPContext) async throws -> R
  ) async throws -> Result<R, any Error>? {
    let found = Mutex<Result<R, any Error>?>(nil)
    let gated = GatedChannel(
      responder: { _, _, channel in
        let context = HTTPContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        do {
          let value = try await body(context)
          found.withLock { $0 = .success(value) }
        } catch {
          found.withLock { $0 = .failure(error) }
        }
        throw Done()
      }, rules: GateRules(), times: ConnectionTimes(), live: [:], isSecure: false, refused: { _ in })
    let channel = NIOAsyncTestingChannel()
    channel.remoteAddress = address
    let value = try await channel.eventLoop.flatSubmit { gated.setup(channel: channel, logger: logger) }.get()
    try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).get()
    try await channel.writeInbound(ByteBuffer(string: "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    if isClosed {
      channel.remoteAddress = nil
      try await channel.eventLoop.submit { channel.pipeline.fireChannelInactive() }.get()
    }
    await gated.handle(value: value, logger: logger)
    return found.withLock { $0 }
  }

  @Test(
    arguments: [
      ("192.0.2.7", false, "192.0.2.7"), ("192.0.2.7", true, "192.0.2.7"),
      ("2001:db8::7", true, "2001:db8::7"),
      (nil, false, "unknown"), (nil, true, "unknown"),
    ] as [(String?, Bool, String)])
  func `a request knows the address of its connection, even after the client has closed it`(
    address: String?, isClosed: Bool, peer: String
  ) async throws {
    let place = try address.map { try SocketAddress(ipAddress: $0, port: 4_711) }
    let found = try await Self.serve(from: place, isClosed: isClosed) { $0.peer }
    #expect(try found?.get() == peer)
  }

  @Test func `work for a client that has closed its connection is cancelled, and no internal error`()
    async throws
  {
    let found = try await Self.serve(from: nil, isClosed: true) { context in
      try await context.whilePeerWaits { try await Task.sleep(for: .seconds(3_600)) }
    }
    #expect(throws: CancellationError.self) { try found?.get() }
  }
}
#endif
