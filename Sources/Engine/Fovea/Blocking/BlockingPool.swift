// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaRuntime

/// A fixed number of equal resources that any number of threads may use, each call on the caller's own thread.
///
/// What `WorkerPool` is to tasks. Callers wait in the order in which they came; a cancelled one gives up its place. The
/// first resource is made when the pool is made; the others when they are first needed.
final class BlockingPool<Resource>: @unchecked Sendable {
  // SAFETY: all variables are used inside the gate alone; a resource has one user at a time.
  private let gate = Gate()
  private let make: () throws -> Resource
  private var idle: [Resource]
  private var made = 1
  private var running = 0
  private var waiting: [Int] = []
  private var nextTicket = 0
  private var isClosed = false

  /// How many callers can be served at the same time.
  let count: Int

  /// How many callers wait for their turn.
  var waitingCount: Int { gate.locked { waiting.count } }

  /// How often a caller who waits asks its token, which wakes no one.
  private static var patience: Int { 10 }

  /// - Throws: What `make` throws.
  init(count: Int, make: @escaping () throws -> Resource) throws {
    self.count = count
    self.make = make
    idle = [try make()]
  }

  /// Calls `body` with a free resource.
  /// - Throws: `cancelled` while waiting, `closed` once the pool is; what `make` and `body` throw.
  func withResource<R>(
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

  /// Refuses those who wait and all who come later, waits for those who run, and lets the resources go.
  func close() {
    gate.locked {
      isClosed = true
      gate.wakeAll()
      while running > 0 { gate.wait() }
      idle = []
    }
  }

  /// - Returns: A resource; nil where the caller has to make one.
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

  /// Makes a resource for a caller whose place is counted already.
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
