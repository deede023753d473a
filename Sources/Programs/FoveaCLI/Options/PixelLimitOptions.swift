// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Fovea

/// What an image may cost.
struct PixelLimitOptions: ParsableArguments, Sendable {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The most pixels of a photo.", valueName: "n", visibility: .hidden))
  var maxPixels: Int?

  func validate() throws {
    var options = ObjectDetector.Options()
    options.imageLimits = limits
    try ModelOptions.check(options.check)
  }

  /// The limits with what was asked.
  var limits: ImageLimits {
    var limits = ImageLimits()
    if let maxPixels { limits.maxPixels = maxPixels }
    return limits
  }
}
