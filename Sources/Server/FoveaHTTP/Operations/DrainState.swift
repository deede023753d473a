// SPDX-License-Identifier: Apache-2.0
#if Server
import Synchronization

/// Whether the server is shutting down after SIGTERM.
package final class DrainState: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isDraining: Bool { flag.load(ordering: .acquiring) }
  package func begin() { flag.store(true, ordering: .releasing) }
}
#endif
