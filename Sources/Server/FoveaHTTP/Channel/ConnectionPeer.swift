// SPDX-License-Identifier: Apache-2.0
#if Server
import NIOCore
import Synchronization

/// The peer of a connection: its address, and whether it has closed the connection, entirely or its sending
/// half.
///
/// Nothing waits for the response to a request whose connection is closed, so its work can be cancelled.
/// Everything that asks about the peer asks here: a closed channel has neither an address nor handlers.
final class ConnectionPeer: ChannelInboundHandler, Sendable {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  /// The peer of the connection that a task serves; nil if another server has the connection.
  @TaskLocal static var current: ConnectionPeer?
  /// The address of a socket that has none.
  static let unknown = "unknown"

  /// The address, without its port.
  let address: String

  private struct State {
    var isGone = false
    var nextID = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Creates the peer of a channel that has just been accepted.
  init(of channel: any Channel) { address = channel.remoteAddress?.ipAddress ?? ConnectionPeer.unknown }

  /// Calls `action` when the peer disconnects, or at once if it already has, until `forget` is called with
  /// the returned number.
  func whenGone(_ action: @escaping @Sendable () -> Void) -> Int {
    let (id, isGone) = state.withLock { state in
      state.nextID += 1
      if !state.isGone { state.actions[state.nextID] = action }
      return (state.nextID, state.isGone)
    }
    if isGone { action() }
    return id
  }

  func forget(_ id: Int) { state.withLock { _ = $0.actions.removeValue(forKey: id) } }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed { gone() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    gone()
    context.fireChannelInactive()
  }

  private func gone() {
    let actions = state.withLock { state in
      state.isGone = true
      defer { state.actions = [:] }
      return state.actions
    }
    for action in actions.values { action() }
  }
}
#endif
