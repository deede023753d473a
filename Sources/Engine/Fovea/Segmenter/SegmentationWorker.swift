// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaGeometry
import FoveaImage
import FoveaRuntime

/// One session of a segmenter with all memory that is reused from image to image.
final class SegmentationWorker: ImageWorker {
  private let plan: SegmentationPlan
  private let session: Session
  private let preparation: ImagePreparation
  private let scratch = TensorScratch()
  private var values: [Float] = []

  init(_ plan: SegmentationPlan) throws {
    self.plan = plan
    session = try plan.loaded.session(plan.options.session)
    preparation = ImagePreparation(plan.options)
  }

  /// The assumptions, the repairs made to the model, and notes if it does not run as usual.
  var assumptions: [Advice] {
    (plan.remarks + session.notes).map { Advice($0) } + plan.input.assumptions(modelName: plan.loaded.name)
  }
  var classNames: [String] { plan.labels }

  /// Opens and decodes an image like `analyze`.
  func prepare(_ image: ImageInput) throws -> PreparedImage {
    let opened = try preparation.open(image)
    let region = try RegionOfInterest.resolve(nil, in: opened)
    let decoded = try preparation.decode(image, opened, region: region, for: plan.input.spec)
    return PreparedImage(opened: opened, decoded: decoded)
  }

  /// Segments an image, or one of its regions.
  func analyze(
    _ image: ImageInput, region: BoundingBox?, token: CancellationToken
  ) throws -> SegmentationResult {
    let clock = ContinuousClock()
    let start = clock.now
    var timings = StageTimings()
    let opened = try preparation.open(image)
    let wanted = try RegionOfInterest.resolve(region, in: opened)
    let decoded = try preparation.decode(image, opened, region: wanted, for: plan.input.spec)
    let ready = clock.now
    timings.decode = ready - start
    let used = unsafe try session.withUnsafeInputBytes(0) { bytes throws(ImageError) in
      unsafe try decoded.write(
        region: wanted, upright: opened.orientation, spec: plan.input.spec, into: bytes, scratch: scratch)
    }
    let prepared = clock.now
    timings.prepare = prepared - ready
    try session.run(cancelledBy: token)
    try session.readNumbers(output: 0, into: &values)
    let cells = try plan.head.cells(values, modelName: plan.loaded.name)
    try SegmentationPlan.check(cells, plan.head, labels: plan.labels, modelName: plan.loaded.name)
    let map = map(of: cells, showing: used, wanted, in: opened)
    timings.detect = clock.now - prepared
    timings.total = clock.now - start
    return SegmentationResult(
      size: opened.size, orientation: opened.orientation, map: map, timings: timings,
      notes: [decoded.note].compactMap(\.self))
  }

  /// Returns the map of the cells that show the image, in stored pixels.
  /// - Parameters:
  ///   - cells: All cells, those of the bars of a letterbox included.
  ///   - used: The region of all cells, in stored pixels.
  ///   - wanted: The region of the image, in stored pixels.
  ///   - opened: The image.
  /// - Returns: The map.
  private func map(
    of cells: MapCells, showing used: BoundingBox, _ wanted: BoundingBox, in opened: OpenedImage
  ) -> SegmentationMap {
    let layout = plan.head.layout
    let upright = opened.orientation.uprightBox(fromStored: used, stored: opened.size)
    let bounds = opened.orientation.uprightBox(fromStored: wanted, stored: opened.size)
    let cell = (width: upright.width / Double(layout.columns), height: upright.height / Double(layout.rows))
    let columns = Self.cells(
      bounds.minX - upright.minX, bounds.maxX - upright.minX, cell.width, layout.columns)
    let rows = Self.cells(bounds.minY - upright.minY, bounds.maxY - upright.minY, cell.height, layout.rows)
    func cut(_ values: [UInt8]) -> [UInt8] {
      guard !values.isEmpty, columns.count < layout.columns || rows.count < layout.rows else { return values }
      return rows.flatMap { row in
        values[(row * layout.columns + columns.lowerBound)..<(row * layout.columns + columns.upperBound)]
      }
    }
    let region = BoundingBox(
      x: upright.minX + Double(columns.lowerBound) * cell.width,
      y: upright.minY + Double(rows.lowerBound) * cell.height,
      width: Double(columns.count) * cell.width, height: Double(rows.count) * cell.height)
    return SegmentationMap(
      MapCells(classes: cut(cells.classes), confidences: cut(cells.confidences)), width: columns.count,
      labels: plan.labels, isBinary: plan.head.classCount == 2, region: region, bounds: bounds
    ).stored(opened.orientation, stored: opened.size)
  }

  /// Returns the cells whose middles lie in an interval, at least one.
  private static func cells(_ start: Double, _ end: Double, _ length: Double, _ count: Int) -> Range<Int> {
    let first = min(max(Int((start / length - 0.5).rounded(.up)), 0), count - 1)
    let last = min(max(Int((end / length - 0.5).rounded(.down)), first), count - 1)
    return first..<(last + 1)
  }
}
