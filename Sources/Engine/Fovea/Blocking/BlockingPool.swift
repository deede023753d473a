// SPDX-License-Identifier: Apache-2.0

package import FoveaCore
package import FoveaRuntime

/// A pool of up to `count` equal resources that any number of threads share; calls run on the caller's
/// thread.
///
/// This is the blocking counterpart of `WorkerPool`. Callers are served in order of arrival; a cancelled
/// caller loses its turn. The first resource is created with the pool, the others when they are first needed.
package final class BlockingPool<Resource>: @unchecked Sendable {
  // SAFETY: all variables are accessed only while the gate is locked; a resource has one user at a time.
  private let gate = Gate()
  private let make: () throws -> Resource
  private var idle: [Resource]
  private var made = 1
  private var running = 0
  private var waiting: [Int] = []
  private var nextTicket = 0
  private var isClosed = false

  /// The number of callers that can be served at the same time.
  let count: Int

  /// The number of callers waiting for their turn.
  var waitingCount: Int { gate.locked { waiting.count } }

  /// The milliseconds between two checks of a waiting caller's token, because cancelling does not wake it.
  private static var patience: Int { 10 }

  /// - Throws: The errors of `make`.
  package init(count: Int, make: @escaping () throws -> Resource) throws {
    self.count = count
    self.make = make
    idle = [try make()]
  }

  /// Calls `body` with a free resource.
  /// - Throws: `cancelled` while waiting, `closed` once the pool is closed; the errors of `make` and `body`.
  package func withResource<R>(
    cancelledBy token: CancellationToken, _ body: (Resource) throws -> R
  ) throws(FoveaError) -> R {
    let ready = try gate.locked { () throws(FoveaError) in try acquire(token) }
    do {
      let resource = try ready ?? makeAnother()
      defer { release(resource) }
      return try body(resource)
    } catch {
      throw FoveaError(error)
    }
  }

  /// Refuses waiting and later callers, waits for running calls, and releases the resources.
  func close() {
    gate.locked {
      isClosed = true
      gate.wakeAll()
      while running > 0 { gate.wait() }
      idle = []
    }
  }

  /// - Returns: A resource; nil if the caller has to make one.
  private func acquire(_ token: CancellationToken) throws(FoveaError) -> Resource? {
    let ticket = nextTicket
    nextTicket += 1
    waiting.append(ticket)
    defer {
      waiting.removeAll { $0 == ticket }
      gate.wakeAll()
    }
    while true {
      guard !isClosed else { throw .closed }
      guard !token.isCancelled else { throw .cancelled }
      if waiting.first == ticket, !idle.isEmpty || made < count { break }
      gate.wait(milliseconds: Self.patience)
    }
    running += 1
    if let resource = idle.popLast() { return resource }
    made += 1
    return nil
  }

  /// Makes a resource for a caller that is already counted as running.
  private func makeAnother() throws -> Resource {
    do { return try make() } catch {
      gate.locked {
        running -= 1
        made -= 1
        gate.wakeAll()
      }
      throw error
    }
  }

  private func release(_ resource: Resource) {
    gate.locked {
      running -= 1
      if !isClosed { idle.append(resource) }
      gate.wakeAll()
    }
  }
}
