// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import Synchronization

/// A detection on one frame, while others are shown.
final class BackgroundDetection: Sendable {
  private let task: Task<Void, Never>
  private let found: Box

  private final class Box: Sendable {
    let outcome = Mutex<Result<FrameFindings, FoveaError>?>(nil)
  }

  /// Starts the detection; `memory` is the model's state after the previous frame.
  init(of frame: VideoFrame, by detector: FrameDetector, memory: StreamMemory) {
    let found = Box()
    self.found = found
    task = Task.detached {
      let outcome: Result<FrameFindings, FoveaError>
      do throws(FoveaError) { outcome = .success(try await detector.analyze(frame, memory: memory)) } catch {
        outcome = .failure(error)
      }
      found.outcome.withLock { $0 = outcome }
    }
  }

  // The outcome is no longer needed.
  deinit { task.cancel() }

  /// The outcome; nil while it runs.
  var outcome: Result<FrameFindings, FoveaError>? { found.outcome.withLock { $0 } }
}
