// SPDX-License-Identifier: Apache-2.0

import Fovea
import FoveaImage

/// The colours of a map's classes on a photo: VOC's, and none for the background.
struct MapColors {
  /// The opacity of a class's colour, of 255: 40 %.
  static let opacity: UInt8 = 102

  private let hasBackground: Bool

  init(_ map: SegmentationMap) {
    hasBackground = map.labels.first.map { $0.lowercased() == "background" } ?? true
  }

  /// Returns the colour of a class; nil for the background and for 255, none, which are not painted.
  func color(ofClass number: Int) -> RGBColor? {
    guard (0..<255).contains(number), number > 0 || !hasBackground else { return nil }
    let channels = VOCPalette.colors[(number * 3)..<(number * 3 + 3)]
    return RGBColor(
      red: channels[number * 3], green: channels[number * 3 + 1], blue: channels[number * 3 + 2])
  }
}
