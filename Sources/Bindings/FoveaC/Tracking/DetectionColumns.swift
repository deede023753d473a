// SPDX-License-Identifier: Apache-2.0

import CFovea
import Fovea
import FoveaCore
import FoveaDecoding
import FoveaGeometry

/// A caller's detections in one frame, as columns.
@safe struct DetectionColumns {
  // SAFETY: the caller's columns, read only during the call; counts and offsets are checked before use.
  private let columns: fovea_columns

  /// The maximum number of objects of a frame.
  private static let most = 1_000_000
  /// The size of a struct up to and including its scores.
  private static let minimum = 88

  init(_ argument: UnsafePointer<fovea_columns>) throws(FoveaError) {
    var columns = unsafe fovea_columns()
    unsafe try CStruct.read(argument, into: &columns, minimum: Self.minimum, "detections")
    guard unsafe columns.images == 1 else {
      throw .argument("'images' of detections is \(unsafe columns.images), 1 expected")
    }
    unsafe try Self.check("objects", columns.objects)
    unsafe try Self.check("labels", columns.labels)
    if unsafe columns.objects > 0 {
      guard unsafe columns.boxes != nil else { throw .argument("'boxes' of detections is NULL") }
      guard unsafe columns.scores != nil else { throw .argument("'scores' of detections is NULL") }
    }
    unsafe self.columns = unsafe columns
  }

  private static func check(_ name: String, _ count: Int) throws(FoveaError) {
    guard (0...most).contains(count) else {
      throw .argument("'\(name)' of detections is \(UInt(bitPattern: count)), 0…\(most) expected")
    }
  }

  /// The size of the frame; nil if it is not given.
  var size: PixelSize? {
    guard let widths = unsafe columns.widths, let heights = unsafe columns.heights else { return nil }
    return PixelSize(width: Int(unsafe widths[0]), height: Int(unsafe heights[0]))
  }

  /// Returns the rotation that makes the frame upright.
  /// - Throws: `argument-invalid` for an unknown number.
  func orientation() throws(FoveaError) -> Orientation {
    guard let values = unsafe columns.orientations else { return .up }
    guard let orientation = Orientation(rawValue: Int(unsafe values[0])) else {
      throw .argument("'orientations' of detections is \(unsafe values[0]), 1…8 expected")
    }
    return orientation
  }

  /// Returns the objects with their labels, keypoints, masks and rotated boxes.
  /// - Throws: `argument-invalid` for invalid numbers, and offsets that are not ascending.
  func objects() throws(FoveaError) -> [DetectedObject] {
    var objects: [DetectedObject] = []
    let labels = unsafe try offsets("label_offsets", columns.label_offsets, limit: columns.labels)
    let points = unsafe try offsets("keypoint_offsets", columns.keypoint_offsets, limit: Self.most)
    let masks = unsafe MaskArgument(columns)
    for index in unsafe 0..<columns.objects {
      var object = try box(index)
      object.labels = try labels(index).map { (index) throws(FoveaError) in try label(index) }
      object.keypoints = points(index).compactMap(keypoint)
      object.keypointScores = try keypointScores(points(index))
      object.mask = try masks.mask(of: index)
      object.orientedBox = try orientedBox(index)
      objects.append(object)
    }
    return objects
  }

  private func box(_ index: Int) throws(FoveaError) -> DetectedObject {
    guard let boxes = unsafe columns.boxes, let scores = unsafe columns.scores else {
      throw .argument("'boxes' of detections is NULL")
    }
    let numbers = (0..<4).map { unsafe boxes[index * 4 + $0] }
    guard numbers.allSatisfy({ abs($0) <= 1e9 }), unsafe (0...1).contains(scores[index]) else {
      throw .argument(
        "object \(index) of detections has the box \(numbers) and the score \(unsafe scores[index]),"
          + " numbers within ±1e9 and 0…1 expected")
    }
    return DetectedObject(
      box: BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
      score: unsafe scores[index])
  }

  private func orientedBox(_ index: Int) throws(FoveaError) -> OrientedBox? {
    guard let boxes = unsafe columns.oriented_boxes, unsafe !boxes[index * 5].isNaN else { return nil }
    let numbers = (0..<5).map { unsafe boxes[index * 5 + $0] }
    guard numbers.allSatisfy({ abs($0) <= 1e9 }) else {
      throw .argument(
        "object \(index) of detections has the rotated box \(numbers), numbers within ±1e9 expected")
    }
    return OrientedBox(
      center: PixelPoint(x: numbers[0], y: numbers[1]), width: numbers[2], height: numbers[3],
      angle: numbers[4])
  }

  private func label(_ index: Int) throws(FoveaError) -> Label {
    guard let indexes = unsafe columns.label_indexes, let confidences = unsafe columns.label_scores else {
      throw .argument("'label_indexes' or 'label_scores' of detections is NULL")
    }
    return Label(
      text: unsafe try CStruct.text(columns.label_texts.flatMap { unsafe $0[index] }, "label_texts"),
      index: Int(unsafe indexes[index]), confidence: unsafe confidences[index])
  }

  private func keypoint(_ index: Int) -> PixelPoint? {
    unsafe columns.keypoints.map { unsafe PixelPoint(x: $0[index * 2], y: $0[index * 2 + 1]) }
  }

  /// Returns the scores of keypoints; empty for an object without them.
  private func keypointScores(_ range: Range<Int>) throws(FoveaError) -> [Float] {
    guard let scores = unsafe columns.keypoint_scores, unsafe columns.keypoints != nil else { return [] }
    let found = range.map { unsafe scores[$0] }
    guard !found.allSatisfy(\.isNaN) else { return [] }
    guard found.allSatisfy({ (0...1).contains($0) }) else {
      throw .argument("'keypoint_scores' of detections has \(found), 0…1 expected")
    }
    return found
  }

  /// Returns a function for the range of an object's elements in another column, empty without offsets.
  private func offsets(
    _ name: String, _ offsets: UnsafePointer<Int64>?, limit: Int
  ) throws(FoveaError) -> (Int) -> Range<Int> {
    guard let offsets = unsafe offsets else { return { _ in 0..<0 } }
    var ends = [0]
    for index in unsafe 0..<columns.objects {
      let end = unsafe offsets[index + 1]
      guard unsafe offsets[0] == 0, end >= ends[index], end <= limit else {
        throw .argument("'\(name)' of detections does not ascend from 0 to at most \(limit)")
      }
      ends.append(Int(end))
    }
    return { ends[$0]..<ends[$0 + 1] }
  }
}
