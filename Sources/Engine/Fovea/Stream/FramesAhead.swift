// SPDX-License-Identifier: Apache-2.0

import FoveaImage
import FoveaRuntime
import Synchronization

/// Reads a source on its own thread, one frame ahead of the one who asks.
final class FramesAhead: Sendable {
  private let frames = RendezvousChannel<Result<VideoFrame, FoveaError>>()
  private let opened = OpenedReader()
  /// The reading; it ends by itself when the source ends, or when no one asks any more.
  let work: Task<Void, Never>

  /// Begins to open the source.
  init(_ source: any FrameSource) {
    let (frames, opened) = (frames, opened)
    work = Task.detached { await Self.read(source, into: frames, opened) }
  }

  // A thread that waits for a camera would wait for ever.
  deinit { cancel() }

  /// What is known of the source by now.
  var state: SourceState { opened.state }

  /// Gives the next frame, and lets the one after it be read.
  /// - Returns: The frame; nil after the last one, and when the caller's task is cancelled, which ends the reading.
  /// - Throws: Why the source cannot be opened or read on.
  func next() async throws(FoveaError) -> VideoFrame? {
    let result = await withTaskCancellationHandler {
      await frames.take()
    } onCancel: {
      cancel()
    }
    return try result?.get()
  }

  /// Ends the reading; a call of `next` that waits gives nil.
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

/// The reader of a source, once it is open; cancelled before that, it is cancelled when it opens.
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
