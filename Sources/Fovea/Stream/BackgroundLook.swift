// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import Synchronization

/// The detector's look at one frame, which goes on while others are shown.
final class BackgroundLook: Sendable {
  private let task: Task<Void, Never>
  private let found: Box

  private final class Box: Sendable {
    let outcome = Mutex<Result<FrameFindings, FoveaError>?>(nil)
  }

  /// Begins to look; `memory` is that of the frame that was looked at before.
  init(at frame: VideoFrame, by detector: FrameDetector, memory: StreamMemory) {
    let found = Box()
    self.found = found
    task = Task.detached {
      let outcome: Result<FrameFindings, FoveaError>
      do throws(FoveaError) {
        outcome = .success(try await detector.analyze(frame, memory: memory))
      } catch {
        outcome = .failure(error)
      }
      found.outcome.withLock { $0 = outcome }
    }
  }

  // No one would ask for what it finds.
  deinit { task.cancel() }

  /// What came out of it; nil while it goes on.
  var outcome: Result<FrameFindings, FoveaError>? { found.outcome.withLock { $0 } }
}
