// SPDX-License-Identifier: Apache-2.0

import CVideo
import FoveaCore

extension VideoError {
  /// Returns the error for a status of the C functions.
  /// - Parameters:
  ///   - status: Any status except OK and END.
  ///   - reason: The message of FFmpeg or the system.
  ///   - name: The video's name.
  /// - Returns: The error.
  static func from(_ status: fovea_video_status, _ reason: String, _ name: String) -> VideoError {
    switch status {
    case FOVEA_VIDEO_NO_LIBRARY, FOVEA_VIDEO_NO_SYMBOL, FOVEA_VIDEO_NOT_BUILT, FOVEA_VIDEO_NO_DECODER,
      FOVEA_VIDEO_NO_ENCODER, FOVEA_VIDEO_NO_HARDWARE:
      return missing(status, reason, name)
    case FOVEA_VIDEO_TIMED_OUT, FOVEA_VIDEO_CANCELLED, FOVEA_VIDEO_UNREACHABLE:
      return connection(status, reason, name)
    case FOVEA_VIDEO_UNKNOWN_FORMAT where reason == "Port missing in uri":
      return connection(status, reason, name)
    default: return content(status, reason, name)
    }
  }

  /// Returns the error for something that is not installed.
  private static func missing(_ status: fovea_video_status, _ reason: String, _ name: String) -> VideoError {
    switch status {
    case FOVEA_VIDEO_NOT_BUILT:
      VideoError(
        .libraryMissing, "this build of Fovea has no video: the trait Video was off",
        remedy: "Run make setup and build with the default traits, or give a folder of images",
        subject: name)
    case FOVEA_VIDEO_NO_DECODER:
      VideoError(
        .codecMissing, "the installed FFmpeg has no decoder for \(reason)",
        remedy:
          "Convert the video to H.264 (ffmpeg -i IN -c:v libx264 out.mp4), or install a complete FFmpeg",
        subject: name)
    case FOVEA_VIDEO_NO_ENCODER:
      VideoError(
        .codecMissing, "the installed FFmpeg has no encoder \(reason)",
        remedy: "Install a complete FFmpeg (apt-get install libavcodec-extra), or choose another codec",
        subject: name)
    case FOVEA_VIDEO_NO_HARDWARE:
      VideoError(
        .hardwareMissing, "hardware decoding is not available: \(reason)",
        remedy: "Leave the choice to Fovea (hardware automatic), or install the VA-API driver of the graphics"
          + " card", subject: name)
    default:
      VideoError(
        .libraryMissing, "FFmpeg's libraries cannot be loaded: \(reason)",
        remedy: "Install them (apt-get install ffmpeg), or build Fovea for the version that is installed",
        subject: name)
    }
  }

  private static func connection(
    _ status: fovea_video_status, _ reason: String, _ name: String
  ) -> VideoError {
    switch status {
    case FOVEA_VIDEO_TIMED_OUT:
      VideoError(
        .timedOut, "there was no answer in time",
        remedy: "Check the address, the network and the camera, or raise the timeout", subject: name)
    case FOVEA_VIDEO_CANCELLED:
      VideoError(.cancelled, "opening was cancelled", remedy: "Open it again", subject: name)
    // A password with '/' ends the address for FFmpeg, so that the port is a part of the password.
    case FOVEA_VIDEO_UNKNOWN_FORMAT:
      VideoError(
        .unreachable, "the address has no valid port",
        remedy: "Write '/' in a user name or password as %2F, '?' as %3F and '#' as %23", subject: name)
    default:
      VideoError(
        .unreachable, "the address cannot be opened: \(reason)",
        remedy: "Check the address, user name and password, and the network", subject: name)
    }
  }

  /// Returns the error for a fault in the bytes or of the machine.
  private static func content(_ status: fovea_video_status, _ reason: String, _ name: String) -> VideoError {
    switch status {
    case FOVEA_VIDEO_UNKNOWN_FORMAT where reason.contains("moov atom not found"):
      VideoError(
        .truncated, "the file has no index (\(reason)): a recording or copy was cut off",
        remedy: "Copy or download the file again; a recorder that lost power may have a repair function",
        subject: name)
    // FFmpeg prints a list of names here that exceeds the text and does not describe the file.
    case FOVEA_VIDEO_UNKNOWN_FORMAT where reason.contains("not on whitelist"):
      VideoError(
        .unknownFormat, "this is not a video that Fovea reads: it is something else, such as text",
        remedy: "Give a video file (MP4, MOV, MKV, WebM, AVI, MPEG-TS, …)", subject: name)
    case FOVEA_VIDEO_UNKNOWN_FORMAT:
      VideoError(
        .unknownFormat, "this is not a video that Fovea reads: \(reason)",
        remedy: "Give a video file (MP4, MOV, MKV, WebM, AVI, MPEG-TS, …)", subject: name)
    case FOVEA_VIDEO_NO_VIDEO:
      VideoError(
        .noVideo, "it has no video track, \(reason)",
        remedy: "Give a file with a video track", subject: name)
    case FOVEA_VIDEO_TOO_LARGE:
      VideoError(
        .tooLarge, "the frames have \(reason) pixels, which is beyond the limit",
        remedy: "Shrink the video first\(term: .raisedLimit("VideoReader.Options.maximumPixels"))",
        subject: name)
    case FOVEA_VIDEO_NO_MEMORY:
      VideoError(
        .outOfMemory, "there is not enough memory: \(reason)",
        remedy: "Use a smaller video, or a machine with more memory", subject: name)
    case FOVEA_VIDEO_PIXELS:
      VideoError(
        .unsupported, "the pixels cannot be converted: \(reason)",
        remedy: "Convert the video to H.264 with 8 bits (ffmpeg -i IN -pix_fmt yuv420p out.mp4)",
        subject: name)
    case FOVEA_VIDEO_DAMAGED:
      VideoError(
        .damaged, "the video is damaged: \(reason)", remedy: "Copy or download the file again",
        subject: name)
    default:
      VideoError(
        .unreadable, "reading failed: \(reason)", remedy: "Check the disk or the device",
        subject: name)
    }
  }
}
