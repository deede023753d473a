// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea

/// The findings of one image in a `fovea_result`.
struct CFindings {
  var size = PixelSize(width: 0, height: 0)
  var orientation: Int32 = 0
  var objects: [DetectedObject] = []
  /// The findings of a labeler.
  var labels: [Label] = []
  var milliseconds: [Double] = []
  var failure: CFailure?

  /// Reads all images of a result, and frees it.
  static func taking(_ result: OpaquePointer?, isOfLabels: Bool = false) -> [CFindings] {
    defer { fovea_result_free(result) }
    var columns = fovea_columns()
    columns.size = UInt32(MemoryLayout<fovea_columns>.size)
    fovea_result_columns(result, &columns)
    return (0..<columns.images).map { image in
      var found = CFindings()
      found.size = PixelSize(width: Int(columns.widths[image]), height: Int(columns.heights[image]))
      found.orientation = columns.orientations[image]
      found.milliseconds = (0..<5).map { columns.milliseconds[image * 5 + $0] }
      found.failure = CFailure(reading: fovea_result_error(result, image))
      if isOfLabels {
        found.labels = labels(columns, image)
      } else {
        found.objects = (columns.object_offsets[image]..<columns.object_offsets[image + 1])
          .map { object(columns, Int($0)) }
      }
      return found
    }
  }

  private static func object(_ columns: fovea_columns, _ index: Int) -> DetectedObject {
    let box = (0..<4).map { columns.boxes[index * 4 + $0] }
    let points = columns.keypoint_offsets[index]..<columns.keypoint_offsets[index + 1]
    var object = DetectedObject(
      box: BoundingBox(x: box[0], y: box[1], width: box[2], height: box[3]), score: columns.scores[index],
      labels: labels(columns, index),
      trackingID: columns.track_ids[index] == 0 ? nil : Int(columns.track_ids[index]),
      keypoints: points.map {
        PixelPoint(x: columns.keypoints[Int($0) * 2], y: columns.keypoints[Int($0) * 2 + 1])
      }, mask: mask(columns, index), orientedBox: orientedBox(columns, index))
    object.landmarkDetails = landmarks(columns, index, points.map { Int($0) })
    return object
  }

  private static func landmarks(
    _ columns: fovea_columns, _ index: Int, _ points: [Int]
  ) -> LandmarkDetails? {
    guard let depths = columns.keypoint_depths, points.contains(where: { !depths[$0].isNaN }) else {
      return nil
    }
    let presences = points.map { columns.keypoint_presences[$0] }
    let worlds = points.map { point in
      SIMD3(
        columns.keypoint_worlds[point * 3], columns.keypoint_worlds[point * 3 + 1],
        columns.keypoint_worlds[point * 3 + 2])
    }
    let rightHand = columns.right_hands[index]
    return LandmarkDetails(
      depths: points.map { Double(depths[$0]) }, presences: presences.filter { !$0.isNaN },
      world: worlds.filter { !$0.x.isNaN }, rightHand: rightHand.isNaN ? nil : rightHand)
  }

  private static func mask(_ columns: fovea_columns, _ index: Int) -> ObjectMask? {
    guard let offsets = columns.mask_offsets, !columns.mask_places[index * 8].isNaN else { return nil }
    let places = (0..<8).map { columns.mask_places[index * 8 + $0] }
    func box(_ edges: ArraySlice<Double>) -> BoundingBox {
      let edges = Array(edges)
      return BoundingBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
    }
    let cells = (offsets[index]..<offsets[index + 1]).map { columns.mask_cells[Int($0)] }
    let (across, down) = (columns.mask_sizes[index * 2], columns.mask_sizes[index * 2 + 1])
    guard Int(across) * Int(down) == cells.count else { return nil }
    return try? ObjectMask(
      cells: cells, columns: Int(across), region: box(places[4...]), bounds: box(places[..<4]))
  }

  private static func orientedBox(_ columns: fovea_columns, _ index: Int) -> OrientedBox? {
    guard let boxes = columns.oriented_boxes, !boxes[index * 5].isNaN else { return nil }
    let numbers = (0..<5).map { boxes[index * 5 + $0] }
    return OrientedBox(
      center: PixelPoint(x: numbers[0], y: numbers[1]), width: numbers[2], height: numbers[3],
      angle: numbers[4])
  }

  private static func labels(_ columns: fovea_columns, _ index: Int) -> [Label] {
    (columns.label_offsets[index]..<columns.label_offsets[index + 1]).map { index in
      Label(
        text: columns.label_texts[Int(index)].map { String(cString: $0) },
        index: Int(columns.label_indexes[Int(index)]), confidence: columns.label_scores[Int(index)])
    }
  }
}
