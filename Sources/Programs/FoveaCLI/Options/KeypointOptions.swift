// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaFormats

/// The keypoints that are drawn and written as visible, for photos and for video.
struct KeypointOptions: ParsableArguments, Sendable {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Least score of a keypoint that is drawn and visible (default: 0.3).", valueName: "s",
      visibility: .hidden))
  var keypointThreshold: Float?

  /// The threshold for results, the usual one without the option.
  var threshold: Float { keypointThreshold ?? KeypointVisibility.usualThreshold }

  func validate() throws {
    // The range does not contain NaN.
    if let keypointThreshold, !(0...1).contains(keypointThreshold) {
      throw ValidationError("--keypoint-threshold must be between 0 and 1, got \(keypointThreshold).")
    }
  }
}
