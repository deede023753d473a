// SPDX-License-Identifier: Apache-2.0

import FoveaCompatibility
import Synchronization

/// Reports a fraction at most once per hundredth, so that a handler on the main queue is not called for every
/// packet.
final class HundredthSteps: Sendable {
  private let handler: ModelCompletion<Float>
  private let last = Mutex(-1)

  init(_ handler: ModelCompletion<Float>) { self.handler = handler }

  func report(_ share: Float) {
    let step = Int(share * 100)
    let isNew = last.withLock { last in
      defer { last = step }
      return last != step
    }
    if isNew { handler.deliver(share) }
  }
}
