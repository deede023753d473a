// SPDX-License-Identifier: Apache-2.0

import CVideo
import FoveaCore
import FoveaGeometry
import FoveaImage

/// One connection to a source through FFmpeg; not thread-safe.
@safe final class NativeReader {
  /// The outcome of a request for a frame.
  enum Answer {
    case frame(DecodedVideoFrame)
    /// The end of the video; the reason is empty for a regular end.
    case end(reason: String)
    case cancelled
  }

  let info: VideoInfo
  private let name: String
  // SAFETY: created in init, closed in deinit, used by the one owner.
  private let pointer: OpaquePointer
  private let file: InputVideoFile?
  // Kept as long as the C reader, which checks it for cancellation.
  private let cancellation: VideoCancellation
  /// The number of frames that could not be decoded.
  private(set) var skipped = 0

  init(
    _ source: VideoSource, _ options: VideoReader.Options, _ cancellation: VideoCancellation
  ) throws(VideoError) {
    name = source.name
    self.cancellation = cancellation
    switch source {
    case .file(let path):
      let file = try InputVideoFile(path: path)
      try file.refusePlaylist(path)
      self.file = file
    case .standardInput: file = InputVideoFile()
    case .stream, .camera: file = nil
    }
    let (opened, info) = unsafe try Self.open(source, file, options, cancellation)
    unsafe pointer = unsafe opened
    self.info = info
  }

  deinit { unsafe fovea_video_close(pointer) }

  private static func open(
    _ source: VideoSource, _ file: InputVideoFile?, _ options: VideoReader.Options,
    _ cancellation: VideoCancellation
  ) throws(VideoError) -> (OpaquePointer, VideoInfo) {
    var address: String?
    var isCamera = false
    switch source {
    case .stream(let text): address = text
    case .camera(let path): (address, isCamera) = (path, true)
    case .file, .standardInput: break
    }
    var pointer: OpaquePointer?
    var info = unsafe fovea_video_info()
    var reason = ""
    func call(_ address: UnsafePointer<CChar>?) -> (fovea_video_status, String) {
      unsafe VideoText.call { text in
        let (status, note) = unsafe VideoText.call { note in
          let source = unsafe fovea_video_source(
            descriptor: file?.descriptor ?? -1, address: address, is_camera: isCamera,
            camera_width: Int32(clamping: options.cameraSize?.width ?? 0),
            camera_height: Int32(clamping: options.cameraSize?.height ?? 0),
            camera_rate: options.cameraFrameRate ?? 0, threads: Int32(clamping: options.threads),
            hardware: options.hardware.native, max_pixels: Int64(options.maximumPixels),
            open_timeout: file == nil ? options.openTimeout.microseconds : 0,
            read_timeout: file == nil ? options.readTimeout.microseconds : 0,
            interrupt: cancellation.pointer)
          return unsafe withUnsafePointer(to: source) { source in
            unsafe fovea_video_open(source, &pointer, &info, note, text)
          }
        }
        reason = note
        return status
      }
    }
    let (status, text) = if let address { unsafe address.withCString { unsafe call($0) } } else { call(nil) }
    guard status == FOVEA_VIDEO_OK, let pointer = unsafe pointer else {
      throw .from(status, status == FOVEA_VIDEO_NO_HARDWARE ? reason : text, source.name)
    }
    return unsafe (pointer, VideoInfo(info, fallBack: reason))
  }

  /// The amount read and the amount declared by the container; valid after the end.
  var extent: VideoExtent {
    var extent = fovea_video_extent()
    unsafe fovea_video_extent_read(pointer, &extent)
    return VideoExtent(extent)
  }

  /// Waits for the next frame.
  func next() throws(VideoError) -> Answer {
    var frame = unsafe fovea_video_frame()
    var count = Int64(skipped)
    let (status, text) = unsafe VideoText.call { unsafe fovea_video_next(pointer, &frame, &count, $0) }
    skipped = Int(count)
    switch status {
    case FOVEA_VIDEO_OK: return .frame(unsafe DecodedVideoFrame(frame))
    case FOVEA_VIDEO_END: return .end(reason: text)
    case FOVEA_VIDEO_CANCELLED: return .cancelled
    default: throw .from(status, text, name)
    }
  }
}

extension VideoReader.Hardware {
  fileprivate var native: fovea_hardware {
    switch self {
    case .off: FOVEA_HARDWARE_OFF
    case .automatic: FOVEA_HARDWARE_AUTOMATIC
    case .required: FOVEA_HARDWARE_REQUIRED
    }
  }
}

extension VideoInfo {
  private static func text(_ name: UnsafePointer<CChar>?) -> String {
    unsafe name.map { unsafe String(cString: $0) } ?? "unknown"
  }

  fileprivate init(_ info: fovea_video_info, fallBack: String) {
    unsafe self.init(
      size: PixelSize(width: Int(info.width), height: Int(info.height)),
      orientation: Orientation(rawValue: Int(info.orientation)) ?? .up,
      frameRate: info.frame_rate > 0 ? info.frame_rate : nil,
      duration: info.seconds > 0 ? info.seconds : nil,
      frameCount: info.frame_count > 0 ? Int(info.frame_count) : nil,
      pixelAspect: PixelAspect(width: Int(info.aspect_width), height: Int(info.aspect_height)),
      soundTracks: Int(info.sounds), hasMore: info.has_more,
      isFinite: info.is_finite, container: Self.text(info.container), codec: Self.text(info.codec),
      pixelFormat: Self.text(info.pixel_format),
      decoding: info.uses_hardware
        ? .hardware : fallBack.isEmpty ? .software : .softwareInstead(reason: fallBack))
  }
}
