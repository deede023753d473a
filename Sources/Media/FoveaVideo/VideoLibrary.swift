// SPDX-License-Identifier: Apache-2.0

import CVideo

/// The installed FFmpeg, which is loaded on first use.
public enum VideoLibrary {
  /// Returns the version: "59.27.100 (libavformat)".
  /// - Throws: `VideoError` with `library-missing` and the reason if FFmpeg cannot be used.
  public static func version() throws(VideoError) -> String {
    let (status, text) = unsafe VideoText.call { unsafe fovea_video_version($0) }
    guard status == FOVEA_VIDEO_OK else { throw .from(status, text, "FFmpeg") }
    return text
  }

  /// Whether videos can be read and written.
  public static var isPresent: Bool { (try? version()) != nil }

  /// Whether the installed FFmpeg has an encoder for the codec.
  public static func canWrite(_ codec: VideoCodec) -> Bool {
    codec.encoders.contains { unsafe fovea_video_has_encoder($0) }
  }
}

/// The buffer for the error messages of the C functions.
enum VideoText {
  /// Calls `body` with a buffer for a text message.
  /// - Returns: The result of `body`, and the text.
  static func call<R>(_ body: (fovea_video_text) -> R) -> (R, String) {
    var bytes = [CChar](repeating: 0, count: 1024)
    let result = unsafe bytes.withUnsafeMutableBufferPointer { buffer -> R? in
      // SAFETY: the array is not empty; the text does not leave the closure.
      guard let base = buffer.baseAddress else { return nil }
      return unsafe body(fovea_video_text(bytes: base, capacity: buffer.count))
    }
    guard let result else { preconditionFailure("an array of 1024 elements has an address") }
    return (result, text(bytes))
  }

  /// Decodes C's text up to its terminator; invalid UTF-8 at a cut becomes a replacement character.
  static func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
