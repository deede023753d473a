// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaCore
import Synchronization

@testable import FoveaHost

/// A database of nodes in memory, whose clock and failures a test controls.
final class TestNodes: Sendable {
  struct State {
    var generation: Int64 = 0
    var reloads = 0
    var isLost = false
    /// The error of a reload that cannot decode everything.
    var fault: HostError?
    var reported: [String] = []
    var time = ContinuousClock.now
  }

  let state = Mutex(State())
  /// Called by each reload.
  let reloading: Mutex<@Sendable () async -> Void> = Mutex({})

  static let lost = HostError(.unavailable, "The database cannot be reached", remedy: "Wait")

  var reloads: Int { state.withLock { $0.reloads } }

  func node(limit: Double = 60) -> HostNode {
    var source = HostNode.Source(
      generation: { () throws(HostError) in
        let (generation, isLost) = self.state.withLock { ($0.generation, $0.isLost) }
        if isLost { throw Self.lost }
        return generation
      },
      reload: { () throws(HostError) in
        let reloading = self.reloading.withLock { $0 }
        await reloading()
        let (isLost, fault) = self.state.withLock { state in
          state.reloads += 1
          return (state.isLost, state.fault)
        }
        if isLost { throw Self.lost }
        return fault
      }, report: { fault in self.state.withLock { $0.reported.append(fault.message) } })
    source.now = { self.state.withLock { $0.time } }
    return HostNode(source, limit: limit)
  }

  func advance(seconds: Int) { state.withLock { $0.time += .seconds(seconds) } }

  func set(generation: Int64) { state.withLock { $0.generation = generation } }

  func set(fault: HostError?) { state.withLock { $0.fault = fault } }

  func set(isLost: Bool) { state.withLock { $0.isLost = isLost } }
}
#endif
