// SPDX-License-Identifier: Apache-2.0
#if Server
import FoveaHTTP
import Logging

/// What the sources of a server share.
struct StreamWork: Sendable {
  let registry: ModelRegistry
  let scheduler: Scheduler
  let metrics: Metrics
  /// How long a frame may wait and be processed.
  let deadline: Duration
  /// Where the operator reads why a source shows nothing.
  let logger: Logger
}
#endif
