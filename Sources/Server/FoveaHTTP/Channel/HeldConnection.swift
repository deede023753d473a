// SPDX-License-Identifier: Apache-2.0
#if Server
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// A connection that was accepted and waits to be served.
///
/// A server that ends drops those that it has not begun with, and NIO stops the process where a channel's writer goes without an
/// end. So one that was never begun is closed here.
final class HeldConnection: Sendable {
  typealias HTTPChannel = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

  private let http: HTTPChannel
  private let hasBegun = Atomic(false)

  init(_ http: HTTPChannel) { self.http = http }

  var channel: any Channel { http.channel }

  /// The channel; the caller serves it to the end.
  func begin() -> HTTPChannel {
    hasBegun.store(true, ordering: .sequentiallyConsistent)
    return http
  }

  deinit {
    guard !hasBegun.load(ordering: .sequentiallyConsistent) else { return }
    // It may be closed already.
    Task { [http] in try? await http.executeThenClose { _, _ in } }
  }
}
#endif
