// SPDX-License-Identifier: Apache-2.0

import FoveaCore
public import FoveaImage
import Synchronization

/// Reads a video frame by frame: a file, standard input, a network stream or a camera.
///
/// Frames are returned in the decoder's format, mostly YUV, without a copy; formats with more than 8 bits or
/// other chroma subsampling are converted to I420. A frame holds its memory until it is released.
///
/// Frames that cannot be decoded are skipped and counted, and a truncated file returns all frames that it
/// has; `progress` reports both. A stream or camera that stops sending is reconnected.
///
/// `next` waits as long as the source takes. One caller at a time gets a frame, others wait; `cancel` and
/// `progress` never wait.
@safe public final class VideoReader: @unchecked Sendable {
  // SAFETY: `core` is accessed only under `turn`; everything else is constant or has its own lock.

  /// The state that changes with each frame.
  private struct Core {
    var native: NativeReader?
    var clock: FrameClock
    var backoff: Backoff
    var layout: PixelLayout?
    /// The number of frames that earlier connections could not decode.
    var skippedBefore = 0
    /// Whether frames that were already returned are skipped, after a finite stream was reconnected.
    var isCatchingUp = false
    var lastFrame = ContinuousClock.now
  }

  /// The name of the video in messages.
  public let name: String
  /// The properties that the video declares.
  public let info: VideoInfo
  /// The options for reading.
  package let options: Options
  private let source: VideoSource
  private let cancellation: VideoCancellation
  private let turn = Mutex(())
  private let state = Mutex(VideoProgress())
  /// The source's timestamp of the first frame.
  private let start = Mutex<Double?>(nil)
  private var core: Core

  /// Opens a video.
  /// - Parameters:
  ///   - source: The source of the video.
  ///   - options: The options for reading.
  /// - Throws: `VideoError` if the file does not exist, is not a video or has no video track, if the server
  ///   does not answer, if FFmpeg is not installed, or if an option is out of range.
  public convenience init(_ source: VideoSource, options: Options = Options()) throws(VideoError) {
    try self.init(source, options, VideoCancellation(name: source.name))
  }

  /// Opens a video file.
  /// - Parameters:
  ///   - path: The file.
  ///   - options: The options for reading.
  /// - Throws: As `init(_:options:)`.
  public convenience init(path: String, options: Options = Options()) throws(VideoError) {
    try self.init(.file(path), options: options)
  }

  private init(
    _ source: VideoSource, _ options: Options, _ cancellation: VideoCancellation
  ) throws(VideoError) {
    try options.check(name: source.name)
    let native = try NativeReader(source, options, cancellation)
    self.source = source
    self.options = options
    self.cancellation = cancellation
    name = source.name
    info = native.info
    core = Core(
      native: native, clock: FrameClock(frameRate: native.info.frameRate),
      backoff: Backoff(
        first: options.reconnectDelay, limit: options.reconnectDelayLimit, attempts: options.reconnectAttempts
      ))
    if case .softwareInstead(let reason) = info.decoding, options.hardware != .automatic {
      state.withLock { $0.warnings.append("the processor decodes instead: \(reason)") }
    }
  }

  /// The progress so far; may be read at any time from any thread.
  public var progress: VideoProgress { state.withLock { $0 } }

  /// The sound and subtitles of a file, which a writer can copy; available after the first frame.
  ///
  /// It is nil for other sources, and for a file that contains only frames.
  public var sound: SoundTrack? {
    guard info.soundTracks > 0 || info.hasMore, case .file(let path) = source else { return nil }
    return start.withLock { $0 }.map { SoundTrack(path: path, start: $0) }
  }

  /// Cancels a waiting call to `next` and all later calls, which return nil.
  ///
  /// May be called from any thread.
  public func cancel() { cancellation.cancel() }

  /// Waits for the next frame.
  /// - Returns: The frame; nil after the last one, with the reason in `progress.end`.
  /// - Throws: `VideoError` with `stream-lost` if a stream or camera was interrupted and could not be
  ///   reconnected, or with `unreadable`, `unsupported` or `out-of-memory` if reading failed. Later calls
  ///   return nil.
  public func next() throws(VideoError) -> VideoFrame? {
    try turn.withLock { _ throws(VideoError) in
      do throws(VideoError) { return try read() } catch {
        finish(.lost)
        throw error
      }
    }
  }

  private func read() throws(VideoError) -> VideoFrame? {
    while let native = core.native {
      if let limit = options.frameLimit, state.withLock({ $0.frames }) >= limit { return finish(.frameLimit) }
      let answer = try native.next()
      state.withLock { $0.skipped = core.skippedBefore + native.skipped }
      switch answer {
      case .frame(let frame):
        if core.isCatchingUp, let time = frame.time, core.clock.isPast(time) { continue }
        core.isCatchingUp = false
        return try give(frame)
      case .cancelled: return finish(.cancelled)
      case .end(let reason):
        if source.mayBeLost, !(info.isFinite && reason.isEmpty) {
          try reconnect(reason.isEmpty ? "the stream ended" : reason)
        } else {
          return finish(end(reason, native.extent))
        }
      }
    }
    return nil
  }

