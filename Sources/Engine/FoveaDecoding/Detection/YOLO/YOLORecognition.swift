// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

extension DetectorRecognizer {
  /// Returns the basis for the decoder of a YOLO family, unless the model belongs to another family.
  /// - Parameters:
  ///   - family: A YOLO family.
  ///   - kin: Families whose models the caller may also mean by this name.
  ///   - isAsked: Whether the caller names the family; otherwise the shapes must show it.
  ///   - other: The layout of an output whose rows match no grid, if the caller names the family.
  /// - Returns: The layout with its model; nil for a model of another family.
  /// - Throws: `ambiguousFamily` if the shapes fit several families and nothing decides between them.
  func yoloHead(
    of family: DetectorFamily, or kin: [DetectorFamily] = [], isAsked: Bool,
    other: (YOLOOutput) -> YOLOLayout? = { _ in nil }
  ) throws(DetectionError) -> YOLOHead? {
    let fitting = isAsked ? yoloLayouts.filter { ([family] + kin).contains($0.family) } : []
    let asked = labelled(fitting) ?? fitting.first
    guard let size = YOLOGrid.inputSize(of: signature),
      let layout = isAsked
        ? asked ?? YOLOOutput(signature, task: hints.task, labelCount: labelledCounts.first).flatMap(other)
        : try recognizedYOLOLayout(),
      isAsked || layout.family == family
    else { return nil }
    return YOLOHead(
      modelName: modelName, layout: layout, inputWidth: size.width, inputHeight: size.height,
      step: signature.outputs[layout.output].step ?? 0, suppression: suppression)
  }

  private var yoloLayouts: [YOLOLayout] {
    YOLOLayout.all(for: signature, task: hints.task, labelCount: labelledCounts.first)
  }

  /// Returns the first layout with as many classes as there are labels.
  private func labelled(_ layouts: [YOLOLayout]) -> YOLOLayout? {
    labelledCounts.lazy.compactMap { count in layouts.first { $0.classCount == count } }.first
  }

  /// Returns the only possible layout: the one with as many classes as labels, otherwise the one with the 80
  /// classes of COCO, which most models in use have.
  ///
  /// A label file that contradicts the 80 classes does not decide: with one line too many for COCO, the same
  /// numbers would silently be read as wrong boxes of another family. Nor does a label file that fits one
  /// family with the background it names, and another without it.
  private func recognizedYOLOLayout() throws(DetectionError) -> YOLOLayout? {
    var layouts = yoloLayouts
    let counts = layouts.map(\.classCount)
    if hasLooseLabels, let labelCount, labelCount != 80, counts.contains(80),
      labelledCounts.contains(where: { $0 != 80 && counts.contains($0) })
    {
      throw ambiguous(
        layouts,
        " The label file has \(labelCount) \(labelCount == 1 ? "line" : "lines"), COCO has 80 classes.",
        remedy: "if the label file is right, else correct it")
    }
    // A label that is certainly the background, or a blank line, leaves open whether it is a class.
    let leavesOpen = spareBackground?.leavesOpen == true
    let wanted = leavesOpen ? [labelledCounts] : labelledCounts.map { [$0] }
    for named in wanted + [[80]] where layouts.count > 1 {
      let fitting = layouts.filter { $0.classCount.map(named.contains) ?? false }
      guard !fitting.isEmpty else { continue }
      layouts = fitting
      break
    }
    guard layouts.count > 1 else { return layouts.first }
    guard let given = labelCount else {
      throw ambiguous(layouts, "", remedy: "or give the label file: its number of lines decides")
    }
    let source = hasLooseLabels ? "The label file has \(given) line" : "The model has \(given) label"
    let what = " \(source)\(given == 1 ? "" : "s")"
    let fitsSome = labelledCounts.contains { counts.contains($0) }
    if fitsSome, leavesOpen, Set(layouts.map(\.classCount)).count > 1 {
      let isBlank = spareBackground == .blank
      throw ambiguous(
        layouts, "\(what), \(isBlank ? "the first of them blank" : "one of them the background").",
        remedy: isBlank
          ? "or remove the blank line if the classes begin with the next, else name that class"
          : "or give a label file without the background if it is not one of the classes")
    }
    guard !fitsSome else {
      throw ambiguous(layouts, "", remedy: "or give the label file: its number of lines decides")
    }
    throw ambiguous(
      layouts, "\(what), which fits none of these.",
      remedy: "or give a label file with as many lines as one of these has classes")
  }

  private func ambiguous(_ layouts: [YOLOLayout], _ detail: String, remedy: Advice) -> DetectionError {
    let names = layouts.map(\.family.name).joined(separator: " or ")
    return DetectionError(
      .ambiguousFamily,
      "'\(modelName)' can be of several families: \(layouts.map(\.summary).joined(separator: ", or "))."
        + "\(detail) It has \(tensorList)",
      remedy: "Name the family, \(names) (\(option: "family")), \(remedy)")
  }
}
