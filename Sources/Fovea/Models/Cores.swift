// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The cores that this process may use: the affinity mask, which containers and `taskset` narrow.
package enum Cores {
  /// Their number, 1 or more.
  package static var available: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
}
