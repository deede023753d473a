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
    if let maxPixels, maxPixels < 1 {
      throw ValidationError("--max-pixels must be 1 or more, got \(maxPixels).")
    }
  }

  /// The limits with what was asked.
  var limits: ImageLimits {
    var limits = ImageLimits()
    if let maxPixels { limits.maxPixels = maxPixels }
    return limits
  }
}
