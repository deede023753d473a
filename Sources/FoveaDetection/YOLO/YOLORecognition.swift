// SPDX-License-Identifier: Apache-2.0

import FoveaRuntime

extension DetectorRecognizer {
  /// What the decoder of a YOLO family begins with, unless the model belongs to another family.
  /// - Parameters:
  ///   - family: A YOLO family.
  ///   - kin: Families whose models the caller may mean by it as well.
  ///   - isAsked: Whether the caller names the family; otherwise the shapes have to show it.
  ///   - other: The way to read an output whose rows are those of no grid, where the caller names the family.
  /// - Returns: The layout with its model; nil for a model of another family.
  /// - Throws: `ambiguousFamily` when the shapes fit several families and nothing decides between them.
  func yoloHead(
    of family: DetectorFamily, or kin: [DetectorFamily] = [], isAsked: Bool,
    other: (YOLOOutput) -> YOLOLayout? = { _ in nil }
  ) throws(DetectionError) -> YOLOHead? {
    let fitting = isAsked ? yoloLayouts.filter { ([family] + kin).contains($0.family) } : []
    let asked = fitting.first { $0.classCount == labelCount } ?? fitting.first
    guard let size = YOLOGrid.inputSize(of: signature),
      let layout = isAsked
        ? asked ?? YOLOOutput(signature, task: hints.task, labelCount: labelCount).flatMap(other)
        : try recognizedYOLOLayout(),
      isAsked || layout.family == family
    else { return nil }
    return YOLOHead(
      modelName: modelName, layout: layout, inputWidth: size.width, inputHeight: size.height,
      step: signature.outputs[layout.output].step ?? 0, suppression: suppression)
  }

  private var yoloLayouts: [YOLOLayout] {
    YOLOLayout.all(for: signature, task: hints.task, labelCount: labelCount)
  }

  /// The one way to read the output: the one whose classes are as many as the labels, else the one with the 80 classes
  /// of COCO, which most models that people try have.
  ///
  /// A label file whose lines speak against the 80 classes does not decide: with a line too many for COCO, boxes of
  /// another family would be made out of the same numbers, and be wrong without a sign.
  private func recognizedYOLOLayout() throws(DetectionError) -> YOLOLayout? {
    var layouts = yoloLayouts
    let counts = layouts.map(\.classCount)
    if hasLooseLabels, let labelCount, labelCount != 80, counts.contains(80), counts.contains(labelCount) {
      throw ambiguous(
        layouts,
        " The label file has \(labelCount) \(labelCount == 1 ? "line" : "lines"), COCO has 80 classes.",
        remedy: "if the label file is right, else correct it")
    }
    for count in [labelCount, 80] where layouts.count > 1 {
      let fitting = layouts.filter { $0.classCount == count }
      if count != nil, !fitting.isEmpty { layouts = fitting }
    }
    guard layouts.count > 1 else { return layouts.first }
    guard let given = labelCount, !counts.contains(given) else {
      throw ambiguous(layouts, "", remedy: "or give the label file: its number of lines decides")
    }
    let what = hasLooseLabels ? "The label file has \(given) line" : "The model has \(given) label"
    throw ambiguous(
      layouts, " \(what)\(given == 1 ? "" : "s"), which fits none of these.",
      remedy: "or give a label file with as many lines as one of these has classes")
  }

  private func ambiguous(_ layouts: [YOLOLayout], _ detail: String, remedy: Advice) -> DetectionError {
    let names = layouts.map(\.family.name).joined(separator: " or ")
    return DetectionError(
      .ambiguousFamily,
      "'\(modelName)' can be of several families: \(layouts.map(\.summary).joined(separator: ", or "))."
        + "\(detail) It has \(tensorList)",
      remedy: "Name the family, \(names) (\(term: .family())), \(remedy)")
  }
}
