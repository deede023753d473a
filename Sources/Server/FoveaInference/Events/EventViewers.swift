// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// The clients that wait for further messages of a journal.
final class EventViewers: Sendable {
  private struct State {
    var viewers: [Int: StreamViewer] = [:]
    var last = 0
    var isOver = false
  }

  private let state = Mutex(State())

  /// Adds a viewer, which gets a tick for new messages, until `leave` is called with its number.
  func join() -> (id: Int, viewer: StreamViewer) {
    let viewer = StreamViewer(.lines)
    let id = state.withLock { state in
      state.last += 1
      if state.isOver { viewer.end() } else { state.viewers[state.last] = viewer }
      return state.last
    }
    return (id, viewer)
  }

  /// Removes a viewer.
  func leave(_ id: Int) {
    let viewer = state.withLock { $0.viewers.removeValue(forKey: id) }
    viewer?.end()
  }

  /// Wakes all viewers: there are new messages.
  func wake() { for viewer in current { viewer.put(.tick) } }

  /// Disconnects the viewers, who may reconnect.
  func disconnect() { StreamViewer.end(current) }

  /// Disconnects the viewers for good.
  func end() {
    state.withLock { $0.isOver = true }
    disconnect()
  }

  private var current: [StreamViewer] { state.withLock { Array($0.viewers.values) } }
}
#endif
