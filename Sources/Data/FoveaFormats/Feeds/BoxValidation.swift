// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaGeometry

/// Counts boxes of a file that cannot be followed, so that none is lost without a warning.
struct BoxValidation: Sendable {
  private struct Finding: Sendable {
    var count = 0
    var firstFrame = 0

    mutating func add(_ count: Int, frame: Int) {
      guard count > 0 else { return }
      if self.count == 0 { firstFrame = frame }
      self.count += count
    }
  }
  private var outside = Finding()
  private var beyondLimit = Finding()
  private var size: PixelSize?

  /// Adds the boxes of one frame.
  ///
  /// `size` is the image's size if known; `limit` is the maximum number of boxes followed per frame.
  mutating func take(_ boxes: some Collection<BoundingBox>, frame: Int, size: PixelSize?, limit: Int) {
    beyondLimit.add(max(0, boxes.count - limit), frame: frame)
    self.size = size ?? self.size
    guard let size else { return }
    outside.add(boxes.count { $0.clamped(to: size).isEmpty }, frame: frame)
  }

  /// Returns the warnings to show at the end; `isCut` is true if boxes are cut to the image.
  func warnings(limit: Int, isCut: Bool) -> [String] {
    var warnings: [String] = []
    if outside.count > 0, let size {
      warnings.append(
        "\(counted(outside)) outside the \(size.width) × \(size.height) image, first in frame "
          + "\(outside.firstFrame); \(isCut ? "left out" : "kept")")
    }
    if beyondLimit.count > 0 {
      warnings.append(
        "\(counted(beyondLimit)) beyond the \(DecimalText.grouped(limit)) highest-scoring of a frame, "
          + "first in frame \(beyondLimit.firstFrame); left out (detectionLimit)")
    }
    return warnings
  }

  private func counted(_ finding: Finding) -> String {
    DecimalText.counted(finding.count, "box is", "boxes are")
  }
}
