// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import Fovea

/// Holds the steps of a script until the test releases each, so that no test depends on time.
final class Gate: Sendable {
  private let passes = RendezvousChannel<Bool>()
  private let arrivals = RendezvousChannel<Int>()

  /// Called by the script: reports its arrival, and waits.
  func arrive(_ number: Int = 0) async {
    await arrivals.give(number)
    _ = await passes.take()
  }

  /// Called by the test: waits until the script has arrived.
  /// - Returns: The reported number; nil if the test's task is cancelled.
  func arrival() async -> Int? { await arrivals.take() }

  /// Called by the test: releases the script.
  func open() async { await passes.give(true) }
}
