// SPDX-License-Identifier: Apache-2.0
#if Server
import NIOCore
import Synchronization

/// Reports when the peer has closed a connection, entirely or its sending half.
///
/// Nothing waits for the response to a request whose connection is closed, so its work can be cancelled.
final class PeerWatch: ChannelInboundHandler, Sendable {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private struct State {
    var isGone = false
    var nextID = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

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
