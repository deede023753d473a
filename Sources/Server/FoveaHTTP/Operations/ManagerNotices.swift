// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Logging
import NIOCore
import ServiceLifecycle

/// What a server sends to its service manager; a manager that does not listen is a warning.
struct ManagerNotices: Sendable {
  let manager: ServiceManager?
  let logger: Logger

  func send(_ notice: ServiceManager.Notice) {
    guard let manager else { return }
    do throws(SystemError) { try manager.send(notice) } catch {
      logger.warning(
        "service manager not notified",
        metadata: ["notice": "\(notice.rawValue)", "error": "\(error.message)"])
    }
  }
}

/// Sends the service manager a sign of life as long as the server works.
///
/// An event loop that hangs keeps it waiting, and so do tasks that take all threads: then no sign comes, and the manager
/// restarts the server.
struct Watchdog: Service {
  let notices: ManagerNotices
  let group: any EventLoopGroup
  let isAlive: @Sendable () -> Bool

  func run() async throws {
    guard let interval = notices.manager?.watchdog else { return }
    // A manager that ends the server waits for no sign.
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      if try await isWorking() { notices.send(.alive) }
      // The sleep ends early where the server does, and the loop with it.
      try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval / 3) }
    }
  }

  private func isWorking() async throws -> Bool {
    for loop in group.makeIterator() { try await loop.submit {}.get() }
    return isAlive()
  }
}
#endif
