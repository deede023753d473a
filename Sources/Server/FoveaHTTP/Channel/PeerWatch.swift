// SPDX-License-Identifier: Apache-2.0
#if Server
import NIOCore
import Synchronization

/// Reports when the peer of a connection has closed it, wholly or its sending half.
///
/// No one waits for the answer of a request whose connection is closed, and its work can end.
final class PeerWatch: ChannelInboundHandler, Sendable {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private struct State {
    var isGone = false
    var nextID = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  /// Calls `action` when the peer has gone, at once where it has; until `forget` is called with the number.
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
