// SPDX-License-Identifier: Apache-2.0

public import Fovea

extension FoveaError {
  /// A failure of a video as one of the library: its code gets the prefix "video-", its texts stay.
  public init(_ error: VideoError) {
    self.init(
      code: Code(rawValue: "video-\(error.code)"), message: error.message, remedy: error.remedy,
      subject: error.videoName, cause: error)
  }
}
