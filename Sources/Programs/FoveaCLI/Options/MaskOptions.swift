// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoveaFormats

/// The form of masks in results, for photos and for video.
struct MaskOptions: ParsableArguments, Sendable {
  @Option(
    name: .customLong("masks"),
    help: ArgumentHelp("Form of masks: rle, polygon or none (default: rle).", valueName: "form"),
    transform: ChoiceArgument.value)
  var chosen: MaskForm?
}
