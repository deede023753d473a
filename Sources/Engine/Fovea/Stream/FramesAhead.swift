// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import FoveaRuntime
import Synchronization

/// Reads a source on its own thread, one frame ahead of its consumer.
final class FramesAhead: Sendable {
  private let frames = RendezvousChannel<Result<VideoFrame, FoveaError>>()
  private let opened = OpenedReader()
  /// The reading task; it ends by itself when the source ends or the consumer is gone.
  let work: Task<Void, Never>

  /// Starts opening the source.
  init(_ source: any FrameSource) {
    let (frames, opened) = (frames, opened)
    work = Task.detached { await Self.read(source, into: frames, opened) }
  }

  // Without this, a thread that waits for a camera would wait forever.
  deinit { cancel() }

  /// The state of the source so far.
  var state: SourceState { opened.state }

  /// Returns the next frame, and starts reading the one after it.
  /// - Returns: The frame; nil after the last one, or if the caller's task is cancelled, which ends the
  ///   reading.
  /// - Throws: The error of a source that cannot be opened or read.
  func next() async throws(FoveaError) -> VideoFrame? {
    let result = await withTaskCancellationHandler {
      await frames.take()
    } onCancel: {
      cancel()
    }
    return try result?.get()
  }

  /// Stops reading; a waiting call of `next` returns nil.
  func cancel() {
    opened.cancel()
    frames.finish()
  }

  private static func read(
    _ source: any FrameSource, into frames: RendezvousChannel<Result<VideoFrame, FoveaError>>,
    _ opened: OpenedReader
  ) async {
    do {
      let thread = try await WorkerPool(count: 1) { try source.open() }
      opened.set(try await thread.withResource { $0 })
      while let frame = try await thread.withResource({ try $0.next() }) {
        guard await frames.give(.success(frame)) else { break }
      }
    } catch {
      await frames.give(.failure(FoveaError(error)))
    }
    frames.finish()
  }
}

/// The reader of a source once it is open; if cancelled earlier, it is cancelled when it opens.
private final class OpenedReader: Sendable {
  private let content = Mutex((reader: (any FrameReader)?.none, isCancelled: false))

  var state: SourceState { content.withLock { $0.reader }?.state ?? SourceState() }

  func set(_ reader: any FrameReader) {
    let isCancelled = content.withLock { state in
      state.reader = reader
      return state.isCancelled
    }
    if isCancelled { reader.cancel() }
  }

  func cancel() {
    let reader = content.withLock { state in
      state.isCancelled = true
      return state.reader
    }
    reader?.cancel()
  }
}
