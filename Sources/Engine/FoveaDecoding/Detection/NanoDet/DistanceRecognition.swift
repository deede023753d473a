// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension DetectorRecognizer {
  /// Creates the decoder of a NanoDet or PicoDet model with scores and distributions; nil for other models.
  ///
  /// A single output can also be that of YOLOX or YOLOv8; the YOLO recognition decides between them.
  /// - Throws: `ambiguousFamily` if either family could have these outputs.
  func distanceDecoder(of family: DetectorFamily, isAsked: Bool) throws(DetectionError) -> (
    any DetectionDecoder
  )? {
    let layouts = DistanceLayout.all(for: signature)
    guard !layouts.isEmpty else { return nil }
    if isAsked || signature.outputs.count == 1 {
      let fitting = layouts.filter { $0.family == family }
      let usual = (labelledCounts + [80]).lazy.compactMap { count in
        fitting.first { $0.classCount == count }
      }
      return (usual.first ?? fitting.first).map { DistanceDecoder($0, of: self) }
    }
    let families = DetectorFamily.all.filter { family in layouts.contains { $0.family == family } }
    guard families.count == 1 else {
      throw DetectionError(
        .ambiguousFamily,
        "'\(modelName)' can be of several families: \(families.map(\.name).joined(separator: ", or "))."
          + " It has \(tensorList)",
        remedy: "Name the family, \(families.map(\.name).joined(separator: " or ")) (\(option: "family"))")
    }
    return layouts.first { $0.family == family }.map { DistanceDecoder($0, of: self) }
  }
}
