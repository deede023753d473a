// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// The clients that wait for further messages of a journal.
final class EventViewers: Sendable {
  private let list = Mutex(ViewerList())

  /// Adds a viewer, which gets a tick for new messages, until `leave` is called with its number.
  func join() -> (id: Int, viewer: StreamViewer) {
    let viewer = StreamViewer(.lines)
    return (list.withLock { $0.add(viewer) }, viewer)
  }

  /// Removes a viewer.
  func leave(_ id: Int) { list.withLock { $0.remove(id) } }

  /// Wakes all viewers: there are new messages.
  func wake() { for viewer in list.withLock(\.all) { viewer.put(.tick) } }

  /// Disconnects the viewers, who may reconnect.
  func disconnect() { StreamViewer.end(list.withLock(\.all)) }

  /// Disconnects the viewers for good.
  func end() { StreamViewer.end(list.withLock { $0.end() }) }
}
#endif
