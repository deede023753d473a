// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaRuntime

/// The outputs of an SSD that include its anchors.
enum PriorHead: Sendable, Hashable {
  /// Box codes, scores and anchors as three outputs with A rows, at these indices.
  case separate(codes: Int, scores: Int, anchors: Int, head: AnchorHead)
  /// One output, [1, A, C + 8] or [1, A, C + 12].
  case joined(rows: Int, columns: Int)

  /// Finds the three outputs or the joined one; nil for other outputs.
  ///
  /// If the caller names the family (`isAsked`), a joined output may have any number of rows.
  /// - Throws: `ambiguousModel` if two of three outputs could be the anchors.
  init?(_ model: DetectorRecognizer, isAsked: Bool) throws(DetectionError) {
    switch model.signature.outputs.count {
    case 1: try self.init(joined: model, isAsked: isAsked)
    case 3: try self.init(separate: model)
    default: return nil
    }
  }

  private init?(joined model: DetectorRecognizer, isAsked: Bool) throws(DetectionError) {
    let output = model.signature.outputs[0]
    guard [.float32, .float16].contains(output.elementType), output.shape.count == 3, output.shape[0] == 1,
      output.shape[1] > 0, (10...1 << 16).contains(output.shape[2]),
      let size = YOLOGrid.inputSize(of: model.signature)
    else { return nil }
    let count = output.shape[1]
    guard count <= 1 << 24 else { return nil }
    guard isAsked || Self.isKnown(count, width: size.width, height: size.height) else { return nil }
    guard isAsked || RowLayout.all(for: model).isEmpty else { return nil }
    self = .joined(rows: count, columns: output.shape[2])
  }

  /// Returns whether an SSD for such an input has this number of anchors.
  ///
  /// **Source:** Liu et al., "SSD: Single Shot MultiBox Detector": 8,732 at 300 × 300 and 24,564 at
  /// 512 × 512; 7,308 in its first version, as in rykov8/ssd_keras. For the others see `AnchorLayout`.
  private static func isKnown(_ count: Int, width: Int, height: Int) -> Bool {
    let published = [[300, 8732], [300, 7308], [512, 24_564]]
    return width == height && published.contains([width, count])
      || count == AnchorLayout.ssdCount(width: width, height: height)
      || count == AnchorLayout.pyramidCount(width: width, height: height, perCell: 6)
  }

  private init?(separate model: DetectorRecognizer) throws(DetectionError) {
    let outputs = model.signature.outputs
    let shaped = outputs.indices.filter { index in
      let shape = outputs[index].shape
      return [.float32, .float16].contains(outputs[index].elementType) && shape.last == 4
        && (shape.count == 2 || shape.count == 3 && shape[0] == 1)
    }
    let named = shaped.filter { index in
      let name = outputs[index].name.lowercased()
      return name.contains(part: "anchor") || name.contains(part: "prior")
    }
    let flat = shaped.filter { outputs[$0].shape.count == 2 }
    guard let anchors = named.count == 1 ? named.first : flat.count == 1 ? flat.first : nil else {
      let rows = shaped.map { outputs[$0].shape.dropLast().last ?? 0 }
      let others = outputs.indices.filter { !shaped.contains($0) }
      guard shaped.count == 2, rows[0] == rows[1], rows[0] > 1, others.count == 1,
        outputs[others[0]].shape.dropLast().last == rows[0]
      else { return nil }
      let isST = EdgeSSDHead(model, isAsked: true) != nil
      throw DetectionError(
        .ambiguousModel,
        "The boxes and the anchors of \(model: model.modelName) cannot be distinguished:"
          + " \(model.tensorList)",
        remedy: isST
          ? "Name the family 'st-ssd' (\(option: "family", "st-ssd")) if it is one of ST's, or export the"
            + " model with 'anchors' in the name of the output with the anchors"
          : "Export the model with 'anchors' in the name of the output with the anchors")
    }
    let others = outputs.indices.filter { $0 != anchors }
    var rest = model
    rest.metadata = nil
    rest.signature.outputs = others.map { outputs[$0] }
    guard let head = try AnchorHead(rest), outputs[anchors].shape.dropLast().last == head.count else {
      return nil
    }
    self = .separate(codes: others[head.boxes], scores: others[head.scores], anchors: anchors, head: head)
  }
}
