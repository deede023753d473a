// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

extension DetectorFamily {
  /// NanoDet and NanoDet-Plus: class scores, and for each edge a distribution of its distance from the cell.
  ///
  /// **Source:** NanoDet, `config/nanodet-plus-m_320.yml` (stretched, BGR, ImageNet's statistics).
  public static let nanodet: DetectorFamily = .init(
    name: "nanodet", aliases: ["nanodet-plus"],
    rule:
      "one output [1, N, C + 32] for N cells (2,125 at 320 × 320 with NanoDet-Plus): C scores,"
      + " and a distribution of eight distances for each edge; or scores and distributions"
      + " as separate outputs",
    // Channel order: blue, green, red.
    input: DetectorInput(
      normalization: Normalization(
        mean: [103.53, 116.28, 123.675], standardDeviation: [57.375, 57.12, 58.395]), isBGR: true),
    labels: .oneForEach,
    addReadings: { output, readings in
      // The classes, followed by four distributions.
      for layout in output.signature.outputs.count == 1 ? DistanceLayout.all(for: output.signature) : []
      where !readings.contains(where: { $0.classCount == 80 }) {
        // Few models use the longer distributions, so accept them only with COCO's classes.
        guard layout.bins == DistanceLayout.knownBins[0] || layout.classCount == 80 else { continue }
        readings.append(
          YOLOLayout(
            family: .nanodet, rows: output.first, columns: output.last, classCount: layout.classCount,
            grid: layout.grid))
      }
    },
    recognize: { model, isAsked throws(DetectionError) in
      guard !isAsked, model.signature.outputs.count == 1 else {
        return try model.distanceDecoder(of: .nanodet, isAsked: isAsked)
      }
      // A single output has the shape of a YOLO model as well.
      return try model.yoloHead(of: .nanodet, isAsked: false).flatMap { head in
        DistanceLayout.all(for: model.signature).first { $0.classCount == head.layout.classCount }.map {
          DistanceDecoder($0, of: model)
        }
      }
    })

  /// PicoDet: class scores and distributions of distances, two outputs per level.
  ///
  /// **Source:** PaddleDetection, `picodet_320_reader.yml` (stretched, RGB, ImageNet's statistics).
  public static let picodet: DetectorFamily = .init(
    name: "picodet",
    rule:
      "two outputs for each level, scores [1, N, C] and distributions [1, N, 32] for N cells"
      + " (1,600, 400, 100 and 25 at 320 × 320)",
    input: DetectorInput(
      normalization: Normalization(
        mean: [123.675, 116.28, 103.53], standardDeviation: [58.395, 57.12, 57.375])),
    labels: .oneForEach,
    nearest: { signature in
      // Two lists for each of several maps.
      let shapes = signature.outputs.map(\.shape)
      guard [6, 8].contains(shapes.count), shapes.allSatisfy({ $0.count == 3 && $0[0] == 1 }) else {
        return nil
      }
      let widths = DistanceLayout.knownBins.map { $0 * 4 }
      return NearestFamily(
        .picodet,
        shapes.contains { widths.contains($0[2]) }
          ? "the rows of the \(shapes.count) outputs are not the cells of 8, 16, 32 and 64 pixels"
          : "none of the \(shapes.count) outputs has distributions of 32 or 44 numbers",
        remedy: "Export the model with one output of decoded boxes")
    },
    recognize: { model, isAsked throws(DetectionError) in
      try model.distanceDecoder(of: .picodet, isAsked: isAsked)
    })
}
