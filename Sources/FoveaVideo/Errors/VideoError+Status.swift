// SPDX-License-Identifier: Apache-2.0

import CVideo

extension VideoError {
  /// What a status of the C functions means for the one who gave the video.
  /// - Parameters:
  ///   - status: Any but OK and END.
  ///   - reason: What FFmpeg, or the system, said.
  ///   - name: The video's name.
  /// - Returns: The error.
  static func from(_ status: fovea_video_status, _ reason: String, _ name: String) -> VideoError {
    switch status {
    case FOVEA_VIDEO_NO_LIBRARY, FOVEA_VIDEO_NO_SYMBOL, FOVEA_VIDEO_NOT_BUILT, FOVEA_VIDEO_NO_DECODER,
      FOVEA_VIDEO_NO_ENCODER, FOVEA_VIDEO_NO_HARDWARE:
      return missing(status, reason, name)
    case FOVEA_VIDEO_TIMED_OUT, FOVEA_VIDEO_CANCELLED, FOVEA_VIDEO_UNREACHABLE:
      return connection(status, reason, name)
    default: return content(status, reason, name)
    }
  }

  /// What is not installed.
  private static func missing(_ status: fovea_video_status, _ reason: String, _ name: String) -> VideoError {
    switch status {
    case FOVEA_VIDEO_NOT_BUILT:
      VideoError(
        code: .libraryMissing, message: "this build of Fovea has no video: the trait Video was off",
        remedy: "Run make setup and build with the default traits, or give a folder of pictures",
        videoName: name)
    case FOVEA_VIDEO_NO_DECODER:
      VideoError(
        code: .codecMissing, message: "the installed FFmpeg has no decoder for \(reason)",
        remedy:
          "Convert the video to H.264 (ffmpeg -i IN -c:v libx264 out.mp4), or install a complete FFmpeg",
        videoName: name)
    case FOVEA_VIDEO_NO_ENCODER:
      VideoError(
        code: .codecMissing, message: "the installed FFmpeg has no encoder \(reason)",
        remedy: "Install a complete FFmpeg (apt-get install libavcodec-extra), or choose another codec",
        videoName: name)
    case FOVEA_VIDEO_NO_HARDWARE:
      VideoError(
        code: .hardwareMissing, message: "hardware decoding is not to be had: \(reason)",
        remedy: "Leave the choice to Fovea (hardware automatic), or install the VA-API driver of the graphics"
          + " card", videoName: name)
    default:
      VideoError(
        code: .libraryMissing, message: "FFmpeg's libraries cannot be loaded: \(reason)",
        remedy: "Install them (apt-get install ffmpeg), or build Fovea for the version that is installed",
        videoName: name)
    }
  }

  private static func connection(
    _ status: fovea_video_status, _ reason: String, _ name: String
  ) -> VideoError {
    switch status {
    case FOVEA_VIDEO_TIMED_OUT:
      VideoError(
        code: .timedOut, message: "there was no answer in time",
        remedy: "Check the address, the network and the camera, or raise the time-out", videoName: name)
    case FOVEA_VIDEO_CANCELLED:
      VideoError(
        code: .cancelled, message: "opening was cancelled", remedy: "Open it again", videoName: name)
    default:
      VideoError(
        code: .unreachable, message: "the address cannot be opened: \(reason)",
        remedy: "Check the address, user name and password, and the network", videoName: name)
    }
  }

  /// What is wrong with the bytes or the machine.
  private static func content(_ status: fovea_video_status, _ reason: String, _ name: String) -> VideoError {
    switch status {
    case FOVEA_VIDEO_UNKNOWN_FORMAT where reason.contains("moov atom not found"):
      VideoError(
        code: .truncated, message: "the file has no index (\(reason)): a recording or copy was cut off",
        remedy: "Copy or download the file again; a recorder that lost power may have a repair function",
        videoName: name)
    case FOVEA_VIDEO_UNKNOWN_FORMAT:
      VideoError(
        code: .unknownFormat, message: "this is no video that Fovea reads: \(reason)",
        remedy: "Give a video file (MP4, MOV, MKV, WebM, AVI, MPEG-TS, …)", videoName: name)
    case FOVEA_VIDEO_NO_VIDEO:
      VideoError(
        code: .noVideo, message: "there are no moving pictures in it, but \(reason)",
        remedy: "Give a file with a video track", videoName: name)
    case FOVEA_VIDEO_TOO_LARGE:
      VideoError(
        code: .tooLarge, message: "the frames have \(reason) pixels, which is beyond the limit",
        remedy: "Shrink the video first, or raise VideoReader.Options.maximumPixels if you trust its source",
        videoName: name)
    case FOVEA_VIDEO_NO_MEMORY:
      VideoError(
        code: .outOfMemory, message: "there is no memory for it: \(reason)",
        remedy: "Use a smaller video, or a machine with more memory", videoName: name)
    case FOVEA_VIDEO_PIXELS:
      VideoError(
        code: .unsupported, message: "the pixels cannot be converted: \(reason)",
        remedy: "Convert the video to H.264 with 8 bits (ffmpeg -i IN -pix_fmt yuv420p out.mp4)",
        videoName: name)
    case FOVEA_VIDEO_DAMAGED:
      VideoError(
        code: .damaged, message: "the video is damaged: \(reason)", remedy: "Copy or download the file again",
        videoName: name)
    default:
      VideoError(
        code: .unreadable, message: "reading failed: \(reason)", remedy: "Check the disk or the device",
        videoName: name)
    }
  }
}
