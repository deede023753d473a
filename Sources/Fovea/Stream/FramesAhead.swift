// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import FoveaRuntime
import Synchronization

/// Reads a source on a thread of its own, one frame ahead of the one who asks.
final class FramesAhead: Sendable {
  let reader: any FrameReader
  private let thread: WorkerPool<any FrameReader>
  private let coming: Mutex<Task<VideoFrame?, any Error>>

  /// Opens the source, which may take a while, on the reading thread.
  init(_ source: any FrameSource) async throws(FoveaError) {
    do {
      let thread = try await WorkerPool(count: 1) { try source.open() }
      self.thread = thread
      reader = try await thread.withResource { $0 }
      coming = Mutex(Self.read(thread))
    } catch {
      throw FoveaError(error)
    }
  }

  // A thread that waits for a camera would wait for ever.
  deinit { reader.cancel() }

  /// Gives the next frame and begins with the one after it.
  ///
  /// One caller at a time. Ends with nil when the caller's task is cancelled.
  func next() async throws(FoveaError) -> VideoFrame? {
    let task = coming.withLock { $0 }
    do {
      let frame = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        reader.cancel()
      }
      guard frame != nil, !Task.isCancelled else { return nil }
      coming.withLock { $0 = Self.read(thread) }
      return frame
    } catch {
      throw FoveaError(error)
    }
  }

  private static func read(_ thread: WorkerPool<any FrameReader>) -> Task<VideoFrame?, any Error> {
    Task.detached { try await thread.withResource { reader in try reader.next() } }
  }
}
