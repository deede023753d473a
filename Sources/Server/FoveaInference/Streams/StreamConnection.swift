// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP

/// A viewer on a WebSocket: it gets a binary message for each frame, and sends none.
struct StreamConnection: Sendable {
  let source: StreamSource
  let connection: LiveConnection

  func run() async {
    let (id, viewer) = source.join(.messages)
    defer { source.leave(id) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        guard await connection.next() != nil else { return }
        connection.close(.policy("this connection accepts no messages"))
      }
      group.addTask { await send(to: viewer) }
      await group.next()
      group.cancelAll()
    }
  }

  private func send(to viewer: StreamViewer) async {
    do {
      while let event = await viewer.next() {
        switch event {
        case .frame(let frame):
          // A frame processed before this viewer joined has no image.
          if let message = frame.message { try await connection.send(message) }
        case .tick: break
        case .end(let status):
          try await connection.send(status.line(name: source.entry.name))
          connection.close(.sourceEnded)
        }
      }
      if !Task.isCancelled { connection.close(.draining) }
    } catch {
      // The connection has ended, and with it this viewer.
      return
    }
  }
}
#endif
