// SPDX-License-Identifier: Apache-2.0

import FoveaModels
import Synchronization

/// The progress of a download.
final class ProgressLog: Sendable {
  private let log = Mutex<[DownloadProgress]>([])

  var all: [DownloadProgress] { log.withLock { $0 } }
  var bytesDone: Int { all.last?.bytesDone ?? 0 }
  var phases: Set<DownloadProgress.Phase> { Set(all.map(\.phase)) }

  func add(_ progress: DownloadProgress) { log.withLock { $0.append(progress) } }
}