  private func give(_ frame: DecodedVideoFrame) throws(VideoError) -> VideoFrame {
    let seconds = core.clock.seconds(frame.time)
    if seconds == 0 { start.withLock { $0 = core.clock.start } }
    let pixels: PixelBuffer
    do throws(ImageError) {
      pixels = try frame.pixels(orientation: info.orientation, name: name, known: core.layout)
    } catch {
      throw VideoError(.unsupported, error.message, remedy: error.remedy, subject: name)
    }
    let lastSize = core.layout?.size
    core.layout = pixels.layout
    core.backoff.reset()
    core.lastFrame = .now
    let number = state.withLock { state in
      state.frames += 1
      state.repairedTimes = core.clock.repaired
      if frame.isDamaged { state.damaged += 1 }
      if let lastSize, lastSize != pixels.size {
        state.sizeChanges += 1
        if state.sizeChanges == 1 {
          state.warnings.append(
            "frame \(state.frames + state.skipped) is \(pixels.size) pixels, those before it \(lastSize)")
        }
      }
      return state.frames + state.skipped
    }
    return VideoFrame(pixels: pixels, number: number, seconds: seconds)
  }

  /// Closes the source; there are no more frames.
  @discardableResult
  private func finish(_ end: VideoProgress.End) -> VideoFrame? {
    core.native = nil
    state.withLock { state in
      guard state.end == nil else { return }
      state.end = end
      if state.skipped > 0 {
        state.warnings.append(
          state.skipped == 1
            ? "1 frame could not be decoded and was skipped"
            : "\(state.skipped) frames could not be decoded and were skipped")
      }
      if state.damaged > 0 {
        state.warnings.append(
          state.damaged == 1
            ? "1 frame is damaged; parts of it were rebuilt from other frames"
            : "\(state.damaged) frames are damaged; parts of them were rebuilt from other frames")
      }
      if state.repairedTimes > 0 {
        state.warnings.append(
          "\(state.repairedTimes) \(state.repairedTimes == 1 ? "frame" : "frames") had no timestamp, "
            + "or one that did not increase"
        )
      }
    }
    return nil
  }

  /// Compares the frames read with those that the file declares.
  private func end(_ reason: String, _ extent: VideoExtent) -> VideoProgress.End {
    let (frames, skipped) = state.withLock { ($0.frames, $0.skipped) }
    let seconds = (core.clock.last ?? 0) + core.clock.step
    var text: String?
    if !reason.isEmpty {
      text = "the video ends early, after \(frames) frames: \(reason)"
    } else if let shortfall = extent.shortfall(frameRate: info.frameRate) {
      text =
        switch shortfall {
        case .packets: "the video ends after \(frames + skipped) of \(info.frameCount ?? 0) frames"
        case .time(let announced):
          "the video declares \(announced.rounded2) s, but its frames end after \(seconds.rounded2) s"
        }
    } else if frames == 0 {
      text = "no frame of the video could be decoded"
    }
    guard let text else { return .complete }
    state.withLock { $0.warnings.append(text) }
    return .truncated
  }

  /// Reconnects a lost stream.
  private func reconnect(_ reason: String) throws(VideoError) {
    core.skippedBefore += core.native?.skipped ?? 0
    core.native = nil
    var reason = reason
    while let delay = core.backoff.next() {
      guard cancellation.wait(delay) else {
        finish(.cancelled)
        return
      }
      do throws(VideoError) {
        core.native = try NativeReader(source, options, cancellation)
        core.isCatchingUp = info.isFinite
        if !info.isFinite { core.clock.restart(after: core.lastFrame.duration(to: .now).seconds) }
        state.withLock {
          $0.reconnections += 1
          if $0.reconnections == 1 {
            $0.warnings.append("the stream was interrupted (\(reason)) and reconnected")
          }
        }
        return
      } catch {
        if error.code == .cancelled {
          finish(.cancelled)
          return
        }
        reason = error.message
      }
    }
    let frames = state.withLock { $0.frames }
    throw VideoError(
      .streamLost,
      "the stream was lost after \(frames) frames: \(reason)"
        + (options.reconnectAttempts == 0
          ? "" : "; \(options.reconnectAttempts) attempts to reconnect failed"),
      remedy: "Check the camera or server and the network, or allow more attempts", subject: name)
  }
}

extension Double {
  /// The value rounded to two decimal places, for messages.
  fileprivate var rounded2: Double { (self * 100).rounded() / 100 }
}
