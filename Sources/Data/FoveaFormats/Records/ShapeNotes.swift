// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore

/// The places of an object besides its box.
package enum ObjectShape: String, CaseIterable, Sendable {
  case mask = "masks"
  case orientedBox = "rotated boxes"
  case keypoints

  func exists(in object: DetectedObject) -> Bool {
    switch self {
    case .mask: object.mask != nil
    case .orientedBox: object.orientedBox != nil
    case .keypoints: !object.keypoints.isEmpty
    }
  }
}

/// Notes that a format has no place for the masks, the rotated boxes or the keypoints of a run, each returned
/// once, and that a requested form of masks, or a threshold of keypoints, has no effect.
package struct ShapeNotes: Sendable {
  private var missing: [(shape: ObjectShape, note: String)] = []
  private let requested: MaskForm?
  private let keypointThreshold: Float?
  private var hasObjects = false
  private var hasMasks = false
  private var hasKeypoints = false

  /// Creates the notes of a format for images.
  /// - Parameters:
  ///   - format: The format.
  ///   - masks: The requested form of masks; nil for the default.
  ///   - keypointThreshold: The requested least score of a visible keypoint; nil for the default.
  package init(_ format: DetectionFormat, masks: MaskForm? = nil, keypointThreshold: Float? = nil) {
    self.init(
      format.name, format.shapes, masks, keypointThreshold,
      DetectionFormat.all.map { (name: $0.name, shapes: $0.shapes) })
  }

  /// Creates the notes of a format for frames; the parameters are those for images.
  package init(_ format: FrameFormat, masks: MaskForm? = nil, keypointThreshold: Float? = nil) {
    self.init(
      format.name, format.shapes, masks, keypointThreshold,
      FrameFormat.all.map { (name: $0.name, shapes: $0.shapes) })
  }

  private init(
    _ name: String, _ shapes: [ObjectShape], _ masks: MaskForm?, _ keypointThreshold: Float?,
    _ formats: [(name: String, shapes: [ObjectShape])]
  ) {
    requested = masks
    self.keypointThreshold = keypointThreshold
    let lacking = ObjectShape.allCases.filter { !shapes.contains($0) }
    for shape in lacking where shape != .mask || masks != MaskForm.none {
      let others = formats.filter { $0.shapes.contains(shape) && $0.name != "text" }.map(\.name)
      missing.append((shape, "\(shape.rawValue) are not in \(name): use \(ShapeNotes.list(others, "or"))"))
    }
  }

  /// Returns names as a list with a word before the last: "json, jsonl or coco".
  static func list(_ names: [String], _ word: String) -> String {
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " \(word) \(last)"
  }

  /// Returns the notes about shapes that no earlier object had.
  package mutating func notes(for objects: [DetectedObject]) -> [String] {
    if !objects.isEmpty { hasObjects = true }
    if requested != nil, !hasMasks { hasMasks = objects.contains { ObjectShape.mask.exists(in: $0) } }
    if keypointThreshold != nil, !hasKeypoints {
      hasKeypoints = objects.contains { ObjectShape.keypoints.exists(in: $0) }
    }
    guard !missing.isEmpty else { return [] }
    let found = missing.filter { part in objects.contains { part.shape.exists(in: $0) } }
    missing.removeAll { part in found.contains { $0.shape == part.shape } }
    return found.map(\.note)
  }

  /// The notes at the end of a run that a requested form of masks, or a threshold of keypoints, had no
  /// effect, because no object had any.
  package var unused: [String] {
    guard hasObjects else { return [] }
    var notes: [String] = []
    if let requested, requested != MaskForm.none, !hasMasks {
      notes.append("\(program: .option("masks", requested.rawValue)) has no effect: no object has a mask")
    }
    if let keypointThreshold, !hasKeypoints {
      notes.append(
        "\(program: .option("keypoint-threshold", "\(keypointThreshold)")) has no effect: no object has"
          + " keypoints")
    }
    return notes
  }
}
