// SPDX-License-Identifier: Apache-2.0

import CVideo
package import FoveaCore
import FoveaGeometry
public import FoveaImage
import Synchronization

/// Writes a video file frame by frame.
///
/// The first frame sets the size; later frames of another size are scaled to it. H.264 and VP9 require even
/// sizes: an odd size is extended by a repeated column or row. Frames with an orientation are rotated
/// upright.
///
/// The file is written as NAME.partial and renamed by `finish`. Call `finish` even after a failure or an
/// interruption, so that the frames written until then can be played.
///
/// One caller at a time writes, others wait.
@safe public final class VideoWriter: @unchecked Sendable {
  // SAFETY: `core` is accessed only under `turn`; everything else is constant.

  private struct Core {
    var native: NativeWriter?
    var summary = Summary(frames: 0, encoder: "", scaledFrames: 0)
    var firstSize: PixelSize?
    var isFinished = false
    var notes: [String] = []
  }

  /// The path, as passed to `init`.
  public let path: String
  /// The container format.
  public let container: VideoContainer
  /// The codec.
  public let codec: VideoCodec
  /// The options for writing.
  package let options: Options
  private let file: ReplacedFile
  private let turn = Mutex(())
  private var core = Core()

  /// Starts a file.
  /// - Parameters:
  ///   - path: The file; the extension ".mp4", ".mov", ".mkv", ".webm" or ".avi" selects the container.
  ///     `finish` replaces an existing file.
  ///   - options: The options for writing.
  /// - Throws: `VideoError` if the extension is not supported, if the container does not support the codec,
  ///   if the file cannot be created, or if FFmpeg is not installed or lacks the encoder.
  public convenience init(path: String, options: Options = Options()) throws(VideoError) {
    let codec = try Self.codec(of: path, options)
    if let status = FileStatus(FilePath(path)), status.kind != .file { throw .noFile(path) }
    let file: ReplacedFile
    do throws(SystemError) { file = try ReplacedFile(path) } catch { throw .unwritable(path, error) }
    self.init(file, codec, options)
  }

  /// Starts a video in a file that is already locked for it.
  /// - Throws: As `init(path:options:)`.
  package convenience init(_ file: ReplacedFile, options: Options) throws(VideoError) {
    self.init(file, try Self.codec(of: file.path, options), options)
  }

  private init(_ file: ReplacedFile, _ codec: (VideoContainer, VideoCodec), _ options: Options) {
    self.file = file
    path = file.path
    (container, self.codec) = codec
    self.options = options
  }

  /// Returns the container and codec for a name and options, if they can be written here.
  private static func codec(
    of path: String, _ options: Options
  ) throws(VideoError) -> (VideoContainer, VideoCodec) {
    try options.check(name: path)
    let container = try VideoContainer(path: path)
    guard let usual = container.codecs.first, container.codecs.contains(options.codec ?? usual) else {
      throw VideoError(
        .optionInvalid,
        "\(options.codec?.rawValue ?? "this codec") is not supported by \(container.rawValue)",
        remedy: "Choose \(container.codecs.map(\.rawValue).joined(separator: " or ")), or another extension",
        subject: path)
    }
    let codec = options.codec ?? usual
    _ = try VideoLibrary.version()
    guard VideoLibrary.canWrite(codec) else {
      throw .from(FOVEA_VIDEO_NO_ENCODER, codec.encoders.joined(separator: " and "), path)
    }
    return (container, codec)
  }

  /// Writes a frame.
  /// - Parameters:
  ///   - pixels: The image, in any format.
  ///   - seconds: The time from the start of the video, 0 or more and later than the previous frame's time;
  ///     an earlier time is moved to just after it.
  /// - Throws: `VideoError` with `write-failed` if the disk is full, if the encoder refuses the size, or
  ///   after `finish`.
  public func write(_ pixels: PixelBuffer, seconds: Double) throws(VideoError) {
    if pixels.orientation == .up {
      try append(pixels, seconds: seconds)
      return
    }
    let canvas: PixelCanvas
    do throws(ImageError) { canvas = try pixels.canvas() } catch {
      throw VideoError(.unsupported, error.message, remedy: error.remedy, subject: path)
    }
    try write(canvas, seconds: seconds)
  }

