// SPDX-License-Identifier: Apache-2.0

import FoveaMetadata
import FoveaRuntime

extension DetectorRecognizer {
  /// Creates the decoder of a family with rows, unless the model belongs to another family.
  /// - Parameters:
  ///   - family: A family with forms.
  ///   - isAsked: Whether the caller names the family; otherwise the outputs must show it.
  /// - Returns: Nil for a model of another family.
  /// - Throws: `ambiguousFamily` if the shapes fit several families, or a model without its last layer, and
  ///   nothing decides between them; `ambiguousModel` if nothing shows which output is which.
  func rowDecoder(of family: DetectorFamily, isAsked: Bool) throws(DetectionError) -> RowDecoder? {
    let all = RowLayout.all(for: self)
    let found: RowLayout?
    if isAsked {
      let kin = all.filter { $0.family == family || family.kin.contains($0.family.name) }
      let layouts = kin + (RowBinding(self, isAsked: true)?.layouts(of: family) ?? [])
      found = labelled(layouts) ?? layouts.first
    } else {
      found = all.contains { $0.family == family } ? try recognizedLayout(among: all) : nil
    }
    guard var layout = found, isAsked || layout.family == family else { return nil }
    layout.isAsked = isAsked
    guard !layout.isOpen || layout.box != nil || family.isScoresFirst else {
      throw DetectionError(
        .ambiguousModel,
        "The distances and the scores of '\(modelName)' cannot be distinguished: \(tensorList)",
        remedy: "Give two outputs the names 'location' and 'score' in the model's metadata, or export the"
          + " model with one output of decoded boxes")
    }
    guard isAsked || !layout.needsLabels else { throw needsLabels(layout) }
    guard isAsked || !layout.openMaps.contains(.classes) else {
      throw DetectionError(
        .ambiguousModel,
        "'\(modelName)' can be \(layout.summary), but any of its maps can be that of the scores: it has"
          + " \(tensorList)", remedy: layout.mapRemedy)
    }
    return RowDecoder(layout, of: self)
  }

  /// Returns the error for maps that are a split head, or from a model without its last layer.
  private func needsLabels(_ layout: RowLayout) -> DetectionError {
    let columns = layout.sizes.values.first?.columns ?? 0
    let (anchored, rest) = columns.quotientAndRemainder(dividingBy: 3)
    let undecoded =
      rest == 0 && anchored > 5
      ? "yolov5 with \(anchored - 5) \(anchored == 6 ? "class" : "classes") before its last layer"
      : "the feature maps of another model"
    return DetectionError(
      .ambiguousFamily,
      "'\(modelName)' can be \(layout.summary), or \(undecoded). It has \(tensorList)",
      remedy: "Name the family, \(layout.family) (\(option: "family")), or give the label file: its number of"
        + " lines decides; if the last layer is missing, export the model with it")
  }

  /// Returns the first layout with as many classes as there are labels, else with COCO's.
  private func labelled(_ layouts: [RowLayout]) -> RowLayout? {
    (labelledCounts + [80]).lazy.compactMap { count in layouts.first { $0.classCount == count } }.first
  }

  /// Returns the only possible layout: the one with as many classes as labels, otherwise the one with the 80
  /// classes of COCO, which most models in use have.
  ///
  /// A label file that contradicts the 80 classes does not decide: with one line too many for COCO, the same
  /// numbers would silently be read as wrong boxes of another family. Nor does a label file that fits one
  /// family with the background it names, and another without it.
  private func recognizedLayout(among all: [RowLayout]) throws(DetectionError) -> RowLayout? {
    var layouts = all
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

  private func ambiguous(_ layouts: [RowLayout], _ detail: String, remedy: Advice) -> DetectionError {
    let names = layouts.flatMap { [$0.family.name] + [$0.family.twin($0.classCount)].compactMap(\.self) }
    // Labels do not decide between families with as many classes.
    let isByName = Set(layouts.map(\.classCount)).count == 1
    let summaries = isByName ? names : layouts.map(\.summaryWithTwin)
    let named: Advice = "Name the family, \(names.joined(separator: " or ")) (\(option: "family"))"
    return DetectionError(
      .ambiguousFamily,
      "'\(modelName)' can be of several families: \(summaries.joined(separator: ", or "))."
        + "\(isByName ? "" : detail) It has \(tensorList)",
      remedy: isByName ? named : "\(named), \(remedy)")
  }
}
