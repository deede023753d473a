// SPDX-License-Identifier: Apache-2.0

package import FoveaRuntime

/// The family that a model of none comes nearest to, and the rule of it that the model breaks.
package struct NearestFamily: Sendable, Hashable {
  /// The family.
  package var family: DetectorFamily
  /// What is different, as a clause: "there are 2 outputs".
  package var difference: String
  /// What to do next.
  package var remedy: String

  private init(_ family: DetectorFamily, _ difference: String, remedy: String? = nil) {
    self.family = family
    self.difference = difference
    self.remedy = remedy ?? "Export the model with one of the output layouts that 'fovea model inspect' lists"
  }

  /// Compares the tensors of a model, which is of no family, with the families.
  package init(to signature: ModelSignature) {
    let outputs = signature.outputs
    let shapes = outputs.map(\.shape)
    if outputs.count == 1, shapes[0].count == 3 {
      self = Self.yolo(shapes[0], signature)
    } else if outputs.count >= 2, shapes.allSatisfy({ $0.count == 4 || $0.count == 5 }) {
      self.init(
        .yolov5, "the \(outputs.count) outputs are the feature maps themselves, not joined and not decoded",
        remedy: "Export the model with its last layer, so that there is one output of decoded boxes")
    } else if outputs.count == 2, shapes.contains(where: { $0.count == 4 }),
      shapes.contains(where: { $0.count == 3 })
    {
      self.init(
        .yolov8, "there is a second output, as models that also find masks have",
        remedy: "Export a model for detection; masks are not read")
    } else if outputs.count == 2, let boxes = shapes.first(where: { $0.count == 3 && $0[2] == 4 }) {
      self.init(
        .anchorSSD, "the \(boxes[1]) boxes are those of no known anchor layout, or the scores do not fit them"
      )
    } else if outputs.count == 4 {
      self.init(
        .ssdPostProcess,
        outputs.allSatisfy { $0.elementType == .float32 }
          ? "the shapes of the outputs do not fit each other" : "not all outputs are float32")
    } else {
      self.init(
        .ssdPostProcess,
        outputs.count == 1 ? "there is 1 output" : "there are \(outputs.count) outputs")
    }
  }

  private static func yolo(_ shape: [Int], _ signature: ModelSignature) -> NearestFamily {
    let family = shape[1] < shape[2] || shape[2] < 6 ? DetectorFamily.yolov8 : .yolov5
    guard let size = YOLOGrid.inputSize(of: signature) else {
      return NearestFamily(family, "the input is no picture, [1, height, width, 3]")
    }
    guard shape[0] == 1 else {
      return NearestFamily(
        family, "the output is for \(shape[0]) pictures at a time",
        remedy: "Export the model for one picture at a time")
    }
    let numbers = min(shape[1], shape[2])
    guard numbers >= 5 else {
      return NearestFamily(family, "a row has \(numbers) numbers, fewer than a box and its scores take")
    }
    let cells = YOLOGrid(width: size.width, height: size.height, strides: YOLOGrid.knownStrides[0]).count
    return NearestFamily(
      family,
      "neither \(shape[1]) nor \(shape[2]) is the number of cells of an input of \(size.width) × \(size.height)"
        + " pixels (\(cells), or \(cells * 3) rows with three anchors)",
      remedy:
        "Name the family (--family) if it is one of these, or export the model at the size it was made for"
    )
  }
}
