// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension NearestFamily {
  /// Compares a list of rows with YOLOv5 or YOLOv8; nil if the other is nearer, or for other outputs.
  init?(list signature: ModelSignature, as family: DetectorFamily) {
    guard signature.outputs.count == 1, let shape = signature.outputs.first?.shape, shape.count == 3,
      family == (shape[1] < shape[2] || shape[2] < 6 ? .yolov8 : .yolov5)
    else { return nil }
    guard let size = YOLOGrid.inputSize(of: signature) else {
      self.init(family, "the input is not an image of shape [1, height, width, 3]")
      return
    }
    guard shape[0] == 1 else {
      self.init(
        family, "the output is for \(shape[0]) images at a time",
        remedy: "Export the model for one image at a time")
      return
    }
    let numbers = min(shape[1], shape[2])
    guard numbers >= 5 else {
      self.init(family, "a row has \(numbers) numbers, fewer than a box and its scores take")
      return
    }
    let cells = YOLOGrid(width: size.width, height: size.height, strides: YOLOGrid.knownStrides[0]).count
    guard shape.allSatisfy({ $0 != cells && $0 != cells * 3 }) else {
      self.init(
        family, "a row has \(numbers) numbers, which do not fit the labels or the description of the model",
        remedy: "Give the labels that it was trained with (\(option: "labels")), or export it again")
      return
    }
    self.init(
      family,
      "neither \(shape[1]) nor \(shape[2]) is the number of cells of an input"
        + " of \(size.width) × \(size.height) pixels (\(cells), or \(cells * 3) rows with three anchors)",
      remedy:
        "Name the family (\(option: "family")) if it is one of these, or export the model at the size"
        + " it was made for"
    )
  }
}
