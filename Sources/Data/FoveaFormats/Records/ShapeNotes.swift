// SPDX-License-Identifier: Apache-2.0

package import Fovea
import FoveaCore

/// A shape of an object besides its box.
package enum ObjectShape: String, CaseIterable, Sendable {
  case mask = "masks"
  case orientedBox = "rotated boxes"

  func exists(in object: DetectedObject) -> Bool {
    switch self {
    case .mask: object.mask != nil
    case .orientedBox: object.orientedBox != nil
    }
  }
}

/// Notes that a format has no place for the masks or the rotated boxes of a run, each returned once.
package struct ShapeNotes: Sendable {
  private var missing: [(shape: ObjectShape, note: String)] = []

  /// Creates the notes of a format for images.
  package init(_ format: DetectionFormat, masks: MaskForm = .rle) {
    self.init(
      format.name, format.shapes, masks, DetectionFormat.all.map { (name: $0.name, shapes: $0.shapes) })
  }

  /// Creates the notes of a format for frames.
  package init(_ format: FrameFormat, masks: MaskForm = .rle) {
    self.init(
      format.name, format.shapes, masks, FrameFormat.all.map { (name: $0.name, shapes: $0.shapes) })
  }

  private init(
    _ name: String, _ shapes: [ObjectShape], _ masks: MaskForm,
    _ formats: [(name: String, shapes: [ObjectShape])]
  ) {
    for shape in ObjectShape.allCases where !shapes.contains(shape) && (shape != .mask || masks != .none) {
      let others = formats.filter { $0.shapes.contains(shape) && $0.name != "text" }.map(\.name)
      missing.append((shape, "\(shape.rawValue) are not in \(name): use \(ShapeNotes.choice(of: others))"))
    }
  }

  private static func choice(of names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " or \(last)"
  }

  /// Returns the notes about shapes that no earlier object had.
  package mutating func notes(for objects: [DetectedObject]) -> [String] {
    guard !missing.isEmpty else { return [] }
    let found = missing.filter { part in objects.contains { part.shape.exists(in: $0) } }
    missing.removeAll { part in found.contains { $0.shape == part.shape } }
    return found.map(\.note)
  }
}
