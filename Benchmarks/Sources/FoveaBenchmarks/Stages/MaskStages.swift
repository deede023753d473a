// SPDX-License-Identifier: Apache-2.0

import FoveaGeometry

/// Masks of one object, from the sum of prototypes to run lengths and outlines.
enum MaskStages {
  /// The box of an object of 192 × 144 pixels in a photo of `photo`.
  private static let box = BoundingBox(x: 149, y: 112, width: 192, height: 144)
  private static let photo = PixelSize(width: 640, height: 480)
  private static let count = 32

  static func all() throws -> [Benchmark] {
    var list: [Benchmark] = []
    for (side, layout, note) in [
      (80, MaskPrototypes.Layout.channelsLast, ""), (80, .channelsFirst, ", planar"),
      (160, .channelsLast, ""), (160, .channelsFirst, ", planar"),
    ] {
      let prototypes = try prototypes(side: side, layout)
      list.append(
        Benchmark("mask, \(side) × \(side) prototypes\(note)") {
          _ = try prototypes.mask(coefficients: coefficients, box: box)
        })
    }
    let mask = try prototypes(side: 160, .channelsLast).mask(coefficients: coefficients, box: box)
    list.append(Benchmark("mask, run lengths of 192 × 144") { _ = try mask.runLengths(in: photo) })
    let round = try roundMask()
    list.append(Benchmark("mask, outlines of 50 × 50") { _ = round.outlines })
    return list
  }

  private static let coefficients: [Float] = {
    var random = TrackingStages.SplitMix(state: 5)
    return (0..<count).map { _ in Float(random.number(-2...2)) }
  }()

  /// Prototypes that vary slowly, as those of models do.
  private static func prototypes(side: Int, _ layout: MaskPrototypes.Layout) throws -> MaskPrototypes {
    var random = TrackingStages.SplitMix(state: 3)
    let planes: [[Float]] = (0..<count).map { _ in
      let (x, y) = (Float(random.number(-0.15...0.15)), Float(random.number(-0.15...0.15)))
      return (0..<side * side).map { cell in
        let phase = Float(cell % side) * x + Float(cell / side) * y
        return 1 - 2 * abs(phase - phase.rounded())
      }
    }
    let values =
      layout == .channelsFirst
      ? planes.flatMap { $0 } : (0..<side * side).flatMap { cell in planes.map { $0[cell] } }
    let place = Letterbox().place(
      width: Double(photo.width), height: Double(photo.height),
      in: PixelSize(width: side * 4, height: side * 4))
    return try MaskPrototypes(
      values: values, size: PixelSize(width: side, height: side), layout: layout,
      region: place.grown(
        BoundingBox(x: 0, y: 0, width: Double(photo.width), height: Double(photo.height))))
  }

  private static func roundMask() throws -> ObjectMask {
    let cells: [UInt8] = (0..<2_500).map { cell in
      let (x, y) = (Double(cell % 50) - 24.5, Double(cell / 50) - 24.5)
      return UInt8(min(max(128 + 12 * (18 - (x * x + y * y).squareRoot()), 0), 255))
    }
    return try ObjectMask(
      cells: cells, columns: 50, region: BoundingBox(x: 10, y: 10, width: 200, height: 200))
  }
}
