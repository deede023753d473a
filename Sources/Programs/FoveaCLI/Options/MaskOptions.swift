// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaFormats

/// The form of masks in results, for photos and for video.
struct MaskOptions: ParsableArguments, Sendable {
  @Option(
    name: .customLong("masks"),
    help: ArgumentHelp(
      "Masks in JSON, COCO and YOLO: rle, polygon or none (default: rle).", valueName: "form",
      visibility: .hidden), transform: ChoiceArgument.value)
  var chosen: MaskForm?

  /// The requested form, else run lengths.
  var form: MaskForm { chosen ?? .rle }
}
