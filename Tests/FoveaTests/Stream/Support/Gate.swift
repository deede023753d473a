// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import Fovea

/// Holds the steps of a script back until the test lets each go on, so that no test depends on time.
final class Gate: Sendable {
  private let passes = RendezvousChannel<Bool>()
  private let arrivals = RendezvousChannel<Int>()

  /// The script's side: says that it has come here, and waits.
  func arrive(_ number: Int = 0) async {
    await arrivals.give(number)
    _ = await passes.take()
  }

  /// The test's side: waits until the script has come.
  /// - Returns: What it said; nil when the test's task is cancelled.
  func arrival() async -> Int? { await arrivals.take() }

  /// The test's side: lets it go on.
  func open() async { await passes.give(true) }
}
