// SPDX-License-Identifier: Apache-2.0

import CVideo
import FoveaCore
import FoveaGeometry
import FoveaImage

/// An FFmpeg encoder with its container; not thread-safe.
@safe final class NativeWriter {
  /// x264's preset; docs/reference/video.md compares the others.
  private static let preset = "superfast"

  /// FFmpeg's name of the encoder.
  let encoder: String
  /// The size of the frames in the file.
  let size: PixelSize
  private let name: String
  // SAFETY: created in init, freed in deinit, and used only by the owner of this object.
  private let pointer: OpaquePointer
  // Kept as long as C writes to it.
  private let file: ReplacedFile
  // The file whose sound is copied, kept as long as C reads it.
  private let sound: InputVideoFile?
  /// A note on sound, subtitles and other data that were left out, without a final period; empty if none.
  let note: String

  /// Starts a video with the size and colour encoding of its first image.
  init(
    _ file: ReplacedFile, _ container: VideoContainer, _ codec: VideoCodec, _ options: VideoWriter.Options,
    size: PixelSize, encoding: YUVEncoding
  ) throws(VideoError) {
    let size =
      codec == .mjpeg
      ? size : PixelSize(width: size.width + size.width % 2, height: size.height + size.height % 2)
    do throws(SystemError) { try file.begin() } catch { throw .unwritable(file.path, error) }
    let sound = options.sound.flatMap { try? InputVideoFile(path: $0.path) }
    var pointer: OpaquePointer?
    var encoder: UnsafePointer<CChar>?
    var note = ""
    func create(_ target: fovea_video_target, _ text: fovea_video_text) -> fovea_video_status {
      let (status, said) = unsafe VideoText.call { note in
        unsafe withUnsafePointer(to: target) { unsafe fovea_video_create($0, &pointer, &encoder, note, text) }
      }
      note = said
      return status
    }
    let (status, text) = unsafe VideoText.call { text in
      unsafe withCStrings(codec.encoders) { encoders in
        unsafe container.native.withCString { container in
          unsafe Self.preset.withCString { preset in
            let target = unsafe fovea_video_target(
              descriptor: file.descriptor, container: container, encoders: encoders,
              width: Int32(clamping: size.width), height: Int32(clamping: size.height),
              frame_rate: options.frameRate ?? 0, quality: Int32(options.quality), preset: preset,
              threads: Int32(options.threads), is_fragmented: options.isFragmented,
              is_bt709: encoding.matrix == .bt709, is_full_range: encoding.range == .full,
              aspect_width: Int32(clamping: options.pixelAspect.width),
              aspect_height: Int32(clamping: options.pixelAspect.height),
              sound_descriptor: sound?.descriptor ?? -1, sound_start: options.sound?.start ?? 0)
            return unsafe create(target, text)
          }
        }
      }
    }
    guard status == FOVEA_VIDEO_OK, let pointer = unsafe pointer else {
      throw .writing(status, text, file.path)
    }
    unsafe self.pointer = unsafe pointer
    self.encoder = unsafe encoder.map { unsafe String(cString: $0) } ?? "unknown"
    self.size = size
    self.file = file
    self.sound = sound
    self.note = options.sound != nil && sound == nil ? "the sound cannot be read and is left out" : note
    name = file.path
  }

  deinit { unsafe fovea_video_discard(pointer) }

  /// Writes an upright image.
  func write(_ pixels: PixelBuffer, seconds: Double) throws(VideoError) {
    let result: (fovea_video_status, String)
    do throws(ImageError) {
      let pixels = try pixels.inWriterOrder()
      result = try unsafe pixels.withUnsafePlanes { planes in
        let strides = pixels.layout.bytesPerRow
        func base(_ index: Int) -> UnsafePointer<UInt8>? {
          unsafe index < planes.count ? planes[index].baseAddress?.assumingMemoryBound(to: UInt8.self) : nil
        }
        func stride(_ index: Int) -> Int32 { index < strides.count ? Int32(clamping: strides[index]) : 0 }
        let encoding = pixels.layout.format.encoding
        var image = unsafe fovea_video_image(
          planes: (base(0), base(1), base(2)), strides: (stride(0), stride(1), stride(2)),
          width: Int32(clamping: pixels.size.width), height: Int32(clamping: pixels.size.height),
          pixels: pixels.layout.nativePixels, is_bt709: encoding?.matrix == .bt709,
          is_full_range: encoding?.range == .full, time: seconds)
        return unsafe VideoText.call { unsafe fovea_video_write(pointer, &image, $0) }
      }
    } catch {
      throw VideoError(.unsupported, error.message, remedy: error.remedy, subject: name)
    }
    guard result.0 == FOVEA_VIDEO_OK else { throw .writing(result.0, result.1, name) }
  }

  /// Writes the encoder's remaining frames, the sound (up to the last frame unless `hasAllSound`) and the
  /// file's trailer.
  func finish(hasAllSound: Bool) throws(VideoError) {
    let (status, text) = unsafe VideoText.call { unsafe fovea_video_finish(pointer, hasAllSound, $0) }
    guard status == FOVEA_VIDEO_OK else { throw .writing(status, text, name) }
  }
}

/// Calls `body` with the strings as a NULL-terminated C array.
private func withCStrings<R>(_ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R) -> R {
  let block = texts.map { Array($0.utf8CString) }
  let bytes = block.flatMap { $0 }
  return unsafe bytes.withUnsafeBufferPointer { buffer in
    var pointers: [UnsafePointer<CChar>?] = unsafe []
    var offset = 0
    for text in block {
      unsafe pointers.append(buffer.baseAddress.map { unsafe $0 + offset })
      offset += text.count
    }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeBufferPointer { list in
      guard let base = list.baseAddress else { preconditionFailure("the list has a NULL terminator") }
      return unsafe body(base)
    }
  }
}

extension PixelBuffer {
  /// Returns the image in a layout that the encoder supports: rows from the top, not 24-bit BGR.
  fileprivate func inWriterOrder() throws(ImageError) -> PixelBuffer {
    guard layout.isBottomUp || layout.format == .bgr else { return self }
    return try PixelBuffer(copying: canvas(), name: name)
  }
}

extension PixelLayout {
  fileprivate var nativePixels: fovea_pixels {
    switch bytesPerRow.count {
    case 3: FOVEA_PIXELS_I420
    case 2: FOVEA_PIXELS_NV12
    default:
      switch format {
      case .grey: FOVEA_PIXELS_GREY
      case .rgb: FOVEA_PIXELS_RGB
      case .rgba: FOVEA_PIXELS_RGBA
      default: FOVEA_PIXELS_BGRA
      }
    }
  }
}

extension VideoError {
  /// Returns the error for a status that the encoder returned.
  fileprivate static func writing(
    _ status: fovea_video_status, _ reason: String, _ name: String
  ) -> VideoError {
    guard status == FOVEA_VIDEO_FAILED || status == FOVEA_VIDEO_DAMAGED else {
      return from(status, reason, name)
    }
    return VideoError(
      .writeFailed, "the video cannot be written: \(reason)",
      remedy: "Check the free disk space, and that the codec supports the size", subject: name)
  }
}
