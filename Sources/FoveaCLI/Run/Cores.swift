// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The cores that this process may use: the affinity mask, which containers and `taskset` narrow.
enum Cores {
  static var available: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
}
