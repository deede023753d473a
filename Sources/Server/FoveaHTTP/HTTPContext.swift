// SPDX-License-Identifier: Apache-2.0
#if Server
package import Hummingbird
package import Logging
package import NIOCore

/// The values shared by the handlers of one request.
package struct HTTPContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// The connection; nil if another server owns it and forwards requests.
  package let channel: (any Channel)?
  /// The connection's peer; nil if another server owns the connection.
  private let connection: ConnectionPeer?
  /// The address reported by a trusted proxy or another server; nil without one.
  package var forwarded: String?
  /// The name of the request's key; nil without one.
  package var key: String?
  /// The caller's time limit for an answer; nil if it declares none.
  package var patience: Duration?

  package init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
    connection = ConnectionPeer.current
  }

  /// Creates the context of a request forwarded by another server, with the address it comes from.
  package init(address: String?, logger: Logger) {
    struct Source: RequestContextSource { let logger: Logger }
    coreContext = .init(source: Source(logger: logger))
    channel = nil
    connection = nil
    forwarded = address
  }

  /// The address that the request comes from, without its port: the address reported by a trusted proxy, or
  /// else the connection's address; `unknown` for a socket without an address.
  package var peer: String { forwarded ?? connection?.address ?? ConnectionPeer.unknown }

  /// The client whose requests share a queue: all requests with one key, or else all from one address or
  /// network.
  package var client: String { HTTPContext.client(key: key, peer: peer) }

  /// Returns ``client`` for a request with a key's name, or without one, from an address.
  package static func client(key: String?, peer: String) -> String {
    key.map { "key \($0)" } ?? NetworkName.of(peer)
  }

  /// Calls `action` when the peer closes the connection, until the returned function is called; never if
  /// another server has the connection.
  package func whenPeerGoes(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let connection else { return {} }
    let id = connection.whenGone(action)
    return { connection.forget(id) }
  }

  /// Closes the connection, even during an answer that its peer does not read.
  package func closeConnection() { channel?.close(promise: nil) }

  /// Runs work that is cancelled when the peer closes the connection; if another server has the connection,
  /// when its task is cancelled.
  package func whilePeerWaits<R: Sendable>(
    _ body: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    guard connection != nil else { return try await body() }
    let work = Task { try await body() }
    let forget = whenPeerGoes { work.cancel() }
    defer { forget() }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
#endif
