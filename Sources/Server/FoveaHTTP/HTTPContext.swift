// SPDX-License-Identifier: Apache-2.0
#if Server
package import Hummingbird
package import Logging
package import NIOCore

/// What the handlers of one request share.
package struct HTTPContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// Nil where another server has the connection, and passes requests on.
  package let channel: (any Channel)?
  /// The address that a trusted proxy or another server names; nil without one.
  package var forwarded: String?
  /// The name of the key that the request was sent with; nil without one.
  package var key: String?
  /// The longest that the caller waits for an answer; nil where it does not say.
  package var patience: Duration?

  package init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }

  /// Makes the context of a request that another server passes on, with the address it comes from.
  package init(address: String?, logger: Logger) {
    struct Source: RequestContextSource { let logger: Logger }
    coreContext = .init(source: Source(logger: logger))
    channel = nil
    forwarded = address
  }

  /// The address that the request comes from, without its port: the one that a trusted proxy names, else the
  /// connection's; `unknown` for a socket that has none.
  package var peer: String { forwarded ?? channel?.remoteAddress?.ipAddress ?? "unknown" }

  /// Who waits in a line with their other requests: all that have one key, else all of one address or network.
  package var client: String { HTTPContext.client(key: key, peer: peer) }

  /// What ``client`` is for a request with the key of that name, or with none, from an address.
  package static func client(key: String?, peer: String) -> String {
    key.map { "key \($0)" } ?? NetworkName.of(peer)
  }

  /// Calls `action` when the peer closes the connection, until the function that is returned is called; never where
  /// another server has the connection.
  package func whenPeerGoes(_ action: @escaping @Sendable () -> Void) async throws -> @Sendable () -> Void {
    guard let channel else { return {} }
    let watch = try await channel.pipeline.handler(type: PeerWatch.self).get()
    let id = watch.whenGone(action)
    return { watch.forget(id) }
  }

  /// Closes the connection, also under an answer that its peer does not take.
  package func closeConnection() { channel?.close(promise: nil) }

  /// Does work for a request that is cancelled when the peer closes the connection; where another server has the
  /// connection, when its task is cancelled.
  package func whilePeerWaits<R: Sendable>(
    _ body: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    guard let channel else { return try await body() }
    let watch = try await channel.pipeline.handler(type: PeerWatch.self).get()
    let work = Task { try await body() }
    let id = watch.whenGone { work.cancel() }
    defer { watch.forget(id) }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
#endif