  /// Writes the content of a canvas without copying it.
  /// - Parameters:
  ///   - canvas: The image.
  ///   - seconds: As in `write(_:seconds:)`.
  /// - Throws: As `write(_:seconds:)`.
  public func write(_ canvas: PixelCanvas, seconds: Double) throws(VideoError) {
    let result: Result<Void, VideoError> = unsafe canvas.withUnsafeMutableBytes { bytes in
      do {
        let layout = try PixelLayout(.bgra, size: canvas.size, bytesPerRow: [canvas.bytesPerRow])
        try unsafe PixelBuffer.withUnsafeBorrowed(layout, planes: [UnsafeRawBufferPointer(bytes)], name: path)
        {
          pixels in try append(pixels, seconds: seconds)
        }
        return .success(())
      } catch let error as VideoError {
        return .failure(error)
      } catch {
        return .failure(
          VideoError(
            .unsupported, "the canvas cannot be read: \(error)",
            remedy: "Use a smaller canvas",
            subject: path))
      }
    }
    try result.get()
  }

  private func append(_ pixels: PixelBuffer, seconds: Double) throws(VideoError) {
    try turn.withLock { _ throws(VideoError) in
      guard !core.isFinished else {
        throw VideoError(
          .writeFailed, "a frame came after the end of the video",
          remedy: "Write all frames before finish()", subject: path)
      }
      let native: NativeWriter
      if let known = core.native {
        native = known
      } else {
        guard pixels.size.width > 1, pixels.size.height > 1 else {
          throw VideoError(
            .writeFailed, "the first frame is \(pixels.size) pixels, 2 × 2 at least expected",
            remedy: "Write larger frames", subject: path)
        }
        // RGB is converted to BT.601 in video range, the default of libyuv and libswscale.
        native = try NativeWriter(
          file, container, codec, options, size: pixels.size,
          encoding: pixels.layout.format.encoding ?? YUVEncoding())
        core.native = native
        core.summary.encoder = native.encoder
        if !native.note.isEmpty { core.notes.append(native.note) }
        core.firstSize = pixels.size
      }
      try native.write(pixels, seconds: seconds)
      core.summary.frames += 1
      if core.firstSize != pixels.size { core.summary.scaledFrames += 1 }
    }
  }

  /// Notes on sound, subtitles and other data left out, each a sentence without its full stop.
  ///
  /// Set when the first frame is written.
  public var notes: [String] { turn.withLock { _ in core.notes } }

  /// Finishes the video and renames the file to its final name.
  /// - Parameter hasAllSound: Whether to also write sound after the last frame; false by default.
  /// - Returns: The summary of the video.
  /// - Throws: `VideoError` with `write-failed` if the end cannot be written, which leaves NAME.partial, or
  ///   with `empty` if there was no frame, which leaves no file.
  @discardableResult
  public func finish(hasAllSound: Bool = false) throws(VideoError) -> Summary {
    try turn.withLock { _ throws(VideoError) in
      guard !core.isFinished else { return core.summary }
      core.isFinished = true
      guard let native = core.native else {
        file.discard()
        throw VideoError(
          .empty, "no frame was written, so there is no video",
          remedy: "Look for an earlier failure", subject: path)
      }
      core.native = nil
      do throws(VideoError) {
        try native.finish(hasAllSound: hasAllSound)
        do throws(SystemError) { try file.commit() } catch { throw .unfinished(path, error) }
      } catch {
        var error = error
        error.message += "; what could be written is in '\(file.partialPath)'"
        throw error
      }
      return core.summary
    }
  }

  /// Discards the video; no file is left.
  public func discard() {
    turn.withLock { _ in
      guard !core.isFinished else { return }
      core.isFinished = true
      core.native = nil
      file.discard()
    }
  }

  deinit {
    // Errors cannot be reported here; the written frames stay playable in the partial file.
    if !core.isFinished, let native = core.native { try? native.finish(hasAllSound: false) }
  }
}
