// SPDX-License-Identifier: Apache-2.0

import FoveaCore
import FoveaDecoding
import FoveaMetadata
import FoveaRuntime

/// The metadata and files to write into a model: its own, and the additions.
struct MetadataDraft {
  private(set) var metadata: ModelMetadata
  private(set) var files: [AssociatedFileContents] = []
  private var graph: ModelMetadata.Subgraph
  private let profile: ModelProfile

  init(_ profile: ModelProfile, _ addition: MetadataAddition) throws {
    guard profile.family != nil && !profile.isSegmenter || profile.hasClassifierHead else {
      let outputs = profile.signature.outputs.map(\.description).joined(separator: ", ")
      throw FoveaError(
        FoveaCode(DetectionCode.unknownFamily),
        "'\(profile.loaded.name)' is neither a classifier nor a detector that Fovea knows: its outputs are"
          + " \(outputs)",
        remedy: "\(term: .inspect) shows the nearest family and what is different")
    }
    self.profile = profile
    metadata = profile.loaded.metadata ?? profile.loaded.exporter.map(ModelMetadata.init) ?? ModelMetadata()
    graph = metadata.subgraphs.first ?? ModelMetadata.Subgraph()
    try keepFiles()
    let counts = try profile.graph()
    if graph.inputs.count != counts.inputCount {
      graph.inputs = profile.signature.inputs.map { TensorMetadata(name: $0.name) }
    }
    if graph.outputs.count != counts.outputCount {
      graph.outputs = profile.signature.outputs.map { TensorMetadata(name: $0.name, content: .features) }
    }
    try describeInput(addition.normalization)
    describeOutputs()
    try describeLabels(addition)
    if let threshold = addition.threshold { graph.outputs[scoreOutput].set(.scoreThreshold(threshold)) }
    metadata.subgraphs = [graph] + metadata.subgraphs.dropFirst()
  }

  /// Keeps the model's files.
  ///
  /// Files that exporters add without naming them in the metadata get an entry; entries without a file are
  /// removed.
  private mutating func keepFiles() throws {
    let archive = try profile.archive()
    for entry in archive?.entries ?? [] where !entry.name.hasSuffix("/") {
      let contents = try LoadedModel.parts(of: profile.loaded.stored) { bytes throws(MetadataError) in
        try archive?.contents(of: entry.name, in: bytes) ?? []
      }
      files.append(AssociatedFileContents(name: entry.name, contents: contents))
    }
    let present = Set(files.map(\.name))
    let named = Set(metadata.allFiles.map(\.name))
    graph.files.removeAll { !present.contains($0.name) }
    for index in graph.inputs.indices { graph.inputs[index].files.removeAll { !present.contains($0.name) } }
    for index in graph.outputs.indices { graph.outputs[index].files.removeAll { !present.contains($0.name) } }
    metadata.files.removeAll { !present.contains($0.name) }
    for file in files where !named.contains(file.name) {
      metadata.files.append(AssociatedFile(name: file.name, kind: .unknown))
    }
  }

  private mutating func describeInput(_ given: Normalization?) throws(FoveaError) {
    guard let tensor = profile.signature.inputs.first, !graph.inputs.isEmpty else { return }
    let colors: ColorSpace = ImageShape(tensor.shape)?.isGrey == true ? .grayscale : .rgb
    if case .image(let stated, _)? = graph.inputs[0].content, stated == colors {
    } else {
      graph.inputs[0].content = .image(colorSpace: colors, defaultSize: nil)
    }
    if graph.inputs[0].name?.isEmpty ?? true { graph.inputs[0].name = "image" }
    if let given {
      let own = try profile.ownNormalization()
      let isOfTwin =
        own?.source == .family
        && twinNormalization.map { !InferredNormalization($0).contradicts(given) } == true
      if !isOfTwin { try own?.check(given, modelName: profile.loaded.name) }
      graph.inputs[0].set(.normalization(given))
    } else if graph.inputs[0].normalization == nil, tensor.elementType == .float32 {
      guard let image = profile.image, image.normalizationSource != .assumed, let known = image.normalization
      else {
        throw .optionInvalid(
          "The input of '\(profile.loaded.name)' is float32, and its normalisation is unknown",
          remedy:
            "Set the normalisation it was trained with: \(option: "normalize") 127.5,127.5 for −1…1,"
            + " 0,255 for 0…1"
        )
      }
      if image.normalizationSource == .family, let other = twinNormalization {
        throw undecided(between: known, and: other)
      }
      graph.inputs[0].set(.normalization(known))
    }
  }

  /// The normalisation of the family that has the same outputs as the recognised one; nil if there is none.
  private var twinNormalization: Normalization? { decoder?.twin?.input.normalization }

  private var decoder: (any DetectionDecoder)? {
    guard case .detector(let decoder) = profile.kind else { return nil }
    return decoder
  }

  /// Returns the error for a model of one of two families with other normalisations.
  private func undecided(between own: Normalization, and other: Normalization) -> FoveaError {
    let (family, twin) = (decoder?.family.name ?? "", decoder?.twin?.name ?? "")
    return .optionInvalid(
      "'\(profile.loaded.name)' can be of the family '\(family)' or '\(twin)', which have the same outputs,"
        + " but different normalisations",
      remedy: "Set that of its family: \(option: "normalize") \(own.optionText) for \(family),"
        + " \(option: "normalize") \(other.optionText) for \(twin)")
  }

