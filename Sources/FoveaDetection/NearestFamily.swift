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
    } else if let other = Self.mediaPipe(shapes) ?? Self.heatMap(outputs, signature) ?? Self.levels(shapes) {
      self = other
    } else if !outputs.isEmpty, shapes.allSatisfy({ $0.count == 4 || $0.count == 5 }) {
      self.init(
        .yolov5,
        outputs.count == 1
          ? "the output is a feature map itself, not a list of boxes"
          : "the \(outputs.count) outputs are the feature maps themselves, not joined and not decoded",
        remedy: "Export the model with its last layer, so that there is one output of decoded boxes")
    } else if outputs.count == 2, shapes.contains(where: { $0.count == 4 }),
      shapes.contains(where: { $0.count == 3 })
    {
      self.init(
        .yolov8, "there is a second output, as models that also find masks have",
        remedy: "Export a model for detection; masks are not read")
    } else if outputs.count == 2,
      let boxes = outputs.first(where: { $0.shape.count == 3 && $0.shape[2] == 4 })
    {
      self = Self.anchors(boxes, signature)
    } else if outputs.count == 4 {
      self.init(.ssdPostProcess, Self.postProcess(outputs))
    } else if outputs.count == 1 {
      let isLabels = shapes[0].count > 1 && shapes[0].dropLast().allSatisfy { $0 == 1 }
      self.init(
        .ssdPostProcess, "there is 1 output",
        remedy: isLabels ? "A classifier is for 'fovea label', or for --classifier" : nil)
    } else {
      self.init(.ssdPostProcess, "there are \(outputs.count) outputs")
    }
  }

  /// Raw boxes with keypoints, but not so many as MediaPipe's graphs have; nil for other outputs.
  private static func mediaPipe(_ shapes: [[Int]]) -> NearestFamily? {
    guard shapes.count == 2, let boxes = shapes.first(where: { $0.count == 3 && [16, 18].contains($0[2]) }),
      let scores = shapes.first(where: { $0 != boxes }),
      scores == [1, boxes[1], 1] || scores == [1, boxes[1]]
    else { return nil }
    let family = boxes[2] == 16 ? DetectorFamily.mediaPipeFace : .mediaPipePalm
    let known = MediaPipeLayout.known.filter { $0.family == family }.map {
      "\($0.count) at \($0.side) × \($0.side)"
    }
    return NearestFamily(
      family, "there are \(boxes[1]) anchors; known are \(known.joined(separator: ", "))",
      remedy: "Use the model as MediaPipe publishes it, with its own input size")
  }

  /// A map of the size of FOMO's whose numbers are not known to be probabilities; nil for other outputs.
  private static func heatMap(
    _ outputs: [TensorDescription], _ signature: ModelSignature
  ) -> NearestFamily? {
    guard outputs.count == 1, let output = outputs.first, output.shape.count == 4, output.shape[0] == 1,
      FOMODecoder.stride(of: output, signature) == 8, output.shape[3] > 1
    else { return nil }
    return NearestFamily(
      .fomo, "the graph does not end with a softmax, so that \(output) may be anything",
      remedy: "Name the family (--family fomo) if it is one; masks and other maps are not read")
  }

  /// Two lists for each of several maps that are not those of PicoDet; nil for other outputs.
  private static func levels(_ shapes: [[Int]]) -> NearestFamily? {
    guard [6, 8].contains(shapes.count), shapes.allSatisfy({ $0.count == 3 && $0[0] == 1 }) else {
      return nil
    }
    let widths = DistanceLayout.knownBins.map { $0 * 4 }
    let hasDistances = shapes.contains { widths.contains($0[2]) }
    return NearestFamily(
      .picodet,
      hasDistances
        ? "the rows of the \(shapes.count) outputs are not the cells of 8, 16, 32 and 64 pixels"
        : "none of the \(shapes.count) outputs has distributions of 32 or 44 numbers",
      remedy: "Export the model with one output of decoded boxes")
  }

  private static func postProcess(_ outputs: [TensorDescription]) -> String {
    if let odd = outputs.first(where: { $0.elementType != .float32 }) { return "\(odd) is not float32" }
    guard let boxes = outputs.first(where: { $0.shape.count == 3 && $0.shape[2] == 4 }) else {
      return "no output is [1, N, 4]"
    }
    return "beside the boxes \(boxes) there are no two outputs of \(boxes.shape[1]) values and one of 1 value"
  }

  private static func anchors(_ boxes: TensorDescription, _ signature: ModelSignature) -> NearestFamily {
    let count = boxes.shape[1]
    let rows = signature.outputs.first { $0 != boxes }?.shape.dropFirst().first
    guard rows == count else {
      return NearestFamily(.anchorSSD, "there are \(count) boxes, but scores for \(rows ?? 0)")
    }
    guard let size = signature.inputs.first?.shape, size.count == 4, size[1] > 0, size[2] > 0 else {
      return NearestFamily(.anchorSSD, "the input is no picture, [1, height, width, 3]")
    }
    let (width, height) = (size[2], size[1])
    let (ssd, pyramid, efficientDet) = (
      AnchorLayout.ssdCount(width: width, height: height),
      AnchorLayout.pyramidCount(width: width, height: height, perCell: 6),
      AnchorLayout.pyramidCount(width: width, height: height, perCell: 9)
    )
    let isEfficientDet = abs(efficientDet - count) < min(abs(ssd - count), abs(pyramid - count))
    return NearestFamily(
      isEfficientDet ? .efficientDet : .anchorSSD,
      "there are \(count) anchors; known at \(width) × \(height) are \(ssd) (SSD with six maps), \(pyramid)"
        + " (SSD with a feature pyramid) and \(efficientDet) (EfficientDet)",
      remedy: "Export the model with TFLite_Detection_PostProcess, or with the anchors in its metadata")
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
