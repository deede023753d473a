// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoveaRuntime
import FoveaTesting
import Synchronization
import Testing

@testable import Fovea

@Suite struct BlockingPoolTests {
  /// Waits until `condition` holds, without a clock that could run out on a busy machine.
  private func wait(_ condition: () -> Bool) { while !condition() { usleep(1_000) } }

  private func onThread(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }

  @Test func `resources are created on demand, and reused`() throws {
    let made = Mutex(0)
    let pool = try BlockingPool(count: 3) {
      made.withLock {
        $0 += 1
        return $0
      }
    }
    for _ in 0..<10 { #expect(try pool.withResource(cancelledBy: CancellationToken()) { $0 } == 1) }
    let both = try pool.withResource(cancelledBy: CancellationToken()) { first in
      try pool.withResource(cancelledBy: CancellationToken()) { [first, $0] }
    }
    #expect(both == [1, 2])
    #expect(made.withLock { $0 } == 2)
  }

  @Test func `a resource that cannot be created is an error, and its place is free again`() throws {
    let fails = Mutex(false)
    let pool = try BlockingPool(count: 2) { () throws in
      if fails.withLock({ $0 }) { throw FoveaError(.optionInvalid, "no", remedy: "yes") }
      return 7
    }
    fails.withLock { $0 = true }
    try pool.withResource(cancelledBy: CancellationToken()) { _ in
      for _ in 0..<3 {
        #expect(throws: FoveaError(.optionInvalid, "no", remedy: "yes")) {
          try pool.withResource(cancelledBy: CancellationToken()) { _ in }
        }
      }
      fails.withLock { $0 = false }
    }
    #expect(try pool.withResource(cancelledBy: CancellationToken()) { $0 } == 7)
    #expect(throws: FoveaError.self) {
      fails.withLock { $0 = true }
      _ = try BlockingPool(count: 1) { () throws in
        throw FoveaError(.optionInvalid, "no", remedy: "yes")
      }
    }
  }

  @Test func `callers wait in order of arrival`() throws {
    let pool = try BlockingPool(count: 1) { 0 }
    let order = Mutex<[Int]>([])
    let began = Mutex(0)
    try pool.withResource(cancelledBy: CancellationToken()) { _ in
      for index in 0..<8 {
        onThread {
          _ = try? pool.withResource(cancelledBy: CancellationToken()) { _ in
            order.withLock { $0.append(index) }
          }
          began.withLock { $0 += 1 }
        }
        wait { pool.waitingCount == index + 1 }
      }
    }
    wait { began.withLock { $0 } == 8 }
    #expect(order.withLock { $0 } == Array(0..<8))
  }

  @Test func `a cancelled caller leaves the queue`() throws {
    let pool = try BlockingPool(count: 1) { 0 }
    let token = CancellationToken()
    let code = Mutex<FoveaCode?>(nil)
    try pool.withResource(cancelledBy: CancellationToken()) { _ in
      onThread {
        do throws(FoveaError) {
          try pool.withResource(cancelledBy: token) { _ in }
        } catch {
          code.withLock { $0 = error.code }
        }
      }
      wait { pool.waitingCount == 1 }
      token.cancel()
      wait { code.withLock { $0 } != nil }
    }
    #expect(code.withLock { $0 } == .cancelled)
    #expect(try pool.withResource(cancelledBy: CancellationToken()) { $0 } == 0)
  }

  @Test func `closing waits for running callers, and rejects those that wait or arrive later`() throws {
    let pool = try BlockingPool(count: 1) { 0 }
    let codes = Mutex<[FoveaCode]>([])
    let events = Mutex<[String]>([])
    let isReleased = Mutex(false)
    let isInside = Mutex(false)
    onThread {
      _ = try? pool.withResource(cancelledBy: CancellationToken()) { _ in
        isInside.withLock { $0 = true }
        while !isReleased.withLock({ $0 }) { usleep(1_000) }
        events.withLock { $0.append("ran") }
      }
    }
    wait { isInside.withLock { $0 } }
    onThread {
      do throws(FoveaError) {
        try pool.withResource(cancelledBy: CancellationToken()) { _ in }
      } catch {
        codes.withLock { $0.append(error.code) }
      }
    }
    wait { pool.waitingCount == 1 }
    onThread {
      pool.close()
      events.withLock { $0.append("closed") }
    }
    wait { codes.withLock { !$0.isEmpty } }
    #expect(events.withLock { $0 } == [])
    isReleased.withLock { $0 = true }
    wait { events.withLock { $0.count } == 2 }
    #expect(events.withLock { $0 } == ["ran", "closed"])
    #expect(codes.withLock { $0 } == [.closed])
    let late = #expect(throws: FoveaError.self) {
      try pool.withResource(cancelledBy: CancellationToken()) { _ in }
    }
    #expect(late?.code == .closed)
  }
}