  // MARK: Outputs

  /// The output with the scores, for thresholds.
  private var scoreOutput: Int { profile.postProcessedOutputs?[2] ?? labelOutput }

  /// The output that the labels belong to.
  private var labelOutput: Int {
    if let outputs = profile.postProcessedOutputs { return outputs[1] }
    guard profile.isDetector else { return 0 }
    // Boxes have four numbers, scores have one for each class.
    return profile.loaded.labelOutputIndex
      ?? profile.signature.outputs.firstIndex { $0.shape.last != 4 } ?? 0
  }

  /// Sets the names and contents by which the Task Library and MediaPipe find the outputs of a post-processed
  /// SSD.
  ///
  /// **Source:** TensorFlow Lite Support, `cc/task/vision/object_detector.cc`; the index of the edges follows
  /// from the order top, left, bottom, right of `detection_postprocess.cc`.
  private mutating func describeOutputs() {
    for index in graph.outputs.indices where graph.outputs[index].content == nil {
      graph.outputs[index].content = .features
    }
    guard let outputs = profile.postProcessedOutputs else {
      if !profile.isDetector, graph.outputs[0].name?.isEmpty ?? true { graph.outputs[0].name = "probability" }
      return
    }
    for (role, index) in zip(ModelProfile.outputRoles, outputs) { graph.outputs[index].name = role }
    if case .boundingBoxes? = graph.outputs[outputs[0]].content { return }
    graph.outputs[outputs[0]].content = .boundingBoxes(
      BoundingBoxLayout(kind: .boundaries, coordinates: .ratio, index: [1, 0, 3, 2]))
    graph.outputs[outputs[0]].contentRange = 2...2
  }

  // MARK: Labels

  private var labelKind: AssociatedFile.Kind { profile.isDetector ? .valueLabels : .axisLabels }

  private mutating func describeLabels(_ addition: MetadataAddition) throws {
    let found = profile.isDetector ? try profile.detectorLabels.get() : try profile.labels.get()
    // Read first, so that broken files are reported before labels that do not match.
    _ = try profile.labels.get()
    guard var labels = found else {
      guard let locale = addition.localeLabelFiles.keys.min() else { return }
      throw FoveaError.optionInvalid(
        "There are display names for '\(locale)', but '\(profile.loaded.name)' has no labels",
        remedy: "Set the labels as well, with \(option: "labels", "FILE")")
    }
    if !profile.isDetector, let output = profile.signature.outputs.first,
      !(output.shape.last == 1 && labels.count == 2)
    {
      labels = try labels.fitted(to: output.shape.last ?? 0, of: "output 0 of '\(profile.loaded.name)'")
    }
    if profile.loaded.labelFile != nil || isLabelFileMisplaced {
      removeLabelFiles()
      try add(labels.names, "labels", locale: nil)
    }
    for (locale, path) in addition.localeLabelFiles.sorted(by: { $0.key < $1.key }) {
      let file = try LabelMap(contentsOf: path)
      guard let displayNames = file.read(as: labels.count) else {
        throw MetadataError(
          .countMismatch,
          "\(path) has \(DecimalText.counted(file.count, "display name", "display names")) for '\(locale)',"
            + " but the model has \(labels.count) \(labels.count == 1 ? "label" : "labels")",
          remedy: "Give a file with \(labels.count) lines, in the order of the labels")
      }
      removeLabelFiles(locale: locale)
      try add(displayNames.names, "labels-\(locale)", locale: locale)
    }
  }

  /// Whether the model's labels are stored where only Fovea finds them.
  private var isLabelFileMisplaced: Bool { graph.outputs[labelOutput].files(labelKind).isEmpty }

  /// Removes the label files of one locale, or of all locales, from all outputs.
  private mutating func removeLabelFiles(locale: String? = nil) {
    func isMeant(_ file: AssociatedFile) -> Bool {
      [.axisLabels, .valueLabels].contains(file.kind) && (locale == nil || file.locale == locale)
    }
    let names = Set(graph.outputs.flatMap(\.files).filter(isMeant).map(\.name))
    for index in graph.outputs.indices { graph.outputs[index].files.removeAll(where: isMeant) }
    files.removeAll { names.contains($0.name) }
    graph.files.removeAll { names.contains($0.name) }
    metadata.files.removeAll { names.contains($0.name) }
  }

  private mutating func add(_ names: [String], _ stem: String, locale: String?) throws(MetadataError) {
    var name = "\(stem).txt"
    var number = 1
    while files.contains(where: { $0.name == name }) {
      name = "\(stem)-\(number).txt"
      number += 1
    }
    let contents = try LabelLines.bytes(names, isCounted: profile.classCount != nil, name: name)
    files.append(AssociatedFileContents(name: name, contents: contents))
    graph.outputs[labelOutput].files.append(AssociatedFile(name: name, kind: labelKind, locale: locale))
  }
}

extension TensorMetadata {
  /// Replaces the step of the same kind, or appends it.
  fileprivate mutating func set(_ unit: ProcessUnit) {
    processUnits.removeAll { $0.kind == unit.kind }
    processUnits.append(unit)
  }
}
