// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// An accepted connection that waits to be served.
///
/// A server that shuts down drops connections that it has not started, and NIO stops the process if a
/// channel's writer is released without being finished. So a connection that was never started is closed
/// here.
final class HeldConnection: Sendable {
  typealias HTTPChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  private let http: HTTPChannel
  private let hasBegun = Atomic(false)

  init(_ http: HTTPChannel) { self.http = http }

  var channel: any Channel { http.channel }

  /// Returns the channel, which the caller must serve to its end.
  func begin() -> HTTPChannel {
    hasBegun.store(true, ordering: .sequentiallyConsistent)
    return http
  }

  deinit {
    guard !hasBegun.load(ordering: .sequentiallyConsistent) else { return }
    // It may already be closed.
    Task { [http] in try? await http.executeThenClose { _, _ in } }
  }
}
#endif
